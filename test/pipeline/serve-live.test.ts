import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Peer, startPeer } from '../support/otlp-peer.js';
import { toReadableSpan } from '../support/replayed-spans.js';
import {
  batchOf,
  comparable,
  expectBalanced,
  forwardedSpans,
  gradeBytes,
  recording,
  refundDocument,
  startTestServe,
  type TestServe,
  verdictsOf,
} from './serve-support.js';

type Exporter = JsonExporter | ProtobufExporter;
const exporters: readonly (readonly [string, (url: string) => Exporter])[] = [
  ['exporter-trace-otlp-http', (url) => new JsonExporter({ url })],
  ['exporter-trace-otlp-proto', (url) => new ProtobufExporter({ url })],
];

let serve: TestServe;
let backend: Peer;
let hook: Peer;

beforeEach(async () => {
  backend = await startPeer();
  hook = await startPeer();
  serve = await startTestServe(`
specs: [ { files: [${refundDocument}], when: 'resource["service.name"] == "refund-agent"' } ]
destinations: [ { name: backend, otlp_http: ${backend.url.href} } ]
alerts: { sinks: { ops: { webhook: ${hook.url.href}, allow_private: true } } }
`);
});
afterEach(async () => {
  expectBalanced(serve);
  await serve.stop();
  expectBalanced(serve);
  await Promise.all([backend.stop(), hook.stop()]);
});

function recordedSpans(variant: string): readonly ReadableSpan[] {
  return Array.from(batchOf(recording(variant)), toReadableSpan);
}

async function exportSpans(exporter: Exporter, spans: readonly ReadableSpan[]): Promise<void> {
  const result = await new Promise<{ code: ExportResultCode; error?: Error }>((resolve) => {
    exporter.export([...spans], resolve);
  });
  expect(result).toEqual({ code: ExportResultCode.SUCCESS });
}

/** `span name | event | evaluation | verdict` of everything added on the way. */
function addedEvents(): string[] {
  return forwardedSpans(backend).flatMap(({ span, events }) =>
    events
      .filter(({ name }) => name.startsWith('gen_ai.evaluation') || name.startsWith('retrial.'))
      .map(({ name, attributes }) =>
        [
          span.name,
          name,
          attributes['gen_ai.evaluation.name'] ?? attributes['retrial.rule'],
          attributes['gen_ai.evaluation.score.label'] ?? '-',
        ].join(' | '),
      ),
  );
}

const result = 'gen_ai.evaluation.result';
const root = `POST /chat | ${result}`;

describe.each(exporters)('a refund sent by the stock %s', (_, create) => {
  const send = async (variant: string): Promise<void> => {
    const exporter = create(`${serve.url}/v1/traces`);
    const spans = recordedSpans(variant);
    // As an agent does: whatever ended meanwhile goes out together, the root last.
    await exportSpans(exporter, spans.slice(0, 3));
    await exportSpans(exporter, spans.slice(3, -1));
    await exportSpans(exporter, spans.slice(-1));
    await exporter.shutdown();
    await serve.pass(2_000);
  };

  it('a good run passes every rule, and the verdicts stand on the right spans', async () => {
    await send('good');
    expect(serve.report().units).toMatchObject([{ verdict: 'pass', releaseReason: 'root_ended' }]);
    expect(addedEvents().sort()).toEqual(
      [
        `chat scripted-1 | ${result} | looks the order up | pass`,
        `chat scripted-1 | ${result} | refunds that order | pass`,
        `chat scripted-1 | ${result} | quotes the refund id | pass`,
        `${root} | looks up before it refunds | pass`,
        `${root} | the refund service answers | pass`,
        `${root} | refunds at most once | pass`,
        `${root} | answers right after the refund | pass`,
        `${root} | never hands off | pass`,
        `${root} | Refund of one order | pass`,
      ].sort(),
    );
    expect(hook.requests).toEqual([]);
  });

  it('a hand-off fails its rules and marks its witness', async () => {
    await send('handoff');
    expect(verdictsOf(serve.report().units[0])).toEqual({
      'looks the order up': 'pass',
      'refunds that order': 'fail',
      'quotes the refund id': 'fail',
      'looks up before it refunds': 'fail',
      'the refund service answers': 'fail',
      'refunds at most once': 'pass',
      'answers right after the refund': 'fail',
      'never hands off': 'fail',
    });
    const added = addedEvents();
    expect(added).toContain('chat scripted-1 | retrial.violation | /evaluations/4 | -');
    // The step did not happen, so its rule has no span of its own.
    expect(added).toContain(`${root} | refunds that order | fail`);
  });

  it.each([
    ['other-id', ['quotes the refund id']],
    ['no-lookup', ['looks the order up', 'looks up before it refunds']],
    [
      'claim',
      [
        'refunds that order',
        'looks up before it refunds',
        'the refund service answers',
        'answers right after the refund',
      ],
    ],
    ['injection-text', []],
  ])('%s fails exactly its rules', async (variant, failed) => {
    await send(variant);
    const verdicts = Object.entries(verdictsOf(serve.report().units[0]));
    expect(verdicts.filter(([, verdict]) => verdict !== 'pass').map(([title]) => title)).toEqual(
      failed,
    );
  });
});

