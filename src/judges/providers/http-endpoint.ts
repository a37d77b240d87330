import { exchangeJson } from '../exchange.js';
import { isOwnType, ownRequest, readOwnAnswer } from '../own-answer.js';
import { type Call, defineProvider, type Question } from '../provider.js';
import { failure, type Reply } from '../reply.js';
import {
  baseUrl,
  choice,
  ownScale,
  secretFile,
  secretVariable,
  text,
  wholeNumber,
} from '../settings.js';

/** A judge of the user's own behind an address. */
export const httpEndpoint = defineProvider({
  kind: 'http',
  summary:
    'A service of your own that is sent the rule and its texts as JSON and answers with a score.',
  settings: {
    url: baseUrl(),
    auth: choice(['none', 'bearer'])
      .default('none')
      .describe('bearer: the secret is sent as a token.'),
    api_key_env: secretVariable('JUDGE_API_KEY'),
    api_key_file: secretFile(),
    model: text('a name')
      .default('http')
      .describe('Name and version of the judge; part of the key of kept answers.'),
    scale: ownScale,
    reserve_tokens: wholeNumber(0, 1_000_000, 0).describe(
      'Most tokens that a call uses beside the texts it is sent.',
    ),
  },
  example: { provider: 'http', url: 'http://127.0.0.1:8080/judge', model: 'house-judge-3' },
  open: (settings, { readSecret }) => {
    const { url, model, scale, auth } = settings;
    const place = { env: settings.api_key_env, file: settings.api_key_file };
    const readToken = () => (auth === 'none' ? null : readSecret(place));

    async function ask({ request }: Question, call: Call): Promise<Reply> {
      const token = readToken();
      if (token?.ok === false) return failure('not_configured', token.lack, { fatal: true });
      const headers: Readonly<Record<string, string>> =
        token === null ? {} : { authorization: `Bearer ${token.secret.reveal()}` };
      const exchanged = await exchangeJson({ url, headers, body: ownRequest(request) }, call);
      return exchanged.ok ? readOwnAnswer(exchanged.json, scale) : exchanged.failure;
    }

    return {
      model,
      parameters: { server: url, scale },
      extraTokens: settings.reserve_tokens,
      isAbleTo: isOwnType,
      takes: 'request',
      findLack: () => {
        const token = readToken();
        return token?.ok === false ? token.lack : null;
      },
      ask,
    };
  },
});
