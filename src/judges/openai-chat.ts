import type { JsonObject, JsonValue } from '../util/json.js';
import { tidyReason } from './answer-shape.js';
import { exchangeJson } from './exchange.js';
import type { Prompt } from './prompt.js';
import type { Call, OpenJudge, Question } from './provider.js';
import { answered, failure, type Reply, textAt, tokenCount, unusable, valueAt } from './reply.js';
import { findLack, type ReadSecret, type SecretPlace } from './secrets.js';
import { callOverhead, choice } from './settings.js';

/** Keys by which servers that speak chat completions differ. */
export const chatFormatSettings = {
  structured: choice(['json_schema', 'json_object', 'none'])
    .default('json_schema')
    .describe(
      'How the format of the answer is asked for; older servers know only json_object or none.',
    ),
  limit_field: choice(['max_completion_tokens', 'max_tokens'])
    .default('max_completion_tokens')
    .describe('Name of the output limit; many local servers know only max_tokens.'),
};

/** A server that speaks chat completions, and how to ask it. */
export interface ChatSettings {
  readonly url: string;
  /** Which server it is, for the key of a kept answer. */
  readonly identity: string;
  readonly place: SecretPlace | null;
  readonly header: (secret: string) => Readonly<Record<string, string>>;
  readonly readSecret: ReadSecret;
  readonly model: string;
  readonly temperature: number | null;
  readonly max_output_tokens: number;
  readonly seed: number | null;
  readonly structured: 'json_schema' | 'json_object' | 'none';
  readonly limit_field: string;
}

/** A judge behind chat completions (OpenAI's wire format). */
export function openChat(settings: ChatSettings): OpenJudge {
  const { model, temperature, seed, structured, max_output_tokens: limit, identity } = settings;
  return {
    model,
    parameters: { server: identity, temperature, seed, structured, limit },
    extraTokens: limit + callOverhead,
    isAbleTo: () => true,
    takes: 'prompt',
    findLack: () =>
      settings.place === null ? null : findLack(settings.readSecret, settings.place),
    ask: (question, call) => ask(settings, question, call),
  };
}

async function ask(settings: ChatSettings, { prompt }: Question, call: Call): Promise<Reply> {
  if (prompt === null) return failure('protocol', 'a chat model needs a prompt');
  const secret = settings.place === null ? null : settings.readSecret(settings.place);
  if (secret?.ok === false) return failure('not_configured', secret.lack, { fatal: true });
  const exchanged = await exchangeJson(
    {
      url: settings.url,
      headers: secret === null ? {} : settings.header(secret.secret.reveal()),
      body: chatBody(settings, prompt, call.sample),
    },
    call,
  );
  return exchanged.ok
    ? readChat(exchanged.json)
    : (readFilter(exchanged.json) ?? exchanged.failure);
}

function chatBody(settings: ChatSettings, prompt: Prompt, sample: number): JsonObject {
  const { model, temperature, seed, structured } = settings;
  const format: Readonly<Record<string, JsonObject>> = {
    json_schema: {
      type: 'json_schema',
      json_schema: { name: 'verdict', strict: true, schema: prompt.schema },
    },
    json_object: { type: 'json_object' },
  };
  const chosen = format[structured];
  return {
    model,
    messages: [
      { role: 'system', content: prompt.system },
      { role: 'user', content: prompt.user },
    ],
    ...(temperature !== null && { temperature }),
    ...(seed !== null && { seed: seed + sample }),
    [settings.limit_field]: settings.max_output_tokens,
    ...(chosen !== undefined && { response_format: chosen }),
  };
}

function readChat(json: JsonObject): Reply {
  const reported = valueAt(json, 'usage');
  const usage = {
    inputTokens: tokenCount(reported, 'prompt_tokens'),
    outputTokens: tokenCount(reported, 'completion_tokens'),
  };
  const refusal = textAt(json, 'choices', 0, 'message', 'refusal');
  if (refusal !== null && refusal !== '') return unusable('refused', tidyReason(refusal), usage);
  const ended = textAt(json, 'choices', 0, 'finish_reason');
  if (ended === 'content_filter') return unusable('refused', 'a content filter stopped it', usage);
  if (ended === 'length') return unusable('cut', 'the output limit was reached', usage);
  const text = textAt(json, 'choices', 0, 'message', 'content');
  if (text === null) return unusable('malformed', 'the answer holds no text', usage);
  return answered({ kind: 'text', text }, usage);
}

/** Azure tells with status 400 that a filter would not let the prompt through: an answer, not a mistake. */
function readFilter(json: JsonValue): Reply | null {
  const isFiltered = textAt(json, 'error', 'code') === 'content_filter';
  return isFiltered ? unusable('refused', 'a content filter stopped the question') : null;
}
