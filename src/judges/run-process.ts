import { spawn } from 'node:child_process';

export interface ProcessRequest {
  /** Program and arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

export type ProcessOutcome =
  | {
      readonly kind: 'ended';
      readonly code: number | null;
      readonly stdout: string;
      readonly stderr: string;
    }
  | {
      readonly kind: 'failed';
      readonly reason: 'timeout' | 'aborted' | 'start' | 'too_long';
      readonly message: string;
    };

export type RunProcess = (request: ProcessRequest) => Promise<ProcessOutcome>;

/**
 * Runs a program with text on its standard input and collects what it writes. When time is up, when it
 * writes too much or when the call is given up, it is killed with everything it started. Never rejects.
 */
export const runProcess: RunProcess = (request) =>
  new Promise((resolve) => {
    const [program = '', ...args] = request.command;
    const { cwd, env, signal, timeoutMs } = request;
    if (signal.aborted) {
      return resolve({ kind: 'failed', reason: 'aborted', message: 'the call was given up' });
    }
    // A group of its own, so that killing reaches its children too.
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: 'pipe',
      detached: process.platform !== 'win32',
    });
    const written: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
    let size = 0;
    let isOver = false;

    const finish = (outcome: ProcessOutcome): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(outcome);
    };
    const stop = (reason: 'timeout' | 'aborted' | 'too_long', message: string): void => {
      finish({ kind: 'failed', reason, message });
      killGroup(child.pid);
      child.kill('SIGKILL');
    };
    const abort = (): void => stop('aborted', 'the call was given up');
    const timer = setTimeout(() => stop('timeout', `no answer within ${timeoutMs} ms`), timeoutMs);
    const collect = (name: 'stdout' | 'stderr') => (chunk: Buffer) => {
      size += chunk.length;
      if (size > request.maxOutputBytes) stop('too_long', 'it wrote too much');
      else written[name].push(chunk);
    };

    signal.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', collect('stdout'));
    child.stderr.on('data', collect('stderr'));
    child.on('error', (error) =>
      finish({ kind: 'failed', reason: 'start', message: error.message }),
    );
    child.on('close', (code) => {
      const stdout = Buffer.concat(written.stdout).toString('utf8');
      const stderr = Buffer.concat(written.stderr).toString('utf8');
      finish({ kind: 'ended', code, stdout, stderr });
    });
    // A program that does not read its input closes the pipe: no error of ours.
    child.stdin.on('error', () => undefined);
    child.stdin.end(request.input);
  });

function killGroup(pid: number | undefined): void {
  if (pid === undefined || process.platform === 'win32') return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
