import type { ConfigValues } from './schema.js';
import type { When } from './when.js';

/** Documents and the units that they grade. */
export interface SpecEntry {
  readonly files: readonly string[];
  readonly when: When | null;
  readonly mode: 'test' | 'monitor';
}

/** The configuration as the rest of Retrial uses it: every default filled in, expressions compiled. */
export interface Config {
  /** Absolute path of the file; `null` when there is none. */
  readonly file: string | null;
  /** Folder that relative paths of the file start from. */
  readonly folder: string;
  readonly values: ConfigValues;
  readonly specs: readonly SpecEntry[];
}
