/** Bounds on JSON text that came from outside. */
export interface JsonLimits {
  /** Levels of nested arrays and objects; `[[1]]` has two. */
  readonly maxJsonDepth: number;
}

/**
 * Everything that walks a `JsonValue` recurses at most this deep, so it must stay far below the depth
 * at which the JavaScript stack overflows (about 5,000 levels for the leanest walker).
 */
export const defaultJsonLimits: JsonLimits = { maxJsonDepth: 256 };
