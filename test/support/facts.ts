import type {
  AgentFact,
  ApprovalFact,
  Atom,
  CallAtom,
  Dialect,
  Fact,
  HandoffFact,
  LlmFact,
  OtherFact,
  ResultAtom,
  TextAtom,
  ToolExecution,
  ToolFact,
} from '../../src/model/fact.js';
import type { Span } from '../../src/model/span.js';
import type { JsonValue } from '../../src/util/json.js';
import { makeSpan, type SpanParts } from './span.js';

type Without<T> = Omit<T, 'span' | 'dialect' | 'losses' | 'kind'>;

/** What a span of the test says, before it is tied to its span. */
export type FactParts =
  | ({ readonly kind: 'llm' } & Partial<Without<LlmFact>>)
  | ({ readonly kind: 'tool' } & Partial<Without<ToolFact>> & { readonly tool: ToolExecution })
  | ({ readonly kind: 'agent' | 'workflow' } & Partial<Without<AgentFact>>)
  | ({ readonly kind: 'handoff' } & Without<HandoffFact>)
  | ({ readonly kind: 'approval' } & Without<ApprovalFact>)
  | ({ readonly kind: 'other' } & Without<OtherFact>);

export interface RecordedSpan extends SpanParts {
  readonly fact?: FactParts;
  readonly losses?: Fact['losses'];
  readonly dialect?: string;
}

export interface Recording {
  readonly spans: readonly Span[];
  /** Reads the facts given with the spans, also from copies of them. */
  readonly dialects: readonly Dialect[];
}

/** Spans and a dialect that knows what they say. */
export function record(recorded: readonly RecordedSpan[]): Recording {
  const facts = new Map<string, RecordedSpan>();
  const spans = recorded.map((parts) => {
    const span = makeSpan(parts);
    if (parts.fact !== undefined) facts.set(`${span.traceId}/${span.spanId}`, parts);
    return span;
  });
  const find = (span: Span) => facts.get(`${span.traceId}/${span.spanId}`);
  const dialect: Dialect = {
    name: 'test',
    detects: (span) => find(span) !== undefined,
    read(span) {
      const parts = find(span);
      return parts?.fact === undefined ? [] : [factOf(parts.fact, span, parts)];
    },
  };
  return { spans, dialects: [dialect] };
}

function factOf(parts: FactParts, span: Span, { losses, dialect }: RecordedSpan): Fact {
  const base = { span, dialect: dialect ?? 'test', losses: losses ?? [] };
  switch (parts.kind) {
    case 'llm':
      return {
        input: [],
        output: [],
        contentCaptured: true,
        stateful: false,
        failed: false,
        ...parts,
        ...base,
      };
    case 'tool':
      return { layer: 'tool', ...parts, ...base };
    case 'agent':
    case 'workflow':
      return { input: [], output: [], ...parts, ...base };
    case 'handoff':
    case 'approval':
    case 'other':
      return { ...parts, ...base };
  }
}

export function text(role: TextAtom['role'], words: string): TextAtom {
  return { kind: 'text', role, text: words, state: 'present' };
}

export const user = (words: string): TextAtom => text('user', words);
export const assistant = (words: string): TextAtom => text('assistant', words);

export function call(name: string, args: JsonValue, callId?: string): CallAtom {
  return {
    kind: 'call',
    name,
    args,
    state: 'present',
    ...(callId === undefined ? {} : { callId }),
  };
}

export function result(
  name: string,
  value: JsonValue,
  callId?: string,
  isError = false,
): ResultAtom {
  const id = callId === undefined ? {} : { callId };
  return { kind: 'result', name, result: value, isError, state: 'present', ...id };
}

/** A finished execution. */
export function execution(
  name: string,
  args: JsonValue,
  value: JsonValue,
  more: Partial<ToolExecution> = {},
): ToolExecution {
  return {
    name,
    args,
    argsState: 'present',
    result: value,
    resultState: 'present',
    outcome: 'ok',
    ...more,
  };
}

export function llm(
  input: readonly Atom[],
  output: readonly Atom[],
  more: Partial<Without<LlmFact>> = {},
): FactParts {
  return { kind: 'llm', input, output, ...more };
}
