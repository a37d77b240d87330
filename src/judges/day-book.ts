import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type BudgetLimits, findExceeded } from './budget.js';
import { type Amounts, addAmounts, nothing } from './money.js';

/** What was spent on one day by every process that shares the folder. */
export interface DayBook {
  /** Sets amounts aside and answers with the name of the entry; null when they pass the limits. */
  reserve(amounts: Amounts, limits: BudgetLimits): string | null;
  settle(entry: string, used: Amounts): void;
}

const amountsSchema = z.object({ calls: z.number(), tokens: z.number(), nanoUsd: z.number() });
const lineSchema = z.object({ id: z.string(), amounts: amountsSchema });

/**
 * A book per day (UTC) as a file of lines that is only appended to. An entry is written first and then
 * counted against the entries *before* it in the file: the file's order decides between processes that
 * write at the same time, so together they never pass a limit. A later line with the same id replaces the
 * amounts of the first. A process that died leaves its reservation standing: it may have spent it.
 */
export function createDayBook(options: {
  readonly folder: string;
  readonly epochMs: () => number;
  readonly random: () => number;
}): DayBook {
  const writer = `${process.pid.toString(36)}-${Math.floor(options.random() * 2 ** 40).toString(36)}`;
  let count = 0;
  let open: { readonly day: string; readonly book: OpenBook } | null = null;

  function today(): OpenBook {
    const day = new Date(options.epochMs()).toISOString().slice(0, 10);
    if (open?.day !== day) {
      mkdirSync(options.folder, { recursive: true });
      open = { day, book: new OpenBook(join(options.folder, `spent-${day}.jsonl`)) };
    }
    return open.book;
  }

  return {
    reserve(amounts, limits) {
      const book = today();
      count += 1;
      const id = `${writer}-${count}`;
      book.append(id, amounts);
      if (findExceeded(limits, addAmounts(book.totalBefore(id), amounts)) === null) return id;
      book.append(id, nothing);
      return null;
    },
    // After midnight the settlement goes into the new day's book; the old one keeps the reservation.
    settle(entry, used) {
      today().append(entry, used);
    },
  };
}

class OpenBook {
  readonly #path: string;
  readonly #entries = new Map<string, Amounts>();
  #offset = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  append(id: string, amounts: Amounts): void {
    // The leading line break ends a line that a dying process may have left half written.
    appendFileSync(this.#path, `\n${JSON.stringify({ id, amounts })}\n`);
  }

  totalBefore(id: string): Amounts {
    this.#read();
    let total = nothing;
    for (const [other, amounts] of this.#entries) {
      if (other === id) break;
      total = addAmounts(total, amounts);
    }
    return total;
  }

  /** Reads what was appended since the last time. */
  #read(): void {
    const file = openSync(this.#path, 'r');
    try {
      const fresh = Buffer.alloc(Math.max(0, fstatSync(file).size - this.#offset));
      this.#offset += readSync(file, fresh, 0, fresh.length, this.#offset);
      const lines = `${this.#rest}${fresh.toString('utf8')}`.split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#take(line);
    } finally {
      closeSync(file);
    }
  }

  #take(line: string): void {
    if (line === '') return;
    try {
      const { id, amounts } = lineSchema.parse(JSON.parse(line));
      this.#entries.set(id, amounts);
    } catch {
      // Half a line of a process that died: what it reserved was written before it was spent.
    }
  }
}
