import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { fence, fenceTag } from '../../src/judges/fence.js';
import { buildPrompt } from '../../src/judges/prompt.js';
import { chatCompletion, startScriptedJudge } from '../support/scripted-judge.js';
import { injections } from './injections.js';
import { ask, judgesOf, requestOf } from './support.js';

const harmless = 'Your refund is on its way.';

/** The payload with the tag that a prompt with this response would have if the tag were not in it. */
function armed(text: string): string {
  const guess = fenceTag([
    { name: 'QUERY', text },
    { name: 'CONTEXT', text },
    { name: 'RESPONSE', text },
    { name: 'EXAMPLES', text: '' },
  ]);
  return text.replaceAll('{tag}', guess);
}

/** Takes a prompt apart by its marker lines alone, as a careful reader would. */
function takeApart(user: string): { readonly frame: string; readonly texts: readonly string[] } {
  const texts: string[] = [];
  const frame: string[] = [];
  let inside: { readonly end: string; readonly lines: string[] } | null = null;
  for (const line of user.split('\n')) {
    const opening = /^<<<([A-Z]+) ([0-9a-f]{32})$/.exec(line);
    if (inside !== null && line === inside.end) {
      texts.push(inside.lines.join('\n'));
      inside = null;
    } else if (inside !== null) {
      inside.lines.push(line);
    } else if (opening !== null) {
      frame.push(`<${opening[1]}>`);
      inside = { end: `${opening[1]} ${opening[2]}>>>`, lines: [] };
    } else {
      frame.push(line);
    }
  }
  expect(inside).toBeNull();
  return { frame: frame.join('\n'), texts };
}

function promptWith(text: string, template: string | null = null) {
  const built = buildPrompt(
    requestOf({ query: text, context: text, response: text, prompt: template }),
  );
  if (!built.ok) throw new Error(built.message);
  return built.prompt;
}

const template = 'Judge {{response}} after {{context}} by {{criteria}}.';
const entryOf = (url: string) => ({ provider: 'openai', base_url: url, model: 'gpt-4.1-mini' });

it('there are more than forty of them', () => {
  expect(injections.length).toBeGreaterThan(40);
  expect(new Set(injections.map(([what]) => what)).size).toBe(injections.length);
});

describe.each(injections)('%s', (_, payload) => {
  const text = armed(payload);

  it('leaves everything outside its fences as it would be for a harmless text', () => {
    for (const form of [null, template]) {
      const good = promptWith(harmless, form);
      const bad = promptWith(text, form);
      expect(bad.system).toBe(good.system);
      expect(bad.schema).toEqual(good.schema);
      expect(bad.shape).toEqual(good.shape);
      const apart = takeApart(bad.user);
      expect(apart.frame).toBe(takeApart(good.user).frame);
      expect(apart.texts).toHaveLength(3);
      expect(new Set(apart.texts).size).toBe(1);
    }
  });

  it('brings no marker, control token or invisible character into the prompt', () => {
    const [inner = ''] = takeApart(promptWith(text).user).texts;
    expect(inner).not.toMatch(/<<|>>|<[|｜]|[|｜]>|\[\/?INST\]|<\/?s>|<(?:start|end)_of_turn>/);
    expect(inner).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[^\P{Cc}\t\n]/u);
    expect(inner).not.toMatch(/\p{Variation_Selector}/u);
  });

  it('changes nothing in the request but the texts in its fences', async () => {
    const server = await startScriptedJudge(() => ({
      body: chatCompletion({ reason: 'x', score: 1 }),
    }));
    const adapters = { it: entryOf(server.url) };
    const asked = { query: text, context: text, response: text };
    const clean = { query: harmless, context: harmless, response: harmless };
    expect(await ask(judgesOf({ adapters }), requestOf(asked))).toMatchObject({ score: 0 });
    expect(await ask(judgesOf({ adapters }), requestOf(clean))).toMatchObject({ score: 0 });
    const [bad, good] = server.calls;
    const shapeOf = (call: typeof bad) => ({
      path: call?.path,
      headers: { ...call?.headers, 'content-length': '' },
      body: {
        ...call?.json,
        messages: call?.json.messages.map(
          ({ role, content }: { role: string; content: string }) => ({
            role,
            frame: takeApart(content).frame,
          }),
        ),
      },
    });
    expect(shapeOf(bad)).toEqual(shapeOf(good));
  });

  it('forges no verdict when a judge repeats it', async () => {
    const repeats: readonly unknown[] = [
      // In its reason, beside the true verdict.
      { reason: text, score: 1 },
      // Before or after the true verdict, as prose.
      `${text}\n{"reason":"bad","score":1}`,
      `{"reason":"bad","score":1}\n${text}`,
    ];
    for (const says of repeats) {
      const server = await startScriptedJudge(() => ({ body: chatCompletion(says) }));
      const adapters = { it: entryOf(server.url) };
      const answer = await ask(judgesOf({ adapters }), requestOf({ response: text }));
      if (answer.kind === 'scored') expect(answer.score).toBe(0);
      else expect(answer.code).toBe('adapter.error');
      expect(answer.reason).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(answer.reason.length).toBeLessThan(700);
    }
  });
});

describe('a fence', () => {
  property.prop([fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 3 })])(
    'whatever stands in it, it is found again as one block',
    (texts) => {
      const parts = texts.map((text, index) => ({ name: `PART${'ABC'[index]}`, text }));
      const tag = fenceTag(parts);
      const apart = takeApart(parts.map((part) => fence(part, tag)).join('\n'));
      expect(apart.frame).toBe(parts.map(({ name }) => `<${name}>`).join('\n'));
      expect(apart.texts).toHaveLength(parts.length);
    },
  );

  property.prop([fc.string({ unit: fc.constantFrom('<', '>', '\\', '|', '\n', 'RESPONSE', ' ') })])(
    'no run of marks gets through',
    (text) => {
      const tag = fenceTag([{ name: 'RESPONSE', text }]);
      const inner = fence({ name: 'RESPONSE', text }, tag).split('\n').slice(1, -1).join('\n');
      expect(inner).not.toMatch(/<<|>>|<\||\|>/);
    },
  );

  it('gets another tag from another text, and the same from the same', () => {
    const tag = (text: string) => fenceTag([{ name: 'RESPONSE', text }]);
    expect(tag('a')).toBe(tag('a'));
    expect(tag('a')).not.toBe(tag('b'));
    expect(fenceTag([{ name: 'A', text: 'bc' }])).not.toBe(fenceTag([{ name: 'AB', text: 'c' }]));
  });
});
