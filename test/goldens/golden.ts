import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Behavior, Outcome, Unit } from '../../src/model/behavior.js';
import { lossTable } from '../../src/model/evidence.js';
import type { JsonValue } from '../../src/util/json.js';

/**
 * A golden file: the Behaviors of a recording as a person read them off its spans. Each is one line
 * `actor action target: value`, where the value is the content, or the arguments of a call or a
 * hand-off; nothing after the colon says that no value was recorded. Further keys of an item narrow
 * it: `outcome`, `agent`, `state` of the value, and `match: contains` where frameworks word a text
 * each in their own way.
 */
export interface Golden {
  readonly recordings?: readonly string[];
  readonly units: readonly GoldenUnit[];
}

export interface GoldenUnit {
  /** A conversation key or trace id; `trace` for the only trace of the recording. */
  readonly id: string;
  readonly behaviors: readonly GoldenItem[];
  /** Kinds of loss: every one that may hide something, and of the others those worth telling. */
  readonly losses: readonly string[];
}

type GoldenItem = Readonly<Record<string, unknown>>;

/** A Behavior in the form of the golden files, for comparing and for reading a difference. */
export interface ShortBehavior {
  readonly step: string;
  readonly value: unknown;
  readonly outcome?: string;
  readonly agent?: string;
  readonly state?: string;
  readonly match?: 'contains';
}

const narrowing = ['outcome', 'agent', 'state', 'match'];

/** Reads a golden file; `$name` is the value of that name in `texts.yaml` in its folder. */
export function readGolden(file: URL, folder: URL = file): Golden {
  const texts = parse(readFileSync(new URL('texts.yaml', folder), 'utf8'), parseOptions);
  return substitute(parse(readFileSync(file, 'utf8'), parseOptions), texts) as Golden;
}

const parseOptions = { schema: 'core' } as const;

function substitute(value: unknown, texts: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string' && value.startsWith('$')) {
    const name = value.slice(1);
    if (!Object.hasOwn(texts, name)) throw new Error(`texts.yaml has no ${name}`);
    return texts[name];
  }
  if (Array.isArray(value)) return value.map((item) => substitute(item, texts));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, substitute(item, texts)]);
  return Object.fromEntries(entries);
}

/** The expected Behaviors of a unit, in the form `shortBehaviors` gives the observed ones. */
export function expectedBehaviors(unit: GoldenUnit): readonly ShortBehavior[] {
  return unit.behaviors.map((item) => {
    const step = Object.keys(item).find((key) => !narrowing.includes(key)) ?? '';
    const more = narrowing.filter((key) => key in item).map((key) => [key, item[key]]);
    return { step, value: item[step] ?? null, ...Object.fromEntries(more) };
  });
}

/**
 * The observed Behaviors in the form of the golden ones. `ok` is the outcome that goes without
 * saying, a whole value the state; an agent is told only where the golden file tells it.
 */
export function shortBehaviors(
  behaviors: readonly Behavior[],
  expected: readonly ShortBehavior[],
): readonly ShortBehavior[] {
  return behaviors.map((behavior, index) => {
    const { actor, action, target, outcome, agent, evidence } = behavior;
    const isAct = action === 'calls' || action === 'hands_off';
    const value = isAct ? behavior.with : behavior.content;
    const state = isAct ? evidence.with : evidence.content;
    const golden = expected[index];
    return {
      step: [actor, action, target].filter((part) => part !== undefined).join(' '),
      ...matched(value === undefined ? null : plain(value), golden),
      ...(isTelling(outcome, isAct) ? { outcome } : {}),
      ...(golden?.agent !== undefined && agent !== undefined ? { agent } : {}),
      ...(state === 'truncated' || (state === 'redacted' && golden?.state !== undefined)
        ? { state }
        : {}),
    };
  });
}

/** The value, or the expected one where it only has to contain that. */
function matched(value: unknown, golden: ShortBehavior | undefined) {
  const expected = golden?.match === 'contains' ? golden.value : undefined;
  const contains =
    typeof value === 'string' && typeof expected === 'string' && value.includes(expected);
  return contains ? { value: expected, match: 'contains' as const } : { value };
}

/** That a call failed is told by its answer. */
function isTelling(outcome: Outcome | undefined, isAct: boolean): boolean {
  return outcome === 'pending' || outcome === 'rejected' || (outcome === 'error' && !isAct);
}

/** Kinds of loss that could change a verdict, and those that the golden file tells. */
export function tellingLosses(unit: Unit, golden: GoldenUnit): readonly string[] {
  const kinds = unit.losses.map(({ kind }) => kind);
  const telling = kinds.filter(
    (kind) => lossTable[kind].hides !== 'nothing' || golden.losses.includes(kind),
  );
  return [...new Set(telling)].sort();
}

function plain(value: JsonValue): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item)),
  );
}
