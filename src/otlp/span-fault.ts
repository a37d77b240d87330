import type { SpanRejectionReason } from '../model/span.js';

/** Why one span of a request is refused; place and trace id are added where it is known. */
export interface SpanFault {
  readonly reason: SpanRejectionReason;
  readonly message: string;
}

export function spanPath(resource: number, scope: number, span: number): string {
  return `resourceSpans[${resource}].scopeSpans[${scope}].spans[${span}]`;
}

export function tooDeep(limit: number): SpanFault {
  return {
    reason: 'too_deep',
    message: `an attribute value is nested more than ${limit} levels deep (limit: ${limit})`,
  };
}

export function tooManyElements(limit: number): SpanFault {
  return {
    reason: 'too_large',
    message: `more than ${limit} attributes, events, links and list elements (limit: ${limit} per span)`,
  };
}

export function tooManyBytes(size: number, limit: number): SpanFault {
  return {
    reason: 'too_large',
    message: `the span has ${size} bytes (limit: ${limit} per span)`,
  };
}
