import type { Problem } from '../../model/problem.js';
import { cleanLine, type Paint } from '../../util/terminal.js';
import type { ProblemFormat } from './problem-format.js';

/** For people: each problem with its place, a code frame and a hint. */
export const textProblems: ProblemFormat = {
  name: 'text',

  *render({ problems, sessions }, paint) {
    for (const problem of problems) yield `${problemText(problem, paint)}\n`;
    const count = (severity: Problem['severity'], noun: string): string =>
      countOf(problems.filter((problem) => problem.severity === severity).length, noun);
    const found = `${count('error', 'error')}, ${count('warning', 'warning')}`;
    yield `${paint('bold', `${countOf(sessions, 'session')} read: ${found}`)}\n`;
  },
};

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** One problem for people, over one or several lines, without a line break at the end. */
export function problemText(problem: Problem, paint: Paint): string {
  const { severity, code, message, hint, position } = problem;
  const style = severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : 'dim';
  const place =
    position === undefined ? '' : `${position.file}:${position.line}:${position.column}: `;
  const told = `${paint(style, `${severity}:`)} ${cleanLine(message)} ${paint('dim', `[${code}]`)}`;
  const lines = [`${paint('bold', cleanLine(place))}${told}`, ...frameLines(problem, paint)];
  if (hint !== undefined) lines.push(`  hint: ${cleanLine(hint)}`);
  return lines.join('\n');
}

function frameLines({ position, frame }: Problem, paint: Paint): readonly string[] {
  if (position === undefined || frame === undefined) return [];
  const gutter = String(position.line);
  // One character for one, so that the caret stands under its column.
  const text = [...frame].map((char) => cleanLine(char) || ' ').join('');
  const caret = `${' '.repeat(position.column - 1)}^`;
  return [
    paint('dim', `  ${gutter} | ${text.trimEnd()}`),
    `  ${' '.repeat(gutter.length)} | ${paint('cyan', caret)}`,
  ];
}
