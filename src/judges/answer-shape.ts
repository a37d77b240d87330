import type { JsonObject, JsonValue } from '../util/json.js';
import { shorten } from '../util/text.js';

/**
 * What kind of answer a question asks for. `scale`: whole numbers from `low` to `high`, `best` being the
 * good end. `levels`: a position among ordered descriptions, fractions allowed. `choice`: one of several
 * options, of which `expected` is right; the judge is never told which.
 */
export type AnswerShape =
  | {
      readonly kind: 'scale';
      readonly low: number;
      readonly high: number;
      readonly best: 'low' | 'high';
      /** What some of the numbers mean, in ascending order. */
      readonly anchors: readonly string[];
    }
  | { readonly kind: 'yes_no' }
  | { readonly kind: 'probability' }
  | { readonly kind: 'levels'; readonly levels: readonly string[] }
  | { readonly kind: 'choice'; readonly options: readonly string[]; readonly expected: string };

/** A judge's answer on the scale of the rules: 0 is worst, 1 is best. */
export interface ShapedAnswer {
  readonly score: number;
  /** Set where the answer itself says yes or no. */
  readonly passed?: boolean;
  readonly reason: string;
}

/** JSON Schema that an answer must satisfy. Numbers of a scale are listed, as every provider knows `enum`. */
export function answerSchema(shape: AnswerShape): JsonObject {
  const { name, schema } = verdictField(shape);
  return {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'One or two sentences.' },
      [name]: schema,
    },
    required: ['reason', name],
    additionalProperties: false,
  };
}

/** Says to a judge how to answer. */
export function answerInstructions(shape: AnswerShape): string {
  const { name, explain } = verdictField(shape);
  return [
    'Answer with one JSON object and nothing else. It has exactly two keys:',
    '"reason": one or two sentences that name what decided it, written before you settle on a value;',
    `"${name}": ${explain}`,
  ].join('\n');
}

interface VerdictField {
  readonly name: string;
  readonly schema: JsonObject;
  readonly explain: string;
}

function verdictField(shape: AnswerShape): VerdictField {
  switch (shape.kind) {
    case 'scale': {
      const numbers = range(shape.low, shape.high);
      const meaning = shape.anchors.map((anchor) => `  ${anchor}`).join('\n');
      return {
        name: 'score',
        schema: { type: 'integer', enum: numbers },
        explain: `a whole number from ${shape.low} to ${shape.high}:\n${meaning}`,
      };
    }
    case 'yes_no':
      return {
        name: 'met',
        schema: { type: 'boolean' },
        explain: 'true when it holds, false when it does not.',
      };
    case 'probability':
      return {
        name: 'probability',
        schema: { type: 'number', minimum: 0, maximum: 1 },
        explain: 'how likely the answer is true, from 0 (surely false) to 1 (surely true).',
      };
    case 'levels': {
      const last = shape.levels.length - 1;
      const meaning = shape.levels.map((level, index) => `  ${index} = ${level}`).join('\n');
      return {
        name: 'level',
        schema: { type: 'number', minimum: 0, maximum: last },
        explain: `a number from 0 to ${last}; a fraction lies between two levels:\n${meaning}`,
      };
    }
    case 'choice':
      return {
        name: 'choice',
        schema: { type: 'string', enum: shape.options },
        explain: `one of ${shape.options.map((option) => JSON.stringify(option)).join(', ')}.`,
      };
  }
}

const longestReason = 500;

/** Reads an answer that satisfies `answerSchema` of the same shape. Null when a value is out of its range. */
export function readShapedAnswer(shape: AnswerShape, answer: JsonObject): ShapedAnswer | null {
  const reason = typeof answer.reason === 'string' ? tidyReason(answer.reason) : '';
  const value = answer[verdictField(shape).name];
  switch (shape.kind) {
    case 'scale': {
      const score = typeof value === 'number' ? normalizeScore(value, shape) : null;
      return score === null ? null : { score, reason };
    }
    case 'yes_no':
      if (typeof value !== 'boolean') return null;
      return { score: value ? 1 : 0, passed: value, reason };
    case 'probability':
      return isBetween(value, 0, 1) ? { score: value, reason } : null;
    case 'levels': {
      const last = shape.levels.length - 1;
      return isBetween(value, 0, last) ? { score: value / last, reason } : null;
    }
    case 'choice': {
      const passed = value === shape.expected;
      return typeof value === 'string' ? { score: passed ? 1 : 0, passed, reason } : null;
    }
  }
}

/** A number of a scale as 0 to 1, 1 being the good end (statement 119); null outside the scale. */
export function normalizeScore(
  value: number,
  scale: { readonly low: number; readonly high: number; readonly best: 'low' | 'high' },
): number | null {
  if (!isBetween(value, scale.low, scale.high)) return null;
  const share = (value - scale.low) / (scale.high - scale.low);
  return scale.best === 'high' ? share : 1 - share;
}

/** A judge's words on one line, without characters that steer a terminal, and not endless. */
export function tidyReason(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return shorten(plain.replace(/\s+/g, ' ').trim(), longestReason);
}

function isBetween(value: JsonValue | undefined, low: number, high: number): value is number {
  return typeof value === 'number' && value >= low && value <= high;
}

function range(low: number, high: number): readonly number[] {
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}
