/** What a body that is not what it should be looks like by its first bytes; empty when nothing is known. */
function bodyHint(body: Uint8Array): string {
  const [first, second] = body;
  if (first === 0x1f && second === 0x8b) {
    return '; it looks like gzip: send it with Content-Encoding: gzip, or unpack it first';
  }
  if (first === 0x28 && second === 0xb5) return '; it looks like zstd: unpack it first';
  const isUtf16Mark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const isUtf16Brace = (first === 0x7b && second === 0) || (first === 0 && second === 0x7b);
  if (isUtf16Mark || isUtf16Brace) return '; it looks like UTF-16: OTLP/JSON is UTF-8';
  return '';
}

/** The same for a body that was read as protobuf. */
export function protobufHint(body: Uint8Array): string {
  const hint = bodyHint(body);
  if (hint !== '' || (body[0] !== 0x7b && body[0] !== 0x5b)) return hint;
  return '; it looks like JSON: send it with Content-Type: application/json';
}

/** The same for a body that was read as JSON. A protobuf request begins with 0x0a and a length. */
export function jsonHint(body: Uint8Array): string {
  const hint = bodyHint(body);
  const isText = body.subarray(1, 64).every((byte) => byte >= 0x20 || (byte >= 9 && byte <= 13));
  if (hint !== '' || body[0] !== 0x0a || isText) return hint;
  return '; it looks like protobuf: send it with Content-Type: application/x-protobuf';
}
