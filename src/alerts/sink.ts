import type { AlertMessage } from './alert.js';

/** Told to whoever counts and logs. */
export interface SinkEvents {
  delivered(sink: string): void;
  failed(sink: string, message: string): void;
}

/** Somewhere that alerts go to. Messages arrive in the order in which they were given. */
export interface AlertSink {
  readonly name: string;
  send(message: AlertMessage): void;
  whenIdle(): Promise<void>;
  /** Delivers what waits, for `graceMs` at most; what is left then counts as failed. */
  stop(graceMs: number): Promise<void>;
}
