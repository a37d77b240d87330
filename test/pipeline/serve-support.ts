import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { loadConfig } from '../../src/config/load-config.js';
import type { EvaluationReport, Report, UnitReport } from '../../src/model/report.js';
import type { SpanBatch } from '../../src/otlp/span-batch.js';
import { indexTraces } from '../../src/otlp/span-index.js';
import { gradeRecordings } from '../../src/pipeline/grade.js';
import { findMissingSpans } from '../../src/pipeline/ledger.js';
import { type RunningServe, startServe } from '../../src/pipeline/serve.js';
import { readServeOptions } from '../../src/pipeline/serve-config.js';
import type { ServeOptions } from '../../src/pipeline/serve-options.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import type { Peer } from '../support/otlp-peer.js';

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));
export const refundDocument = 'fixtures/documents/refund.abs.yaml';

/** A running `serve` whose time stands still until told to move. */
export interface TestServe extends RunningServe {
  readonly scheduler: FakeScheduler;
  readonly log: string[];
  /** Lets time pass and waits until everything due is graded, forwarded and told. */
  pass(ms: number): Promise<void>;
  /** Sends one request body and answers with status and body. */
  send(body: Uint8Array, type?: string): Promise<{ status: number; body: Buffer }>;
}

/** Starts `serve` from the text of a retrial.yaml, on free ports. */
export async function startTestServe(
  yaml: string,
  folder = projectRoot,
  override: Partial<ServeOptions> = {},
): Promise<TestServe> {
  const scratch = mkdtempSync(join(tmpdir(), 'retrial-serve-'));
  const file = join(scratch, 'retrial.yaml');
  writeFileSync(file, yaml);
  const loaded = loadConfig({ folder: scratch, file, environment: {}, flags: [] });
  rmSync(scratch, { recursive: true });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join('\n'));
  const wishes = { specs: [], insecure: false, cwd: folder, env: {} };
  const options = readServeOptions({ ...loaded.value, folder }, wishes);
  if (!options.ok) throw new Error(options.problems.map(({ message }) => message).join('\n'));
  const scheduler = createFakeScheduler();
  const log: string[] = [];
  const serve = await startServe(
    {
      ...options.value,
      ...override,
      http: { ...options.value.http, port: 0 },
      admin: { ...options.value.admin, port: 0 },
    },
    {
      scheduler,
      random: () => 0.5,
      epochMs: () => 0,
      resolve: async () => [],
      log: (severity, message) => log.push(`${severity}: ${message}`),
    },
  );
  return {
    ...serve,
    scheduler,
    log,
    async pass(ms) {
      await scheduler.advance(ms);
      await serve.whenIdle();
    },
    /** Time passes while it drains, so that waits inside come to their end. */
    async stop() {
      const stopped = serve.stop();
      let isOver = false;
      const over = (): void => {
        isOver = true;
      };
      stopped.then(over, over);
      while (!isOver) await scheduler.advance(1_000);
      return stopped;
    },
    async send(body, type = 'application/x-protobuf') {
      const response = await fetch(`${serve.url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
    },
  };
}

/** What every test of the live pipeline ends with: no span is unaccounted for. */
export function expectBalanced(serve: RunningServe): void {
  for (const [destination, missing] of Object.entries(findMissingSpans(serve.counts()))) {
    expect({ destination, missing }).toEqual({ destination, missing: 0 });
  }
}

export function recording(variant: string, sdk = 'ai-sdk-7'): Buffer {
  return readFileSync(join(projectRoot, `fixtures/recordings/${sdk}/${variant}.otlp.pb`));
}

export function batchOf(bytes: Uint8Array): SpanBatch {
  const indexed = indexTraces(bytes);
  if (indexed.kind === 'malformed') throw new Error(indexed.message);
  return indexed.batch;
}

/** Every forwarded span: its id, its bytes, and its events by name. */
export function forwardedSpans(peer: Peer) {
  return peer.requests
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) => {
      const batch = batchOf(body);
      return Array.from(batch, (span, row) => ({
        span,
        bytes: Buffer.from(batch.spanBytes(row)),
        events: span.events().map((event) => ({
          name: event.name,
          timeUnixNano: event.timeUnixNano,
          attributes: Object.fromEntries(
            event.attributeKeys().map((key) => [key, event.attribute(key)]),
          ),
        })),
      }));
    });
}

/** Grades the same bytes offline, as one recording per request. */
export async function gradeBytes(
  requests: readonly Uint8Array[],
  spec: string,
  unit: 'trace' | 'conversation' | 'auto' = 'trace',
): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'retrial-bytes-'));
  try {
    const recordings = requests.map((bytes, index) => {
      const file = join(folder, `${String(index).padStart(4, '0')}.pb`);
      writeFileSync(file, bytes);
      return file;
    });
    return await gradeRecordings(
      { recordings, specs: [spec], unit, allowEmpty: true },
      {
        cwd: projectRoot,
        env: {},
        stdin: (async function* () {})(),
        clock: { nowMs: () => 0 },
        breathe: async () => undefined,
      },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A report without what contract.md §3 leaves out of "the same"; advice names the files, so it goes too. */
export function comparable(report: Report) {
  const { nextStep, ...rest } = report;
  const units = report.units.map((unit) => {
    const { source, releaseReason, generation, evaluations, ...stable } = unit;
    return { ...stable, evaluations: evaluations.map(withoutDuration) };
  });
  return { ...rest, hasNextStep: nextStep !== null, units };
}

function withoutDuration({ durationMs, ...evaluation }: EvaluationReport) {
  return evaluation;
}

export function verdictsOf(unit: UnitReport | undefined): Record<string, string> {
  return Object.fromEntries(
    (unit?.evaluations ?? []).map(({ title, type, verdict }) => [title ?? type, verdict]),
  );
}
