import type { SpanRejection } from '../model/span.js';
import type { OtlpLimits } from './limits.js';

/** The refused spans of a request: all of them counted, the first ones kept in detail. */
export class RejectionList {
  readonly details: SpanRejection[] = [];
  count = 0;

  constructor(private readonly limits: OtlpLimits) {}

  /** `describe` is called only for a rejection that is kept. */
  add(describe: () => SpanRejection): void {
    this.count += 1;
    if (this.details.length < this.limits.maxRejectionDetails) this.details.push(describe());
  }
}
