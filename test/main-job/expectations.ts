import type { Verdict } from '../../src/model/verdict.js';

/** What a person reading the conversation would say of each run, written before the first grading. */
export interface Expectation {
  readonly variant: string;
  readonly document: string;
  readonly exitCode: number;
  /** Titles of the rules that do not pass, with their verdict. Every other rule passes. */
  readonly notPassed: Readonly<Record<string, Verdict>>;
  readonly conformance: 'pass' | 'fail' | 'inconclusive';
}

const refund = 'refund.abs.yaml';
const followup = 'refund-followup.abs.yaml';

export const expectations: readonly Expectation[] = [
  { variant: 'good', document: refund, exitCode: 0, notPassed: {}, conformance: 'pass' },
  { variant: 'stream', document: refund, exitCode: 0, notPassed: {}, conformance: 'pass' },
  // The first call fails and is made again: the steps have no word against a retry.
  { variant: 'tool-error', document: refund, exitCode: 0, notPassed: {}, conformance: 'pass' },
  { variant: 'model-retry', document: refund, exitCode: 0, notPassed: {}, conformance: 'pass' },
  // The text names transfer_to_human and hands_off; mention is not use.
  { variant: 'injection-text', document: refund, exitCode: 0, notPassed: {}, conformance: 'pass' },
  {
    variant: 'handoff',
    document: refund,
    exitCode: 1,
    notPassed: {
      'refunds that order': 'fail',
      'quotes the refund id': 'fail',
      'looks up before it refunds': 'fail',
      'the refund service answers': 'fail',
      // There is no answer of the refund service to measure from.
      'answers right after the refund': 'fail',
      'never hands off': 'fail',
    },
    conformance: 'fail',
  },
  {
    variant: 'other-id',
    document: refund,
    exitCode: 1,
    notPassed: { 'quotes the refund id': 'fail' },
    conformance: 'pass',
  },
  {
    variant: 'no-lookup',
    document: refund,
    exitCode: 1,
    notPassed: { 'looks the order up': 'fail', 'looks up before it refunds': 'fail' },
    conformance: 'fail',
  },
  {
    variant: 'claim',
    document: refund,
    exitCode: 1,
    notPassed: {
      'refunds that order': 'fail',
      'looks up before it refunds': 'fail',
      'the refund service answers': 'fail',
      'answers right after the refund': 'fail',
    },
    conformance: 'fail',
  },
  { variant: 'followup', document: followup, exitCode: 0, notPassed: {}, conformance: 'pass' },
  {
    variant: 'followup-other-id',
    document: followup,
    exitCode: 1,
    notPassed: { 'one refund id throughout': 'fail' },
    // The step asks about the refund that was made; the agent asked about another.
    conformance: 'fail',
  },
  {
    variant: 'good',
    document: 'refund-judged.abs.yaml',
    exitCode: 3,
    notPassed: { 'asks politely': 'inconclusive', 'says when the money comes': 'inconclusive' },
    conformance: 'pass',
  },
];

/**
 * Where an instrumentation does not record what a rule needs, by SDK and variant: the verdicts that differ
 * from the table above, and why.
 */
export const statedLosses: Readonly<Record<string, Readonly<Record<string, Verdict>>>> = {
  // The failed call has no tool name anywhere, so it could be any call: what was not seen is not proven.
  'traceloop-langchain/tool-error': {
    'refunds at most once': 'inconclusive',
    'never hands off': 'inconclusive',
  },
};
