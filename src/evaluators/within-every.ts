import type { Behavior } from '../model/behavior.js';
import type { Evaluation } from '../model/document.js';
import type { Monitor } from '../model/evaluator.js';
import { countOf, describeBehavior, describeSelector } from './describe.js';
import { type Doubt, findDoubt, unclassifiedDoubt } from './evidence.js';
import { failed, inconclusive, passed } from './outcome.js';
import { type Bounds, describeBounds, isWithin, readBounds, selectorsOf } from './within-bounds.js';

/**
 * A match near every `after`. Two watchers, each of which keeps only the oldest `after` still open:
 * `lenient` opens on what surely is an `after` and closes on what may be a match, so what it finds broken
 * is broken; `severe` opens on what may be one and closes on sure matches only, so what it finds whole is
 * whole. Between the two the verdict is inconclusive.
 */
export function startEvery(rule: Evaluation): Monitor {
  const bounds = readBounds(rule);
  const [after, match] = selectorsOf(rule);
  const lenient = new ResponseWatch(bounds);
  const severe = new ResponseWatch(bounds);
  let doubtful: Doubt | null = null;
  return {
    observe: ({ behavior, matches: [isAfter, isMatch] }) => {
      if (isMatch !== 'no') lenient.close(behavior);
      if (isMatch === 'yes') severe.close(behavior);
      if (isAfter === 'yes') lenient.open(behavior);
      if (isAfter !== 'no') severe.open(behavior);
      if (isMatch === 'unknown') doubtful ??= unclassifiedDoubt(behavior, match, 1);
      if (isAfter === 'unknown') doubtful ??= unclassifiedDoubt(behavior, after, 1);
      return null;
    },
    conclude: (facts) => {
      const wanted = `${describeSelector(match)} within ${describeBounds(bounds)}`;
      const hiddenAfter = findDoubt(after, facts);
      const broken = lenient.unanswered;
      if (broken !== null) {
        const reason = `${describeBehavior(broken)} was not followed by ${wanted}`;
        const hiddenMatch = findDoubt(match, facts);
        return hiddenMatch === null
          ? failed(reason, [broken.index])
          : inconclusive(hiddenMatch.code, `${reason}, but ${hiddenMatch.reason}`, [broken.index]);
      }
      const open = severe.unanswered;
      // Not sure: a possible `after` may be unanswered, or be the only one there is.
      const isSure = open === null && (lenient.opened > 0 || severe.opened === 0);
      const doubt = isSure ? hiddenAfter : (doubtful ?? hiddenAfter);
      if (doubt !== null) {
        return inconclusive(
          doubt.code,
          `it is not known that each ${describeSelector(after)} was followed by ${wanted}: ${doubt.reason}`,
          open === null ? [] : [open.index],
        );
      }
      if (lenient.opened === 0) {
        return failed(`${describeSelector(after)} must occur and was not observed`);
      }
      const times = countOf(lenient.opened, 'time');
      return passed(`${describeSelector(after)} was observed ${times}, each followed by ${wanted}`);
    },
  };
}

/** Remembers the oldest `after` without a match near enough; a match answers every `after` before it. */
class ResponseWatch {
  opened = 0;
  private oldest: Behavior | null = null;
  private earliest: Behavior | null = null;
  private broken: Behavior | null = null;

  constructor(private readonly bounds: Bounds) {}

  open(after: Behavior): void {
    this.opened++;
    this.oldest ??= after;
    if (this.earliest === null || after.at < this.earliest.at) this.earliest = after;
  }

  close(match: Behavior): void {
    for (const after of [this.oldest, this.earliest]) {
      if (after !== null && !isWithin(this.bounds, after, match)) this.broken ??= after;
    }
    this.oldest = null;
    this.earliest = null;
  }

  /** The first `after` that no match answered in time. */
  get unanswered(): Behavior | null {
    return this.broken ?? this.oldest;
  }
}