describe('the events', () => {
  it('have the attributes of the contract, exactly', async () => {
    await serve.send(recording('handoff'));
    await serve.pass(2_000);
    const spans = forwardedSpans(backend);
    const top = spans.find(({ span }) => span.parentSpanId === null);
    const [unit] = serve.report().units;
    const event = top?.events.find(
      (e) => e.attributes['gen_ai.evaluation.name'] === 'never hands off',
    );
    const witness = unit?.evaluations.find(({ type }) => type === 'never')?.witness[0];
    const common = {
      'retrial.spec.session': 'Refund of one order',
      'retrial.spec.digest': unit?.digest,
      'retrial.unit.kind': 'trace',
      'retrial.unit.id': unit?.id,
      'retrial.generation': 1,
      'retrial.final': true,
      'retrial.release_reason': 'root_ended',
      'retrial.complete': true,
    };
    const never = {
      'retrial.rule': '/evaluations/4',
      'retrial.evidence.span_ids': [witness?.spanId],
      'retrial.severity': 'critical',
    };
    expect(event?.attributes).toEqual({
      'gen_ai.evaluation.name': 'never hands off',
      'gen_ai.evaluation.score.value': 0,
      'gen_ai.evaluation.score.label': 'fail',
      'gen_ai.evaluation.explanation': unit?.evaluations.find(({ type }) => type === 'never')
        ?.reason,
      ...never,
      ...common,
    });
    const marked = spans.filter(({ events }) => events.some((e) => e.name === 'retrial.violation'));
    expect(marked.map(({ span }) => span.spanId)).toEqual([witness?.spanId]);
    const violation = marked[0]?.events.find((e) => e.name === 'retrial.violation');
    expect(violation?.attributes).toEqual({ ...never, ...common });
    // The time of what was seen is its own; what only the end decided has the time of the end.
    expect(event?.timeUnixNano).toBe(violation?.timeUnixNano);
    expect(event?.timeUnixNano).toBeLessThan(top?.span.endUnixNano ?? 0n);
    const summary = top?.events.find((e) => e.attributes['retrial.rule'] === '');
    expect(summary).toEqual({
      name: result,
      timeUnixNano: top?.span.endUnixNano,
      attributes: {
        'gen_ai.evaluation.name': 'Refund of one order',
        'gen_ai.evaluation.score.label': 'fail',
        'gen_ai.evaluation.explanation': '6 rule(s) failed; conformance: fail',
        'retrial.rule': '',
        'retrial.evidence.span_ids': [],
        ...common,
      },
    });
  });

  it('name the model response that a step rule was decided on', async () => {
    await serve.send(recording('good'));
    await serve.pass(2_000);
    const carriers = forwardedSpans(backend).filter(({ events }) =>
      events.some((e) => e.attributes['gen_ai.evaluation.name'] === 'quotes the refund id'),
    );
    expect(carriers).toHaveLength(1);
    const responseId = carriers[0]?.span.attribute('gen_ai.response.id');
    const event = carriers[0]?.events.find(
      (e) => e.attributes['gen_ai.evaluation.name'] === 'quotes the refund id',
    );
    expect(event?.attributes['gen_ai.response.id']).toBe(responseId);
  });

  it('are the same bytes when the same spans are sent to another process in another order', async () => {
    const bytes = recording('handoff');
    await serve.send(bytes);
    await serve.pass(2_000);
    const first = forwardedSpans(backend)
      .map(({ bytes: span }) => span.toString('hex'))
      .sort();
    const otherBackend = await startPeer();
    const other = await startTestServe(`
specs: [ { files: [${refundDocument}] } ]
destinations: [ { name: backend, otlp_http: ${otherBackend.url.href} } ]
`);
    await other.send(bytes);
    await other.pass(2_000);
    expect(
      forwardedSpans(otherBackend)
        .map(({ bytes: span }) => span.toString('hex'))
        .sort(),
    ).toEqual(first);
    await other.stop();
    await otherBackend.stop();
  });

  it('are all that was added: without them the bytes are those received', async () => {
    const bytes = recording('handoff');
    await serve.send(bytes);
    await serve.pass(2_000);
    const sent = batchOf(bytes);
    const received = new Map(
      Array.from(sent, (span, row) => [span.spanId, Buffer.from(sent.spanBytes(row))]),
    );
    const forwarded = forwardedSpans(backend);
    expect(forwarded).toHaveLength(sent.size);
    for (const { span, bytes: out, events } of forwarded) {
      const original = received.get(span.spanId) ?? Buffer.alloc(0);
      // Events are appended, so what came in is the beginning of what goes out.
      expect(out.subarray(0, original.length).equals(original)).toBe(true);
      const hasEvents = events.some(({ name }) => name === result || name === 'retrial.violation');
      expect(out.length > original.length).toBe(hasEvents);
    }
  });
});

