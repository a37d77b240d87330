import type { Provider } from '../provider.js';
import { anthropic } from './anthropic.js';
import { azureFoundry } from './azure-foundry.js';
import { azureOpenai } from './azure-openai.js';
import { bedrock } from './bedrock.js';
import { command } from './command.js';
import { gemini } from './gemini.js';
import { httpEndpoint } from './http-endpoint.js';
import { openai } from './openai.js';
import { vertexEvaluation } from './vertex-evaluation.js';

/** Every kind of judge. The configuration schema and the reference page read this table. */
export const providers: readonly Provider[] = [
  openai,
  azureOpenai,
  anthropic,
  gemini,
  bedrock,
  azureFoundry,
  vertexEvaluation,
  command,
  httpEndpoint,
];

const providerByKind: ReadonlyMap<string, Provider> = new Map(
  providers.map((provider) => [provider.kind, provider]),
);

/** The row of a kind, null when there is none. */
export function findProvider(kind: string): Provider | null {
  return providerByKind.get(kind) ?? null;
}
