/** What OTLP/JSON forbids or leaves open and was accepted in one request, by kind. */
export interface JsonCounters {
  /** `SPAN_KIND_SERVER` instead of 2. */
  enumNames: number;
  /** `trace_id` instead of `traceId`. */
  snakeCaseKeys: number;
  /** `instrumentationLibrarySpans`, `instrumentationLibrary`. */
  deprecatedKeys: number;
  base64Ids: number;
  /** Members that a later one of the same object replaced, oneof members included. */
  replacedMembers: number;
  /** Members that no message of opentelemetry-proto 1.11 has; they cannot be forwarded. */
  unknownFields: number;
  /** `keyStrindex` and `stringValueStrindex`, read as absent. */
  stringIndexes: number;
  /** Half surrogate pairs, read as U+FFFD. */
  loneSurrogates: number;
  /** 1 when the body holds invalid UTF-8; the bad bytes read as U+FFFD. */
  invalidUtf8: number;
  /** `resourceLogs`, `resourceMetrics`, `resourceProfiles` members: not traces, skipped. */
  otherSignals: number;
}

export function createJsonCounters(): JsonCounters {
  return {
    enumNames: 0,
    snakeCaseKeys: 0,
    deprecatedKeys: 0,
    base64Ids: 0,
    replacedMembers: 0,
    unknownFields: 0,
    stringIndexes: 0,
    loneSurrogates: 0,
    invalidUtf8: 0,
    otherSignals: 0,
  };
}
