import type { JsonValue } from '../../util/json.js';
import { type Comparison, lexWhen, type WhenFault, type WhenToken } from './when-lexer.js';

/**
 * The condition of an evaluation (semantics A42): comparisons of references and literals, joined by
 * `&&`, `||`, `!` (or the words). Precedence: `!`, comparison, `&&`, `||`. Chains of one operator are one
 * node, so the depth of the tree is the depth of the parentheses.
 */
export type WhenNode =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | { readonly kind: 'reference'; readonly name: string }
  | { readonly kind: 'not'; readonly operand: WhenNode }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly WhenNode[] }
  | {
      readonly kind: 'compare';
      readonly comparison: Comparison;
      readonly left: WhenNode;
      readonly right: WhenNode;
    };

export interface WhenExpression {
  readonly text: string;
  readonly root: WhenNode;
  /** Names of all references, each once, in order of first use. */
  readonly references: readonly WhenReference[];
  /** Parts that parse but cannot be what was meant, such as `{{a}} < true`. */
  readonly doubts: readonly WhenFault[];
}

interface WhenReference {
  readonly name: string;
  readonly offset: number;
}

export type WhenResult =
  | { readonly ok: true; readonly expression: WhenExpression }
  | { readonly ok: false; readonly fault: WhenFault };

/** How deep parentheses and negations may nest. */
const maxWhenDepth = 100;

/** Parses a `when`. Never throws; a fault names the offset, what was expected and a hint. Linear. */
export function parseWhen(text: string): WhenResult {
  const tokens = lexWhen(text);
  if ('message' in tokens) return { ok: false, fault: tokens };
  const parser: Parser = { tokens, next: 0, doubts: [] };
  const root = parseOr(parser, 0);
  if ('message' in root) return { ok: false, fault: root };
  const rest = peek(parser);
  if (rest.kind !== 'end') return { ok: false, fault: describeRest(rest) };
  const references = new Map<string, WhenReference>();
  for (const token of tokens) {
    if (token.kind === 'reference' && !references.has(token.name)) {
      references.set(token.name, { name: token.name, offset: token.offset });
    }
  }
  const doubts = [...parser.doubts];
  if (references.size === 0) {
    doubts.push({
      offset: 0,
      message: 'the condition reads no variable: it is always the same',
      hint: 'refer to a column or variable as {{name}}, or leave `when` out',
    });
  }
  return {
    ok: true,
    expression: { text, root, references: [...references.values()], doubts },
  };
}

interface Parser {
  readonly tokens: readonly WhenToken[];
  next: number;
  readonly doubts: WhenFault[];
}

function peek(parser: Parser): WhenToken {
  return parser.tokens[parser.next] ?? { kind: 'end', offset: 0 };
}

type Parsed = WhenNode | WhenFault;

function parseOr(parser: Parser, depth: number): Parsed {
  return parseChain(parser, 'or', () =>
    parseChain(parser, 'and', () => parseComparison(parser, depth)),
  );
}

function parseChain(parser: Parser, operator: 'and' | 'or', parseOperand: () => Parsed): Parsed {
  const first = parseOperand();
  if ('message' in first) return first;
  const operands = [first];
  for (let token = peek(parser); isOperator(token, operator); token = peek(parser)) {
    parser.next++;
    const operand = parseOperand();
    if ('message' in operand) return operand;
    operands.push(operand);
  }
  return operands.length === 1 ? first : { kind: operator, operands };
}

function isOperator(token: WhenToken, operator: string): boolean {
  return token.kind === 'operator' && token.operator === operator;
}

function comparisonOf(token: WhenToken): Comparison | null {
  if (token.kind !== 'operator') return null;
  switch (token.operator) {
    case 'and':
    case 'or':
    case 'not':
      return null;
    default:
      return token.operator;
  }
}

function parseComparison(parser: Parser, depth: number): Parsed {
  const left = parseNot(parser, depth);
  if ('message' in left) return left;
  const token = peek(parser);
  const comparison = comparisonOf(token);
  if (comparison === null) return left;
  parser.next++;
  const right = parseNot(parser, depth);
  if ('message' in right) return right;
  const again = peek(parser);
  if (comparisonOf(again) !== null) {
    return {
      offset: again.offset,
      message: 'comparisons cannot be chained',
      hint: 'join them with &&, or put one in parentheses',
    };
  }
  if (comparison !== '==' && comparison !== '!=') {
    for (const side of [left, right]) {
      if (side.kind === 'literal' && typeof side.value !== 'string' && !isNumber(side.value)) {
        parser.doubts.push({
          offset: token.offset,
          message: `${comparison} with ${String(side.value)} is never true`,
          hint: `${comparison} compares two numbers or two texts`,
        });
      }
    }
  }
  return { kind: 'compare', comparison, left, right };
}

/** `!` binds tighter than a comparison. A run of them is counted, not nested. */
function parseNot(parser: Parser, depth: number): Parsed {
  let negations = 0;
  while (isOperator(peek(parser), 'not')) {
    parser.next++;
    negations++;
  }
  const operand = parsePrimary(parser, depth);
  if ('message' in operand || negations === 0) return operand;
  const once: WhenNode = { kind: 'not', operand };
  return negations % 2 === 1 ? once : { kind: 'not', operand: once };
}

function parsePrimary(parser: Parser, depth: number): Parsed {
  const token = peek(parser);
  parser.next++;
  switch (token.kind) {
    case 'literal':
      return { kind: 'literal', value: token.value };
    case 'reference':
      return { kind: 'reference', name: token.name };
    case 'open':
      return parseGroup(parser, token.offset, depth + 1);
    case 'close':
      return {
        offset: token.offset,
        message: 'there is nothing before this )',
        hint: 'put a reference, a literal or a comparison there',
      };
    case 'operator':
    case 'end':
      return {
        offset: token.offset,
        message: token.kind === 'end' ? 'the condition ends too early' : 'a value is missing here',
        hint: 'expected a {{reference}}, a number, a "text", true, false, null or (',
      };
  }
}

function parseGroup(parser: Parser, offset: number, depth: number): Parsed {
  if (depth > maxWhenDepth) {
    return {
      offset,
      message: 'parentheses are nested too deeply',
      hint: `at most ${maxWhenDepth} levels`,
    };
  }
  const inner = parseOr(parser, depth);
  if ('message' in inner) return inner;
  const close = peek(parser);
  if (close.kind !== 'close') {
    return close.kind === 'end'
      ? { offset, message: 'the parenthesis is not closed', hint: 'add )' }
      : describeRest(close);
  }
  parser.next++;
  return inner;
}

function describeRest(token: WhenToken): WhenFault {
  return token.kind === 'close'
    ? { offset: token.offset, message: 'this ) closes nothing', hint: 'remove it or add (' }
    : {
        offset: token.offset,
        message: 'an operator is missing before this',
        hint: 'compare with == != < <= > >=, join with && or ||',
      };
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
