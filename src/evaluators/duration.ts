const unitNanos = { ms: 1_000_000, s: 1_000_000_000, m: 60_000_000_000, h: 3_600_000_000_000 };

/** Nanoseconds of a duration as text (`500ms`, `30s`, `2m`, `1.5h`); null when it is none. */
export function parseDuration(text: string): bigint | null {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  const amount = Number(parts?.[1]);
  const unit = parts?.[2];
  if (!Number.isFinite(amount) || !isUnit(unit)) return null;
  return BigInt(Math.round(amount * unitNanos[unit]));
}

function isUnit(unit: string | undefined): unit is keyof typeof unitNanos {
  return unit !== undefined && Object.hasOwn(unitNanos, unit);
}
