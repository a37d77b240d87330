import { describe, expect, it } from 'vitest';
import { encodeJsonTraces } from '../../src/otlp/json-to-protobuf.js';
import { defaultOtlpLimits } from '../../src/otlp/limits.js';
import {
  encodeOk,
  ids,
  jsonRequest,
  jsonSpan,
  jsonValue,
  onlyRejection,
  onlySpan,
  readBytes,
  readJson,
  spanId,
  traceId,
} from './samples.js';

const base64TraceId = Buffer.from(traceId, 'hex').toString('base64');
const base64SpanId = Buffer.from(spanId, 'hex').toString('base64');

function readValue(anyValue: string): unknown {
  return onlySpan(readJson(jsonRequest(jsonValue(anyValue)))).attribute('a');
}

function refused(span: string): { reason: string; message: string } {
  const read = readJson(jsonRequest(span, jsonSpan()));
  expect(read.spans).toHaveLength(1);
  return onlyRejection(read);
}

describe('ids', () => {
  it('J1: takes hex in any case and tells it in lower case', () => {
    const text = `{"traceId":"${traceId.toUpperCase()}","spanId":"${spanId.toUpperCase()}","parentSpanId":"AABBCCDDEEFF0011"}`;
    const span = onlySpan(readJson(jsonRequest(text)));
    expect(span.traceId).toBe(traceId);
    expect(span.spanId).toBe(spanId);
    expect(span.parentSpanId).toBe('aabbccddeeff0011');
  });

  it('J2: refuses a span with base64 ids and says what they look like', () => {
    const { reason, message } = refused(`{"traceId":"${base64TraceId}","spanId":"${spanId}"}`);
    expect(reason).toBe('bad_id');
    expect(message).toBe('traceId has 24 characters that look like base64; expected 32 hex digits');
  });

  it('J2: takes base64 ids where recordings allow them, hex ids beside them', () => {
    const body = jsonRequest(
      `{"traceId":"${base64TraceId}","spanId":"${base64SpanId}"}`,
      jsonSpan(),
    );
    const read = readJson(body, { ids: 'hex_or_base64' });
    expect(read.spans.map((span) => [span.traceId, span.spanId])).toEqual([
      [traceId, spanId],
      [traceId, spanId],
    ]);
    expect(encodeOk(body, { ids: 'hex_or_base64' }).counters.base64Ids).toBe(2);
  });

  it.each(['""', '"0000000000000000"', 'null'])('J3: a parent of %s is no parent', (parent) => {
    const span = onlySpan(readJson(jsonRequest(jsonSpan(`"parentSpanId":${parent}`))));
    expect(span.parentSpanId).toBeNull();
  });

  it.each([
    [`{"spanId":"${spanId}"}`, 'traceId is missing; expected 32 hex digits, not all zero'],
    [
      `{"traceId":"","spanId":"${spanId}"}`,
      'traceId is missing; expected 32 hex digits, not all zero',
    ],
    [
      `{"traceId":"${'0'.repeat(32)}","spanId":"${spanId}"}`,
      'traceId is all zero; expected 32 hex digits, not all zero',
    ],
    [
      `{"traceId":"${traceId}","spanId":"0000000000000000"}`,
      'spanId is all zero; expected 16 hex digits, not all zero',
    ],
    [
      `{"traceId":"5b8efff798038103","spanId":"${spanId}"}`,
      'traceId has 16 characters; expected 32 hex digits',
    ],
    [
      `{"traceId":"${traceId}","spanId":"eee19b7ec3c1b17x"}`,
      'spanId is "eee19b7ec3c1b17x", which is not hex; expected 16 hex digits',
    ],
    [`{"traceId":12,"spanId":"${spanId}"}`, 'traceId is a number; expected 32 hex digits'],
  ])('J3: refuses %s alone', (span, message) => {
    expect(refused(span)).toMatchObject({ reason: 'bad_id', message });
  });

  it('charges a refused span to its trace, wherever the trace id stands in it', () => {
    const read = readJson(jsonRequest(`{"spanId":"xx","traceId":"${traceId.toUpperCase()}"}`));
    expect(onlyRejection(read)).toMatchObject({
      traceId,
      at: 'resourceSpans[0].scopeSpans[0].spans[0]',
    });
  });
});

