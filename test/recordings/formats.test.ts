import { describe, expect, it } from 'vitest';
import { otlpJson } from '../../src/recordings/otlp-json.js';
import { otlpJsonLines } from '../../src/recordings/otlp-json-lines.js';
import { otlpProtobuf } from '../../src/recordings/otlp-protobuf.js';
import { otlpProtobufFramed } from '../../src/recordings/otlp-protobuf-framed.js';
import { defaultRecordingLimits, type RecordingFormat } from '../../src/recordings/recording.js';
import { collectAll, inChunks } from '../support/chunks.js';

/** Every piece as `kind where payload`; the same for every way to cut the stream. */
async function piecesOf(
  format: RecordingFormat,
  input: string | Uint8Array,
  limits = defaultRecordingLimits,
): Promise<string[]> {
  const bytes = Buffer.from(input);
  const cuts = await Promise.all(
    [1, 3, 7, 64, 1 << 20].map((size) => describePieces(format, inChunks(bytes, size), limits)),
  );
  for (const cut of cuts) expect(cut).toEqual(cuts[0]);
  return cuts[0] ?? [];
}

async function describePieces(
  format: RecordingFormat,
  chunks: AsyncIterable<Uint8Array>,
  limits: typeof defaultRecordingLimits,
): Promise<string[]> {
  const pieces = await collectAll(format.pieces(chunks, limits));
  return pieces.map((piece) => {
    if (piece.kind === 'json') return `json ${piece.where}: ${Buffer.from(piece.text)}`;
    if (piece.kind === 'protobuf') return `protobuf ${piece.where}: ${hex(piece.bytes)}`;
    return piece.kind === 'unreadable'
      ? `unreadable ${piece.where}: ${piece.detail}`
      : `${piece.kind} ${piece.where}`;
  });
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

describe('JSON lines', () => {
  it('are cut at line breaks; blank lines, CRLF and a byte order mark say nothing', async () => {
    const text = '\ufeff{"a":1}\r\n\r\n  \n{"b":2}\n{"c":3}';
    expect(await piecesOf(otlpJsonLines, text)).toEqual([
      'json line 1: {"a":1}\r',
      'json line 4: {"b":2}',
      'json line 5: {"c":3}',
    ]);
  });

  it('a last line that never closes is cut, a broken one in the middle is handed on', async () => {
    expect(await piecesOf(otlpJsonLines, '{"a":1}\n{"b"\n{"c":{"d":"}')).toEqual([
      'json line 1: {"a":1}',
      'json line 2: {"b"',
      'cut line 3',
    ]);
  });

  it('a last line is cut at whatever byte it ends, multi-byte characters included', async () => {
    const last = Buffer.from('{"text":"größe 🙂 \\" }","n":[{}]}');
    for (let end = 1; end < last.length; end++) {
      const text = Buffer.concat([Buffer.from('{"a":1}\n'), last.subarray(0, end)]);
      expect(await piecesOf(otlpJsonLines, text)).toEqual(['json line 1: {"a":1}', 'cut line 2']);
    }
  });

  it('a line over the limit is passed over and the next one is read', async () => {
    const text = `{"a":"${'x'.repeat(100)}"}\n{"b":2}\n`;
    expect(await piecesOf(otlpJsonLines, text, { maxValueBytes: 50 })).toEqual([
      'tooLarge line 1',
      'json line 2: {"b":2}',
    ]);
  });

  it('are told from a document over several lines', () => {
    const detects = (text: string, isWhole = true): boolean =>
      otlpJsonLines.detects({ bytes: Buffer.from(text), isWhole });
    expect(detects('{"resourceSpans":[]}')).toBe(true);
    expect(detects('{"resourceSpans":[]}\n{"resourceLogs":[]}\n')).toBe(true);
    expect(detects('{"resourceSpans":[{"a', false)).toBe(true);
    expect(detects('{"resourceSp\n{"resourceSpans":[]}\n')).toBe(true);
    expect(detects('{\n  "resourceSpans": []\n}')).toBe(false);
    expect(detects('{"resourceSpans":[\n{"resource":{}}\n]}')).toBe(false);
    expect(detects('[{"resourceSpans":[]}]')).toBe(false);
  });
});

describe('JSON documents', () => {
  it('every outermost object is a piece: one, several, or in an array', async () => {
    const first = '{\n "a": "}{\\""\n}';
    expect(await piecesOf(otlpJson, first)).toEqual([
      `json the document that begins in line 1: ${first}`,
    ]);
    const both = ['json the document that begins in line 1: {"a":1}'];
    expect(await piecesOf(otlpJson, '{"a":1}{"b":2}')).toEqual([
      ...both,
      'json the document that begins in line 1: {"b":2}',
    ]);
    expect(await piecesOf(otlpJson, '\ufeff[{"a":1},\r\n {"b":2}\n]\n')).toEqual([
      ...both,
      'json the document that begins in line 2: {"b":2}',
    ]);
  });

  it('a document that never closes is cut, with the lines it begins and ends in', async () => {
    expect(await piecesOf(otlpJson, '{"a":1}\n{\n"b": [\n')).toEqual([
      'json the document that begins in line 1: {"a":1}',
      'cut the document that begins in line 2, at line 4',
    ]);
  });

  it('text between documents is told once, and a document over the limit is passed over', async () => {
    const text = `{"a":1} oops, this\n{"b":"${'x'.repeat(99)}"}{"c":3}`;
    expect(await piecesOf(otlpJson, text, { maxValueBytes: 60 })).toEqual([
      'json the document that begins in line 1: {"a":1}',
      'unreadable line 1: text outside of a JSON object',
      'tooLarge the document that begins in line 2',
      'json the document that begins in line 2: {"c":3}',
    ]);
  });
});

describe('protobuf', () => {
  // Two messages in a row, an unknown varint field 3, fixed32 field 4 and fixed64 field 5 between them.
  const stream = Buffer.from(
    '0a020a00' + '1801' + '2500000000' + '290000000000000000' + '0a021200',
    'hex',
  );

  it('every ResourceSpans is a piece, other fields are passed over', async () => {
    expect(await piecesOf(otlpProtobuf, stream)).toEqual([
      'protobuf the message at byte 0: 0a020a00',
      'protobuf the message at byte 20: 0a021200',
    ]);
  });

  it('says where it breaks off, at whatever byte', async () => {
    for (let end = 21; end < stream.length; end++) {
      expect(await piecesOf(otlpProtobuf, stream.subarray(0, end))).toEqual([
        'protobuf the message at byte 0: 0a020a00',
        'cut the message at byte 20',
      ]);
    }
  });

  it('stops at bytes that are no field, and passes over a message beyond the limit', async () => {
    expect(await piecesOf(otlpProtobuf, Buffer.from('0a020a000b', 'hex'))).toEqual([
      'protobuf the message at byte 0: 0a020a00',
      'unreadable the message at byte 4: no protobuf field',
    ]);
    const long = Buffer.concat([Buffer.from('0ac801', 'hex'), Buffer.alloc(200), stream]);
    expect(await piecesOf(otlpProtobuf, long, { maxValueBytes: 100 })).toEqual([
      'tooLarge the message at byte 0',
      'protobuf the message at byte 203: 0a020a00',
      'protobuf the message at byte 223: 0a021200',
    ]);
  });

  it('with length prefixes: every message is a piece, a prefix or message may be cut', async () => {
    const framed = Buffer.from('000000040a020a00' + '00000000' + '000000040a021200', 'hex');
    expect(otlpProtobufFramed.detects({ bytes: framed, isWhole: true })).toBe(true);
    expect(otlpProtobuf.detects({ bytes: framed, isWhole: true })).toBe(false);
    expect(await piecesOf(otlpProtobufFramed, framed)).toEqual([
      'protobuf message 1: 0a020a00',
      'protobuf message 2: ',
      'protobuf message 3: 0a021200',
    ]);
    for (let end = 13; end < framed.length; end++) {
      const pieces = await piecesOf(otlpProtobufFramed, framed.subarray(0, end));
      expect(pieces.slice(2)).toEqual(['cut message 3']);
    }
  });
});
