import { aiSdkVocabulary } from './ai-sdk.js';
import { openInferenceVocabulary } from './openinference.js';
import { indexedVocabulary, openLlmetryVocabulary } from './openllmetry.js';
import { otelVocabulary } from './otel-genai.js';
import type { Vocabulary } from './recording.js';

const asJson = (value: readonly unknown[] | undefined): unknown =>
  value === undefined ? undefined : JSON.stringify(value);

/** Every vocabulary that the simulator's conversations are written in. */
export const vocabularies: readonly Vocabulary[] = [
  otelVocabulary('otel-genai', 'openai-v2', asJson),
  otelVocabulary('otel-genai, structured', 'openai-v2', (value) => value),
  otelVocabulary('ai-sdk-7', 'gen_ai', asJson),
  aiSdkVocabulary,
  openInferenceVocabulary,
  openLlmetryVocabulary,
  indexedVocabulary,
];
