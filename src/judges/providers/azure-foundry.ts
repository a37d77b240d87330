import type { JsonObject, JsonValue } from '../../util/json.js';
import { waitFor } from '../../util/scheduler.js';
import { normalizeScore, tidyReason } from '../answer-shape.js';
import { type Exchanged, exchangeJson } from '../exchange.js';
import { type Call, defineProvider, type Question } from '../provider.js';
import {
  answered,
  type Failure,
  failure,
  type Reply,
  textAt,
  tokenCount,
  unusable,
  valueAt,
} from '../reply.js';
import { findLack } from '../secrets.js';
import { baseUrl, choice, duration, secretFile, secretVariable, text } from '../settings.js';

/** For deleting the evaluation, whatever became of it. */
const cleanUpMs = 3_000;

const quality = { low: 1, high: 5, best: 'high' } as const;
const severity = { low: 0, high: 7, best: 'low' } as const;

/** The built-in evaluators and the scale each answers on. */
const evaluators: Readonly<
  Record<string, { readonly name: string; readonly scale: typeof quality | typeof severity }>
> = {
  Groundedness: { name: 'groundedness', scale: quality },
  Relevance: { name: 'relevance', scale: quality },
  Coherence: { name: 'coherence', scale: quality },
  Fluency: { name: 'fluency', scale: quality },
  HateUnfairness: { name: 'hate_unfairness', scale: severity },
  Violence: { name: 'violence', scale: severity },
  Sexual: { name: 'sexual', scale: severity },
  SelfHarm: { name: 'self_harm', scale: severity },
};

/**
 * The evaluators of Azure AI Foundry. The service works in runs: an evaluation is created with the one
 * row, its run is watched until it ends, the row's result is read, the evaluation is deleted. All of it
 * must fit into the time limit of the adapter.
 */
