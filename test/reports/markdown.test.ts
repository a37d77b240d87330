import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/model/report.js';
import { markdownReport } from '../../src/reports/markdown.js';
import { paintNothing } from '../../src/util/terminal.js';
import { evaluation, failingUnit, passingUnit, reportOf } from '../support/sample-report.js';

function render(report: Report): string {
  return [...markdownReport.render(report, { paint: paintNothing, detail: 'all' })].join('');
}

describe('the Markdown report', () => {
  it('has a table of the units, and tells what did not pass', () => {
    const text = render(reportOf([passingUnit({ session: 'Greeting' }), failingUnit()]));
    expect(text).toContain(
      '| ✅ pass | Greeting | trace 5b8aa5a2d2c872e8321cf37308d69df2 | 1 of 1 | 0 |\n',
    );
    expect(text).toContain(
      '| ❌ fail | Refund request | trace 5b8aa5a2d2c872e8321cf37308d69df2 | 1 of 5 | 1 |\n',
    );
    expect(text).toContain(
      '- ❌ contains, `specs/refund.abs.yaml:37`: the reply does not contain "REF-1" (spans `5fb397be34d26b51`)\n',
    );
    expect(text).toContain(
      '- ❌ step `/behaviors/3` not observed, `specs/refund.abs.yaml:20`; nearest:',
    );
    expect(text).not.toContain('#### ✅');
  });

  it('keeps text of a trace from becoming markup, a mention, a link or a new row', () => {
    const evil = '|x| <img src=x> @team [a](https://evil.example) `code`\n# head *b*';
    const unit = failingUnit({
      session: evil,
      id: evil,
      evaluations: [evaluation({ verdict: 'fail', score: 0, reason: evil, title: evil })],
    });
    const text = render(reportOf([unit], { ungraded: [{ id: evil, reason: 'no_row' }] }));
    const [table] = text.split('####');
    expect(table?.trimEnd().split('\n')).toHaveLength(5);
    // Code spans show their text as it is.
    const outsideOfCode = text.replace(/`[^`\n]*`/g, '');
    expect(outsideOfCode).not.toMatch(/<img|@team|\]\(|https:\/\/|^# head/m);
    // Four code spans: two places, a pointer, an id.
    expect(text.match(/`/g)?.length).toBe(8);
  });
});
