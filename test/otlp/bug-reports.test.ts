import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/model/span.js';
import { annotateTraces } from '../../src/otlp/annotate.js';
import { encodeJsonTraces } from '../../src/otlp/json-to-protobuf.js';
import { defaultOtlpLimits } from '../../src/otlp/limits.js';
import { indexTraces } from '../../src/otlp/span-index.js';
import { jsonText } from '../../src/util/json-text.js';
import { field } from './raw-message.js';
import {
  attribute,
  encodeOk,
  idFields,
  ids,
  jsonRequest,
  jsonSpan,
  jsonValue,
  onlyRejection,
  onlySpan,
  type Read,
  rawSpanId,
  readBytes,
  readJson,
  request,
  spanId,
  traceId,
} from './samples.js';

// Public bug reports against OTLP readers, each as the payload that broke one. The title begins with
// the report; the neighbour of a bad span must always survive.

const base64TraceId = Buffer.from(traceId, 'hex').toString('base64');
const base64SpanId = Buffer.from(spanId, 'hex').toString('base64');
const badUtf8 = Buffer.from([0xe2, 0x82]);

function beside(span: string): Read {
  return readJson(jsonRequest(span, jsonSpan('"name":"neighbour"')));
}

function byReport<T extends { readonly report: string }>(cases: readonly T[]): [string, T][] {
  return cases.map((item) => [item.report, item]);
}

interface Refused {
  readonly report: string;
  readonly read: () => Read;
  readonly reason: string;
  readonly message?: string;
}

