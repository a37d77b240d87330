import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/model/report.js';
import { textReport } from '../../src/reports/text.js';
import { type Paint, paintAnsi, paintNothing } from '../../src/util/terminal.js';
import { evaluation, failingUnit, passingUnit, reportOf } from '../support/sample-report.js';

function render(report: Report, detail: 'all' | 'failures' = 'all', paint: Paint = paintNothing) {
  return [...textReport.render(report, { paint, detail })].join('');
}

describe('the text report', () => {
  it('names verdict, place, reason, witness, nearest miss, missed steps and losses', () => {
    expect(
      render(reportOf([failingUnit()])),
    ).toBe(`FAIL  Refund request, row 2  specs/refund.abs.yaml
  trace 5b8aa5a2d2c872e8321cf37308d69df2 in recordings/bad.jsonl
  ✓ pass  no hand-off (never)  specs/refund.abs.yaml:31
  ✗ fail  any_of  specs/refund.abs.yaml:35
      none of 1 passed
    ✗ fail  contains  specs/refund.abs.yaml:37
        the reply does not contain "REF-1" [evaluator.threshold_not_met]
        seen: behavior 6, span 5fb397be34d26b51 of trace 5b8aa5a2d2c872e8321cf37308d69df2
        nearest: behavior 7, differs in content: it says "REF-2"
  ? inconclusive  llm_judge  specs/refund.abs.yaml:40
      no adapter is configured for llm_judge [adapter.not_configured]
  ! error  regex  specs/refund.abs.yaml:44
      the evaluator broke [evaluator.error]
  - skipped  count  specs/refund.abs.yaml:48
      its condition is false [when_false]
  ✗ conformance fail  1 of 2 required steps observed
      step /behaviors/3: not observed [step_unmatched]  specs/refund.abs.yaml:20
        nearest: behavior 3, differs in with: \`orderId\` was 999
  the trace is incomplete
    the parent of a span was not received (orphan_span, 1×): span 00f067aa0ba902b7

1 unit graded: 0 pass, 1 fail
5 rules: 1 pass, 1 fail, 1 inconclusive, 1 skipped, 1 error
12 spans read, 1 rejected
Next: see what was observed: retrial explain recordings/bad.jsonl
`);
  });

  it('leaves out what passed when only failures are asked for', () => {
    const text = render(reportOf([passingUnit(), failingUnit()]), 'failures');
    expect(text).not.toContain('PASS');
    expect(text).not.toContain('no hand-off');
    expect(text).toContain('FAIL');
  });

  it('lets no text of a trace or document reach the terminal as a command', () => {
    const evil =
      '\u001b[2J\u001b]8;;http://evil\u0007click\u001b]8;;\u0007\u202egnp\u0085\r\nPASS\u009b31m';
    const unit = failingUnit({
      id: evil,
      session: evil,
      document: evil,
      source: [evil],
      evaluations: [evaluation({ title: evil, verdict: 'fail', score: 0, reason: evil })],
      losses: [{ kind: 'orphan_span', count: 1, detail: evil }],
    });
    const report = reportOf([unit], {
      nextStep: evil,
      ungraded: [{ id: evil, reason: 'no_row' }],
      diagnostics: [{ severity: 'error', code: 'x', message: evil, file: evil }],
    });
    const text = render(report);
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e]/u);
    expect(text).toContain('clickgnp PASS');
    expect(text.split('\n').some((line) => line.startsWith('PASS'))).toBe(false);
  });

  it('colours only when it is told to', () => {
    expect(render(reportOf([failingUnit()]))).not.toContain('\u001b');
    expect(render(reportOf([failingUnit()]), 'all', paintAnsi)).toContain('\u001b[31m');
  });
});
