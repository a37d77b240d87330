import type { Dialect } from '../model/fact.js';
import type { Span } from '../model/span.js';

/**
 * Spans that say nothing about a conversation whatever they carry: Retrial's own telemetry, and the
 * announcement of a span that Logfire sends before the span itself.
 */
export const setAside: Dialect = {
  name: 'set-aside',
  detects: (span) => isOwnTelemetry(span) || isPending(span),
  read: () => [],
};

function isOwnTelemetry(span: Span): boolean {
  return span.scope.name === 'retrial' || span.scope.name.startsWith('retrial/');
}

function isPending(span: Span): boolean {
  return span.attribute('logfire.span_type') === 'pending_span';
}
