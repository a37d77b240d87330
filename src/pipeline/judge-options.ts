import type { CassetteMode } from '../judges/cassette.js';

/** How judged rules are judged: `adapters:` and `judges:` of the configuration with the flags put in. */
export interface JudgingOptions {
  /** Name to settings, as written in retrial.yaml. */
  readonly adapters: Readonly<Record<string, unknown>>;
  /** `--adapter`: `NAME` or `type=NAME`. */
  readonly choices?: readonly string[];
  /** Folder that paths of adapters start from; by default the current one. */
  readonly folder?: string;
  /** Folder of kept answers; null keeps none. */
  readonly cacheFolder?: string | null;
  /** Folder of the books of daily budgets. */
  readonly bookFolder?: string;
  /** Takes the place of the cache. */
  readonly cassette?: { readonly file: string; readonly mode: CassetteMode } | null;
  /** Amounts such as `2usd, 100calls`; null sets no bound. */
  readonly runBudget?: string | null;
  readonly dayBudget?: string | null;
}
