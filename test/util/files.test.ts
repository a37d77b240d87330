import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileGlob, globRoot, isGlob } from '../../src/util/glob.js';
import { listPath } from '../../src/util/list-files.js';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'retrial-files-'));
  mkdirSync(join(folder, 'set/deep'), { recursive: true });
  mkdirSync(join(folder, 'set/empty'));
  for (const name of ['set/b.json', 'set/a.json', 'set/deep/c.json', 'set/.hidden']) {
    writeFileSync(join(folder, name), name);
  }
  symlinkSync('..', join(folder, 'set/deep/up'));
  symlinkSync('../a.json', join(folder, 'set/deep/link.json'));
  symlinkSync('nowhere', join(folder, 'set/broken'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('listing a path', () => {
  it('lists a folder sorted, deep, without hidden entries and without following a loop', () => {
    const listed = listPath('set/', folder);
    expect(listed.kind === 'folder' && listed.files.map(({ name }) => name)).toEqual([
      'set/a.json',
      'set/b.json',
      'set/deep/c.json',
      'set/deep/link.json',
    ]);
  });

  it('names files as given', () => {
    const listed = listPath('./set/a.json', folder);
    expect(listed.kind === 'file' && listed.file).toMatchObject({
      name: './set/a.json',
      sizeBytes: 10,
    });
    const here = listPath('.', join(folder, 'set/deep'));
    expect(here.kind === 'folder' && here.files[0]?.name).toBe('c.json');
  });

  it('tells what is missing', () => {
    expect(listPath('set/none', folder)).toEqual({ kind: 'missing' });
    expect(listPath('set/a.json/x', folder)).toEqual({ kind: 'missing' });
  });
});

describe('patterns', () => {
  it('match whole paths, a segment at a time unless ** says otherwise', () => {
    const matches = (pattern: string, path: string): boolean => compileGlob(pattern)(path);
    expect(matches('specs/*.yaml', 'specs/a.yaml')).toBe(true);
    expect(matches('specs/*.yaml', 'specs/deep/a.yaml')).toBe(false);
    expect(matches('specs/**/*.yaml', 'specs/a.yaml')).toBe(true);
    expect(matches('specs/**/*.yaml', 'specs/x/y/a.yaml')).toBe(true);
    expect(matches('**', 'any/thing')).toBe(true);
    expect(matches('a?.{json,pb}', 'a1.pb')).toBe(true);
    expect(matches('a?.{json,pb}', 'a1.xml')).toBe(false);
    expect(matches('[!a-c]*.json', 'd.json')).toBe(true);
    expect(matches('[!a-c]*.json', 'b.json')).toBe(false);
    expect(matches('a(1)+.json*', 'a(1)+.json')).toBe(true);
    expect(matches('x{y', 'x{y')).toBe(true);
  });

  it('know where to start looking', () => {
    expect([isGlob('a/*.json'), isGlob('a/b.json')]).toEqual([true, false]);
    expect(globRoot('specs/x/*.yaml')).toBe('specs/x');
    expect(globRoot('*.yaml')).toBe('');
    expect(globRoot('/*.yaml')).toBe('/');
    expect(globRoot('./a*/b')).toBe('.');
  });

  it('take linear time on a hostile pattern', () => {
    const started = performance.now();
    expect(compileGlob(`${'*a'.repeat(30)}b`)('a'.repeat(5000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