describe('numbers', () => {
  it.each([
    ['"1581452772000000321"', 1581452772000000321n],
    ['1581452772000000321', 1581452772000000321n],
    ['"18446744073709551615"', 18446744073709551615n],
    ['18446744073709551615', 18446744073709551615n],
    ['9007199254740993', 9007199254740993n],
    ['1e3', 1000n],
    ['"1E3"', 1000n],
    ['1.5e1', 15n],
    ['1.0', 1n],
    ['0', 0n],
    ['-0', 0n],
    ['"007"', 7n],
  ])('J4: a time of %s keeps all its digits', (text, expected) => {
    const span = onlySpan(readJson(jsonRequest(jsonSpan(`"startTimeUnixNano":${text}`))));
    expect(span.startUnixNano).toBe(expected);
  });

  it.each([
    '1.5',
    '" 12"',
    '"0x10"',
    '""',
    '"1_000"',
    '"+5"',
    '-1',
    '18446744073709551616',
    '1e400',
    '"1e99999"',
    'true',
    '[1]',
    '"NaN"',
  ])('J4: refuses a span with a time of %s', (text) => {
    const { reason, message } = refused(jsonSpan(`"endTimeUnixNano":${text}`));
    expect(reason).toBe('bad_number');
    expect(message).toMatch(
      /^endTimeUnixNano is .+; expected a whole number from 0 to 18446744073709551615/,
    );
  });

  it.each([
    ['"9223372036854775807"', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['"-42"', -42],
    ['42', 42],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740992', -9007199254740992n],
  ])('J4: an intValue of %s is exact', (text, expected) => {
    expect(readValue(`{"intValue":${text}}`)).toBe(expected);
  });

  it.each(['9223372036854775808', '"-9223372036854775809"', '1.5', '"abc"'])(
    'J4: refuses an intValue of %s',
    (text) => {
      expect(refused(jsonValue(`{"intValue":${text}}`)).reason).toBe('bad_number');
    },
  );

  it('J5: 32-bit numbers and enums may be digits in a string', () => {
    const members = '"droppedAttributesCount":"7","kind":"3","flags":"257","status":{"code":"2"}';
    const span = onlySpan(readJson(jsonRequest(jsonSpan(members))));
    expect(span.dropped.attributes).toBe(7);
    expect([span.kind, span.flags, span.status.code]).toEqual([3, 257, 'error']);
    expect(refused(jsonSpan('"droppedEventsCount":4294967296')).reason).toBe('bad_number');
  });

  it('J6: takes enum names and counts them; keeps numbers that are not in the enum', () => {
    const named = jsonRequest(
      jsonSpan('"kind":"SPAN_KIND_SERVER","status":{"code":"STATUS_CODE_OK"}'),
    );
    const span = onlySpan(readJson(named));
    expect([span.kind, span.status.code]).toEqual([2, 'ok']);
    expect(encodeOk(named).counters.enumNames).toBe(2);
    expect(onlySpan(readJson(jsonRequest(jsonSpan('"kind":99')))).kind).toBe(99);
    expect(onlySpan(readJson(jsonRequest(jsonSpan('"kind":-1')))).kind).toBe(-1);
    expect(refused(jsonSpan('"kind":"SERVER"')).message).toMatch(
      /^kind is "SERVER"; expected a number or one of SPAN_KIND_UNSPECIFIED, /,
    );
  });

  it.each([
    ['1.5', 1.5],
    ['"1.2"', 1.2],
    ['3', 3],
    ['"NaN"', 'NaN'],
    ['"Infinity"', 'Infinity'],
    ['"-Infinity"', '-Infinity'],
    ['1e400', 'Infinity'],
    ['-1e400', '-Infinity'],
    ['-0', -0],
  ])('J11: a doubleValue of %s', (text, expected) => {
    expect(readValue(`{"doubleValue":${text}}`)).toBe(expected);
  });

  it('J11: refuses a doubleValue that is no number', () => {
    expect(refused(jsonValue('{"doubleValue":"twelve"}'))).toMatchObject({
      reason: 'bad_number',
      message: 'doubleValue is "twelve"; expected a number, "NaN", "Infinity" or "-Infinity"',
    });
  });

  it('J20: refuses {low, high} pairs and names them', () => {
    const { reason, message } = refused(jsonSpan('"startTimeUnixNano":{"low":1,"high":2}'));
    expect(reason).toBe('bad_number');
    expect(message).toContain('a {"low", "high"} pair of a JavaScript Long is not OTLP');
  });

  it('J24: keeps every bit of the flags', () => {
    const body = jsonRequest(jsonSpan(`"flags":4294967295,"links":[{${ids},"flags":2147484416}]`));
    const span = onlySpan(readJson(body));
    expect(span.flags).toBe(0xffffffff);
    const link = Buffer.from([0x35, 0x00, 0x03, 0x00, 0x80]);
    expect(Buffer.from(encodeOk(body).bytes).includes(link)).toBe(true);
  });
});

describe('members', () => {
  it('J7: nothing but the ids is required', () => {
    const span = onlySpan(readJson(jsonRequest(jsonSpan())));
    expect([span.name, span.kind, span.status.code, span.startUnixNano]).toEqual([
      '',
      0,
      'unset',
      0n,
    ]);
    expect([span.attributeKeys(), span.events(), span.links()]).toEqual([[], [], []]);
  });

  it('J8: null anywhere is absent', () => {
    const body = `{"resourceSpans":[null,{"resource":null,"scopeSpans":[{"scope":null,"spans":[null,${jsonSpan(
      '"name":null,"kind":null,"startTimeUnixNano":null,"attributes":null,"events":null,"links":[null],"status":null',
    )}]}]}]}`;
    expect(onlySpan(readJson(body)).name).toBe('');
    expect(readJson('{"resourceSpans":null}').spans).toEqual([]);
  });

  it('J9: takes snake_case and counts it', () => {
    const body = `{"resource_spans":[{"scope_spans":[{"spans":[{"trace_id":"${traceId}","span_id":"${spanId}","start_time_unix_nano":"5","attributes":[{"key":"a","value":{"string_value":"x"}}]}]}]}]}`;
    const span = onlySpan(readJson(body));
    expect([span.startUnixNano, span.attribute('a')]).toEqual([5n, 'x']);
    expect(encodeOk(body).counters.snakeCaseKeys).toBe(6);
  });

  it('J10: skips unknown members of every type and depth', () => {
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    const members = `"later":{"a":[1,{"b":null}],"c":"}"},"x":${deep},"y":-1.5e3,"z":true`;
    const body = jsonRequest(jsonSpan(members));
    expect(onlySpan(readJson(body)).spanId).toBe(spanId);
    expect(encodeOk(body).counters.unknownFields).toBe(4);
  });

  it('J14: of two members of one value the last counts', () => {
    expect(readValue('{"stringValue":"first","intValue":"2"}')).toBe(2);
    expect(readValue('{"arrayValue":{"values":[{}]},"boolValue":true}')).toBe(true);
    expect(
      encodeOk(jsonRequest(jsonValue('{"stringValue":"a","intValue":1}'))).counters.replacedMembers,
    ).toBe(1);
  });

  it('J15: of members of one name the last counts, and leaves nothing behind', () => {
    const members =
      '"attributes":[{"key":"a","value":{"stringValue":"old"}}],"name":"first","status":{"message":"m","code":2},"name":"second","attributes":[{"key":"b","value":{"stringValue":"new"}}],"status":{"code":1}';
    const span = onlySpan(readJson(jsonRequest(jsonSpan(members))));
    expect(span.name).toBe('second');
    expect(span.attributeKeys()).toEqual(['b']);
    expect(span.status).toEqual({ code: 'ok', message: '' });
    const gone = jsonRequest(jsonSpan('"name":"first","kind":2,"name":null'));
    expect(onlySpan(readJson(gone))).toMatchObject({ name: '', kind: 2 });
  });

  it('J15: groups of spans are never replaced: a second member adds its spans', () => {
    const group = `[{"spans":[${jsonSpan()}]}]`;
    const body = `{"resourceSpans":[{"scopeSpans":${group},"scopeSpans":${group}}],"resourceSpans":[{"scopeSpans":${group}}]}`;
    expect(readJson(body).spans).toHaveLength(3);
  });

  it('J16: of attributes with one key the first is read, all are kept in the bytes', () => {
    const members =
      '"attributes":[{"key":"a","value":{"intValue":1}},{"key":"a","value":{"intValue":2}}]';
    const read = readJson(jsonRequest(jsonSpan(members)));
    expect(onlySpan(read).attribute('a')).toBe(1);
    expect(onlySpan(read).attributeKeys()).toEqual(['a']);
    expect(read.batch.index.counters.duplicateAttributeKeys).toBe(1);
    expect(read.batch.index.attributes.count).toBe(2);
  });

  it.each(['__proto__', 'constructor', 'toString', '', 'hasOwnProperty'])(
    'J17: the key %j is data only',
    (key) => {
      const entry = `{"key":${JSON.stringify(key)},"value":{"stringValue":"x"}}`;
      const span = onlySpan(
        readJson(
          jsonRequest(
            jsonSpan(
              `"attributes":[${entry},{"key":"list","value":{"kvlistValue":{"values":[${entry}]}}}]`,
            ),
          ),
        ),
      );
      expect(span.attribute(key)).toBe('x');
      expect(span.attribute('valueOf')).toBeUndefined();
      const list = span.attribute('list');
      expect(Object.getPrototypeOf(list)).toBeNull();
      expect(Object.entries(list ?? {})).toEqual([[key, 'x']]);
    },
  );

  it('J21: takes instrumentationLibrarySpans and counts them', () => {
    const body = `{"resourceSpans":[{"instrumentationLibrarySpans":[{"instrumentationLibrary":{"name":"lib","version":"1"},"spans":[${jsonSpan()}]}]}]}`;
    expect(onlySpan(readJson(body)).scope).toMatchObject({ name: 'lib', version: '1' });
    expect(encodeOk(body).counters.deprecatedKeys).toBe(2);
  });

  it('J23: reads string indexes as absent and counts them', () => {
    const members = '"attributes":[{"key":"a","keyStrindex":4,"value":{"stringValueStrindex":7}}]';
    const body = jsonRequest(jsonSpan(members));
    expect(onlySpan(readJson(body)).attribute('a')).toBeNull();
    expect(encodeOk(body).counters.stringIndexes).toBe(2);
  });
});

describe('values', () => {
  it.each([
    ['"aGk/"', 'aGk/'],
    ['"-_-_"', '+/+/'],
    ['"aGk"', 'aGk='],
    ['"aA=="', 'aA=='],
    ['""', ''],
  ])('J12: bytes of %s', (text, expected) => {
    expect(readValue(`{"bytesValue":${text}}`)).toBe(expected);
  });

  it.each(['"aGk*"', '"a"', '"aGkx="', '12'])('J12: refuses bytes of %s', (text) => {
    expect(refused(jsonValue(`{"bytesValue":${text}}`)).reason).toBe('bad_value');
  });

  it('J13: an empty value and an attribute without value are null', () => {
    expect(readValue('{}')).toBeNull();
    const span = onlySpan(readJson(jsonRequest(jsonSpan('"attributes":[{"key":"x"}]'))));
    expect(span.attribute('x')).toBeNull();
    expect(span.attribute('y')).toBeUndefined();
  });

  it.each([
    ['"plain"', 'a string'],
    ['[1]', 'an array'],
    ['7', 'a number'],
  ])('refuses a value of %s, which is not an AnyValue', (value, seen) => {
    expect(refused(jsonValue(value))).toMatchObject({
      reason: 'bad_structure',
      message: `value is ${seen}; expected an object such as {"stringValue": …}`,
    });
  });

  it('refuses a value of the wrong JSON type', () => {
    expect(refused(jsonValue('{"stringValue":5}'))).toMatchObject({
      reason: 'bad_value',
      message: 'stringValue is a number; expected a string',
    });
    expect(refused(jsonValue('{"boolValue":"true"}')).reason).toBe('bad_value');
  });

  it('J18: depth, elements and bytes have a limit per span; the neighbours are kept', () => {
    const nest = (levels: number): string =>
      levels === 1 ? '{"intValue":1}' : `{"arrayValue":{"values":[${nest(levels - 1)}]}}`;
    const limits = {
      ...defaultOtlpLimits,
      maxValueDepth: 10,
      maxSpanElements: 50,
      maxSpanBytes: 2000,
    };
    const many = `"attributes":[${Array.from({ length: 51 }, () => '{"key":"k"}').join(',')}]`;
    const body = jsonRequest(
      jsonValue(nest(10)),
      jsonValue(nest(11)),
      jsonSpan(many),
      jsonSpan(`"name":"${'x'.repeat(3000)}"`),
      jsonSpan(),
    );
    const read = readJson(body, { limits });
    expect(read.rejections.map(({ reason, at }) => [reason, at])).toEqual([
      ['too_deep', 'resourceSpans[0].scopeSpans[0].spans[1]'],
      ['too_large', 'resourceSpans[0].scopeSpans[0].spans[2]'],
      ['too_large', 'resourceSpans[0].scopeSpans[0].spans[3]'],
    ]);
    expect(read.spans).toHaveLength(2);
  });

  it('J18: a value of 200,000 levels neither crashes nor sinks its neighbour', () => {
    const levels = 200_000;
    const value = '{"arrayValue":{"values":['.repeat(levels) + ']}}'.repeat(levels);
    const encoded = encodeJsonTraces(jsonRequest(jsonValue('{"intValue":1}'), jsonValue(value)));
    // Deeper than what may be skipped, so the text itself is refused, in words.
    expect(encoded).toMatchObject({ kind: 'malformed' });
    const shallower = '{"arrayValue":{"values":['.repeat(2000) + ']}}'.repeat(2000);
    const read = readJson(jsonRequest(jsonValue('{"intValue":1}'), jsonValue(shallower)));
    expect(onlyRejection(read).reason).toBe('too_deep');
    expect(read.spans).toHaveLength(1);
  });
});

describe('text', () => {
  it('J19: a byte order mark is skipped', () => {
    expect(readJson(`\ufeff${jsonRequest(jsonSpan())}`).spans).toHaveLength(1);
  });

  it('J19: half a surrogate pair becomes U+FFFD and is counted; NUL and pairs are text', () => {
    const body = jsonRequest(jsonSpan('"name":"a\\ud800b\\u0000c\\ud83d\\ude00\\udc00"'));
    expect(onlySpan(readJson(body)).name).toBe('a\ufffdb\0c😀\ufffd');
    expect(encodeOk(body).counters.loneSurrogates).toBe(2);
  });

  it('J19: invalid UTF-8 becomes U+FFFD and is counted', () => {
    const [before = '', after = ''] = jsonRequest(jsonSpan('"name":"a|b"')).split('|');
    const body = Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)]);
    expect(onlySpan(readJson(body)).name).toBe('a\ufffdb');
    expect(encodeOk(body).counters.invalidUtf8).toBe(1);
  });

  it('J19: UTF-16 is refused and named', () => {
    const text = Buffer.from(jsonRequest(jsonSpan()), 'utf16le');
    for (const body of [text, Buffer.concat([Buffer.from([0xff, 0xfe]), text])]) {
      const encoded = encodeJsonTraces(body);
      expect(encoded.kind === 'malformed' && encoded.message).toContain('looks like UTF-16');
    }
  });

  it('decodes every escape, in keys too', () => {
    const name = 'q"b\\s/\b\f\n\r\tü€😀';
    const body = jsonRequest(
      jsonSpan('"n\\u0061me":"q\\"b\\\\s\\/\\b\\f\\n\\r\\t\\u00fc\\u20AC\\ud83d\\ude00"'),
    );
    expect(onlySpan(readJson(body)).name).toBe(name);
  });

  it('keeps long strings with and without escapes', () => {
    const text = `${'long text ü '.repeat(40)}"\\${'x'.repeat(200)}\n${'y'.repeat(47)}"${'z'.repeat(49)}`;
    const body = jsonRequest(jsonSpan(`"name":${JSON.stringify(text)}`));
    expect(onlySpan(readJson(body)).name).toBe(text);
  });

  it.each([
    ['', 'saw the end of the text', 1, 1],
    ['null', 'saw null', 1, 1],
    ['[]', 'saw an array', 1, 1],
    ['"x"', 'saw a string', 1, 1],
    ['{"resourceSpans":[]} {}', 'expected the end of the text', 1, 22],
    ['{"resourceSpans":\n  {}}', 'expected an array for resourceSpans, saw an object', 2, 3],
    [
      '{"resourceSpans":[{"scopeSpans":5}]}',
      'expected an array for scopeSpans, saw a number',
      1,
      33,
    ],
    ['{"resourceSpans":[7]}', 'expected an object in resourceSpans, saw a number', 1, 19],
    ['{"resourceSpans":[],}', 'expected a key in quotes', 1, 21],
    ['{"resourceSpans":[}', 'expected', 1, 19],
    ['{"a":01}', 'expected a JSON value', 1, 6],
    ["{'a':1}", 'expected a key in quotes', 1, 2],
  ])('J16, J22: refuses the text %j and says where', (body, message, line, column) => {
    const encoded = encodeJsonTraces(body);
    expect(encoded).toMatchObject({ kind: 'malformed', line, column });
    expect(encoded.kind === 'malformed' && encoded.message).toContain(message);
  });

  it('J22: two documents in one body are refused', () => {
    const body = `${jsonRequest(jsonSpan())}\n${jsonRequest(jsonSpan())}`;
    expect(encodeJsonTraces(body)).toMatchObject({ kind: 'malformed', line: 2, column: 1 });
  });

  it('says what gzip and protobuf bodies look like', () => {
    const gzip = encodeJsonTraces(Buffer.from([0x1f, 0x8b, 8, 0, 0]));
    expect(gzip.kind === 'malformed' && gzip.message).toContain('looks like gzip');
    const protobuf = encodeJsonTraces(encodeOk(jsonRequest(jsonSpan())).bytes);
    expect(protobuf.kind === 'malformed' && protobuf.message).toContain('looks like protobuf');
  });
});

