import type { Alert } from '../../src/alerts/alert.js';

export function sampleAlert(rule = '/evaluations/0', unitId = 'a'.repeat(32)): Alert {
  return {
    key: {
      document: 'specs/refund.abs.yaml',
      session: 'refund',
      via: null,
      rule,
      unit: { kind: 'trace', id: unitId },
    },
    generation: 1,
    isEarly: true,
    severity: 'critical',
    type: 'never',
    title: 'No hand-off',
    verdict: 'fail',
    reason: 'assistant hands off to billing, which must never happen',
    position: 'specs/refund.abs.yaml:41',
    witness: [
      { behavior: 4, traceId: unitId, spanId: 'b'.repeat(16), text: 'assistant hands_off billing' },
    ],
  };
}
