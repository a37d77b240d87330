import type { Outcome } from '../model/behavior.js';
import type { Span, SpanEvent } from '../model/span.js';

/**
 * Exceptions by which agent frameworks steer, not fail: LangGraph's hand-off and interrupt, Pydantic
 * AI's request for approval.
 */
const controlFlow =
  /(?:^|\.)(?:ParentCommand|GraphInterrupt|NodeInterrupt|GraphBubbleUp|Command|ApprovalRequired|CallDeferred)$/;

/** How a tool span ended; the message only for errors. */
export interface ToolOutcome {
  readonly outcome: Outcome;
  readonly error?: string;
}

/**
 * Whether a tool execution failed, by its own marks: `error.type`, an exception event on the span
 * itself, the error mark of its result, or status ERROR.
 *
 * Status ERROR alone is not trusted where a dialect is known to hand the error of one span on to
 * later ones (`statusLies`): there it counts only without a result. Exceptions that are control flow
 * are no errors, and neither is a result text that merely begins with "Error".
 */
export function toolOutcome(
  span: Span,
  result: { readonly isError: boolean; readonly isPresent: boolean },
  statusLies = false,
): ToolOutcome {
  const exception = span.events().find((event) => event.name === 'exception');
  if (exception !== undefined && isControlFlow(exception)) return { outcome: 'ok' };
  const isErrorStatus = span.status.code === 'error' && !(statusLies && result.isPresent);
  const failed =
    result.isError ||
    exception !== undefined ||
    isErrorStatus ||
    typeof span.attribute('error.type') === 'string';
  if (!failed) return { outcome: 'ok' };
  const message =
    firstLine(exception?.attribute('exception.message')) ?? firstLine(span.status.message);
  return message === undefined ? { outcome: 'error' } : { outcome: 'error', error: message };
}

/** A model call failed when it is marked so and said nothing. */
export function modelFailed(span: Span, outputs: number): boolean {
  const isMarked =
    span.status.code === 'error' ||
    typeof span.attribute('error.type') === 'string' ||
    span.events().some((event) => event.name === 'exception');
  return outputs === 0 && isMarked;
}

function isControlFlow(exception: SpanEvent): boolean {
  const type = exception.attribute('exception.type');
  return typeof type === 'string' && controlFlow.test(type);
}

/** Some instrumentations append a stack trace to the message: it stands after an empty line or at "    at". */
function firstLine(text: unknown): string | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  const end = text.search(/\n(?:\n|\s+at |Traceback )/);
  return end === -1 ? text : text.slice(0, end);
}
