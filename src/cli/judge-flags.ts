import type { Command } from 'commander';
import { behaviorOptionsOf } from '../config/behavior-options.js';
import { loadConfig } from '../config/load-config.js';
import type { Result } from '../model/problem.js';
import type { GradeOptions } from '../pipeline/grade-options.js';
import { judgingOf } from '../pipeline/judge-setup.js';
import type { CliIo } from './cli-io.js';
import { collect } from './options.js';

type GradeConfig = Required<Pick<GradeOptions, 'judging' | 'reconstruction'>>;

/** The flags of every command that may ask judges. */
export interface JudgeFlags {
  readonly config?: string;
  readonly adapter?: readonly string[];
  readonly cache: boolean;
  readonly budget?: string;
}

export function addJudgeOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration (default: the nearest retrial.yaml)')
    .option(
      '--adapter <name>',
      'judge by this adapter, or type=NAME for one type of rule; repeat for more',
      collect,
    )
    .option('--no-cache', 'ask judges again, whatever answers are kept')
    .option('--budget <amounts>', 'what judging may spend, such as 2usd,100000tokens or 50calls');
}

/** What the configuration says of reading and judging, flags put in; or what is wrong with it. */
export function readGradeConfig(flags: JudgeFlags, { cwd, env }: CliIo): Result<GradeConfig> {
  const file = flags.config ?? null;
  const config = loadConfig({ folder: cwd, file, environment: env, flags: [] });
  if (!config.ok) return config;
  const configured = judgingOf(config.value);
  const judging = {
    ...configured,
    choices: flags.adapter ?? [],
    ...(!flags.cache && { cacheFolder: null }),
    ...(flags.budget !== undefined && { runBudget: flags.budget }),
  };
  const value = { judging, reconstruction: behaviorOptionsOf(config.value.values) };
  return { ok: true, value, problems: config.problems };
}
