import { otlpJson } from './otlp-json.js';
import { otlpJsonLines } from './otlp-json-lines.js';
import { otlpProtobuf } from './otlp-protobuf.js';
import { otlpProtobufFramed } from './otlp-protobuf-framed.js';
import type { RecordingFormat } from './recording.js';

/** Every recorded format, in the order in which they are asked: what is surest to recognize first. */
export const recordingFormats: readonly RecordingFormat[] = [
  otlpJsonLines,
  otlpJson,
  otlpProtobufFramed,
  otlpProtobuf,
];
