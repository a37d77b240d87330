import { fileURLToPath, pathToFileURL } from 'node:url';
import protobuf from 'protobufjs';
import { Random } from './random.js';

/** One request in every form that the variants need. */
export interface Payload {
  readonly spans: number;
  readonly protobuf: Buffer;
  readonly json: Buffer;
}

export type Profile = 'agent' | 'web';

const protoFolder = new URL('proto/', pathToFileURL(`${process.cwd()}/`));
const root = new protobuf.Root();
root.resolvePath = (_origin, target) => fileURLToPath(new URL(target, protoFolder));
root.loadSync('opentelemetry/proto/collector/trace/v1/trace_service.proto');
/** The reference codec: protobufjs with the pinned schema. */
export const requestType = root.lookupType(
  'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest',
);

type Json = Record<string, unknown>;

/**
 * Requests of 512 spans. `agent`: model calls with chat messages as JSON text, tool calls and HTTP
 * requests, about 2.5 kB a span; a quarter of the messages is not ASCII. `web`: HTTP and database
 * spans, about 375 bytes. Spans of several traces are mixed, as a batching exporter sends them.
 */
export function makePayloads(profile: Profile, count: number): Payload[] {
  return Array.from({ length: count }, (_, seed) => makePayload(profile, new Random(seed + 1)));
}

function makePayload(profile: Profile, random: Random): Payload {
  const traces = Array.from({ length: 14 }, () => random.hex(16));
  const spans = Array.from({ length: 512 }, () => {
    const traceId = random.pick([traces[0] ?? '', ...traces.slice(1)]);
    return profile === 'agent' ? agentSpan(random, traceId) : webSpan(random, traceId);
  });
  const request = {
    resourceSpans: [
      {
        resource: {
          attributes: [
            text('service.name', 'shop-agent'),
            text('service.version', '4.17.2'),
            text('telemetry.sdk.language', 'nodejs'),
            text('host.name', 'worker-7.internal'),
          ],
        },
        scopeSpans: [{ scope: { name: 'instrumentation', version: '1.4.0' }, spans }],
      },
    ],
  };
  const message = requestType.fromObject(withIdBytes(request));
  return {
    spans: spans.length,
    protobuf: Buffer.from(requestType.encode(message).finish()),
    json: Buffer.from(JSON.stringify(request)),
  };
}

function agentSpan(random: Random, traceId: string): Json {
  const kind = random.next();
  if (kind < 0.38) return chatSpan(random, traceId);
  return kind < 0.7 ? toolSpan(random, traceId) : webSpan(random, traceId);
}

function chatSpan(random: Random, traceId: string): Json {
  const model = random.pick(['gpt-5.1', 'claude-sonnet-4-5']);
  const input = [
    message(random, 'system', 900),
    message(random, 'user', random.integer(300, 5200)),
  ];
  const output = [message(random, 'assistant', random.integer(200, 1600))];
  return baseSpan(random, traceId, `chat ${model}`, 3, [
    text('gen_ai.operation.name', 'chat'),
    text('gen_ai.provider.name', 'openai'),
    text('gen_ai.request.model', model),
    text('gen_ai.response.model', model),
    text('gen_ai.response.id', `resp_${random.hex(12)}`),
    text('gen_ai.conversation.id', `conv_${random.hex(8)}`),
    integer('gen_ai.usage.input_tokens', random.integer(100, 9000)),
    integer('gen_ai.usage.output_tokens', random.integer(10, 900)),
    { key: 'gen_ai.request.temperature', value: { doubleValue: 0.7 } },
    {
      key: 'gen_ai.response.finish_reasons',
      value: { arrayValue: { values: [{ stringValue: 'stop' }] } },
    },
    text('gen_ai.input.messages', JSON.stringify(input)),
    text('gen_ai.output.messages', JSON.stringify(output)),
  ]);
}

function toolSpan(random: Random, traceId: string): Json {
  const tool = random.pick(['get_order', 'refund_order', 'search_docs', 'send_email']);
  return baseSpan(random, traceId, `execute_tool ${tool}`, 1, [
    text('gen_ai.operation.name', 'execute_tool'),
    text('gen_ai.tool.name', tool),
    text('gen_ai.tool.type', 'function'),
    text('gen_ai.tool.call.id', `call_${random.hex(12)}`),
    text('gen_ai.tool.call.arguments', JSON.stringify({ orderId: `A-${random.integer(1, 9999)}` })),
    text('gen_ai.tool.call.result', JSON.stringify({ note: prose(random, 700) })),
  ]);
}

function webSpan(random: Random, traceId: string): Json {
  const route = random.pick(['/orders/:id', '/refunds', '/customers/:id/orders']);
  return baseSpan(random, traceId, `GET ${route}`, 2, [
    text('http.request.method', 'GET'),
    text('http.route', route),
    text('url.scheme', 'https'),
    text('server.address', 'api.internal'),
    integer('server.port', 443),
    integer('http.response.status_code', random.pick([200, 200, 200, 404, 500])),
    text('network.protocol.version', '1.1'),
    text('user_agent.original', 'node'),
  ]);
}

function baseSpan(
  random: Random,
  traceId: string,
  name: string,
  kind: number,
  attributes: Json[],
): Json {
  const start = 1_760_000_000_000_000_000n + BigInt(random.integer(0, 1e9)) * 1000n;
  return {
    traceId,
    spanId: random.hex(8),
    parentSpanId: random.hex(8),
    flags: 257,
    name,
    kind,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + BigInt(random.integer(1e6, 1e9))),
    attributes,
    status: { code: random.pick([0, 0, 0, 2]) },
  };
}

function message(random: Random, role: string, size: number): Json {
  return { role, parts: [{ type: 'text', content: prose(random, size) }] };
}

const words =
  'the order was refunded because a customer asked for it and nothing else could be done'.split(
    ' ',
  );

function prose(random: Random, size: number): string {
  const extra =
    random.next() < 0.25 ? ['größer', 'été', '注文', '“quoted”'] : ['plain', '\n\n', '"so"'];
  const parts: string[] = [];
  for (let length = 0; length < size; ) {
    const list = random.next() < 0.06 ? extra : words;
    const word = list[random.integer(0, list.length - 1)] ?? '';
    parts.push(word);
    length += word.length + 1;
  }
  return parts.join(' ');
}

function text(key: string, stringValue: string): Json {
  return { key, value: { stringValue } };
}

function integer(key: string, intValue: number): Json {
  return { key, value: { intValue: String(intValue) } };
}

function withIdBytes<T>(value: T): Json {
  return JSON.parse(JSON.stringify(value), (key, item) =>
    typeof item === 'string' && /^(?:trace|span|parentSpan)Id$/.test(key)
      ? Buffer.from(item, 'hex').toString('base64')
      : item,
  );
}
