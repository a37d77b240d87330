// The page docs/reference/evaluators.md, from the evaluator table. Pure: a test compares it with the file.
import { stringify } from 'yaml';

const families = {
  step: 'Step evaluators',
  chain: 'Chain evaluators',
  composition: 'Compositions',
  judge: 'Judged evaluators',
  metric: 'Reference metrics',
  custom: 'Custom evaluators',
};

const introduction = `# Evaluators

Written by \`npm run reference\` from the evaluator table; the examples run as tests.

Every evaluation takes \`type\`, and may take \`title\`, \`when\` (a condition; not true means skipped), \`blocking\`, \`severity\`
(\`info\`, \`warning\`, \`critical\`). A verdict is \`pass\`, \`fail\`, \`inconclusive\` (the evidence does not say), \`skipped\` or
\`error\`. A selector is any of \`actor\`, \`action\`, \`target\`; what it leaves out matches everything.

Fields marked *Retrial* are extensions of ABS.
`;

/** @param {readonly import('../../src/model/evaluator.js').EvaluatorDefinition[]} evaluators */
export function renderEvaluatorsPage(evaluators) {
  const parts = [introduction];
  for (const [family, title] of Object.entries(families)) {
    parts.push(`## ${title}\n`);
    for (const evaluator of evaluators) {
      if (evaluator.family === family) parts.push(renderEvaluator(evaluator));
    }
  }
  return `${parts.join('\n').trimEnd()}\n`;
}

function renderEvaluator(evaluator) {
  const facts = [
    `${evaluator.level === 'both' ? 'Step and session' : capitalize(evaluator.level)} level`,
    `ABS ${evaluator.since}`,
    evaluator.scores ? 'scores 0 to 1' : 'passes or fails',
    ...alertFact(evaluator.run),
  ];
  return [
    `### ${evaluator.type}\n`,
    `${evaluator.summary} *(${facts.join(' · ')})*\n`,
    renderFields(evaluator.fields),
    ...evaluator.examples.map(renderExample),
  ].join('\n');
}

function alertFact(run) {
  if (run.kind !== 'monitor') return [];
  return [
    {
      at_once: 'a violation is told at once',
      when_parents_closed: 'a violation is told as soon as no open parent could undo it',
      at_release: 'decided when the trace is released',
    }[run.alerts],
  ];
}

function renderFields(fields) {
  const names = Object.keys(fields);
  if (names.length === 0) return 'No fields of its own.\n';
  const rows = names.map((name) => {
    const field = fields[name];
    const mark = field.extension === true ? ' *Retrial*' : '';
    return `| \`${name}\`${mark} | ${field.required ? 'yes' : 'no'} | ${field.summary.replaceAll('|', '\\|')} |`;
  });
  return ['| field | required | what |', '|---|---|---|', ...rows, ''].join('\n');
}

function renderExample(example) {
  return [
    `${example.title}: **${example.verdict}**\n`,
    '```yaml',
    stringify(
      { rule: example.rule, declared: example.steps, observed: example.behaviors },
      options,
    ).trimEnd(),
    '```\n',
  ].join('\n');
}

const options = { lineWidth: 110, collectionStyle: 'any', flowCollectionPadding: true };

function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
