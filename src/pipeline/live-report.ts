import { createProblem } from '../errors.js';
import type { Diagnostic } from '../model/problem.js';
import type { Report, Totals, UnitReport } from '../model/report.js';
import type { UnitVerdict } from '../model/verdict.js';
import { readVersion } from '../util/version.js';
import { countTotals } from './count-totals.js';
import { decideExit } from './decide-exit.js';
import { toDiagnostic } from './diagnostics.js';
import type { GradedBySessions } from './grade-by-sessions.js';
import { suggestNextStep } from './next-step.js';

const badness: Readonly<Record<UnitVerdict, number>> = { fail: 2, inconclusive: 1, pass: 0 };

/**
 * The report so far: of every unit its last generation. Bounded by units; the unit that was graded longest
 * ago is left out first, and the report says so.
 */
export class LiveReport {
  readonly #maxUnits: number;
  readonly #unitMode: Report['unit'];
  readonly #diagnostics: readonly Diagnostic[];
  readonly #units = new Map<string, GradedBySessions>();
  /** Conversation keys seen on traces that are graded one by one. */
  readonly #conversations = new Map<string, Set<string>>();
  #leftOut = 0;

  constructor(unitMode: Report['unit'], diagnostics: readonly Diagnostic[], maxUnits: number) {
    this.#unitMode = unitMode;
    this.#diagnostics = diagnostics;
    this.#maxUnits = maxUnits;
  }

  /**
   * Records a generation of a unit. A generation that saw all evidence takes the place of the one before;
   * one that saw only a part of it cannot make a verdict better than it was.
   */
  record(id: string, unit: GradedBySessions, sawEverything: boolean): void {
    const before = this.#units.get(id);
    const isKept = !sawEverything && before !== undefined;
    this.#units.delete(id);
    this.#units.set(id, isKept ? keepWorse(before, unit) : unit);
    for (const oldest of this.#units.keys()) {
      if (this.#units.size <= this.#maxUnits) return;
      this.#units.delete(oldest);
      this.#leftOut += 1;
    }
  }

  toReport(spans: Totals['spans'], isInterrupted = false): Report {
    const units = [...this.#units.values()].flatMap(({ entries }) => entries).sort(compareUnits);
    const ungraded = [...this.#units.values()]
      .flatMap(({ ungraded }) => ungraded)
      .sort((a, b) => compare(a.id, b.id));
    const totals = countTotals(units, spans, ungraded.length);
    const exit = decideExit({
      totals,
      ungraded,
      inputErrors: { usage: 0, document: 0 },
      isInterrupted,
      allowEmpty: true,
      inconclusiveAs: 'inconclusive',
    });
    const diagnostics = [
      ...this.#diagnostics,
      ...this.#describeShared(),
      ...[...this.#units.values()].flatMap(({ problems }) => problems.map(toDiagnostic)),
      ...this.#describeLeftOut(),
    ];
    return {
      retrial: { version: readVersion(), reportVersion: 1 },
      ...exit,
      nextStep: suggestNextStep(exit, { units, ungraded, diagnostics }),
      unit: this.#unitMode,
      totals,
      units,
      ungraded,
      diagnostics,
    };
  }

  /** A trace that is graded by itself belongs to a conversation; worth a hint when several share it. */
  noteConversation(key: string, traceId: string): void {
    const traces = this.#conversations.get(key) ?? new Set();
    traces.add(traceId);
    this.#conversations.delete(key);
    this.#conversations.set(key, traces);
    for (const oldest of this.#conversations.keys()) {
      if (this.#conversations.size <= this.#maxUnits) return;
      this.#conversations.delete(oldest);
    }
  }

  #describeShared(): readonly Diagnostic[] {
    return [...this.#conversations]
      .filter(([, traces]) => traces.size > 1)
      .sort(([a], [b]) => compare(a, b))
      .map(([key, traces]) =>
        toDiagnostic(createProblem('traces-share-conversation', { key, count: traces.size })),
      );
  }

  #describeLeftOut(): readonly Diagnostic[] {
    if (this.#leftOut === 0) return [];
    const message = `${this.#leftOut} units graded earlier are left out; the report holds the last ${this.#maxUnits}`;
    return [{ severity: 'warning', code: 'report-cut', message }];
  }
}

function keepWorse(before: GradedBySessions, after: GradedBySessions): GradedBySessions {
  const entries = after.entries.map((entry) => {
    const earlier = before.entries.find((one) => isSameEntry(one, entry));
    if (earlier === undefined) return entry;
    return badness[earlier.verdict] > badness[entry.verdict] ? earlier : entry;
  });
  const missing = before.entries.filter(
    (earlier) => !after.entries.some((entry) => isSameEntry(earlier, entry)),
  );
  return {
    entries: [...entries, ...missing],
    ungraded: before.entries.length > 0 ? before.ungraded : after.ungraded,
    problems: after.problems,
  };
}

function isSameEntry(a: UnitReport, b: UnitReport): boolean {
  return a.document === b.document && a.session === b.session && a.row === b.row;
}

function compareUnits(a: UnitReport, b: UnitReport): number {
  return compare(a.id, b.id) || compare(a.document, b.document) || compare(a.session, b.session);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
