import type { TraceInput } from '../behaviors/trace-input.js';
import { createProblem } from '../errors.js';
import type { Loss } from '../model/evidence.js';
import type { Problem } from '../model/problem.js';
import type { Span, SpanRejection } from '../model/span.js';
import { recordingFormats } from '../recordings/index.js';
import { listRecordings } from '../recordings/list-recordings.js';
import { readRecording } from '../recordings/read-recording.js';
import type { ByteSource, RecordedBatch } from '../recordings/recording.js';
import type { PipelineIo } from './grade-options.js';
import { createPacer } from './pacer.js';

/** Everything that the recordings hold. */
export interface LoadedSpans {
  /** One entry per trace id, with where its spans came from and what reading lost of them. */
  readonly traces: readonly TraceInput[];
  readonly rejected: number;
  readonly problems: readonly Problem[];
}

/**
 * Reads every recording that the paths name. Stops early, with what was read so far, when `io.signal`
 * aborts. Never throws on what the recordings hold.
 */
export async function loadSpans(paths: readonly string[], io: PipelineIo): Promise<LoadedSpans> {
  const { sources, problems } = listRecordings(paths, io);
  const collected = new SpanCollector(problems);
  const pace = createPacer(io);
  const isInterrupted = (): boolean => io.signal?.aborted === true;
  const total = totalBytes(sources);
  let done = 0;
  const onRead = (count: number): void => {
    done += count;
  };
  for (const source of sources) {
    const counted = { ...source, open: () => countBytes(source.open(), onRead) };
    for await (const batch of readRecording(counted, recordingFormats)) {
      collected.add(batch);
      await pace(() => ({ label: `reading ${source.name}`, done, total }));
      if (isInterrupted()) return collected.result();
    }
    collected.finish(source.name);
  }
  return collected.result();
}

/** Says that there was nothing to read, unless something worse was said already. */
export function noTraces({ traces, problems }: LoadedSpans): readonly Problem[] {
  const isTold = problems.some(({ severity }) => severity === 'error');
  return traces.length > 0 || isTold ? [] : [createProblem('no-traces', {})];
}

/** 0 when it is not known: standard input, a pipe. */
function totalBytes(sources: readonly ByteSource[]): number {
  if (sources.some(({ sizeBytes }) => sizeBytes === null)) return 0;
  return sources.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
}

async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  onRead: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onRead(chunk.length);
    yield chunk;
  }
}

interface CollectedTrace {
  readonly spans: Span[];
  readonly sources: Set<string>;
  readonly refused: SpanRejection[];
}

class SpanCollector {
  readonly #problems: Problem[];
  readonly #traces = new Map<string, CollectedTrace>();
  readonly #lossy = new Set<string>();
  #rejected = 0;
  /** Refusals of the recording being read, by reason. */
  #refused = new Map<string, SpanRejection[]>();

  constructor(problems: readonly Problem[]) {
    this.#problems = [...problems];
  }

  add({ source, batch, rejections, problems, isLossy }: RecordedBatch): void {
    this.#problems.push(...problems);
    if (isLossy) this.#lossy.add(source);
    for (const rejection of rejections) this.#refuse(rejection, source);
    for (const span of batch ?? []) {
      const trace = this.#traceOf(span.traceId);
      trace.spans.push(span);
      trace.sources.add(source);
    }
  }

  /** Tells the refused spans of a recording that was read to its end, one problem per reason. */
  finish(file: string): void {
    for (const [reason, refused] of this.#refused) {
      const [first] = refused;
      if (first === undefined) continue;
      const { at, message: detail } = first;
      const values = { file, reason, count: refused.length, at, detail };
      this.#problems.push(createProblem('spans-rejected', values));
    }
    this.#refused = new Map();
  }

  result(): LoadedSpans {
    const traces = [...this.#traces].map(([traceId, trace]) => ({
      traceId,
      spans: trace.spans,
      sources: [...trace.sources],
      losses: this.#lossesOf(trace),
    }));
    return { traces, rejected: this.#rejected, problems: this.#problems };
  }

  /** A recording that breaks off may have lost spans of any of its traces. */
  #lossesOf({ refused, sources }: CollectedTrace): readonly Loss[] {
    const losses: Loss[] = [];
    if (refused.length > 0) {
      const reasons = [...new Set(refused.map(({ reason }) => reason))].sort().join(', ');
      losses.push({ kind: 'span_rejected', count: refused.length, detail: reasons });
    }
    const cut = [...sources].filter((source) => this.#lossy.has(source)).sort();
    if (cut.length > 0) {
      losses.push({ kind: 'recording_truncated', count: cut.length, detail: cut.join(', ') });
    }
    return losses;
  }

  /**
   * A refused span is a loss of its trace. One whose trace id cannot be read belongs to no trace: it is
   * counted and told, and nothing more can be said of it.
   */
  #refuse(rejection: SpanRejection, source: string): void {
    this.#rejected++;
    const known = this.#refused.get(rejection.reason);
    if (known === undefined) this.#refused.set(rejection.reason, [rejection]);
    else known.push(rejection);
    if (rejection.traceId === null) return;
    const trace = this.#traceOf(rejection.traceId);
    trace.refused.push(rejection);
    trace.sources.add(source);
  }

  #traceOf(traceId: string): CollectedTrace {
    const known = this.#traces.get(traceId);
    if (known !== undefined) return known;
    const trace: CollectedTrace = { spans: [], sources: new Set(), refused: [] };
    this.#traces.set(traceId, trace);
    return trace;
  }
}