const refusedAlone: readonly Refused[] = [
  {
    report: 'open-telemetry/opentelemetry-collector#3195: base64 ids of a protojson exporter',
    read: () =>
      beside(`{"traceId":"${base64TraceId}","spanId":"${base64SpanId}","kind":"SPAN_KIND_CLIENT"}`),
    reason: 'bad_id',
    message: 'look like base64',
  },
  {
    report: 'open-telemetry/opentelemetry-collector#8720: Go struct JSON with base64 ids',
    read: () =>
      beside(
        `{"trace_id":"${base64TraceId}","span_id":"${base64SpanId}","attributes":[{"key":"a","value":{"Value":{"StringValue":"x"}}}]}`,
      ),
    reason: 'bad_id',
    message: 'look like base64',
  },
  {
    report: 'open-telemetry/opentelemetry-proto-go#106: hex ids decoded as base64, 24 bytes',
    read: () =>
      readBytes(request([field(1, Buffer.from(traceId, 'base64')), field(2, rawSpanId)], idFields)),
    reason: 'bad_id',
    message: 'as if hex text had been decoded as base64',
  },
  {
    report: 'tracewayapp/traceway#130: ids of 48 characters never join',
    read: () => beside(`{"traceId":"${traceId}${spanId}","spanId":"${spanId}"}`),
    reason: 'bad_id',
    message: 'traceId has 48 characters',
  },
  {
    report: 'Logflare/logflare#3683: hex text in a protobuf id refused the whole batch',
    read: () => readBytes(request([field(1, traceId), field(2, spanId)], idFields)),
    reason: 'bad_id',
    message: 'look like hex text',
  },
  {
    report: 'planetf1/otelite#70: oversize id bytes were stored',
    read: () => readBytes(request([field(1, Buffer.alloc(64, 1)), field(2, rawSpanId)], idFields)),
    reason: 'bad_id',
    message: 'trace_id has 64 bytes',
  },
  {
    report: 'langfuse/langfuse#15707: log records decode as spans without ids',
    read: () => readBytes(request([Buffer.from([0x10, 9]), field(3, 'INFO')], idFields)),
    reason: 'bad_id',
    message: 'trace_id is missing',
  },
  {
    report: 'langfuse/langfuse#15793: attributes as an object were lost after a 200',
    read: () => beside(jsonSpan('"attributes":{"a":"b"}')),
    reason: 'bad_structure',
    message: 'attributes is an object; expected an array',
  },
  {
    report: 'open-telemetry/opentelemetry-js#4216: times as {low, high}',
    read: () => beside(jsonSpan('"startTimeUnixNano":{"low":1,"high":2,"unsigned":true}')),
    reason: 'bad_number',
    message: 'of a JavaScript Long',
  },
  {
    report: 'open-telemetry/opentelemetry-js#4202: the answer must name the field and the type',
    read: () => beside(jsonSpan('"endTimeUnixNano":{"low":1,"high":2}')),
    reason: 'bad_number',
    message: 'endTimeUnixNano is an object',
  },
  {
    report: 'open-telemetry/opentelemetry-js#5924: a time with a fraction of a nanosecond',
    read: () => beside(jsonSpan('"startTimeUnixNano":0.5')),
    reason: 'bad_number',
    message: 'startTimeUnixNano is "0.5"',
  },
  {
    report: 'grafana/tempo#3668: a trace id of no bytes',
    read: () => readBytes(request([field(1, ''), field(2, rawSpanId)], idFields)),
    reason: 'bad_id',
    message: 'trace_id is missing',
  },
  {
    report: 'grafana/tempo#5464: an empty span id',
    read: () => beside(`{"traceId":"${traceId}","spanId":""}`),
    reason: 'bad_id',
    message: 'spanId is missing',
  },
  {
    report: 'grafana/tempo#5331: a 64-bit trace id',
    read: () => beside(`{"traceId":"${traceId.slice(16)}","spanId":"${spanId}"}`),
    reason: 'bad_id',
    message: 'traceId has 16 characters',
  },
  {
    report: 'open-telemetry/opentelemetry-collector#15433: a value of 2,000 levels',
    read: () =>
      beside(jsonValue(`${'{"arrayValue":{"values":['.repeat(1999)}{}${']}}'.repeat(1999)}`)),
    reason: 'too_deep',
    message: 'more than 64 levels',
  },
  {
    report: 'VictoriaMetrics/VictoriaLogs#1321: 200,000 levels of kvlist in 3 MB',
    read: () => {
      // An AnyValue holds a KeyValueList, that a KeyValue, that an AnyValue; all lengths in five bytes.
      const tagsOfLevel = [0x32, 0x0a, 0x12];
      const tags = Buffer.alloc(200_000 * tagsOfLevel.length * 6);
      for (let at = tags.length - 6; at >= 0; at -= 6) {
        tags[at] = tagsOfLevel[(at / 6) % tagsOfLevel.length] ?? 0;
        const length = tags.length - at - 6;
        for (let digit = 0; digit < 5; digit += 1) {
          const bits = Math.floor(length / 128 ** digit) % 128;
          tags[at + 1 + digit] = digit < 4 ? bits | 0x80 : bits;
        }
      }
      return readBytes(request([...idFields, attribute('deep', tags)], idFields));
    },
    reason: 'too_deep',
  },
  {
    report: 'DataDog/dd-trace-dotnet#8707: deep arrays',
    read: () => {
      let value: Uint8Array = Buffer.from([0x18, 1]);
      for (let level = 0; level < 300; level += 1) value = field(5, field(1, value));
      return readBytes(request([...idFields, attribute('deep', value)], idFields));
    },
    reason: 'too_deep',
  },
];

describe('a span that is refused, with a neighbour that is kept', () => {
  it.each(byReport(refusedAlone))('%s', (_, { read, reason, message }) => {
    const result = read();
    const rejection = onlyRejection(result);
    expect(rejection.reason).toBe(reason);
    if (message !== undefined) expect(rejection.message).toContain(message);
    expect(result.spans).toHaveLength(1);
  });
});

interface Accepted {
  readonly report: string;
  readonly read: () => Read;
  readonly seen: (span: Span) => unknown;
  readonly expected: unknown;
}

