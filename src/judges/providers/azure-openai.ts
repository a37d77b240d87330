import { chatFormatSettings, openChat } from '../openai-chat.js';
import { defineProvider } from '../provider.js';
import {
  baseUrl,
  chatSettings,
  choice,
  secretFile,
  secretVariable,
  seedSetting,
  text,
} from '../settings.js';

/** Chat completions under Azure's addresses, with a deployment instead of a model and a key header of its own. */
export const azureOpenai = defineProvider({
  kind: 'azure_openai',
  summary: 'Chat completions of a deployment in Azure OpenAI.',
  settings: {
    endpoint: baseUrl().describe('https://NAME.openai.azure.com'),
    deployment: text('the name of a deployment'),
    api_version: text('an API version').default('2024-10-21'),
    api_key_env: secretVariable('AZURE_OPENAI_API_KEY'),
    api_key_file: secretFile(),
    auth: choice(['api_key', 'bearer'])
      .default('api_key')
      .describe('bearer: the secret is a Microsoft Entra access token.'),
    ...chatSettings,
    ...seedSetting,
    ...chatFormatSettings,
  },
  example: {
    provider: 'azure_openai',
    endpoint: 'https://example.openai.azure.com',
    deployment: 'judge',
    model: 'gpt-4.1-mini',
  },
  open: (settings, { readSecret }) => {
    const { endpoint, deployment, api_version: version, auth } = settings;
    const path = `/openai/deployments/${encodeURIComponent(deployment)}/chat/completions`;
    return openChat({
      ...settings,
      url: `${endpoint}${path}?api-version=${encodeURIComponent(version)}`,
      identity: `${endpoint}/${deployment}`,
      place: { env: settings.api_key_env, file: settings.api_key_file },
      header: (secret) =>
        auth === 'bearer' ? { authorization: `Bearer ${secret}` } : { 'api-key': secret },
      readSecret,
    });
  },
});
