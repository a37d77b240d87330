import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

export interface SignableRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * The headers that sign a request for an AWS service (Signature Version 4): those given, `x-amz-date`,
 * the session token if there is one, and `authorization`. `atMs` counts from the Unix epoch.
 */
export function signRequest(
  request: SignableRequest,
  scope: { readonly region: string; readonly service: string },
  credentials: AwsCredentials,
  atMs: number,
): Readonly<Record<string, string>> {
  const stamp = new Date(atMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = stamp.slice(0, 8);
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-date': stamp,
    ...(credentials.sessionToken !== null && { 'x-amz-security-token': credentials.sessionToken }),
  };
  const signed = Object.entries({ ...headers, host: request.url.host })
    .map(([name, value]): [string, string] => [
      name.toLowerCase(),
      value.trim().replace(/ +/g, ' '),
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    canonicalPath(request.url),
    canonicalQuery(request.url),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256(request.body),
  ].join('\n');
  const range = `${day}/${scope.region}/${scope.service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', stamp, range, sha256(canonical)].join('\n');
  const key = [day, scope.region, scope.service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hmac(key, toSign).toString('hex');
  const credential = `${credentials.accessKeyId}/${range}`;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** Every segment of the path as sent is encoded once more; S3 alone does without. */
function canonicalPath(url: URL): string {
  return url.pathname.split('/').map(encodeStrictly).join('/');
}

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .sort()
    .join('&');
}

function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
