import type { Problem, SourcePosition } from '../../model/problem.js';
import type { JsonObject } from '../../util/json.js';
import { jsonText } from '../../util/json-text.js';
import { withoutAbsent } from '../behavior-json.js';
import type { ProblemFormat } from './problem-format.js';

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';
const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

/** SARIF 2.1.0, for code scanning. */
export const sarifProblems: ProblemFormat = {
  name: 'sarif',

  *render({ version, problems }) {
    const rules = [...new Set(problems.map(({ code }) => code))].sort().map((id) => ({ id }));
    const tool = { driver: { name: 'retrial', version, rules } };
    const runs = [{ tool, results: problems.map(resultOf) }];
    yield `${jsonText({ $schema: schema, version: '2.1.0', runs })}\n`;
  },
};

function resultOf({ severity, code, message, hint, position }: Problem): JsonObject {
  return withoutAbsent({
    ruleId: code,
    level: levels[severity],
    message: { text: hint === undefined ? message : `${message}. ${hint}` },
    locations: position === undefined ? undefined : [locationOf(position)],
  });
}

function locationOf({ file, line, column }: SourcePosition): JsonObject {
  const uri = file.split('/').map(encodeURIComponent).join('/');
  const region = { startLine: line, startColumn: column };
  return { physicalLocation: { artifactLocation: { uri }, region } };
}
