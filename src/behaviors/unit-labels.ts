import type { UnitLabels } from '../model/behavior.js';
import type { Span } from '../model/span.js';
import type { SpanTree } from './span-tree.js';

/** What root spans and resources tell Retrial (contract.md §7); the first trace that says it decides. */
export function unitLabels(trees: readonly SpanTree[]): UnitLabels {
  const tops = trees.flatMap((tree) => tree.tops.map((node) => node.span));
  const spec = firstText(tops, 'retrial.spec');
  const evalId = firstText(tops, 'retrial.eval');
  const row = firstOf(tops, 'retrial.row', (value) => {
    if (typeof value === 'number' || typeof value === 'string') return value;
    return typeof value === 'bigint' ? String(value) : undefined;
  });
  return {
    ...(spec === undefined ? {} : { spec }),
    ...(evalId === undefined ? {} : { eval: evalId }),
    ...(row === undefined ? {} : { row }),
  };
}

function firstText(tops: readonly Span[], key: string): string | undefined {
  return firstOf(tops, key, (value) =>
    typeof value === 'string' && value !== '' ? value : undefined,
  );
}

/** A span's own attribute before its resource's. */
function firstOf<T>(
  tops: readonly Span[],
  key: string,
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const span of tops) {
    const value = read(span.attribute(key)) ?? read(span.resource.attribute(key));
    if (value !== undefined) return value;
  }
  return undefined;
}
