import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { recordingFormats } from '../../src/recordings/index.js';
import { listRecordings } from '../../src/recordings/list-recordings.js';
import { readRecording } from '../../src/recordings/read-recording.js';
import type { ByteSource } from '../../src/recordings/recording.js';
import { collectAll, inChunks } from '../support/chunks.js';
import {
  requestJson,
  requestProtobuf,
  spanJson,
  type TestSpan,
  testTraceId,
} from '../support/otlp.js';

interface Read {
  readonly spans: string[];
  readonly problems: string[];
  readonly isLossy: boolean;
}

function sourceOf(content: string | Uint8Array, chunk = 1000): ByteSource {
  const bytes = Buffer.from(content);
  return {
    name: 'run',
    isNamed: true,
    sizeBytes: bytes.length,
    open: () => inChunks(bytes, chunk),
  };
}

async function read(content: string | Uint8Array | ByteSource, limits = 1 << 28): Promise<Read> {
  const isContent = typeof content === 'string' || content instanceof Uint8Array;
  const source = isContent ? sourceOf(content) : content;
  const batches = await collectAll(
    readRecording(source, recordingFormats, { maxValueBytes: limits }),
  );
  const spans = batches.flatMap(({ batch }) => [...(batch ?? [])].map(({ spanId }) => spanId));
  return {
    spans,
    problems: batches.flatMap(({ problems }) => problems).map((p) => `${p.code}: ${p.message}`),
    isLossy: batches.some(({ isLossy }) => isLossy),
  };
}

const [one, two]: [TestSpan, TestSpan] = [{ spanId: '0a'.repeat(8) }, { spanId: '0b'.repeat(8) }];
const both = [one.spanId, two.spanId];
const first = requestJson([one]);
const second = requestJson([two]);
const request = requestJson([one, two]);
const line = (value: object): string => `${JSON.stringify(value)}\n`;

const good: Readonly<Record<string, string | Uint8Array>> = {
  'one document': JSON.stringify(request),
  'one document, pretty': JSON.stringify(request, null, 2),
  'one document, pretty, behind blank lines and a mark': `\ufeff\n\n${JSON.stringify(request, null, 1)}`,
  'documents one after another': JSON.stringify(first) + JSON.stringify(second, null, 2),
  'an array of requests': JSON.stringify([first, second], null, 2),
  'JSON lines': line(first) + line(second),
  'JSON lines with CRLF, blank lines and no line break at the end': `\ufeff${JSON.stringify(first)}\r\n\r\n  \r\n${JSON.stringify(second)}`,
  'snake case and null members': line({ resource_spans: null }) + line(request),
  'deprecated instrumentation libraries': JSON.stringify({
    resourceSpans: [{ instrumentationLibrarySpans: [{ spans: [spanJson(one), spanJson(two)] }] }],
  }),
  'a Tempo answer with hex ids': JSON.stringify({
    batches: [{ scopeSpans: [{ spans: [spanJson(one), spanJson(two)] }] }],
  }),
  'a Tempo answer with base64 ids': JSON.stringify({
    trace: {
      resourceSpans: [
        { scopeSpans: [{ spans: [one, two].map((span) => base64Ids(spanJson(span))) }] },
      ],
    },
    metrics: {},
  }),
  'a Jaeger v3 answer': JSON.stringify({ result: request }),
  protobuf: requestProtobuf([one, two]),
  'protobuf messages one after another': Buffer.concat([
    requestProtobuf([one]),
    requestProtobuf([two]),
  ]),
  'protobuf with length prefixes': Buffer.concat([framed([one]), framed([two])]),
};

