import { type AlertMessage, alertId } from './alert.js';

/**
 * The body of a generic webhook. Texts that came from spans stand in string values only; the serializer
 * is the one place that quotes them (otlp.md S7).
 */
export function toWebhookPayload({ state, alert, reason, idempotencyKey }: AlertMessage) {
  const { key } = alert;
  return {
    version: 1,
    state,
    id: alertId(key),
    idempotencyKey,
    document: key.document,
    session: key.session,
    via: key.via,
    rule: key.rule,
    unit: key.unit,
    generation: alert.generation,
    early: alert.isEarly,
    severity: alert.severity,
    type: alert.type,
    title: alert.title,
    verdict: alert.verdict,
    reason,
    position: alert.position,
    witness: alert.witness,
  };
}