const accepted: readonly Accepted[] = [
  {
    report: 'langfuse/langfuse#15026: an attribute without value',
    read: () =>
      readJson(
        jsonRequest(jsonSpan('"attributes":[{"key":"x"},{"key":"y","value":{"boolValue":false}}]')),
      ),
    seen: (span) => [span.attribute('x'), span.attribute('y')],
    expected: [null, false],
  },
  {
    report: 'langfuse/langfuse#14047: an intValue in a string is no NaN',
    read: () => readJson(jsonRequest(jsonValue('{"intValue":"7"}'))),
    seen: (span) => span.attribute('a'),
    expected: 7,
  },
  {
    report: 'langfuse/langfuse#13297: an int64 is told with all its digits',
    read: () => readJson(jsonRequest(jsonValue('{"intValue":"9223372036854775807"}'))),
    seen: (span) => jsonText(span.attribute('a') ?? null),
    expected: '9223372036854775807',
  },
  {
    report: 'langwatch/langwatch#5937: an omitted kind',
    read: () => readJson(jsonRequest(jsonSpan('"name":"a"'))),
    seen: (span) => [span.name, span.kind],
    expected: ['a', 0],
  },
  {
    report: 'experientiallabs/experiential#1072: an empty parent is a root',
    read: () => readJson(jsonRequest(jsonSpan('"parentSpanId":""'))),
    seen: (span) => span.parentSpanId,
    expected: null,
  },
  {
    report: 'metrico/qryn-view#129: an all-zero parent is a root',
    read: () => readJson(jsonRequest(jsonSpan('"parentSpanId":"0000000000000000"'))),
    seen: (span) => span.parentSpanId,
    expected: null,
  },
  {
    report: 'open-telemetry/opentelemetry-java#1165: an all-zero parent in protobuf',
    read: () => readBytes(request([...idFields, field(4, Buffer.alloc(8))])),
    seen: (span) => span.parentSpanId,
    expected: null,
  },
  {
    report: 'open-telemetry/opentelemetry-go#8775: doubles as strings, not finite',
    read: () =>
      readJson(
        jsonRequest(
          jsonValue(
            '{"arrayValue":{"values":[{"doubleValue":"NaN"},{"doubleValue":"Infinity"},{"doubleValue":"-Infinity"},{"doubleValue":"1.2"}]}}',
          ),
        ),
      ),
    seen: (span) => span.attribute('a'),
    expected: ['NaN', 'Infinity', '-Infinity', 1.2],
  },
  {
    report: 'open-telemetry/opentelemetry-js#2643: nanoseconds are not rounded',
    read: () => readJson(jsonRequest(jsonSpan('"startTimeUnixNano":1645100325000000123'))),
    seen: (span) => span.startUnixNano,
    expected: 1645100325000000123n,
  },
  {
    report: 'openobserve/openobserve#3150: the time of an event in a string',
    read: () =>
      readJson(
        jsonRequest(jsonSpan('"events":[{"name":"e","timeUnixNano":"1700000000000000001"}]')),
      ),
    seen: (span) => span.events().map((event) => event.timeUnixNano),
    expected: [1700000000000000001n],
  },
  {
    report: 'openobserve/openobserve#14368: an end before the start, an end of 0',
    read: () => readJson(jsonRequest(jsonSpan('"startTimeUnixNano":"10","endTimeUnixNano":0'))),
    seen: (span) => [span.startUnixNano, span.endUnixNano],
    expected: [10n, 0n],
  },
  {
    report: 'openobserve/openobserve#4371: empty arrays, empty objects, white space',
    read: () =>
      readJson(
        `\r\n\t{ "resourceSpans" : [ { "resource" : { } , "scopeSpans" : [ { "scope" : { } , "spans" : [ { ${ids} , "events" : [ ] , "links" : [ ] , "status" : { } } ] } ] } ] }\n`,
      ),
    seen: (span) => span.status,
    expected: { code: 'unset', message: '' },
  },
  {
    report: 'open-telemetry/opentelemetry-collector-contrib#12726: a newer group name is no error',
    read: () =>
      readJson(
        `{"resourceSpans":[{"laterSpans":[{"spans":[]}],"scopeSpans":[{"spans":[${jsonSpan()}]}]}]}`,
      ),
    seen: (span) => span.spanId,
    expected: spanId,
  },
  {
    report: 'open-telemetry/opentelemetry-collector#5931: unknown members',
    read: () => readJson(jsonRequest(jsonSpan('"unknown":"x"'))),
    seen: (span) => span.spanId,
    expected: spanId,
  },
  {
    report:
      'open-telemetry/opentelemetry-collector#6038: unknown members that are objects and arrays',
    read: () => readJson(jsonRequest(jsonSpan('"o":{"a":[{}]},"l":[[],{"b":"]"}]'))),
    seen: (span) => span.spanId,
    expected: spanId,
  },
  {
    report: 'open-telemetry/opentelemetry-collector#11267: flags of a span',
    read: () => readJson(jsonRequest(jsonSpan('"flags":769'))),
    seen: (span) => span.flags,
    expected: 769,
  },
  {
    report:
      'open-telemetry/opentelemetry-collector#13127: a member of a later schema, known by number only',
    read: () => readBytes(request([...idFields, field(200, 'later')])),
    seen: (span) => span.spanId,
    expected: spanId,
  },
  {
    report: 'open-telemetry/opentelemetry-proto#460: times as numbers and as strings',
    read: () => readJson(jsonRequest(jsonSpan('"startTimeUnixNano":5,"endTimeUnixNano":"6"'))),
    seen: (span) => [span.startUnixNano, span.endUnixNano],
    expected: [5n, 6n],
  },
  {
    report: 'open-telemetry/opentelemetry-erlang#594: keys in snake_case',
    read: () =>
      readJson(
        jsonRequest(`{"trace_id":"${traceId}","span_id":"${spanId}","dropped_events_count":2}`),
      ),
    seen: (span) => span.dropped.events,
    expected: 2,
  },
  {
    report: 'speakeasy-api/gram#4819: an AnyValue of {}',
    read: () => readJson(jsonRequest(jsonValue('{}'))),
    seen: (span) => span.attribute('a'),
    expected: null,
  },
  {
    report: 'open-telemetry/opentelemetry-specification#4392: nulls in arrays keep their place',
    read: () =>
      readJson(
        jsonRequest(jsonValue('{"arrayValue":{"values":[{"intValue":1},null,{},{"intValue":2}]}}')),
      ),
    seen: (span) => span.attribute('a'),
    expected: [1, null, null, 2],
  },
  {
    report: 'open-telemetry/opentelemetry-dotnet#6149: a null attribute as an empty AnyValue',
    read: () => readBytes(request([...idFields, attribute('a', Buffer.alloc(0))])),
    seen: (span) => span.attribute('a'),
    expected: null,
  },
  {
    report: 'jaegertracing/jaeger-ui#3850: kind by name, in the answer of the Jaeger API',
    read: () => readJson(`{"result":${jsonRequest(jsonSpan('"kind":"SPAN_KIND_SERVER"'))}}`),
    seen: (span) => span.kind,
    expected: 2,
  },
  {
    report: 'grafana/tempo#3861: a kind out of range',
    read: () => readBytes(request([...idFields, Buffer.from([0x30, 0xc8, 0x01])])),
    seen: (span) => span.kind,
    expected: 200,
  },
  {
    report: 'grafana/tempo#5557: a root with a link to its trace is a root',
    read: () =>
      readJson(
        jsonRequest(jsonSpan(`"links":[{"traceId":"${traceId}","spanId":"00f067aa0ba902b7"}]`)),
      ),
    seen: (span) => [span.parentSpanId, span.links().map((link) => link.spanId)],
    expected: [null, ['00f067aa0ba902b7']],
  },
  {
    report: 'open-telemetry/opentelemetry-go#3021: a value cut inside a character',
    read: () =>
      readBytes(
        request([
          ...idFields,
          attribute('a', field(1, Buffer.concat([Buffer.from('10 '), badUtf8]))),
        ]),
      ),
    seen: (span) => span.attribute('a'),
    expected: '10 \ufffd',
  },
  {
    report: 'open-telemetry/opentelemetry-cpp#2257: invalid UTF-8 in an event name',
    read: () => readBytes(request([...idFields, field(11, field(2, Buffer.from([0xff])))])),
    seen: (span) => span.events().map((event) => event.name),
    expected: ['\ufffd'],
  },
  {
    report: 'protobufjs/protobuf.js#2125: __proto__ as a key',
    read: () =>
      readBytes(
        request([...idFields, attribute('__proto__', field(6, field(1, field(1, '__proto__'))))]),
      ),
    seen: (span) => [Object.keys(span.attribute('__proto__') ?? {}), Object.keys(Object.prototype)],
    expected: [['__proto__'], []],
  },
  {
    report: 'mezmo/aura#124: 11 MB in an event name',
    read: () =>
      readBytes(request([...idFields, field(11, field(2, 'x'.repeat(11 * 1024 * 1024)))])),
    seen: (span) => span.events()[0]?.name.length,
    expected: 11 * 1024 * 1024,
  },
  {
    report: 'open-telemetry/opentelemetry-collector#4979: dropped counts',
    read: () =>
      readJson(
        jsonRequest(
          jsonSpan('"droppedAttributesCount":1,"droppedEventsCount":2,"droppedLinksCount":3'),
        ),
      ),
    seen: (span) => span.dropped,
    expected: { attributes: 1, events: 2, links: 3 },
  },
];