describe('many bad spans', () => {
  it('cost no more than their text: what was found ahead is not searched again', () => {
    const bad = `{"spanId":"xx","name":"${'n'.repeat(60)}"}`;
    const body = jsonRequest(...Array.from({ length: 30_000 }, () => bad), jsonSpan());
    const encoded = encodeOk(body);
    expect([encoded.rejected, encoded.rejections.length]).toEqual([30_000, 10_000]);
    expect(readBytes(encoded.bytes).spans).toHaveLength(1);
  });
});

describe('envelopes', () => {
  it.each([
    ['{}', false],
    ['{"resourceSpans":[]}', true],
    ['{"resourceSpans":[{}]}', true],
    ['{"resourceSpans":[{"scopeSpans":[{"spans":[]}]}]}', true],
    ['{"resourceLogs":[{"scopeLogs":[]}]}', false],
  ])('%s is a request without spans', (body, hasTraces) => {
    expect(encodeOk(body).hasTraces).toBe(hasTraces);
    expect(readJson(body).spans).toEqual([]);
  });

  it('reads what trace stores answer: batches, trace, result', () => {
    const groups = `[{"scopeSpans":[{"spans":[${jsonSpan()}]}]}]`;
    for (const body of [
      `{"batches":${groups}}`,
      `{"trace":{"resourceSpans":${groups}}}`,
      `{"trace":{"batches":${groups}},"metrics":{}}`,
      `{"result":{"resourceSpans":${groups}}}`,
    ]) {
      expect(onlySpan(readJson(body)).traceId).toBe(traceId);
    }
  });

  it('refuses the spans under a schema URL that is no string', () => {
    const body = `{"resourceSpans":[{"schemaUrl":7,"scopeSpans":[{"spans":[${jsonSpan()}]}]}]}`;
    expect(onlyRejection(readJson(body))).toMatchObject({
      reason: 'bad_value',
      message: 'in the schemaUrl of the span: schemaUrl is a number; expected a string',
    });
  });

  it('refuses the spans of a resource or scope that is wrong, and no others', () => {
    const bad = '{"attributes":[{"key":"a","value":{"intValue":"x"}}]}';
    const body = `{"resourceSpans":[
      {"scopeSpans":[{"spans":[${jsonSpan()},{"traceId":"${traceId}"}]}],"resource":${bad}},
      {"scopeSpans":[{"scope":${bad},"spans":[${jsonSpan()}]},{"spans":[${jsonSpan('"name":"kept"')}]}]}]}`;
    const read = readJson(body);
    expect(read.spans.map(({ name }) => name)).toEqual(['kept']);
    expect(read.rejections.map(({ reason, at, traceId }) => [reason, at, traceId])).toEqual([
      ['bad_id', 'resourceSpans[0].scopeSpans[0].spans[1]', traceId],
      ['bad_number', 'resourceSpans[0].scopeSpans[0].spans[0]', traceId],
      ['bad_number', 'resourceSpans[1].scopeSpans[0].spans[0]', traceId],
    ]);
    expect(read.rejections[1]?.message).toMatch(/^in the resource of the span: intValue is "x"; /);
  });
});
