/** The two encodings of OTLP/HTTP. */
export type BodyFormat = 'protobuf' | 'json';
export type BodyCoding = 'identity' | 'gzip' | 'deflate';

export const mediaTypes: Readonly<Record<BodyFormat, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/**
 * Format named by a Content-Type header (otlp.md H2–H4): case, spaces and parameters do not matter, a
 * charset other than UTF-8 does. `null` when it is missing, malformed or not OTLP.
 */
export function readBodyFormat(contentType: string | undefined): BodyFormat | null {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim());
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim().toLowerCase());
    if (name === 'charset' && !['utf-8', 'utf8'].includes(value.replace(/^"(.*)"$/, '$1')))
      return null;
  }
  switch (type.toLowerCase()) {
    case 'application/x-protobuf':
      return 'protobuf';
    case 'application/json':
      return 'json';
    default:
      return null;
  }
}

/**
 * Coding named by a Content-Encoding header (H5, H6): one coding at most, `identity` entries do not
 * count. `null` for an unknown coding and for a chain of them.
 */
export function readBodyCoding(contentEncoding: string | undefined): BodyCoding | null {
  const codings = (contentEncoding ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '' && part !== 'identity');
  if (codings.length > 1) return null;
  switch (codings[0]) {
    case undefined:
      return 'identity';
    case 'gzip':
    case 'x-gzip':
      return 'gzip';
    case 'deflate':
      return 'deflate';
    default:
      return null;
  }
}
