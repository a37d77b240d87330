import type { Dialect } from '../model/fact.js';
import { aiSdk } from './ai-sdk.js';
import { aiSdk7 } from './ai-sdk-7.js';
import { native } from './native.js';
import { openInference } from './openinference.js';
import { openLlmetry } from './openllmetry.js';
import { otelGenAi } from './otel-genai.js';
import { setAside } from './set-aside.js';
import { unread } from './unread.js';

/**
 * Every dialect, in the order in which they are asked (dialects.md §2.30): the first that recognizes
 * a span reads it alone, because many producers write several vocabularies on one span. A span that
 * none recognizes is a parent and nothing more.
 */
export const dialects: readonly Dialect[] = [
  setAside,
  native,
  openInference,
  aiSdk,
  aiSdk7,
  openLlmetry,
  otelGenAi,
  unread,
];
