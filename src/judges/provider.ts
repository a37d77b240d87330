import { z } from 'zod';
import type { JudgeRequest } from '../model/evaluator.js';
import type { sendRequest } from '../util/http-request.js';
import type { JsonObject } from '../util/json.js';
import type { Scheduler } from '../util/scheduler.js';
import type { Prompt } from './prompt.js';
import type { Reply } from './reply.js';
import type { RunProcess } from './run-process.js';
import type { ReadSecret } from './secrets.js';
import { commonSettings } from './settings.js';

/** One kind of judge: a row of the table in `providers/index.ts`. */
export interface Provider {
  readonly kind: string;
  readonly summary: string;
  /** Every key of an entry under `adapters:`, the common ones included. */
  readonly schema: z.ZodObject;
  /** A working entry, for the reference page. */
  readonly example: JsonObject;
  /** Opens the judge that the settings describe; they must satisfy `schema`. Asks nothing yet. */
  readonly open: (settings: unknown, around: Surroundings) => OpenJudge;
}

/** What a judge takes from the place it is configured in. */
export interface Surroundings {
  readonly readSecret: ReadSecret;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the configuration; paths in it are relative to this one. */
  readonly folder: string;
}

/** A configured judge, ready to be asked. */
export interface OpenJudge {
  readonly model: string;
  /** What else decides the answer: with provider, model and question it is the key of a kept answer. */
  readonly parameters: JsonObject;
  /** Most tokens that a call uses beside the question's own text: answer, tool schema, the service's words. */
  readonly extraTokens: number;
  readonly isAbleTo: (type: string) => boolean;
  /** `prompt`: asks a model in Retrial's words. `request`: hands on what the rule says. */
  readonly takes: 'prompt' | 'request';
  /** What is missing to ask it, as a sentence; null when nothing is. */
  readonly findLack: () => string | null;
  readonly ask: (question: Question, call: Call) => Promise<Reply>;
}

/** What is asked. `prompt` is set for a judge that takes one. */
export interface Question {
  readonly request: JudgeRequest;
  readonly prompt: Prompt | null;
  /** `sha256:` and hex of everything that is asked. */
  readonly digest: string;
}

/** Everything that one call takes from outside. */
export interface Call {
  readonly services: CallServices;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** 0 for the first sample; shifts the seed of later ones. */
  readonly sample: number;
}

export interface CallServices {
  readonly scheduler: Scheduler;
  /** Milliseconds since the Unix epoch: for signatures and daily budgets. */
  readonly epochMs: () => number;
  readonly random: () => number;
  readonly send: typeof sendRequest;
  readonly runProcess: RunProcess;
}

/** Makes a row of the table; the settings are those of the kind beside the common ones. */
export function defineProvider<
  Kind extends string,
  Shape extends z.core.$ZodLooseShape,
>(definition: {
  readonly kind: Kind;
  readonly summary: string;
  readonly settings: Shape;
  readonly example: JsonObject;
  readonly open: (settings: z.output<z.ZodObject<Shape>>, around: Surroundings) => OpenJudge;
}): Provider {
  const { kind, summary, settings, example, open } = definition;
  const own = z.object(settings);
  return {
    kind,
    summary,
    example,
    schema: z.strictObject({ provider: z.literal(kind), ...commonSettings, ...settings }),
    open: (value, around) => open(own.parse(value), around),
  };
}
