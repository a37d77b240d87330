import { Environment } from '@marcbachmann/cel-js';
import type { Span } from '../model/span.js';
import type { JsonValue } from '../util/json.js';
import { compilePattern } from '../util/pattern.js';

/** What a `when` may read besides the span itself. */
interface WhenContext {
  /** Name of the agent that the span belongs to; empty when unknown. */
  readonly agent: string;
  /** Conversation id of the unit; empty when it has none. */
  readonly conversation: string;
}

/** A compiled `when`: admits a span or not. Never throws; an absent attribute admits nothing. */
export interface When {
  readonly source: string;
  /** The variables it reads. */
  readonly reads: ReadonlySet<string>;
  admits(span: Span, context: WhenContext): boolean;
}

export type WhenResult =
  | { readonly ok: true; readonly when: When }
  /** `offset` is the faulty place in the expression. */
  | { readonly ok: false; readonly message: string; readonly offset: number };

const variables = {
  resource: 'map<string, dyn>',
  attributes: 'map<string, dyn>',
  name: 'string',
  scope: 'string',
  agent: 'string',
  conversation: 'string',
} as const;

/**
 * Stands for `matches`, which the library runs as a backtracking pattern: a pattern meets trace text only in
 * linear time (RE2). It has the same length, so places in messages stay right.
 */
const safeMatches = 'matchRE';

const environment = new Environment({
  unlistedVariablesAreDyn: false,
  limits: { maxAstNodes: 2_000, maxDepth: 64 },
}).registerFunction(`string.${safeMatches}(string): bool`, (text: string, source: string) => {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.pattern.test(text);
});
for (const [name, type] of Object.entries(variables)) environment.registerVariable(name, type);

/** Compiles and type-checks an expression (CEL). A wrong one says where and why. */
export function compileWhen(source: string): WhenResult {
  try {
    const calls = findMatches(environment.parse(source).ast);
    const badPattern = calls.map(checkPattern).find((fault) => fault !== null);
    if (badPattern !== undefined && badPattern !== null) return { ok: false, ...badPattern };
    const evaluate = environment.parse(renameMatches(source, calls));
    const check = evaluate.check();
    if (!check.valid) return describe(check.error);
    if (check.type !== 'bool' && check.type !== 'dyn') {
      return {
        ok: false,
        message: `the expression is a ${check.type}, not true or false`,
        offset: 0,
      };
    }
    const read = new Set(findIdentifiers(evaluate.ast));
    return {
      ok: true,
      when: {
        source,
        reads: read,
        admits: (span, context) => evaluates(() => evaluate(toVariables(span, context, read))),
      },
    };
  } catch (error) {
    return describe(error);
  }
}

function evaluates(run: () => unknown): boolean {
  try {
    return run() === true;
  } catch {
    // An absent key or a value of another type: what is not known admits nothing.
    return false;
  }
}

function toVariables(span: Span, context: WhenContext, read: ReadonlySet<string>) {
  return {
    resource: read.has('resource') ? attributesOf(span.resource) : {},
    attributes: read.has('attributes') ? attributesOf(span) : {},
    name: read.has('name') ? span.name : '',
    scope: read.has('scope') ? span.scope.name : '',
    agent: context.agent,
    conversation: context.conversation,
  };
}

function attributesOf(
  source: Pick<Span, 'attribute' | 'attributeKeys'>,
): Record<string, JsonValue> {
  const values: Record<string, JsonValue> = Object.create(null);
  for (const key of source.attributeKeys()) values[key] = source.attribute(key) ?? null;
  return values;
}

interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly range: { readonly start: number; readonly end: number };
}

interface MatchesCall {
  readonly receiver: Node;
  readonly pattern: Node | undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'range' in value;
}

function* nodesOf(value: unknown): Iterable<Node> {
  if (isNode(value)) {
    yield value;
    yield* nodesOf(value.args);
  } else if (Array.isArray(value)) {
    for (const item of value) yield* nodesOf(item);
  }
}

function findMatches(ast: unknown): readonly MatchesCall[] {
  return [...nodesOf(ast)].flatMap(({ op, args }) => {
    if (op !== 'rcall' || !Array.isArray(args)) return [];
    const [name, receiver, values]: readonly unknown[] = args;
    if (name !== 'matches' || !isNode(receiver)) return [];
    const first: unknown = Array.isArray(values) ? values[0] : undefined;
    return [{ receiver, pattern: isNode(first) ? first : undefined }];
  });
}

function findIdentifiers(ast: unknown): readonly string[] {
  return [...nodesOf(ast)].flatMap(({ op, args }) =>
    op === 'id' && typeof args === 'string' ? [args] : [],
  );
}

/** A pattern written as a literal is compiled at load, so that a wrong one is an error of the config. */
function checkPattern({ pattern }: MatchesCall): { message: string; offset: number } | null {
  if (pattern?.op !== 'value' || typeof pattern.args !== 'string') return null;
  const compiled = compilePattern(pattern.args);
  if (compiled.ok) return null;
  return { message: `${compiled.message}; ${compiled.hint}`, offset: pattern.range.start };
}

function renameMatches(source: string, calls: readonly MatchesCall[]): string {
  let renamed = source;
  for (const { receiver } of calls) {
    const at = source.indexOf('matches', receiver.range.end);
    if (at < 0) continue;
    renamed = renamed.slice(0, at) + safeMatches + renamed.slice(at + safeMatches.length);
  }
  return renamed;
}

function describe(error: unknown): WhenResult {
  const summary =
    error instanceof Error && 'summary' in error ? String(error.summary) : String(error);
  const range = error instanceof Error && 'range' in error && Object(error.range);
  const offset = range && typeof range.start === 'number' ? range.start : 0;
  return { ok: false, message: summary.replaceAll(safeMatches, 'matches'), offset };
}
