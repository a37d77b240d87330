const sizeUnits: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Bytes of `64MiB`, `1.5GB` or a plain number of bytes; `null` for anything else. */
export function parseSize(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(text.trim());
  const amount = Number(match?.[1] ?? Number.NaN);
  const unit = match?.[2] === '' ? 'B' : match?.[2];
  const factor = unit === undefined ? undefined : ownValue(sizeUnits, unit);
  const bytes = Math.round(amount * (factor ?? Number.NaN));
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** Milliseconds of `30s`, `1h30m`, `500ms` or `0`; `null` for anything else. */
export function parseDuration(text: string): number | null {
  const compact = text.trim();
  if (compact === '0') return 0;
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(compact)) return null;
  let total = 0;
  for (const [, amount, unit] of compact.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (ownValue(durationUnits, unit ?? '') ?? Number.NaN);
  }
  return Number.isSafeInteger(Math.round(total)) ? total : null;
}

function ownValue(table: Readonly<Record<string, number>>, key: string): number | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
