import type { JsonObject } from '../../util/json.js';
import { jsonText } from '../../util/json-text.js';
import { exchangeJson } from '../exchange.js';
import type { Prompt } from '../prompt.js';
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
import {
  baseUrl,
  callOverhead,
  chatSettings,
  choice,
  secretFile,
  secretVariable,
  text,
} from '../settings.js';
import { signRequest } from '../sigv4.js';

const verdictTool = 'verdict';

/**
 * The Converse API of Amazon Bedrock, signed here: the signature is eighty lines, where the SDK would be a
 * hundred packages and would sign a body that we could not hash before it is sent. Keys come from the
 * environment; profiles and instance roles are exported there by `aws configure export-credentials`.
 */
export const bedrock = defineProvider({
  kind: 'bedrock',
  summary: 'Any model behind the Converse API of Amazon Bedrock.',
  settings: {
    region: text('an AWS region such as eu-central-1'),
    base_url: baseUrl()
      .nullable()
      .default(null)
      .describe('null: the public endpoint of the region.'),
    auth: choice(['sigv4', 'bearer'])
      .default('sigv4')
      .describe('bearer: the secret is a Bedrock API key.'),
    api_key_env: secretVariable('AWS_BEARER_TOKEN_BEDROCK'),
    api_key_file: secretFile(),
    access_key_id_env: secretVariable('AWS_ACCESS_KEY_ID'),
    secret_access_key_env: secretVariable('AWS_SECRET_ACCESS_KEY'),
    session_token_env: secretVariable('AWS_SESSION_TOKEN'),
    structured: choice(['tool', 'none'])
      .default('tool')
      .describe('tool: a forced tool call, for models that know tools; none: JSON text.'),
    ...chatSettings,
  },
  example: {
    provider: 'bedrock',
    region: 'eu-central-1',
    model: 'anthropic.claude-haiku-4-5-20251001-v1:0',
  },
  open: (settings, { readSecret }) => {
    const { region, model, temperature, structured, auth, max_output_tokens: limit } = settings;
    const server = settings.base_url ?? `https://bedrock-runtime.${region}.amazonaws.com`;
    const url = new URL(`${server}/model/${encodeURIComponent(model)}/converse`);

    /** The headers that prove who asks; or what is missing for them. */
    function authorize(bytes: Uint8Array, atMs: number): Authorized {
      if (auth === 'bearer') {
        const token = readSecret({ env: settings.api_key_env, file: settings.api_key_file });
        if (!token.ok) return token;
        return { ok: true, headers: { authorization: `Bearer ${token.secret.reveal()}` } };
      }
      const fromVariable = (env: string) => readSecret({ env, file: null });
      const id = fromVariable(settings.access_key_id_env);
      const key = fromVariable(settings.secret_access_key_env);
      const session = fromVariable(settings.session_token_env);
      if (!id.ok) return id;
      if (!key.ok) return key;
      const headers = signRequest(
        { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: bytes },
        { region, service: 'bedrock' },
        {
          accessKeyId: id.secret.reveal(),
          secretAccessKey: key.secret.reveal(),
          sessionToken: session.ok ? session.secret.reveal() : null,
        },
        atMs,
      );
      return { ok: true, headers };
    }

    async function ask({ prompt }: Question, call: Call): Promise<Reply> {
      if (prompt === null) return failure('protocol', 'a chat model needs a prompt');
      const body = converseBody(prompt, { temperature, limit, structured });
      const bytes = Buffer.from(jsonText(body));
      const signed = authorize(bytes, call.services.epochMs());
      if (!signed.ok) return failure('not_configured', signed.lack, { fatal: true });
      const { headers } = signed;
      const exchanged = await exchangeJson({ url: url.href, headers, body, bytes }, call);
      return exchanged.ok ? readOutput(exchanged.json) : exchanged.failure;
    }

    return {
      model,
      parameters: { server, temperature, limit, structured },
      extraTokens: limit + callOverhead,
      isAbleTo: () => true,
      takes: 'prompt',
      findLack: () => {
        const signed = authorize(new Uint8Array(0), 0);
        return signed.ok ? null : signed.lack;
      },
      ask,
    };
  },
});

type Authorized =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly lack: string };

function converseBody(
  prompt: Prompt,
  settings: {
    readonly temperature: number | null;
    readonly limit: number;
    readonly structured: string;
  },
): JsonObject {
  const { temperature, limit, structured } = settings;
  const tool = {
    toolSpec: {
      name: verdictTool,
      description: 'Records the verdict.',
      inputSchema: { json: prompt.schema },
    },
  };
  return {
    system: [{ text: prompt.system }],
    messages: [{ role: 'user', content: [{ text: prompt.user }] }],
    inferenceConfig: { maxTokens: limit, ...(temperature !== null && { temperature }) },
    ...(structured === 'tool' && {
      toolConfig: { tools: [tool], toolChoice: { tool: { name: verdictTool } } },
    }),
  };
}

function readOutput(json: JsonObject): Reply {
  const reported = valueAt(json, 'usage');
  const usage = {
    inputTokens: tokenCount(
      reported,
      'inputTokens',
      'cacheReadInputTokens',
      'cacheWriteInputTokens',
    ),
    outputTokens: tokenCount(reported, 'outputTokens'),
  };
  const ended = textAt(json, 'stopReason');
  if (ended === 'guardrail_intervened' || ended === 'content_filtered') {
    return unusable('refused', `it stopped: ${ended}`, usage);
  }
  if (ended === 'max_tokens' || ended === 'model_context_window_exceeded') {
    return unusable('cut', 'the output limit was reached', usage);
  }
  const blocks = listAt(json, 'output', 'message', 'content');
  const inputs = blocks.flatMap((block) => {
    const input = valueAt(block, 'toolUse', 'input');
    return input === undefined || textAt(block, 'toolUse', 'name') !== verdictTool ? [] : [input];
  });
  if (inputs.length > 1) return unusable('malformed', 'the answer holds several verdicts', usage);
  if (inputs[0] !== undefined) return answered({ kind: 'value', value: inputs[0] }, usage);
  const words = blocks.map((block) => textAt(block, 'text') ?? '').join('');
  return answered({ kind: 'text', text: words }, usage);
}
