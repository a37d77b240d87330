import { compileSchema } from '../evaluators/json-schema.js';
import type { JsonValue } from '../util/json.js';
import { parseJson } from '../util/json-parse.js';
import { isJsonObject } from '../util/json-text.js';
import { readShapedAnswer, tidyReason } from './answer-shape.js';
import type { Prompt } from './prompt.js';
import type { Answer } from './reply.js';

/** What an answer says; or why it says nothing that could be graded by. */
export type Reading =
  | {
      readonly kind: 'scored';
      readonly score: number;
      readonly passed?: boolean;
      readonly reason: string;
    }
  | Extract<Answer, { kind: 'unusable' }>;

/**
 * Reads an answer. A model's text must be the JSON object that was asked for and nothing else, at most in
 * a code block: a verdict is never looked for inside other words, as those may be quoted from the trace.
 */
export function readAnswer(answer: Answer, prompt: Prompt | null): Reading {
  switch (answer.kind) {
    case 'unusable':
      return answer;
    case 'score': {
      const { score, passed, reason } = answer;
      return { kind: 'scored', score, ...(passed !== undefined && { passed }), reason };
    }
    case 'value':
      return readValue(answer.value, prompt);
    case 'text': {
      const parsed = parseJson(unwrapCodeBlock(answer.text));
      if (!parsed.ok) return malformed(`it is not JSON: ${parsed.message}`);
      if (parsed.duplicateKeys > 0) return malformed('a key stands in it twice');
      return readValue(parsed.value, prompt);
    }
  }
}

function readValue(value: JsonValue, prompt: Prompt | null): Reading {
  if (prompt === null || !isJsonObject(value)) return malformed('it is not a JSON object');
  const compiled = compileSchema(prompt.schema);
  if (!compiled.ok) return malformed(`its schema does not compile: ${compiled.message}`);
  const fault = compiled.schema.validate(value);
  if (fault !== null) return malformed(`${fault.path} ${fault.message}`.trim());
  const shaped = readShapedAnswer(prompt.shape, value);
  return shaped === null ? malformed('a value is out of its range') : { kind: 'scored', ...shaped };
}

function malformed(detail: string): Reading {
  // It may quote the answer.
  return { kind: 'unusable', why: 'malformed', detail: tidyReason(detail) };
}

function unwrapCodeBlock(text: string): string {
  const block = /^```(?:json)?[ \t]*\n(.*)\n```$/s.exec(text.trim());
  return (block?.[1] ?? text).trim();
}
