import type { ProblemFormat } from './problem-format.js';

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** Workflow commands of GitHub Actions, which show as annotations beside the lines. */
export const githubProblems: ProblemFormat = {
  name: 'github',

  *render({ problems }) {
    for (const { severity, code, message, hint, position } of problems) {
      const place =
        position === undefined
          ? []
          : [`file=${property(position.file)}`, `line=${position.line}`, `col=${position.column}`];
      const properties = [...place, `title=${property(code)}`].join(',');
      const text = hint === undefined ? message : `${message}\n${hint}`;
      yield `::${commands[severity]} ${properties}::${data(text)}\n`;
    }
  },
};

function data(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function property(text: string): string {
  return data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
