import { describe, expect, it } from 'vitest';
import { createProblem, errorTable } from '../src/errors.js';

describe('the error table', () => {
  it('says of every error what it becomes: an exit code, or an answer to a sender', () => {
    for (const [code, row] of Object.entries(errorTable)) {
      if (row.severity !== 'error') continue;
      const isAnswer = 'http' in row && 'grpc' in row && 'retryable' in row;
      expect('exitCode' in row || isAnswer, code).toBe(true);
    }
  });

  it('has a row for every request rejection of the contract', () => {
    const rejections =
      'unauthenticated unsupported-media-type unsupported-encoding too-large malformed overload shutting-down';
    expect(Object.keys(errorTable)).toEqual(expect.arrayContaining(rejections.split(' ')));
  });

  it('names its codes in kebab case and begins no message with a capital', () => {
    for (const [code, { message }] of Object.entries(errorTable)) {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(message).toMatch(/^(?:[a-z{]|--|Retrial )/);
    }
  });

  it('fills the texts of a row, and leaves out a hint that is empty', () => {
    expect(createProblem('file-not-found', { file: 'a $& {hint}', hint: '' })).toEqual({
      severity: 'error',
      code: 'file-not-found',
      message: 'no such file or folder: a $& {hint}',
    });
    expect(createProblem('trace-not-found', { id: 'ab' }).hint).toContain('lists every trace');
  });
});