function base64Ids(span: object): object {
  const toBase64 = (hex: unknown): string => Buffer.from(String(hex), 'hex').toString('base64');
  const entries = Object.entries(span).map(([key, value]) => [
    key,
    key.endsWith('Id') ? toBase64(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function framed(spans: readonly TestSpan[]): Uint8Array {
  const body = requestProtobuf(spans);
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(body.length);
  return Buffer.concat([prefix, body]);
}

describe('a recording', () => {
  for (const [name, content] of Object.entries(good)) {
    it(`as ${name} is read whole, also gzipped and in any chunks`, async () => {
      const expected = { spans: both, problems: [], isLossy: false };
      expect(await read(content)).toEqual(expected);
      expect(await read(gzipSync(content))).toEqual(expected);
      expect(await read(sourceOf(content, 1))).toEqual(expected);
      expect(await read(sourceOf(gzipSync(content), 3))).toEqual(expected);
    });
  }

  it('of several gzip members is read as one', async () => {
    const packed = Buffer.concat([gzipSync(line(first)), gzipSync(line(second))]);
    expect((await read(packed)).spans).toEqual(both);
  });

  it('with other signals among its lines keeps the traces and counts the rest', async () => {
    const text = line({ resourceMetrics: [] }) + line(first) + line({ resourceLogs: [] });
    expect(await read(text + line(second) + line({ resourceLogs: [{}] }))).toEqual({
      spans: both,
      problems: [
        'recording-other-signals: run: 1 metrics request(s), 2 logs request(s) passed over; only traces are graded',
      ],
      isLossy: false,
    });
  });

  it('cut at any byte of its last line keeps the lines before and names the line', async () => {
    const start = line(first);
    const last = line(second);
    for (let end = 1; end < last.length - 1; end += 1) {
      expect(await read(start + last.slice(0, end))).toEqual({
        spans: [one.spanId],
        problems: ['recording-cut: run breaks off in line 2; everything before it was kept'],
        isLossy: true,
      });
    }
    expect((await read(start + last.slice(0, -1))).spans).toEqual(both);
  });

  it('with a gzip stream that breaks off keeps what was unpacked', async () => {
    const lines = Array.from({ length: 400 }, (_, at) =>
      line(requestJson([{ spanId: (at + 1).toString(16).padStart(16, '0') }])),
    );
    const packed = gzipSync(lines.join(''));
    const result = await read(packed.subarray(0, packed.length - 200));
    expect(result.spans.length).toBeGreaterThan(100);
    expect(result.isLossy).toBe(true);
    expect(result.problems.at(-1)).toBe(
      'recording-cut: run breaks off in its data: unexpected end of file; everything before it was kept',
    );
  });

  it('with damaged lines keeps the others and tells the first of them once', async () => {
    const text = `${line(first)}{"resourceSpans":[,]}\n{"resourceSpans":[}\n${line(second)}`;
    const result = await read(text);
    expect(result.spans).toEqual(both);
    expect(result.isLossy).toBe(true);
    expect(result.problems).toHaveLength(1);
    expect(result.problems[0]).toMatch(
      /^recording-part-unreadable: run: 2 part\(s\) not readable, first line 2 /,
    );
  });

  it('with one bad span keeps its neighbours', async () => {
    const bad = { ...spanJson(one), startTimeUnixNano: 'yesterday' };
    const text = JSON.stringify({
      resourceSpans: [{ scopeSpans: [{ spans: [bad, spanJson(two)] }] }],
    });
    const batches = await collectAll(readRecording(sourceOf(text), recordingFormats));
    expect(batches[0]?.rejections.map(({ reason, traceId }) => [reason, traceId])).toEqual([
      ['bad_number', testTraceId],
    ]);
    expect((await read(text)).spans).toEqual([two.spanId]);
  });

  it('with a line over the limit passes it over and reads on', async () => {
    const long = line(requestJson([{ ...one, attributes: { text: 'x'.repeat(5000) } }]));
    expect(await read(long + line(second), 2000)).toEqual({
      spans: [two.spanId],
      problems: [
        'recording-part-too-large: run: 1 part(s) over the limit of 2000 bytes were passed over, first line 1',
      ],
      isLossy: true,
    });
  });
});

describe('a file that is no recording', () => {
  const cases: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['empty', '', /^recording-empty: run is empty$/],
    ['blank', ' \n\r\n', /^recording-empty/],
    ['text', 'Dear diary,\n', /^recording-unknown: .*it begins with "Dear diary,"$/],
    ['a picture', Buffer.from('89504e470d0a1a0a0000', 'hex'), /bytes 89 50 4e 47 0d 0a 1a 0a$/],
    ['other JSON', '{"name":"x","version":1}', /a JSON object with the keys name, version$/],
    ['a Jaeger answer', '{"data":[{"traceID":"1","spans":[],"processes":{}}]}', /is Jaeger JSON/],
    ['Zipkin', '[{"traceId":"1","id":"2","localEndpoint":{}}]', /is Zipkin JSON/],
    ['Langfuse', '{"trace":{"id":"1"},"observations":[]}', /is a Langfuse export/],
    ['LangSmith', '{"id":"1","run_type":"llm","dotted_order":"x"}\n', /is a LangSmith run export/],
    ['LangSmith batch', '{"post":[],"patch":[]}', /is a LangSmith run export/],
    ['OpenAI Agents', '{"data":[{"object":"trace","id":"trace_1"}]}', /of the OpenAI Agents SDK/],
    ['console', '{"trace_id":"1","span_id":"2","name":"x"}', /spans printed by a console exporter/],
    [
      'protobuf logs',
      Buffer.from('0a060a0012020a05', 'hex'),
      /^recording-unreadable: run looks like OTLP protobuf, but nothing in it is readable: the message at byte 0: /,
    ],
    ['zstd', Buffer.from('28b52ffd00', 'hex'), /is a zstd archive/],
    ['UTF-16', Buffer.from('\ufeff{"resourceSpans":[]}', 'utf16le'), /is UTF-16 text/],
    [
      'broken JSON',
      '{"resourceSpans": nope}',
      /^recording-unreadable: run looks like OTLP JSON lines/,
    ],
  ];
  for (const [name, content, expected] of cases) {
    it(`is named for what it is: ${name}`, async () => {
      const result = await read(content);
      expect(result.spans).toEqual([]);
      expect(result.problems).toHaveLength(1);
      expect(result.problems[0]).toMatch(expected);
    });
  }

  it('is a warning instead of an error when it was found in a folder', async () => {
    const source = { ...sourceOf('hello'), isNamed: false };
    const [batch] = await collectAll(readRecording(source, recordingFormats));
    expect(batch?.problems.map(({ severity }) => severity)).toEqual(['warning']);
  });

  it('and one that cannot be read at all is a problem, not an exception', async () => {
    const source: ByteSource = {
      name: 'run',
      isNamed: true,
      sizeBytes: null,
      // biome-ignore lint/correctness/useYield: a stream that fails before its first byte
      open: async function* () {
        throw new Error('EACCES: permission denied');
      },
    };
    expect((await read(source)).problems).toEqual([
      'file-unreadable: cannot read run: EACCES: permission denied',
    ]);
  });
});

describe('memory', () => {
  it('does not grow with the number of JSON lines', async () => {
    const text = line(requestJson([{ ...one, attributes: { text: 'x'.repeat(20_000) } }]));
    async function* repeat(times: number): AsyncGenerator<Uint8Array> {
      const bytes = Buffer.from(text);
      for (let count = 0; count < times; count++) yield bytes;
    }
    const peak = async (times: number): Promise<number> => {
      const source = { name: 'run', isNamed: true, sizeBytes: null, open: () => repeat(times) };
      let highest = 0;
      let seen = 0;
      for await (const batch of readRecording(source, recordingFormats)) {
        seen += batch.batch?.size ?? 0;
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        highest = Math.max(highest, heapUsed + arrayBuffers);
      }
      expect(seen).toBe(times);
      return highest;
    };
    await peak(50);
    const few = await peak(500);
    const many = await peak(5000);
    // 100 MB instead of 10: a reader that held its lines would need ten times as much.
    expect(many / few).toBeLessThan(2.5);
  });
});

const shared = fileURLToPath(new URL('../../../shared/traces/', import.meta.url));

describe.skipIf(!existsSync(shared))('recordings of the field', () => {
  it('every OTLP file is read without an error, gzipped or not, whatever its form', async () => {
    const files = readdirSync(shared, { recursive: true, encoding: 'utf8' });
    const named = files
      .filter((file) => /\.otlp\.(jsonl?|pb)(\.gz)?$/.test(file) && !file.includes('.logs.'))
      .sort();
    expect(named.length).toBeGreaterThan(50);
    const { sources } = listRecordings(named, { cwd: shared, stdin: inChunks(Buffer.of(), 1) });
    const wrong: string[] = [];
    for (const source of sources) {
      const { spans, problems } = await read(source);
      const bad = problems.filter((problem) => !problem.startsWith('recording-other-signals'));
      if (spans.length === 0 || bad.length > 0) wrong.push(`${source.name}: ${bad.join('; ')}`);
    }
    expect(wrong).toEqual([]);
  });
});
