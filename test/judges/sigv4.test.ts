import { describe, expect, it } from 'vitest';
import { signRequest } from '../../src/judges/sigv4.js';

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
};
const atMs = Date.UTC(2015, 7, 30, 12, 36);

function signatureOf(url: string, service: string, headers: Record<string, string> = {}) {
  const request = { method: 'GET', url: new URL(url), headers, body: new Uint8Array(0) };
  const signed = signRequest(request, { region: 'us-east-1', service }, credentials, atMs);
  return signed.authorization;
}

describe('Signature Version 4', () => {
  // Published by AWS: the test suite of the signing process, and the worked example of its manual.
  it.each([
    [
      'get-vanilla',
      signatureOf('https://example.amazonaws.com/', 'service'),
      'host;x-amz-date',
      '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    ],
    [
      'ListUsers',
      signatureOf('https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08', 'iam', {
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      }),
      'content-type;host;x-amz-date',
      '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    ],
  ])('%s', (_, authorization, names, signature) => {
    expect(authorization).toContain(`SignedHeaders=${names}, Signature=${signature}`);
  });

  it('signs a session token', () => {
    const request = {
      method: 'POST',
      url: new URL('https://h.example/'),
      headers: {},
      body: Buffer.from('{}'),
    };
    const scope = { region: 'eu-central-1', service: 'bedrock' };
    const signed = signRequest(request, scope, { ...credentials, sessionToken: 'token' }, atMs);
    expect(signed['x-amz-security-token']).toBe('token');
    expect(signed.authorization).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,');
  });
});
