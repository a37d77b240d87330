import { chatFormatSettings, openChat } from '../openai-chat.js';
import { defineProvider } from '../provider.js';
import {
  baseUrl,
  chatSettings,
  choice,
  secretFile,
  secretVariable,
  seedSetting,
} from '../settings.js';

/** Chat completions as OpenAI defined them: OpenAI itself, vLLM, Ollama, LM Studio, gateways. */
export const openai = defineProvider({
  kind: 'openai',
  summary:
    'Chat completions of OpenAI and of every server that speaks the same: vLLM, Ollama, gateways.',
  settings: {
    base_url: baseUrl('https://api.openai.com/v1').describe('`/chat/completions` is added.'),
    api_key_env: secretVariable('OPENAI_API_KEY'),
    api_key_file: secretFile(),
    auth: choice(['bearer', 'none'])
      .default('bearer')
      .describe('none: a local server without a key.'),
    ...chatSettings,
    ...seedSetting,
    ...chatFormatSettings,
  },
  example: { provider: 'openai', model: 'gpt-4.1-mini', api_key_env: 'OPENAI_API_KEY' },
  open: (settings, { readSecret }) =>
    openChat({
      ...settings,
      url: `${settings.base_url}/chat/completions`,
      identity: settings.base_url,
      place:
        settings.auth === 'none'
          ? null
          : { env: settings.api_key_env, file: settings.api_key_file },
      header: (secret) => ({ authorization: `Bearer ${secret}` }),
      readSecret,
    }),
});
