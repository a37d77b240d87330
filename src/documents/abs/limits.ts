/** Longest document file, in UTF-16 units. */
export const maxDocumentCharacters = 4 * 1024 * 1024;

/**
 * Levels of nested lists and maps in a document: far below the depth at which the YAML composer, or a
 * recursive walk over values, overflows the stack.
 */
export const maxYamlDepth = 100;

/** Most values a document may have when every alias is written out. */
export const maxExpandedValues = 100_000;

/** Most behaviors that the includes of one file may put in place, and how deep includes may nest. */
export const maxExpandedSteps = 100_000;
export const maxIncludeDepth = 50;

/** Bounds on a value that references build out of other values: number of values, characters, levels. */
export const maxBoundSize = 1_000_000;
export const maxBoundDepth = 200;
