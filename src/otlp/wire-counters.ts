/** Odd but legal things that were accepted in one request. */
export interface WireCounters {
  /**
   * Attributes whose key an earlier attribute of the same span has, counted when the span is first
   * asked for an attribute. The first one is read.
   */
  duplicateAttributeKeys: number;
  /** `key_strindex` and `string_value_strindex`, which belong to profiles; read as absent. */
  stringIndexes: number;
  /** `instrumentation_library_spans` groups of old exporters, read as scope spans. */
  deprecatedGroups: number;
  /** Strings with invalid UTF-8, counted when they are decoded; the bad bytes read as U+FFFD. */
  invalidUtf8: number;
}
