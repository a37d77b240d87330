import { createHash } from 'node:crypto';
import type { UnitInput } from '../behaviors/trace-input.js';
import { createGate } from '../judges/gate.js';
import type { Judges } from '../judges/judges.js';
import type { Judge } from '../model/evaluator.js';
import type { ReleaseReason, UnitReport } from '../model/report.js';
import type { UnitVerdict } from '../model/verdict.js';
import type { Scheduler } from '../util/scheduler.js';
import { gradeWithJudges } from './judge-grading.js';
import type { GradedUnit, LiveGrader } from './live-grading.js';
import type { Placement } from './live-placement.js';

/** Judges in `serve`: off unless a share of the units is asked for. */
export interface LiveJudgingOptions {
  readonly judges: Judges;
  /** Share of the units that are judged, 0 to 1. */
  readonly sample: number;
  /** What the rules that need no judge must have come to. */
  readonly when: ReadonlySet<UnitVerdict>;
  readonly maxQueue: number;
  /** Ends every call under way. */
  readonly abort: () => void;
  /** What judging cost, in words; null when nothing was judged. */
  readonly describeCost: () => string | null;
}

/** A unit that was released, forwarded and reported, and waits for its judged rules. */
export interface JudgingJob {
  readonly input: UnitInput;
  readonly reason: ReleaseReason;
  readonly generation: number;
  readonly sawEverything: boolean;
  readonly placement: Placement;
}

/** What is told about a unit while its judged rules are open. */
export interface Questions {
  readonly judge: Judge;
  readonly count: () => number;
}

/** Units whose judges are asked at the same time; how many calls that makes, each adapter bounds itself. */
const unitsAtOnce = 4;
/** Units whose generations are remembered, so that a late answer does not overtake a newer one. */
const maxRemembered = 50_000;

/**
 * The judged generation of a unit. Nothing here is ever waited for by a release: the rules that need no
 * judge are graded and forwarded at once, and the unit is graded a second time when the answers are there.
 *
 *   release -> not in the sample | filtered | queue full -> its judged rules stay `not_judged`
 *           -> queued -> judged -> generation + 1, unless the unit was released again meanwhile
 */
export class LiveJudging {
  readonly #options: LiveJudgingOptions;
  readonly #grader: LiveGrader;
  readonly #scheduler: Scheduler;
  readonly #publish: (job: JudgingJob, graded: GradedUnit) => void;
  readonly #onFault: (error: unknown) => void;
  readonly #gate = createGate(unitsAtOnce);
  readonly #underWay = new Set<Promise<void>>();
  /** Per unit: the last generation of the hold, and how many judged ones came between. */
  readonly #generations = new Map<string, { readonly latest: number; readonly extra: number }>();
  #dropped = 0;
  #isStopped = false;

  constructor(
    options: LiveJudgingOptions,
    grader: LiveGrader,
    hooks: {
      readonly scheduler: Scheduler;
      readonly publish: (job: JudgingJob, graded: GradedUnit) => void;
      readonly onFault: (error: unknown) => void;
    },
  ) {
    this.#options = options;
    this.#grader = grader;
    this.#scheduler = hooks.scheduler;
    this.#publish = hooks.publish;
    this.#onFault = hooks.onFault;
  }

  /** Units that were to be judged and found no room in the queue. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The number that a generation of the hold has once judged ones are counted in. */
  numberOf(unitId: string, generation: number): number {
    const extra = this.#generations.get(unitId)?.extra ?? 0;
    this.#remember(unitId, { latest: generation, extra });
    return generation + extra;
  }

  /** Stands in for the judges at a release: notes what they would be asked and answers nothing. */
  startQuestions(unitId: string): Questions {
    const reason = this.#isSampled(unitId)
      ? 'judges are asked after the release; if they are, a later generation carries the answer'
      : 'the unit is not in the sample whose judged rules are judged live';
    let count = 0;
    const judge: Judge = {
      answer() {
        count += 1;
        return { kind: 'unanswered', code: 'not_judged', reason };
      },
    };
    return { judge, count: () => count };
  }

  /** Queues a unit with open questions, if it is one of those to be judged. */
  offer(job: JudgingJob, entries: readonly UnitReport[]): void {
    const { when, maxQueue } = this.#options;
    if (this.#isStopped || !this.#isSampled(job.input.id)) return;
    if (!when.has(verdictWithoutJudges(entries))) return;
    if (this.#underWay.size >= maxQueue) {
      this.#dropped += 1;
      return;
    }
    const work = this.#gate(() => this.#judge(job)).catch(this.#onFault);
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  async whenIdle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Takes nothing more, and gives what is queued that much time. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    const cancel = this.#scheduler.after(graceMs, () => this.#options.abort());
    await this.whenIdle();
    cancel();
  }

  async #judge(job: JudgingJob): Promise<void> {
    const { input, reason, generation } = job;
    if (!this.#isLatest(job)) return;
    const number = this.numberOf(input.id, generation) + 1;
    const graded = await gradeWithJudges(
      (judge) => this.#grader.grade(input, { reason, generation: number }, judge),
      this.#options.judges,
    );
    if (!this.#isLatest(job)) return;
    const { extra = 0 } = this.#generations.get(input.id) ?? {};
    this.#remember(input.id, { latest: generation, extra: extra + 1 });
    this.#publish({ ...job, generation: number }, graded);
  }

  #isLatest({ input, generation }: JudgingJob): boolean {
    return (this.#generations.get(input.id)?.latest ?? generation) === generation;
  }

  #isSampled(unitId: string): boolean {
    const { sample } = this.#options;
    if (sample === 0 || sample === 1) return sample === 1;
    return createHash('sha256').update(unitId).digest().readUInt32BE(0) / 2 ** 32 < sample;
  }

  #remember(unitId: string, entry: { readonly latest: number; readonly extra: number }): void {
    this.#generations.delete(unitId);
    this.#generations.set(unitId, entry);
    const oldest = this.#generations.keys().next();
    if (this.#generations.size > maxRemembered && oldest.done !== true) {
      this.#generations.delete(oldest.value);
    }
  }
}

/** The worst that the rules which need no judge came to, and the steps. */
function verdictWithoutJudges(entries: readonly UnitReport[]): UnitVerdict {
  const verdicts = entries.flatMap(({ conformance, evaluations }) => [
    conformance,
    ...evaluations.flatMap(({ nested, code, verdict }) =>
      nested === true || code === 'not_judged' ? [] : [verdict],
    ),
  ]);
  if (verdicts.includes('fail')) return 'fail';
  return verdicts.some((verdict) => verdict === 'inconclusive' || verdict === 'error')
    ? 'inconclusive'
    : 'pass';
}
