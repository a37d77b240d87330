import { annotateTraces } from '../src/otlp/annotate.js';
import type { SpanEventData } from '../src/otlp/event-writer.js';
import { encodeJsonTraces } from '../src/otlp/json-to-protobuf.js';
import type { SpanBatch } from '../src/otlp/span-batch.js';
import { indexTraces } from '../src/otlp/span-index.js';
import { measure, medianRatio, type Ratio, type Variant } from './measure.js';
import { makePayloads, type Payload, requestType } from './payloads.js';
import { gradeTenRules, reconstructTraces } from './stages.js';
import { structuralScan } from './structural-scan.js';

/** What a dialect asks of a span: mostly attributes that are not there. */
const askedKeys = [
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'gen_ai.response.id',
  'gen_ai.conversation.id',
  'gen_ai.tool.name',
  'gen_ai.tool.call.id',
  'gen_ai.usage.input_tokens',
  'gen_ai.agent.name',
  'abs.actor',
  'openinference.span.kind',
  'ai.operationId',
  'traceloop.span.kind',
  'http.route',
] as const;

const verdict: SpanEventData = {
  name: 'gen_ai.evaluation.result',
  timeUnixNano: 1_760_000_000_000_000_000n,
  attributes: {
    'gen_ai.evaluation.name': 'refund is confirmed',
    'gen_ai.evaluation.score.label': 'fail',
    'retrial.rule': '/behaviors/3/evaluations/0',
  },
};

/** A row of its own for every stage that is to be compared. */
const variants: readonly Variant<Payload>[] = [
  {
    name: 'scan',
    prepare:
      ({ protobuf }) =>
      () =>
        structuralScan(protobuf),
  },
  {
    name: 'index',
    prepare:
      ({ protobuf }) =>
      () =>
        batchOf(protobuf).size,
  },
  {
    name: 'index+read',
    prepare:
      ({ protobuf }) =>
      () =>
        readSpans(batchOf(protobuf)),
  },
  {
    name: 'reconstruct',
    prepare:
      ({ protobuf }) =>
      () =>
        reconstructTraces(batchOf(protobuf)).length,
  },
  {
    name: 'reconstruct+grade',
    prepare:
      ({ protobuf }) =>
      () =>
        gradeTenRules(reconstructTraces(batchOf(protobuf))),
  },
  { name: 'annotate all', prepare: ({ protobuf }) => annotateEvery(batchOf(protobuf), 1) },
  { name: 'annotate 5%', prepare: ({ protobuf }) => annotateEvery(batchOf(protobuf), 20) },
  {
    name: 'protobufjs decode',
    prepare:
      ({ protobuf }) =>
      () =>
        requestType.decode(protobuf),
  },
  {
    name: 'protobufjs encode',
    prepare: ({ protobuf }) => {
      const message = requestType.decode(protobuf);
      return () => requestType.encode(message).finish();
    },
  },
  {
    name: 'protobufjs decode+encode',
    prepare:
      ({ protobuf }) =>
      () =>
        requestType.encode(requestType.decode(protobuf)).finish(),
  },
  {
    name: 'JSON.parse',
    prepare:
      ({ json }) =>
      () =>
        JSON.parse(json.toString()),
  },
  {
    name: 'JSON',
    prepare:
      ({ json }) =>
      () =>
        protobufOf(json),
  },
  {
    name: 'JSON+index',
    prepare:
      ({ json }) =>
      () =>
        batchOf(protobufOf(json)).size,
  },
];

const ratios: readonly Ratio[] = [
  { id: 'R2', title: 'index ÷ bare structural scan', numerator: 'index', denominator: 'scan' },
  {
    id: 'R2',
    title: 'index + 14 attributes asked ÷ scan',
    numerator: 'index+read',
    denominator: 'scan',
  },
  {
    id: 'R1',
    title: 'protobufjs decode ÷ index',
    numerator: 'protobufjs decode',
    denominator: 'index',
  },
  {
    id: 'R1',
    title: 'protobufjs decode ÷ index + 14 attributes asked',
    numerator: 'protobufjs decode',
    denominator: 'index+read',
  },
  {
    id: '',
    title: 'index + reconstruct ÷ scan',
    numerator: 'reconstruct',
    denominator: 'scan',
  },
  {
    id: '',
    title: 'index + reconstruct + grade (10 rules) ÷ scan',
    numerator: 'reconstruct+grade',
    denominator: 'scan',
  },
  {
    id: '',
    title: 'index + reconstruct + grade (10 rules) ÷ protobufjs decode',
    numerator: 'reconstruct+grade',
    denominator: 'protobufjs decode',
  },
  {
    id: '',
    title: 'index + reconstruct + grade (10 rules) ÷ protobufjs decode+encode',
    numerator: 'reconstruct+grade',
    denominator: 'protobufjs decode+encode',
  },
  { id: '', title: 'annotate every span ÷ scan', numerator: 'annotate all', denominator: 'scan' },
  {
    id: '',
    title: 'annotate every 20th span ÷ scan',
    numerator: 'annotate 5%',
    denominator: 'scan',
  },
  {
    id: 'R5',
    title: 'protobufjs encode ÷ annotate every span',
    numerator: 'protobufjs encode',
    denominator: 'annotate all',
  },
  {
    id: 'R5',
    title: 'protobufjs decode+encode ÷ annotate every span',
    numerator: 'protobufjs decode+encode',
    denominator: 'annotate all',
  },
  {
    id: 'R6',
    title: 'JSON.parse ÷ JSON to protobuf',
    numerator: 'JSON.parse',
    denominator: 'JSON',
  },
  {
    id: 'R6',
    title: 'JSON.parse ÷ JSON to protobuf and index',
    numerator: 'JSON.parse',
    denominator: 'JSON+index',
  },
];

function batchOf(bytes: Uint8Array): SpanBatch {
  const indexed = indexTraces(bytes);
  if (indexed.kind !== 'ok') throw new Error(indexed.message);
  return indexed.batch;
}

function readSpans(batch: SpanBatch): number {
  let found = 0;
  for (const span of batch) {
    for (const key of askedKeys) if (span.attribute(key) !== undefined) found += 1;
  }
  return found;
}

function annotateEvery(batch: SpanBatch, step: number): () => unknown {
  const additions = new Map<number, readonly SpanEventData[]>();
  for (let row = 0; row < batch.size; row += step) additions.set(row, [verdict]);
  return () => annotateTraces(batch, additions);
}

function protobufOf(json: Uint8Array): Uint8Array {
  const encoded = encodeJsonTraces(json);
  if (encoded.kind !== 'ok') throw new Error(encoded.message);
  return encoded.bytes;
}

const isQuick = process.argv.includes('--quick');
const options = isQuick
  ? { rounds: 5, millisecondsPerRound: 30 }
  : { rounds: 15, millisecondsPerRound: 60 };

for (const profile of ['agent', 'web'] as const) {
  const payloads = makePayloads(profile, 6);
  const bytes = payloads.reduce((sum, { protobuf }) => sum + protobuf.length, 0);
  const spans = payloads.reduce((sum, payload) => sum + payload.spans, 0);
  const figures = measure(variants, payloads, options);
  console.log(
    `\n${profile}: ${Math.round(bytes / spans)} bytes a span, Node ${process.versions.node}`,
  );
  for (const ratio of ratios) {
    const figure = medianRatio(figures, ratio).toFixed(2).padStart(8);
    console.log(`${figure}  ${ratio.title}${ratio.id === '' ? '' : ` (${ratio.id})`}`);
  }
}
