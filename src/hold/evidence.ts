import type { HoldSpan } from './release.js';

/**
 * Spans of a trace that decide its verdicts and are not forwarded (again): those of earlier generations,
 * and older versions of a span that another one superseded.
 */
export class Evidence<S extends HoldSpan> {
  readonly forwarded = new Map<string, S>();
  readonly #superseded = new Map<string, S[]>();
  #bytes = 0;
  #size = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#size;
  }

  /** True when this very span, byte for byte, is here, or comes back from where it was forwarded to. */
  has(span: S): boolean {
    const forwarded = this.forwarded.get(span.spanId);
    if (forwarded !== undefined && (isSame(forwarded, span) || isEcho(forwarded, span)))
      return true;
    return this.#superseded.get(span.spanId)?.some((version) => isSame(version, span)) ?? false;
  }

  addForwarded(span: S): void {
    this.forwarded.set(span.spanId, span);
    this.#count(span, 1);
  }

  dropForwarded(span: S): void {
    if (this.forwarded.delete(span.spanId)) this.#count(span, -1);
  }

  supersede(span: S): void {
    const versions = this.#superseded.get(span.spanId);
    if (versions === undefined) this.#superseded.set(span.spanId, [span]);
    else versions.push(span);
    this.#count(span, 1);
  }

  /** Every span here, forwarded ones first. */
  spans(): readonly S[] {
    return [...this.forwarded.values(), ...[...this.#superseded.values()].flat()];
  }

  #count(span: S, by: 1 | -1): void {
    this.#bytes += by * span.cost;
    this.#size += by;
  }
}

/**
 * Whether `span` is `forwarded` with something appended: what this process added to it before it came round
 * in a circle. Taking it in again would go on for ever, each time with more events.
 */
function isEcho(forwarded: HoldSpan, span: HoldSpan): boolean {
  const { length } = forwarded.bytes;
  if (span.bytes.length <= length) return false;
  return Buffer.compare(span.bytes.subarray(0, length), forwarded.bytes) === 0;
}

export function isSame(a: HoldSpan, b: HoldSpan): boolean {
  return a.bytes.length === b.bytes.length && Buffer.compare(a.bytes, b.bytes) === 0;
}

/**
 * Whether `span` takes the place of `known`, another version with the same ids (otlp.md T3): the one that
 * ended later, then the longer one, then the one with the greater bytes. The same choice in every order of
 * arrival.
 */
export function isLaterVersion(span: HoldSpan, known: HoldSpan): boolean {
  if (span.endUnixNano !== known.endUnixNano) return span.endUnixNano > known.endUnixNano;
  if (span.bytes.length !== known.bytes.length) return span.bytes.length > known.bytes.length;
  return Buffer.compare(span.bytes, known.bytes) > 0;
}
