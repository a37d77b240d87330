import type { JsonObject } from '../../util/json.js';
import { jsonText } from '../../util/json-text.js';
import { normalizeScore, tidyReason } from '../answer-shape.js';
import { exchangeJson } from '../exchange.js';
import type { Prompt } from '../prompt.js';
import { type Call, defineProvider, type Question } from '../provider.js';
import {
  answered,
  failure,
  type Reply,
  textAt,
  unknownUsage,
  unusable,
  valueAt,
} from '../reply.js';
import { findLack } from '../secrets.js';
import { baseUrl, secretFile, secretVariable, text, wholeNumber } from '../settings.js';

/**
 * The Gen AI evaluation service of Vertex AI, `evaluateInstances` with a pointwise metric. The metric's
 * template holds two places and nothing else; rubric and fenced material are values of the instance, so no
 * text from a trace is read as a template.
 */
export const vertexEvaluation = defineProvider({
  kind: 'vertex_evaluation',
  summary: 'The Gen AI evaluation service of Vertex AI, with the rubrics of Retrial.',
  settings: {
    project: text('a Google Cloud project'),
    location: text('a location such as europe-west4'),
    base_url: baseUrl()
      .nullable()
      .default(null)
      .describe('null: the public endpoint of the location.'),
    token_env: secretVariable('GOOGLE_ACCESS_TOKEN'),
    token_file: secretFile(),
    model: text('the name of a model').default('gemini-2.5-flash').describe('The autorater.'),
    sampling: wholeNumber(1, 32, 1).describe('Answers that the service itself averages.'),
  },
  example: { provider: 'vertex_evaluation', project: 'example', location: 'europe-west4' },
  open: (settings, { readSecret }) => {
    const { project, location, model, sampling } = settings;
    const server = settings.base_url ?? `https://${location}-aiplatform.googleapis.com`;
    const parent = `projects/${project}/locations/${location}`;
    const place = { env: settings.token_env, file: settings.token_file };

    async function ask({ prompt }: Question, call: Call): Promise<Reply> {
      if (prompt === null) return failure('protocol', 'the metric needs a prompt');
      const found = readSecret(place);
      if (!found.ok) return failure('not_configured', found.lack, { fatal: true });
      const instance = { instructions: prompt.system, material: prompt.user };
      const body: JsonObject = {
        pointwiseMetricInput: {
          metricSpec: { metricPromptTemplate: '{instructions}\n\n{material}' },
          instance: { jsonInstance: jsonText(instance) },
        },
        autoraterConfig: {
          samplingCount: sampling,
          autoraterModel: `${parent}/publishers/google/models/${model}`,
        },
      };
      const headers = { authorization: `Bearer ${found.secret.reveal()}` };
      const url = `${server}/v1/${parent}:evaluateInstances`;
      const exchanged = await exchangeJson({ url, headers, body }, call);
      return exchanged.ok ? readResult(exchanged.json, prompt) : exchanged.failure;
    }

    return {
      model,
      parameters: { server, project, location, sampling },
      extraTokens: 4_096 * sampling,
      // The service answers with a number; only scales are asked for one.
      isAbleTo: (type) => !/^(?:matches_when|assertion|judge\.)/.test(type),
      takes: 'prompt',
      findLack: () => findLack(readSecret, place),
      ask,
    };
  },
});

function readResult(json: JsonObject, { shape }: Prompt): Reply {
  const value = valueAt(json, 'pointwiseMetricResult', 'score');
  const explanation = textAt(json, 'pointwiseMetricResult', 'explanation') ?? '';
  if (typeof value !== 'number') return unusable('malformed', 'the answer holds no score');
  const score = shape.kind === 'scale' ? normalizeScore(value, shape) : null;
  if (score === null) return unusable('malformed', `${value} is outside the scale`);
  return answered({ kind: 'score', score, reason: tidyReason(explanation) }, unknownUsage);
}
