/** Bounds on one export request; what exceeds them is refused per span where that is possible. */
export interface OtlpLimits {
  /** Levels of arrays and key-value lists in one attribute value; a plain value has one. */
  readonly maxValueDepth: number;
  /** Bytes of one span in protobuf form. */
  readonly maxSpanBytes: number;
  /** Attributes, events, links, array elements and list entries of one span, all together. */
  readonly maxSpanElements: number;
  /** Refused spans of a request that are told one by one; all of them are counted. */
  readonly maxRejectionDetails: number;
}

/**
 * The depth leaves room for the tool arguments that real agents send (rarely above 10) and keeps every
 * recursive walk of a value shallow; the bytes equal the largest request that receivers take.
 */
export const defaultOtlpLimits: OtlpLimits = {
  maxValueDepth: 64,
  maxSpanBytes: 64 * 1024 * 1024,
  maxSpanElements: 1_000_000,
  maxRejectionDetails: 10_000,
};