export const azureFoundry = defineProvider({
  kind: 'azure_foundry',
  summary: 'The built-in quality and safety evaluators of an Azure AI Foundry project.',
  settings: {
    endpoint: baseUrl().describe('https://ACCOUNT.services.ai.azure.com/api/projects/PROJECT'),
    api_version: text('an API version').default('2025-11-15-preview'),
    deployment: text('the name of a model deployment').describe(
      'The model that the evaluators use.',
    ),
    token_env: secretVariable('AZURE_FOUNDRY_TOKEN'),
    token_file: secretFile(),
    auth: choice(['bearer', 'api_key'])
      .default('bearer')
      .describe('bearer: the secret is a Microsoft Entra access token.'),
    poll_interval: duration('2s'),
  },
  example: {
    provider: 'azure_foundry',
    endpoint: 'https://example.services.ai.azure.com/api/projects/example',
    deployment: 'gpt-4.1-mini',
  },
  open: (settings, { readSecret }) => {
    const { endpoint, deployment, auth, api_version: version, poll_interval: pollMs } = settings;
    const place = { env: settings.token_env, file: settings.token_file };

    async function ask({ request }: Question, call: Call): Promise<Reply> {
      const evaluator = evaluators[request.type];
      if (evaluator === undefined) return failure('protocol', `no evaluator for ${request.type}`);
      const found = readSecret(place);
      if (!found.ok) return failure('not_configured', found.lack, { fatal: true });
      const secret = found.secret.reveal();
      const { scheduler } = call.services;
      const deadlineMs = scheduler.nowMs() + call.timeoutMs;
      const send = (
        method: 'GET' | 'POST' | 'DELETE',
        path: string,
        body: JsonObject | null,
        limits: Pick<Call, 'timeoutMs' | 'signal'> = {
          signal: call.signal,
          timeoutMs: Math.max(1, deadlineMs - scheduler.nowMs()),
        },
      ): Promise<Exchanged> => {
        const mark = path.includes('?') ? '&' : '?';
        const url = `${endpoint}/openai${path}${mark}api-version=${encodeURIComponent(version)}`;
        const headers: Readonly<Record<string, string>> =
          auth === 'bearer' ? { authorization: `Bearer ${secret}` } : { 'api-key': secret };
        return exchangeJson({ url, method, headers, body }, { ...call, ...limits });
      };

      const { query, context, response } = request;
      const row: Record<string, string> = {
        ...(query !== null && { query }),
        ...(context !== null && { context }),
        response,
      };
      const created = await send(
        'POST',
        '/evals',
        definition(evaluator.name, deployment, Object.keys(row)),
      );
      if (!created.ok) return created.failure;
      const evalPath = `/evals/${encodeURIComponent(textAt(created.json, 'id') ?? '')}`;
      try {
        return await runOnce(evalPath, row, evaluator.scale);
      } finally {
        // Also when time is up or the call was given up: nothing is left behind.
        const signal = new AbortController().signal;
        await send('DELETE', evalPath, null, { signal, timeoutMs: cleanUpMs });
      }

      async function runOnce(
        path: string,
        item: JsonObject,
        scale: typeof quality | typeof severity,
      ): Promise<Reply> {
        const source = { type: 'file_content', content: [{ item }] };
        const started = await send('POST', `${path}/runs`, {
          name: 'retrial',
          data_source: { type: 'jsonl', source },
        });
        if (!started.ok) return billed(started.failure);
        const runPath = `${path}/runs/${encodeURIComponent(textAt(started.json, 'id') ?? '')}`;
        for (let state: JsonObject = started.json; ; ) {
          const status = textAt(state, 'status');
          if (status === 'completed') break;
          if (status === 'failed' || status === 'canceled') {
            const detail = textAt(state, 'error', 'message') ?? 'no reason given';
            return failure('protocol', `the run ${status}: ${tidyReason(detail)}`, {
              mayBill: true,
            });
          }
          await waitFor(scheduler, pollMs, call.signal);
          if (call.signal.aborted)
            return failure('aborted', 'the call was given up', { mayBill: true });
          if (scheduler.nowMs() >= deadlineMs) {
            return failure('timeout', `the run did not end within ${call.timeoutMs} ms`, {
              mayBill: true,
            });
          }
          const polled = await send('GET', runPath, null);
          if (!polled.ok) return billed(polled.failure);
          state = polled.json;
        }
        const items = await send('GET', `${runPath}/output_items?limit=10`, null);
        return items.ok ? readItem(items.json, scale) : billed(items.failure);
      }
    }

    return {
      model: deployment,
      parameters: { server: endpoint, version },
      extraTokens: 8_192,
      isAbleTo: (type) => Object.hasOwn(evaluators, type),
      takes: 'request',
      findLack: () => findLack(readSecret, place),
      ask,
    };
  },
});

function billed(why: Failure): Failure {
  return { ...why, mayBill: true };
}

function definition(name: string, deployment: string, columns: readonly string[]): JsonObject {
  const each = (value: (column: string) => JsonValue): JsonObject =>
    Object.fromEntries(columns.map((column) => [column, value(column)]));
  return {
    name: `retrial ${name}`,
    data_source_config: {
      type: 'custom',
      item_schema: {
        type: 'object',
        properties: each(() => ({ type: 'string' })),
        required: columns,
      },
    },
    testing_criteria: [
      {
        type: 'azure_ai_evaluator',
        name,
        evaluator_name: `builtin.${name}`,
        initialization_parameters: { deployment_name: deployment },
        data_mapping: each((column) => `{{item.${column}}}`),
      },
    ],
  };
}

function readItem(json: JsonObject, scale: typeof quality | typeof severity): Reply {
  const result = valueAt(json, 'data', 0, 'results', 0);
  const reported = valueAt(result, 'sample', 'usage');
  const usage = {
    inputTokens: tokenCount(reported, 'prompt_tokens'),
    outputTokens: tokenCount(reported, 'completion_tokens'),
  };
  const value = valueAt(result, 'score');
  if (typeof value !== 'number') return unusable('malformed', 'the run holds no score', usage);
  const score = normalizeScore(value, scale);
  if (score === null) return unusable('malformed', `${value} is outside the scale`, usage);
  const reason = tidyReason(textAt(result, 'reason') ?? '');
  return answered({ kind: 'score', score, reason }, usage);
}
