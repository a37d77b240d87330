import type { Clock } from './clock.js';

/** What long work tells about itself; `total` is 0 while it is not known. */
export interface ProgressStep {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}

export type ReportProgress = (step: ProgressStep) => void;

export interface StatusLine {
  readonly show: ReportProgress;
  /** Removes the line, so that ordinary output starts on an empty one. */
  readonly clear: () => void;
}

export interface StatusLineOptions {
  readonly write: (text: string) => void;
  readonly clock: Clock;
  readonly columns: number;
  /** Work shorter than this shows nothing. */
  readonly quietMs: number;
  /** Least time between two drawings. */
  readonly intervalMs: number;
}

const barWidth = 24;

/** One line of a terminal that is drawn over: a bar where the total is known, else a count. */
export function createStatusLine(options: StatusLineOptions): StatusLine {
  const { write, clock, columns } = options;
  const startedMs = clock.nowMs();
  let nextMs = startedMs + options.quietMs;
  let isDrawn = false;
  return {
    show(step) {
      const nowMs = clock.nowMs();
      if (nowMs < nextMs) return;
      nextMs = nowMs + options.intervalMs;
      isDrawn = true;
      write(`\r\u001b[2K${drawLine(step).slice(0, Math.max(columns - 1, 0))}`);
    },
    clear() {
      if (isDrawn) write('\r\u001b[2K');
      isDrawn = false;
    },
  };
}

function drawLine({ label, done, total }: ProgressStep): string {
  if (total <= 0) return `${label} ${done}`;
  const share = Math.min(done / total, 1);
  const filled = Math.round(share * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  return `${bar} ${Math.floor(share * 100)}% ${label}`;
}
