import { z } from 'zod';
import { createProblem } from '../errors.js';
import {
  type Agreement,
  measureAgreement,
  type Suggestion,
  suggestThreshold,
} from '../judges/calibration.js';
import type { JudgeAnswer, JudgeRequest } from '../model/evaluator.js';
import type { Problem } from '../model/problem.js';
import type { JsonObject } from '../util/json.js';
import { parseJson } from '../util/json-parse.js';
import { isJsonObject } from '../util/json-text.js';
import type { JudgingOptions } from './judge-options.js';
import { type JudgingIo, openJudges } from './judge-setup.js';

/** How judges of one adapter and type agree with the labels. */
export interface CalibrationGroup extends Agreement {
  readonly type: string;
  readonly adapter: string;
  readonly model: string | null;
  readonly threshold: number;
  readonly labelled: number;
  /** Cases without a score: no judge, no budget, a refusal, a failed call. */
  readonly undecided: readonly CalibrationCase[];
  readonly disagreements: readonly CalibrationCase[];
  readonly suggestion: Suggestion | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Null: unknown. */
  readonly costUsd: number | null;
  readonly medianLatencyMs: number | null;
}

export interface CalibrationCase {
  readonly line: number;
  readonly label: 'pass' | 'fail';
  readonly score: number | null;
  readonly reason: string;
}

export interface Calibration {
  readonly groups: readonly CalibrationGroup[];
  readonly problems: readonly Problem[];
  readonly ledger: string | null;
  /** 0: every case was judged · 2: labels, flags or configuration are wrong · 3: some were not judged. */
  readonly exitCode: number;
}

const text = z.string();
const optionalText = text.nullable().default(null);

const labelSchema = z.strictObject({
  label: z.union([z.boolean(), z.enum(['pass', 'fail'])], {
    error: 'expected "label": "pass", "fail", true or false',
  }),
  response: z.string({ error: 'expected "response": the text that is judged' }),
  type: text.default('llm_judge'),
  criteria: optionalText,
  query: optionalText,
  context: optionalText,
  prompt: optionalText,
  adapter: optionalText,
  threshold: z
    .number({ error: 'expected "threshold": a number from 0 to 1' })
    .min(0)
    .max(1)
    .default(0.5),
  dataset: z.unknown().optional(),
  id: z.union([text, z.number()]).optional(),
});

interface Label {
  readonly line: number;
  readonly isGood: boolean;
  readonly threshold: number;
  readonly request: JudgeRequest;
}

/**
 * Has every labelled case judged and compares; the labels are JSON objects, one per line. The
 * judges are those of the configuration, with their cache, budget and samples.
 */
export async function calibrateJudges(
  labels: { readonly text: string; readonly file: string },
  options: JudgingOptions,
  io: JudgingIo,
): Promise<Calibration> {
  const read = readLabels(labels.text, labels.file);
  const opened = openJudges(options, io);
  const problems = [...read.problems, ...opened.problems];
  if (opened.ok && opened.value === null) problems.push(createProblem('no-adapters', {}));
  if (!opened.ok || opened.value === null || problems.length > 0) {
    return { groups: [], problems, ledger: null, exitCode: 2 };
  }
  const { judges, adapters, finish } = opened.value;
  const run = judges.startRun();
  for (const { request } of read.labels) run.answer(request);
  await run.settle();
  const judged = read.labels.map((label) => {
    const { type, adapter } = label.request;
    const chosen = adapters.choose(type, adapter);
    const name = chosen.kind === 'chosen' ? chosen.adapter.name : (adapter ?? '(none)');
    return { ...label, name, answer: run.answer(label.request) };
  });
  const groups = [...groupCases(judged)].map(([, cases]) => describeGroup(cases));
  const end = finish();
  const isWhole = groups.every(({ undecided }) => undecided.length === 0);
  const exitCode = end.problems.length > 0 ? 2 : isWhole ? 0 : 3;
  return { groups, problems: end.problems, ledger: end.ledger, exitCode };
}

function readLabels(
  source: string,
  file: string,
): { readonly labels: readonly Label[]; readonly problems: readonly Problem[] } {
  const labels: Label[] = [];
  const problems: Problem[] = [];
  for (const [index, line] of source.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    const object = parsed.ok && isJsonObject(parsed.value) ? parsed.value : null;
    const read = object === null ? null : labelSchema.safeParse({ ...object });
    if (object !== null && read?.success === true) {
      labels.push(toLabel(index + 1, read.data, object));
      continue;
    }
    const detail = !parsed.ok
      ? parsed.message
      : (read?.error?.issues[0]?.message ?? 'expected a JSON object');
    const position = { file, line: index + 1, column: 1 };
    problems.push({ ...createProblem('label-unreadable', { detail }), position });
  }
  if (labels.length === 0 && problems.length === 0) {
    problems.push(createProblem('labels-empty', { file }));
  }
  return { labels, problems };
}

function toLabel(line: number, data: z.output<typeof labelSchema>, object: JsonObject): Label {
  const { label, threshold, type, adapter, criteria, prompt, query, context, response } = data;
  // What a rule of a document would hold: without what belongs to the label alone.
  const { label: _, id: __, query: ___, context: ____, response: _____, ...fields } = object;
  return {
    line,
    isGood: label === true || label === 'pass',
    threshold,
    request: {
      type,
      adapter,
      criteria,
      prompt,
      dataset: object.dataset ?? null,
      query,
      context,
      response,
      fields: { ...fields, type },
    },
  };
}

interface JudgedCase extends Label {
  readonly name: string;
  readonly answer: JudgeAnswer;
}

function groupCases(judged: readonly JudgedCase[]): ReadonlyMap<string, readonly JudgedCase[]> {
  const groups = new Map<string, JudgedCase[]>();
  for (const one of judged) {
    const key = JSON.stringify([one.request.type, one.name, one.threshold]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}

function describeGroup(cases: readonly JudgedCase[]): CalibrationGroup {
  const [first] = cases;
  const threshold = first?.threshold ?? 0.5;
  const scores = cases.flatMap(({ answer, isGood }) => {
    if (answer.kind !== 'scored') return [];
    const { score, passed } = answer;
    return [{ isGood, score, ...(passed !== undefined && { passed }) }];
  });
  const trails = cases.flatMap(({ answer }) => answer.judge ?? []);
  const sum = (values: readonly (number | null)[]): number | null =>
    values.reduce((total, value) => (total === null || value === null ? null : total + value), 0);
  return {
    type: first?.request.type ?? '',
    adapter: first?.name ?? '',
    model: trails[0]?.model ?? null,
    threshold,
    labelled: cases.length,
    ...measureAgreement(scores, threshold),
    undecided: cases.filter(({ answer }) => answer.kind !== 'scored').map(toCase),
    disagreements: cases.filter((one) => disagrees(one, threshold)).map(toCase),
    suggestion: suggestThreshold(scores, threshold),
    inputTokens: sum(trails.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(trails.map(({ outputTokens }) => outputTokens)),
    costUsd: sum(trails.map(({ costUsd }) => costUsd)),
    medianLatencyMs: median(trails.map(({ latencyMs }) => latencyMs)),
  };
}

function disagrees({ answer, isGood }: JudgedCase, threshold: number): boolean {
  return answer.kind === 'scored' && (answer.passed ?? answer.score >= threshold) !== isGood;
}

function toCase({ line, isGood, answer }: JudgedCase): CalibrationCase {
  const label = isGood ? 'pass' : 'fail';
  const score = answer.kind === 'scored' ? answer.score : null;
  return { line, label, score, reason: answer.reason };
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
