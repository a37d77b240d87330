import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/model/report.js';
import { junitReport } from '../../src/reports/junit.js';
import { paintNothing } from '../../src/util/terminal.js';
import { evaluation, failingUnit, passingUnit, reportOf } from '../support/sample-report.js';
import { parseXml, type XmlElement } from '../support/xml-checker.js';

function render(report: Report): XmlElement {
  return parseXml([...junitReport.render(report, { paint: paintNothing, detail: 'all' })].join(''));
}

function casesOf(element: XmlElement): readonly XmlElement[] {
  if (element.name === 'testcase') return [element];
  return element.children.flatMap(casesOf);
}

describe('the JUnit report', () => {
  it('has one case per rule that is not nested, and none for steps when all were observed', () => {
    const root = render(reportOf([passingUnit()]));
    expect(root.attributes).toEqual({
      name: 'retrial',
      tests: '1',
      failures: '0',
      errors: '0',
      skipped: '0',
      time: '0.000',
    });
    const [only] = casesOf(root);
    expect(only?.attributes).toEqual({
      name: 'never /evaluations/0',
      classname: 'specs/refund.abs.yaml.Refund request',
      file: 'specs/refund.abs.yaml',
      line: '31',
      time: '0.000',
    });
    expect(only?.children).toEqual([]);
  });

  it('tells a failure, an inconclusive rule, a broken evaluator and a missed step apart', () => {
    const root = render(reportOf([failingUnit()]));
    const outcomes = casesOf(root).map(({ attributes, children }) => [
      attributes.name,
      children[0]?.name ?? 'pass',
    ]);
    expect(outcomes).toEqual([
      ['no hand-off (never) /evaluations/0', 'pass'],
      ['any_of /evaluations/1', 'failure'],
      ['llm_judge /evaluations/2', 'skipped'],
      ['regex /evaluations/3', 'error'],
      ['count /evaluations/4', 'skipped'],
      ['conformance', 'failure'],
    ]);
    expect(root.attributes).toMatchObject({ tests: '6', failures: '2', errors: '1', skipped: '2' });
    expect(root.attributes.time).toBe('1.500');
  });

  it('tells a nested rule with its verdict in the text of its parent', () => {
    const failure = casesOf(render(reportOf([failingUnit()])))[1]?.children[0];
    expect(failure?.text).toContain('fail: contains: the reply does not contain "REF-1"');
  });

  it('gives the reason of an inconclusive rule as the message of the skip', () => {
    const skip = casesOf(render(reportOf([failingUnit()])))[2]?.children[0];
    expect(skip?.attributes.message).toBe('inconclusive: no adapter is configured for llm_judge');
  });

  it('has a case for a document that no rule of it decided', () => {
    const root = render(reportOf([passingUnit({ evaluations: [] })]));
    expect(casesOf(root).map(({ attributes }) => attributes.name)).toEqual(['conformance']);
  });

  it('has cases for units that were left out and for errors of the input', () => {
    const root = render(
      reportOf([], {
        ungraded: [
          { id: 't1', reason: 'no_row' },
          { id: 't2', reason: 'not_an_agent_trace' },
        ],
        diagnostics: [
          { severity: 'error', code: 'bad-rule', message: 'wrong', file: 'a.yaml', line: 3 },
          { severity: 'warning', code: 'odd', message: 'odd' },
        ],
      }),
    );
    expect(
      casesOf(root).map(({ attributes, children }) => [attributes.name, children[0]?.name]),
    ).toEqual([
      ['t1', 'skipped'],
      ['bad-rule', 'error'],
    ]);
  });

  test.prop([fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme-composite' })])(
    'is well-formed XML 1.0 whatever text it carries',
    (one, other) => {
      const text = `${one}\u0000\ud800]]>&<"'\u001b[31m\ufffe${other}`;
      const unit = failingUnit({
        id: text,
        session: text,
        document: text,
        evaluations: [evaluation({ title: text, verdict: 'fail', score: 0, reason: text })],
      });
      const root = render(reportOf([unit], { ungraded: [{ id: text, reason: 'no_row' }] }));
      const failure = casesOf(root)[0]?.children[0];
      expect(failure?.attributes.message).toContain(']]>&<"\'[31m');
    },
  );
});
