import type { Evaluation } from '../model/document.js';
import type { EvaluatorDefinition } from '../model/evaluator.js';
import type { Problem } from '../model/problem.js';
import { compilePattern, type Pattern } from '../util/pattern.js';
import { contentText, readContent, withoutContent } from './content.js';
import { describeBehavior, quoteValue } from './describe.js';
import { required } from './fields.js';
import { failed, inconclusive, passed } from './outcome.js';
import { patternProblem } from './problems.js';

/** The text of the observed content matches a pattern (statement 97, semantics A31). */
export const regex: EvaluatorDefinition = {
  type: 'regex',
  level: 'step',
  family: 'step',
  since: '0.1',
  summary:
    'The pattern is found in the text of the observed content: RE2 syntax, unanchored, `$` is the end of the text.',
  scores: false,
  fields: { pattern: required({ type: 'string' }, 'The pattern, in RE2 syntax.') },
  lint: lintPattern,
  run: {
    kind: 'content',
    evaluate: (rule, subject) => {
      const source = String(rule.fields.pattern);
      const compiled = compilePattern(source);
      if (!compiled.ok) throw new Error(`${compiled.message}; ${compiled.hint}`);
      const seen = readContent(subject);
      if (seen.kind === 'none' || seen.kind === 'missing') return withoutContent(seen, subject);
      const text = contentText(seen.value);
      if (
        seen.kind === 'cut' ? matchesPrefix(compiled.pattern, text) : compiled.pattern.test(text)
      ) {
        return passed(`/${source}/ matches ${describeBehavior(subject)}`, [subject.index]);
      }
      if (seen.kind === 'cut') {
        return inconclusive(
          'evidence_truncated',
          `/${source}/ does not match the part of ${describeBehavior(subject)} that was kept`,
          [subject.index],
        );
      }
      return failed(`/${source}/ does not match ${quoteValue(seen.value)}`, [subject.index], {
        behavior: subject.index,
        failed: 'content',
        detail: `was ${quoteValue(seen.value)}`,
      });
    },
  },
  examples: [
    {
      title: 'Found anywhere in the text',
      rule: { type: 'regex', pattern: 'R-\\d+' },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'Ref R-5512.' }],
      verdict: 'pass',
    },
    {
      title: 'Anchors hold for the whole text',
      rule: { type: 'regex', pattern: '^R-\\d+$' },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'Ref R-5512.' }],
      verdict: 'fail',
    },
  ],
};

/**
 * Whether a match in the kept part of a text holds however the text went on: `$` and `\b` at the place of
 * the cut prove nothing, so the match must survive a letter and a line break after it.
 */
function matchesPrefix(pattern: Pattern, text: string): boolean {
  return pattern.test(text) && pattern.test(`${text}x`) && pattern.test(`${text}\n`);
}

function lintPattern(evaluation: Evaluation): readonly Problem[] {
  const source = evaluation.fields.pattern;
  // A reference in the pattern is known only when a row is bound; it is compiled then.
  if (typeof source !== 'string' || source.includes('{{')) return [];
  const compiled = compilePattern(source);
  return compiled.ok ? [] : [patternProblem(evaluation, compiled)];
}