describe('an odd span that is accepted', () => {
  it.each(byReport(accepted))('%s', (_, { read, seen, expected }) => {
    expect(seen(onlySpan(read()))).toEqual(expected);
  });
});

describe('whole requests', () => {
  it('open-telemetry/opentelemetry-collector-contrib#35723: one bad string drops nothing', () => {
    const spans = Array.from({ length: 728 }, (_, index) =>
      index === 300 ? [...idFields, field(5, badUtf8)] : idFields,
    );
    expect(readBytes(request(...spans)).spans).toHaveLength(728);
  });

  it('open-telemetry/opentelemetry-specification#3421: bad UTF-8 is forwarded as it came, and counted', () => {
    const body = request([...idFields, field(5, badUtf8)]);
    const { batch, spans } = readBytes(body);
    expect(spans[0]?.name).toBe('\ufffd');
    expect(batch.index.counters.invalidUtf8).toBe(1);
    expect(annotateTraces(batch, new Map())).toEqual(body);
  });

  it('open-telemetry/opentelemetry-collector#6338: enum names go out as numbers', () => {
    const named = encodeOk(jsonRequest(jsonSpan('"kind":"SPAN_KIND_INTERNAL"')));
    const numbered = encodeOk(jsonRequest(jsonSpan('"kind":1')));
    expect(named.bytes).toEqual(numbered.bytes);
  });

  it('bbvch-ai/aihub-core#1795: a span of 17 MB does not sink its small neighbours', () => {
    const limits = { ...defaultOtlpLimits, maxSpanBytes: 16 * 1024 * 1024 };
    const large = [...idFields, attribute('a', field(1, 'x'.repeat(17 * 1024 * 1024)))];
    const read = readBytes(request(large, idFields), limits);
    expect(onlyRejection(read).reason).toBe('too_large');
    expect(read.spans).toHaveLength(1);
  });

  it('protobufjs/protobuf.js#2121: nested groups are refused, not followed', () => {
    const groups = Buffer.alloc(100_000, 0x1b);
    expect(indexTraces(groups).kind).toBe('malformed');
    expect(indexTraces(request([...idFields, groups])).kind).toBe('malformed');
  });

  it('langfuse/langfuse#15707: log records with trace ids are refused with a hint', () => {
    const record = [Buffer.from([0x09, 1, 2, 3, 4, 5, 6, 7, 8]), field(9, Buffer.alloc(16, 0xaf))];
    const indexed = indexTraces(request(record));
    expect(indexed.kind === 'malformed' && indexed.message).toContain('logs or metrics');
  });

  it('vectordotdev/vector#25417: deep unknown JSON is skipped or refused, never followed', () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    expect(encodeJsonTraces(jsonRequest(jsonSpan(`"x":${deep}`))).kind).toBe('malformed');
  });
});
