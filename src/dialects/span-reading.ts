import type { Span } from '../model/span.js';
import type { JsonValue } from '../util/json.js';
import { LossLog } from './losses.js';
import { compact } from './shape.js';
import { looksCut, type ReadContext } from './values.js';

/** The attributes of one span, typed, and the losses met while reading them. */
export class SpanReading implements ReadContext {
  readonly losses = new LossLog();
  readonly deniedResults?: true;
  #limit: number | null | undefined;

  constructor(
    readonly span: Span,
    options: { readonly deniedResults?: true } = {},
  ) {
    if (options.deniedResults) this.deniedResults = true;
  }

  value(...keys: string[]): JsonValue | undefined {
    for (const key of keys) {
      const value = this.span.attribute(key);
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }

  /** The first of these attributes that is a non-empty string. */
  text(...keys: string[]): string | undefined {
    for (const key of keys) {
      const value = this.span.attribute(key);
      if (typeof value === 'string' && value !== '') return value;
    }
    return undefined;
  }

  number(...keys: string[]): number | undefined {
    for (const key of keys) {
      const value = this.span.attribute(key);
      if (typeof value === 'number') return value;
      if (typeof value === 'bigint') return Number(value);
    }
    return undefined;
  }

  usage(input: readonly string[], output: readonly string[], cost: readonly string[]) {
    const usage = compact({
      inputTokens: this.number(...input),
      outputTokens: this.number(...output),
      cost: this.number(...cost),
    });
    return Object.keys(usage).length === 0 ? undefined : usage;
  }

  /**
   * Whether the SDK's length limit cut strings of this length. The limit is never told, so it is
   * believed only where the span proves it: its longest strings are equally long, and either two
   * different ones are or one of them is JSON that breaks off there.
   */
  readonly isLimitLength = (length: number): boolean => {
    if (length < shortestLimit) return false;
    if (this.#limit === undefined) this.#limit = findLimit(this.span);
    return length === this.#limit;
  };
}

const shortestLimit = 16;

function findLimit(span: Span): number | null {
  let longest = new Set<string>();
  let length = shortestLimit - 1;
  for (const key of span.attributeKeys()) {
    const value = span.attribute(key);
    if (typeof value !== 'string' || value.length < length) continue;
    if (value.length > length) longest = new Set();
    length = value.length;
    longest.add(value);
  }
  const isProven = longest.size > 1 || [...longest].some(looksCut);
  return isProven && longest.size > 0 ? length : null;
}
