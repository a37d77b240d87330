import type { JudgeRequest } from '../model/evaluator.js';
import type { JsonObject, JsonValue } from '../util/json.js';
import { isJsonObject } from '../util/json-text.js';
import { normalizeScore, tidyReason } from './answer-shape.js';
import {
  answered,
  type Reply,
  textAt,
  tokenCount,
  unknownUsage,
  unusable,
  valueAt,
} from './reply.js';

/** The scale that a judge of the user's own answers on. */
export interface OwnScale {
  readonly low: number;
  readonly high: number;
  readonly best: 'low' | 'high';
}

/** What a judge of the user's own is sent: the rule's fields and the texts that they refer to. */
export function ownRequest(request: JudgeRequest): JsonObject {
  const { type, criteria, prompt, dataset, query, context, response, fields } = request;
  return { version: 1, type, criteria, prompt, dataset, query, context, response, fields };
}

/** Types that such a judge can be asked: all but a choice whose right answer it must not see. */
export function isOwnType(type: string): boolean {
  return type !== 'judge.choice';
}

/**
 * Reads `{score, passed?, reason?, usage?, cost_usd?}` or `{passed, reason?}`. A score outside the scale
 * is no answer; it is never moved to the nearest end.
 */
export function readOwnAnswer(json: JsonValue, scale: OwnScale): Reply {
  if (!isJsonObject(json))
    return unusable('malformed', 'the answer is not a JSON object', unknownUsage);
  const cost = valueAt(json, 'cost_usd');
  const usage = {
    inputTokens: tokenCount(valueAt(json, 'usage'), 'input_tokens'),
    outputTokens: tokenCount(valueAt(json, 'usage'), 'output_tokens'),
    ...(typeof cost === 'number' && cost >= 0 && { costUsd: cost }),
  };
  const reason = tidyReason(textAt(json, 'reason') ?? '');
  const passed = valueAt(json, 'passed');
  if (passed !== undefined && typeof passed !== 'boolean') {
    return unusable('malformed', '`passed` is neither true nor false', usage);
  }
  const verdict = passed === undefined ? {} : { passed };
  const value = valueAt(json, 'score');
  if (value === undefined && passed !== undefined) {
    return answered({ kind: 'score', score: passed ? 1 : 0, passed, reason }, usage);
  }
  const score = typeof value === 'number' ? normalizeScore(value, scale) : null;
  if (score === null) {
    return unusable(
      'malformed',
      `\`score\` is no number from ${scale.low} to ${scale.high}`,
      usage,
    );
  }
  return answered({ kind: 'score', score, ...verdict, reason }, usage);
}
