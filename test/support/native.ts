import { type TestSpan, testTraceId } from './otlp.js';

/** A Behavior to be stated by a span of the native dialect (contract.md §8). */
export interface Stated {
  readonly actor: string;
  readonly action?: string;
  readonly target?: string;
  readonly content?: unknown;
  readonly with?: unknown;
}

export interface RunOptions {
  readonly traceId?: string;
  /** Attributes of the root span. */
  readonly root?: Readonly<Record<string, string | number>>;
  readonly startMs?: number;
}

/** A run of an agent: one root span, one child per Behavior in order. */
export function statedRun(behaviors: readonly Stated[], options: RunOptions = {}): TestSpan[] {
  const { traceId = testTraceId, root = {}, startMs = 0 } = options;
  const rootId = spanIdAt(traceId, 0);
  const children = behaviors.map(
    (behavior, index): TestSpan => ({
      traceId,
      spanId: spanIdAt(traceId, index + 1),
      parentSpanId: rootId,
      startMs: startMs + 10 * (index + 1),
      attributes: attributesOf(behavior),
    }),
  );
  const endMs = startMs + 10 * (behaviors.length + 2);
  const top = { traceId, spanId: rootId, name: 'run', startMs, endMs, attributes: root };
  return [top, ...children];
}

function spanIdAt(traceId: string, index: number): string {
  return traceId.slice(0, 12) + (index + 1).toString(16).padStart(4, '0');
}

function attributesOf({ actor, action, target, content, with: args }: Stated) {
  return {
    'abs.actor': actor,
    ...(action !== undefined && { 'abs.action': action }),
    ...(target !== undefined && { 'abs.target': target }),
    ...(content !== undefined && { 'abs.content.json': JSON.stringify(content) }),
    ...(args !== undefined && { 'abs.with.json': JSON.stringify(args) }),
  };
}

export const refundSpec = `abs_version: "0.2"
session: Refund request
behaviors:
  - actor: user
    action: says
    content: I want a refund
  - actor: assistant
    action: calls
    target: get_order
    with:
      orderId: A-17
  - actor: assistant
    action: responds
    evaluations:
      - type: contains
        value: REF-1
        title: quotes the refund id
evaluations:
  - type: never
    title: never hands off
    match:
      actor: assistant
      action: hands_off
`;

export const goodRun: readonly Stated[] = [
  { actor: 'user', action: 'says', content: 'I want a refund' },
  { actor: 'assistant', action: 'calls', target: 'get_order', with: { orderId: 'A-17' } },
  { actor: 'tool', action: 'responds', target: 'get_order', content: { state: 'paid' } },
  { actor: 'assistant', action: 'responds', content: 'Done: REF-1' },
];

/** Quotes another id and hands off. */
export const badRun: readonly Stated[] = [
  ...goodRun.slice(0, 3),
  { actor: 'assistant', action: 'hands_off', target: 'human' },
  { actor: 'assistant', action: 'responds', content: 'Done: REF-2' },
];
