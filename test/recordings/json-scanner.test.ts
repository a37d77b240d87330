import { fc, test } from '@fast-check/vitest';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { isWholeObject, looksLikeJson } from '../../src/recordings/json-scanner.js';
import { startsWithResourceSpans } from '../../src/recordings/otlp-protobuf.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('telling JSON from protobuf', () => {
  it('sees JSON behind a byte order mark and any white space', () => {
    for (const start of ['', '\ufeff', '\n', '\r\n\r\n', '\ufeff \n\t']) {
      for (const text of [
        '{}',
        '[]',
        '{"a":1}',
        '[\n{"a":1}]',
        '{\n  "resourceSpans": []}',
        '[[]]',
      ]) {
        expect(looksLikeJson(bytes(start + text)), JSON.stringify(start + text)).toBe(true);
      }
    }
  });

  it('sees no JSON in other text', () => {
    for (const text of ['', 'hello', '<a/>', '{1', '["a"]', '{a:1}', '2024 {"a":1}']) {
      expect(looksLikeJson(bytes(text)), text).toBe(false);
    }
  });

  const anyValue = fc.string({ unit: 'binary', maxLength: 200 });
  test.prop([fc.array(fc.tuple(anyValue, anyValue), { maxLength: 4 }), anyValue])(
    'never takes a protobuf body for JSON, whatever its lengths are',
    (attributes, schemaUrl) => {
      const resource = protobuf.Writer.create();
      for (const [key, value] of attributes) {
        resource.uint32(10).fork().uint32(10).string(key);
        resource.uint32(18).fork().uint32(10).string(value).ldelim().ldelim();
      }
      const body = protobuf.Writer.create().uint32(10).fork();
      body.uint32(10).bytes(resource.finish()).uint32(26).string(schemaUrl);
      const encoded = body.ldelim().finish();
      expect(startsWithResourceSpans(encoded)).toBe(true);
      expect(looksLikeJson(encoded)).toBe(false);
    },
  );
});

describe('finding the end of an object', () => {
  test.prop([fc.json().filter((text) => text.startsWith('{')), fc.nat()])(
    'an object is whole as it is, and is not once its end is cut off',
    (text, cut) => {
      const whole = bytes(text);
      expect(isWholeObject(whole)).toBe(true);
      expect(isWholeObject(whole.subarray(0, cut % whole.length))).toBe(false);
    },
  );
});
