import type { Behavior } from '../../src/model/behavior.js';
import type { EvaluationReport, Report, UnitReport } from '../../src/model/report.js';

const traceId = '5b8aa5a2d2c872e8321cf37308d69df2';
const spanId = '5fb397be34d26b51';

/** A unit that fails in every way a report can show: a rule, a nested rule, a step, a loss. */
export function failingUnit(changes: Partial<UnitReport> = {}): UnitReport {
  return {
    id: traceId,
    kind: 'trace',
    traceIds: [traceId],
    source: ['recordings/bad.jsonl'],
    session: 'Refund request',
    document: 'specs/refund.abs.yaml',
    digest: `sha256:${'a'.repeat(64)}`,
    row: 2,
    mode: 'test',
    verdict: 'fail',
    conformance: 'fail',
    code: null,
    complete: false,
    releaseReason: 'end_of_input',
    generation: 1,
    unclassifiedMessages: 0,
    steps: [
      step({ rule: '/behaviors/0', line: 4, matched: true, behavior: 0 }),
      step({
        rule: '/behaviors/3',
        line: 20,
        matched: false,
        code: 'step_unmatched',
        nearest: { behavior: 3, failed: 'with', detail: '`orderId` was 999' },
      }),
    ],
    evaluations: [
      evaluation({ rule: '/evaluations/0', line: 31, type: 'never', title: 'no hand-off' }),
      evaluation({
        rule: '/evaluations/1',
        line: 35,
        type: 'any_of',
        verdict: 'fail',
        score: 0,
        reason: 'none of 1 passed',
      }),
      evaluation({
        rule: '/evaluations/1/evaluations/0',
        line: 37,
        type: 'contains',
        verdict: 'fail',
        score: 0,
        reason: 'the reply does not contain "REF-1"',
        code: 'evaluator.threshold_not_met',
        nested: true,
        witness: [{ behavior: 6, traceId, spanId }],
        nearest: { behavior: 7, failed: 'content', detail: 'it says "REF-2"' },
      }),
      evaluation({
        rule: '/evaluations/2',
        line: 40,
        type: 'llm_judge',
        verdict: 'inconclusive',
        score: null,
        reason: 'no adapter is configured for llm_judge',
        code: 'adapter.not_configured',
      }),
      evaluation({
        rule: '/evaluations/3',
        line: 44,
        type: 'regex',
        verdict: 'error',
        score: null,
        reason: 'the evaluator broke',
        code: 'evaluator.error',
        durationMs: 1500,
      }),
      evaluation({
        rule: '/evaluations/4',
        line: 48,
        type: 'count',
        verdict: 'skipped',
        score: null,
        reason: 'its condition is false',
        code: 'when_false',
      }),
    ],
    losses: [{ kind: 'orphan_span', count: 1, detail: 'span 00f067aa0ba902b7' }],
    ...changes,
  };
}

export function passingUnit(changes: Partial<UnitReport> = {}): UnitReport {
  return failingUnit({
    verdict: 'pass',
    conformance: 'pass',
    complete: true,
    steps: [step({ rule: '/behaviors/0', line: 4, matched: true, behavior: 0 })],
    evaluations: [evaluation({ rule: '/evaluations/0', line: 31, type: 'never' })],
    losses: [],
    ...changes,
  });
}

function step(changes: Partial<UnitReport['steps'][number]>): UnitReport['steps'][number] {
  return {
    rule: '/behaviors/0',
    line: 1,
    matched: true,
    code: null,
    optional: false,
    active: true,
    behavior: null,
    nearest: null,
    ...changes,
  };
}

export function evaluation(changes: Partial<EvaluationReport>): EvaluationReport {
  return {
    rule: '/evaluations/0',
    line: 1,
    type: 'contains',
    title: null,
    verdict: 'pass',
    score: 1,
    reason: 'as it should be',
    code: null,
    witness: [],
    ...changes,
  };
}

export function reportOf(units: readonly UnitReport[], changes: Partial<Report> = {}): Report {
  return {
    retrial: { version: '0.1.0', reportVersion: 1 },
    exitCode: 1,
    reasonCode: 'violations',
    nextStep: 'see what was observed: retrial explain recordings/bad.jsonl',
    unit: 'auto',
    totals: {
      units: units.length,
      pass: units.filter(({ verdict }) => verdict === 'pass').length,
      fail: units.filter(({ verdict }) => verdict === 'fail').length,
      inconclusive: units.filter(({ verdict }) => verdict === 'inconclusive').length,
      evaluations: { pass: 1, fail: 1, inconclusive: 1, skipped: 1, error: 1 },
      spans: { read: 12, rejected: 1 },
      ungraded: 0,
    },
    units,
    ungraded: [],
    diagnostics: [],
    ...changes,
  };
}

export function behavior(changes: Partial<Behavior> = {}): Behavior {
  return {
    index: 0,
    actor: 'user',
    action: 'says',
    acts: ['says'],
    at: 1_700_000_000_000_000_001n,
    endAt: 1_700_000_000_000_000_002n,
    evidence: {
      act: 'base',
      spans: [{ traceId, spanId }],
      content: 'present',
      with: 'absent',
      origin: 'history',
    },
    ...changes,
  };
}
