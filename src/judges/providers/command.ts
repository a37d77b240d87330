import { resolve } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../util/json-parse.js';
import { jsonText } from '../../util/json-text.js';
import { tidyReason } from '../answer-shape.js';
import { isOwnType, ownRequest, readOwnAnswer } from '../own-answer.js';
import { type Call, defineProvider, type Question } from '../provider.js';
import { failure, type Reply, unusable } from '../reply.js';
import { ownScale, text, wholeNumber } from '../settings.js';

const maxOutputBytes = 1024 * 1024;

/** A program of the user's own: the request on its standard input, the answer on its standard output. */
export const command = defineProvider({
  kind: 'command',
  summary: 'A program of your own that reads the rule and its texts as JSON and writes a score.',
  settings: {
    command: z
      .array(text('a program or an argument'), {
        error: 'expected a list: the program and its arguments',
      })
      .min(1, { error: 'expected a list: the program and its arguments' })
      .describe('Run without a shell.'),
    folder: text('a folder').default('.').describe('Where it runs.'),
    pass_env: z
      .array(text('the name of a variable'))
      .default([])
      .describe('Environment variables it is given beside PATH and HOME.'),
    model: text('a name')
      .default('command')
      .describe('Name and version of the judge; part of the key of kept answers.'),
    scale: ownScale,
    reserve_tokens: wholeNumber(0, 1_000_000, 0).describe(
      'Most tokens that a call uses beside the texts it is sent.',
    ),
  },
  example: { provider: 'command', command: ['node', 'judge.mjs'], model: 'house-rules-2' },
  open: (settings, { env, folder: base }) => {
    const { command: words, model, scale } = settings;
    const folder = resolve(base, settings.folder);

    async function ask({ request }: Question, call: Call): Promise<Reply> {
      const outcome = await call.services.runProcess({
        command: words,
        cwd: folder,
        env: pickEnvironment(['PATH', 'HOME', ...settings.pass_env]),
        input: jsonText(ownRequest(request)),
        timeoutMs: call.timeoutMs,
        maxOutputBytes,
        signal: call.signal,
      });
      if (outcome.kind === 'failed') {
        const { reason, message } = outcome;
        const isOver = reason === 'timeout' || reason === 'aborted';
        return failure(isOver ? reason : 'protocol', message, {
          fatal: reason === 'start',
          mayBill: reason !== 'start',
        });
      }
      if (outcome.code !== 0) {
        const said = tidyReason(outcome.stderr).slice(0, 200);
        return failure(
          'protocol',
          `it ended with code ${outcome.code}${said === '' ? '' : `: ${said}`}`,
          {
            mayBill: true,
          },
        );
      }
      const parsed = parseJson(outcome.stdout);
      if (!parsed.ok) return unusable('malformed', `the answer is not JSON: ${parsed.message}`);
      return readOwnAnswer(parsed.value, scale);
    }

    function pickEnvironment(names: readonly string[]): Readonly<Record<string, string>> {
      const entries = names.map((name) => [name, Object.hasOwn(env, name) ? env[name] : undefined]);
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    }

    return {
      model,
      parameters: { command: words, folder: settings.folder, scale },
      extraTokens: settings.reserve_tokens,
      isAbleTo: isOwnType,
      takes: 'request',
      findLack: () => null,
      ask,
    };
  },
});
