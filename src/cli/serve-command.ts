import { lookup } from 'node:dns/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { Override } from '../config/environment.js';
import { loadConfig } from '../config/load-config.js';
import { createProblem } from '../errors.js';
import type { Problem } from '../model/problem.js';
import { type RunningServe, startServe } from '../pipeline/serve.js';
import { readServeOptions } from '../pipeline/serve-config.js';
import { reportFormats } from '../reports/index.js';
import { problemText } from '../reports/problems/text.js';
import { systemScheduler } from '../util/scheduler.js';
import type { CliIo } from './cli-io.js';
import { addCommonOptions, type CommonFlags, collect, paintFor } from './options.js';
import type { ExitBox } from './run-cli.js';
import { chooseTarget, type ReportTarget, writeReport } from './write-outputs.js';

const examples = `
Examples:
  retrial serve --spec refund.abs.yaml --forward http://localhost:14318
  retrial serve -c retrial.yaml
  retrial serve --spec specs/ --http-port 0 --report report.json

Point an agent's OTLP exporter at the printed address. SIGTERM drains: what is held is graded and sent.`;

interface ServeFlags extends CommonFlags {
  readonly config?: string;
  readonly spec?: readonly string[];
  readonly httpPort?: number;
  readonly grpcPort?: number;
  readonly adminPort?: number;
  readonly host?: string;
  readonly forward?: string;
  readonly insecure?: boolean;
  readonly inactivityTimeout?: string;
  readonly unit?: string;
  readonly report?: readonly string[];
}

export function addServeCommand(program: Command, io: CliIo, exit: ExitBox): void {
  const command = program
    .command('serve')
    .summary('grade live traces and forward them')
    .description(
      'Takes traces over OTLP/HTTP, grades each when it is over, puts the verdicts on its spans and\nforwards it. Violations that are certain call a webhook before the trace is over.',
    )
    .option('-c, --config <file>', 'configuration (default: the nearest retrial.yaml)')
    .option('--spec <file>', 'document, folder or quoted pattern; repeat for more', collect)
    .option(
      '--http-port <port>',
      'port for OTLP/HTTP; 0 takes a free one (default: 4318)',
      parsePort,
    )
    .option('--admin-port <port>', 'port of the admin address (default: 4319)', parsePort)
    .option('--grpc-port <port>', 'port for OTLP/gRPC (not available yet)', parsePort)
    .option('--host <host>', 'address to listen on (default: 127.0.0.1)')
    .option('--forward <url>', 'send traces on to this OTLP/HTTP server')
    .option('--insecure', 'take the certificate of a destination unverified')
    .option(
      '--inactivity-timeout <time>',
      'release a trace after this long without a span, as in 30s',
    )
    .option('--unit <kind>', 'trace, conversation or auto (default: trace)')
    .option('--report <file>', 'write the report at the end, format by ending', collect)
    .addHelpText('after', examples);
  addCommonOptions(command).action(async (flags: ServeFlags) => {
    exit.code = await runServe(flags, io);
  });
}

async function runServe(flags: ServeFlags, io: CliIo): Promise<number> {
  const paint = paintFor(io.stderr, io, flags);
  const tell = (problems: readonly Problem[]): void => {
    for (const problem of problems) io.stderr.write(`${problemText(problem, paint)}\n`);
  };
  const targets = (flags.report ?? []).map((file) => chooseTarget(file, reportFormats, undefined));
  const { cwd, env } = io;
  const config = loadConfig({
    folder: cwd,
    file: flags.config ?? null,
    environment: env,
    flags: toOverrides(flags),
  });
  const options = config.ok
    ? readServeOptions(config.value, {
        specs: flags.spec ?? [],
        insecure: flags.insecure === true,
        cwd,
        env,
      })
    : config;
  const problems = [...targets, ...(config.ok ? [config] : []), options].flatMap(
    (one) => one.problems,
  );
  tell(problems.filter(({ severity }) => severity !== 'info'));
  if (!options.ok || targets.some(({ ok }) => !ok)) return 2;

  let serve: RunningServe;
  try {
    serve = await startServe(options.value, {
      scheduler: systemScheduler,
      random: Math.random,
      epochMs: Date.now,
      resolve: (host) => lookup(host, { all: true }),
      log: (severity, message) => io.stderr.write(`${severity}: ${message}\n`),
    });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    tell([createProblem('cannot-listen', { detail })]);
    return 4;
  }
  // The addresses are what a script waits for, so they stand alone on stdout.
  io.stdout.write(`listening for OTLP/HTTP on ${serve.url}\n`);
  io.stdout.write(`admin on ${serve.adminUrl}\n`);
  const stop = (): void => {
    io.stderr.write('draining: what is held is graded and sent; interrupt again to end at once\n');
    void serve.stop();
  };
  if (io.signal.aborted) stop();
  else io.signal.addEventListener('abort', stop, { once: true });
  await serve.stopped;
  const report = await serve.stop();
  io.signal.removeEventListener('abort', stop);
  const files = targets.flatMap((one): ReportTarget[] => (one.ok ? [one.value] : []));
  const unwritten = files.flatMap((target) => writeReport(target, report, cwd));
  tell(unwritten);
  if (unwritten.length > 0) return 4;
  // A service that was asked to stop has done its work; a job with a report is judged by it.
  return files.length > 0 ? report.exitCode : 0;
}

function toOverrides(flags: ServeFlags): readonly Override[] {
  const { httpPort, grpcPort, adminPort, host, forward, inactivityTimeout, unit } = flags;
  const destination = { name: 'forward', otlp_http: forward };
  const all: readonly Override[] = [
    { path: ['receivers', 'http', 'port'], value: httpPort, origin: '--http-port' },
    { path: ['receivers', 'grpc', 'port'], value: grpcPort, origin: '--grpc-port' },
    { path: ['receivers', 'http', 'host'], value: host, origin: '--host' },
    { path: ['admin', 'port'], value: adminPort, origin: '--admin-port' },
    {
      path: ['destinations'],
      value: forward === undefined ? undefined : [destination],
      origin: '--forward',
    },
    { path: ['hold', 'decision_wait'], value: inactivityTimeout, origin: '--inactivity-timeout' },
    { path: ['unit'], value: unit, origin: '--unit' },
  ];
  return all.filter(({ value }) => value !== undefined);
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('expected a port, 0 to 65535.');
  return Number(text);
}
