import type { JsonObject } from '../../util/json.js';
import { exchangeJson } from '../exchange.js';
import { type Call, defineProvider, type Question } from '../provider.js';
import {
  answered,
  failure,
  listAt,
  type Reply,
  textAt,
  tokenCount,
  unusable,
  valueAt,
} from '../reply.js';
import { findLack } from '../secrets.js';
import {
  baseUrl,
  callOverhead,
  chatSettings,
  choice,
  secretFile,
  secretVariable,
  seedSetting,
} from '../settings.js';

const harmCategories = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'];

/** `generateContent` of the Gemini API, or of Vertex AI with `auth: bearer` and its base URL. */
export const gemini = defineProvider({
  kind: 'gemini',
  summary: 'Gemini models, through the Gemini API or through Vertex AI.',
  settings: {
    base_url: baseUrl('https://generativelanguage.googleapis.com/v1beta').describe(
      '`/models/MODEL:generateContent` is added; for Vertex AI the address up to `/publishers/google`.',
    ),
    api_key_env: secretVariable('GEMINI_API_KEY'),
    api_key_file: secretFile(),
    auth: choice(['api_key', 'bearer'])
      .default('api_key')
      .describe('bearer: the secret is a Google Cloud access token.'),
    safety_filters: choice(['default', 'off'])
      .default('default')
      .describe('off: asks the service to let unsafe material through to be graded.'),
    ...chatSettings,
    ...seedSetting,
  },
  example: { provider: 'gemini', model: 'gemini-2.5-flash' },
  open: (settings, { readSecret }) => {
    const { model, temperature, seed, base_url: server, max_output_tokens: limit } = settings;
    const { auth, safety_filters: filters } = settings;
    const place = { env: settings.api_key_env, file: settings.api_key_file };

    async function ask({ prompt }: Question, call: Call): Promise<Reply> {
      if (prompt === null) return failure('protocol', 'a chat model needs a prompt');
      const found = readSecret(place);
      if (!found.ok) return failure('not_configured', found.lack, { fatal: true });
      const key = found.secret.reveal();
      const body: JsonObject = {
        systemInstruction: { parts: [{ text: prompt.system }] },
        contents: [{ role: 'user', parts: [{ text: prompt.user }] }],
        generationConfig: {
          ...(temperature !== null && { temperature }),
          ...(seed !== null && { seed: seed + call.sample }),
          maxOutputTokens: limit,
          responseMimeType: 'application/json',
          responseJsonSchema: prompt.schema,
        },
        ...(filters === 'off' && {
          safetySettings: harmCategories.map((category) => ({
            category: `HARM_CATEGORY_${category}`,
            threshold: 'BLOCK_NONE',
          })),
        }),
      };
      const exchanged = await exchangeJson(
        {
          url: `${server}/models/${encodeURIComponent(model)}:generateContent`,
          headers:
            auth === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-goog-api-key': key },
          body,
        },
        call,
      );
      return exchanged.ok ? readCandidate(exchanged.json) : exchanged.failure;
    }

    return {
      model,
      parameters: { server, temperature, seed, limit, filters },
      extraTokens: limit + callOverhead,
      isAbleTo: () => true,
      takes: 'prompt',
      findLack: () => findLack(readSecret, place),
      ask,
    };
  },
});

function readCandidate(json: JsonObject): Reply {
  const reported = valueAt(json, 'usageMetadata');
  const usage = {
    inputTokens: tokenCount(reported, 'promptTokenCount'),
    outputTokens: tokenCount(reported, 'candidatesTokenCount', 'thoughtsTokenCount'),
  };
  const blocked = textAt(json, 'promptFeedback', 'blockReason');
  if (blocked !== null) return unusable('refused', `the question was blocked: ${blocked}`, usage);
  const ended = textAt(json, 'candidates', 0, 'finishReason');
  if (ended === 'MAX_TOKENS') return unusable('cut', 'the output limit was reached', usage);
  if (ended !== null && ended !== 'STOP') return unusable('refused', `it stopped: ${ended}`, usage);
  const parts = listAt(json, 'candidates', 0, 'content', 'parts');
  // Thoughts are told apart by a flag; they are not the answer.
  const texts = parts.flatMap((part) =>
    valueAt(part, 'thought') === true ? [] : [textAt(part, 'text') ?? ''],
  );
  if (texts.length === 0) return unusable('malformed', 'the answer holds no text', usage);
  return answered({ kind: 'text', text: texts.join('') }, usage);
}
