import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { createStatusLine } from '../../src/util/progress.js';
import { cleanLine, wantsColor } from '../../src/util/terminal.js';

describe('text for a terminal', () => {
  it('keeps words of every script, and what joins emoji and letters', () => {
    const text = 'größe 数 שלום 👩‍👩‍👧 e\u0301 نمی‌خواهم';
    expect(cleanLine(text)).toBe(text);
  });

  it('loses colours, cursor moves, links, titles, bidi marks and tag characters whole', () => {
    const cases = {
      '\u001b[31mred\u001b[0m': 'red',
      '\u001b[2J\u001b[1;1Htop': 'top',
      '\u001b]0;title\u0007x': 'x',
      '\u001b]8;;https://evil\u001b\\link\u001b]8;;\u001b\\': 'link',
      '\u009b31mc1\u009d0;t\u009c': 'c1',
      '\u001bPq#0\u001b\\dcs': 'dcs',
      'a\u202eb\u2066c\u200f\u200bd': 'abcd',
      'x\u{e0041}\u{e007f}y': 'xy',
      'one\r\ntwo\tthree\u2028four': 'one two threefour',
    };
    for (const [text, clean] of Object.entries(cases)) expect(cleanLine(text)).toBe(clean);
  });

  test.prop([fc.string({ unit: 'binary' })])('never keeps a control character', (text) => {
    const hostile = `\u001b${text}\u009b${text}\u001b]${text}`;
    expect(cleanLine(hostile)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
  });
});

describe('whether to colour', () => {
  const ask = (isTerminal: boolean, env: Record<string, string> = {}, isRefused = false) =>
    wantsColor({ isTerminal, env, isRefused });

  it('follows the stream, unless a variable or the flag says otherwise', () => {
    expect([ask(true), ask(false)]).toEqual([true, false]);
    expect([ask(true, { NO_COLOR: '1' }), ask(true, { NO_COLOR: '' })]).toEqual([false, true]);
    expect([ask(false, { FORCE_COLOR: '1' }), ask(true, { FORCE_COLOR: '0' })]).toEqual([
      true,
      false,
    ]);
    expect(ask(true, { TERM: 'dumb' })).toBe(false);
    expect(ask(true, { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(false);
    expect(ask(true, { FORCE_COLOR: '1' }, true)).toBe(false);
  });
});

describe('the status line', () => {
  function drive(): {
    at: (ms: number, done: number, total?: number) => void;
    out: string[];
    end: () => void;
  } {
    let nowMs = 0;
    const out: string[] = [];
    const line = createStatusLine({
      write: (text) => out.push(text),
      clock: { nowMs: () => nowMs },
      columns: 40,
      quietMs: 500,
      intervalMs: 100,
    });
    return {
      at: (ms, done, total = 10) => {
        nowMs = ms;
        line.show({ label: 'reading', done, total });
      },
      out,
      end: () => line.clear(),
    };
  }

  it('shows nothing for short work, and leaves nothing behind', () => {
    const { at, out, end } = drive();
    at(0, 1);
    at(499, 9);
    end();
    expect(out).toEqual([]);
  });

  it('draws at most once per interval, within the width, and is removed at the end', () => {
    const { at, out, end } = drive();
    at(500, 5);
    at(550, 6);
    at(601, 20);
    end();
    expect(out).toEqual([
      '\r\u001b[2K████████████░░░░░░░░░░░░ 50% reading',
      '\r\u001b[2K████████████████████████ 100% reading',
      '\r\u001b[2K',
    ]);
  });

  it('counts where the total is not known', () => {
    const { at, out } = drive();
    at(500, 7, 0);
    expect(out).toEqual(['\r\u001b[2Kreading 7']);
  });
});
