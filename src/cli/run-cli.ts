import { Command, CommanderError } from 'commander';
import { createProblem } from '../errors.js';
import { problemText } from '../reports/problems/text.js';
import { paintAnsi, paintNothing, wantsColor } from '../util/terminal.js';
import { readVersion } from '../util/version.js';
import { addCheckCommand } from './check-command.js';
import type { CliIo } from './cli-io.js';
import { addExplainCommand } from './explain-command.js';
import { addGradeCommand } from './grade-command.js';
import { addJudgeCommand } from './judge-command.js';
import { addServeCommand } from './serve-command.js';

const summary = `Puts agent traces on trial: reads OpenTelemetry recordings of an agent's work and grades
what it did by the rules of a behavior document.`;

const exitCodes = `
Exit codes:
  0    everything was decided and passed
  1    a rule failed, or a required step was not observed
  2    usage, configuration or document error
  3    nothing was graded, or something is inconclusive
  4    the grader could not work
  130  interrupted`;

/**
 * Runs one command line and returns its exit code (contract.md §4). Never throws: whatever goes wrong
 * becomes one message on stderr.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const exit: ExitBox = { code: 0 };
  try {
    await createProgram(io, exit).parseAsync([...argv], { from: 'user' });
    return exit.code;
  } catch (error) {
    // Commander has already written its message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const isColored = wantsColor({ isTerminal: io.stderr.isTTY, isRefused: false, env: io.env });
    const problem = createProblem('unexpected', { detail: messageOf(error) });
    io.stderr.write(`${problemText(problem, isColored ? paintAnsi : paintNothing)}\n`);
    return 4;
  }
}

/** Where a command leaves its exit code. */
export interface ExitBox {
  code: number;
}

function createProgram(io: CliIo, exit: ExitBox): Command {
  const program = new Command('retrial')
    .description(summary)
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError('(retrial --help tells more)')
    .exitOverride()
    .addHelpText('after', exitCodes);
  addGradeCommand(program, io, exit);
  addExplainCommand(program, io, exit);
  addCheckCommand(program, io, exit);
  addJudgeCommand(program, io, exit);
  addServeCommand(program, io, exit);
  return program;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
