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
import { baseUrl, callOverhead, chatSettings, secretFile, secretVariable } from '../settings.js';

const verdictTool = 'verdict';

/** The Messages API. The answer is a forced call of a tool whose input has the schema of the answer. */
export const anthropic = defineProvider({
  kind: 'anthropic',
  summary: 'The Messages API of Anthropic.',
  settings: {
    base_url: baseUrl('https://api.anthropic.com').describe('`/v1/messages` is added.'),
    api_key_env: secretVariable('ANTHROPIC_API_KEY'),
    api_key_file: secretFile(),
    ...chatSettings,
  },
  example: { provider: 'anthropic', model: 'claude-haiku-4-5' },
  open: (settings, { readSecret }) => {
    const { model, temperature, max_output_tokens: limit, base_url: server } = settings;
    const place = { env: settings.api_key_env, file: settings.api_key_file };

    async function ask({ prompt }: Question, call: Call): Promise<Reply> {
      if (prompt === null) return failure('protocol', 'a chat model needs a prompt');
      const found = readSecret(place);
      if (!found.ok) return failure('not_configured', found.lack, { fatal: true });
      const body: JsonObject = {
        model,
        max_tokens: limit,
        ...(temperature !== null && { temperature }),
        system: prompt.system,
        messages: [{ role: 'user', content: prompt.user }],
        tools: [
          { name: verdictTool, description: 'Records the verdict.', input_schema: prompt.schema },
        ],
        tool_choice: { type: 'tool', name: verdictTool },
      };
      const headers = { 'x-api-key': found.secret.reveal(), 'anthropic-version': '2023-06-01' };
      const exchanged = await exchangeJson({ url: `${server}/v1/messages`, headers, body }, call);
      return exchanged.ok ? readMessage(exchanged.json) : exchanged.failure;
    }

    return {
      model,
      parameters: { server, temperature, limit },
      extraTokens: limit + callOverhead,
      isAbleTo: () => true,
      takes: 'prompt',
      findLack: () => findLack(readSecret, place),
      ask,
    };
  },
});

function readMessage(json: JsonObject): Reply {
  const reported = valueAt(json, 'usage');
  const usage = {
    inputTokens: tokenCount(
      reported,
      'input_tokens',
      'cache_creation_input_tokens',
      'cache_read_input_tokens',
    ),
    outputTokens: tokenCount(reported, 'output_tokens'),
  };
  const ended = textAt(json, 'stop_reason');
  if (ended === 'refusal') return unusable('refused', 'the model would not answer', usage);
  if (ended === 'max_tokens') return unusable('cut', 'the output limit was reached', usage);
  const blocks = listAt(json, 'content');
  const calls = blocks.filter(
    (block) => textAt(block, 'type') === 'tool_use' && textAt(block, 'name') === verdictTool,
  );
  if (calls.length > 1) return unusable('malformed', 'the answer holds several verdicts', usage);
  const input = valueAt(calls[0], 'input');
  if (input !== undefined) return answered({ kind: 'value', value: input }, usage);
  const text = blocks.map((block) => textAt(block, 'text') ?? '').join('');
  return answered({ kind: 'text', text }, usage);
}
