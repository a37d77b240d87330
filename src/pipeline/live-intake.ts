import type { SpanRejection } from '../model/span.js';
import type { PartialSuccess } from '../receivers/otlp-response.js';
import type { IntakeResult, RequestRejection, TraceIntake } from '../receivers/receiver.js';
import type { Admission } from './admission.js';
import type { Ledger } from './ledger.js';
import type { LiveRejections } from './live-rejections.js';
import { type LiveSpan, readTraceRequest } from './live-spans.js';

/** Retrial's own telemetry has this scope; it is never graded and never forwarded (design.md §7). */
export const ownScope = 'retrial';

export interface IntakeParts {
  readonly admission: Admission;
  readonly ledger: Ledger;
  readonly rejections: LiveRejections;
  /** Takes the accepted spans of one request into the hold. */
  readonly hold: (spans: readonly LiveSpan[]) => void;
  readonly countRequest: (refusal: RequestRejection | null) => void;
}

/** The door: reads a request, counts every span of it in the ledger and hands the good ones to the hold. */
export function createIntake(parts: IntakeParts): TraceIntake {
  const { admission, ledger, rejections } = parts;
  return {
    enter: (bytes) => admission.enter(bytes),
    leave: (bytes) => admission.leave(bytes),
    countRefusal: (reason) => parts.countRequest(reason),
    accept(body, format): IntakeResult {
      const read = readTraceRequest(body, format);
      if (read.kind === 'malformed') return read;
      for (const rejection of read.rejections) {
        ledger.reject(rejection.reason);
        rejections.add(rejection);
      }
      const isOwn = ({ span }: LiveSpan): boolean => span.scope.name === ownScope;
      const foreign = read.spans.filter((span) => !isOwn(span));
      ledger.discardOnArrival('own_telemetry', read.spans.length - foreign.length);
      parts.hold(foreign);
      parts.countRequest(null);
      const warning = read.isForeign
        ? 'the request holds no resourceSpans, so nothing was taken'
        : '';
      return { kind: 'accepted', partial: describeRejections(read.rejections, warning) };
    },
  };
}

/** Counts by reason and the first message of each; no byte of the payload (otlp.md R5). */
function describeRejections(
  rejections: readonly SpanRejection[],
  warning: string,
): PartialSuccess | null {
  if (rejections.length === 0)
    return warning === '' ? null : { rejectedSpans: 0, message: warning };
  const byReason = new Map<string, { count: number; first: SpanRejection }>();
  for (const rejection of rejections) {
    const known = byReason.get(rejection.reason);
    if (known === undefined) byReason.set(rejection.reason, { count: 1, first: rejection });
    else known.count += 1;
  }
  const parts = [...byReason].map(
    ([reason, { count, first }]) => `${reason} ${count}, first at ${first.at}: ${first.message}`,
  );
  const message = `${rejections.length} span(s) refused: ${parts.join('; ')}`;
  return { rejectedSpans: rejections.length, message };
}