describe('an alert', () => {
  it('comes before the root span is sent, with witness, rule and place, and only once', async () => {
    const spans = recordedSpans('handoff');
    const exporter = new ProtobufExporter({ url: `${serve.url}/v1/traces` });
    const isRoot = (span: ReadableSpan): boolean => span.parentSpanContext === undefined;
    await exportSpans(
      exporter,
      spans.filter((span) => !isRoot(span)),
    );
    await serve.whenIdle();
    await hook.received(1);
    expect(backend.requests).toEqual([]);
    expect(serve.counts().held).toBe(12);
    const alert = JSON.parse(hook.requests[0]?.body.toString() ?? '');
    expect(alert).toMatchObject({
      state: 'raised',
      early: true,
      document: refundDocument,
      session: 'Refund of one order',
      rule: '/evaluations/4',
      type: 'never',
      title: 'never hands off',
      severity: 'critical',
      generation: 1,
      position: `${refundDocument}:87`,
      unit: { kind: 'trace', id: spans[0]?.spanContext().traceId },
      witness: [{ text: expect.stringContaining('assistant hands_off') }],
    });
    await exportSpans(exporter, spans.filter(isRoot));
    await serve.pass(2_000);
    const witness = serve
      .report()
      .units[0]?.evaluations.find(({ type }) => type === 'never')?.witness;
    expect(alert.witness[0].spanId).toBe(witness?.[0]?.spanId);
    expect(serve.report().units[0]?.verdict).toBe('fail');
    expect(hook.requests).toHaveLength(1);
    await exporter.shutdown();
  });
});

describe('serve and grade', () => {
  it.each(['good', 'handoff', 'sub-agent', 'parallel', 'tool-error', 'session', 'no-content'])(
    'give the same report of %s',
    async (variant) => {
      const bytes = recording(variant);
      await serve.send(bytes);
      await serve.pass(2_000);
      const offline = await gradeBytes([bytes], refundDocument);
      expect(comparable(serve.report())).toEqual(comparable(offline));
    },
  );
});
