import type { Dialect, Fact } from '../model/fact.js';
import type { Span } from '../model/span.js';

/**
 * What one span says: the first dialect that knows it reads it (dialects.md §2.30). Behaviors stated by
 * *events* of a span written in another dialect do not hide that span: the search goes on behind them.
 */
export function readFacts(span: Span, dialects: readonly Dialect[]): readonly Fact[] {
  const facts: Fact[] = [];
  for (const dialect of dialects) {
    if (!dialect.detects(span)) continue;
    const read = dialect.read(span);
    facts.push(...read);
    const isOnlyEvents = read.length > 0 && read.every((fact) => isStatedByEvents(fact));
    if (!isOnlyEvents) break;
  }
  return facts;
}

function isStatedByEvents(fact: Fact): boolean {
  return fact.kind === 'stated' && fact.carrier === 'events';
}
