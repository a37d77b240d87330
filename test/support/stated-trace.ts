import { reconstructUnit } from '../../src/behaviors/reconstruct-unit.js';
import { dialects } from '../../src/dialects/index.js';
import type { Unit } from '../../src/model/behavior.js';
import { encodeJsonTraces } from '../../src/otlp/json-to-protobuf.js';
import { indexTraces } from '../../src/otlp/span-index.js';
import type { JsonObject } from '../../src/util/json.js';
import { parseJson } from '../../src/util/json-parse.js';
import { canonicalJson, isJsonArray, isJsonObject } from '../../src/util/json-text.js';
import { requestJson, type TestSpan, testTraceId } from './otlp.js';

const rootId = 'f000000000000000';

/**
 * The unit that a trace of native spans gives (contract.md §8): a root, and one child for each Behavior of
 * the JSON list. The whole way is taken, from the bytes of an OTLP request.
 */
export function readTrace(json: string): Unit {
  const parsed = parseJson(json);
  if (!parsed.ok || !isJsonArray(parsed.value)) throw new Error('expected a JSON list');
  const children = parsed.value.map((behavior, index): TestSpan => {
    if (!isJsonObject(behavior)) throw new Error('a Behavior is an object');
    const spanId = (index + 1).toString(16).padStart(16, '0');
    const startMs = 10 * (index + 1);
    return { spanId, parentSpanId: rootId, startMs, attributes: attributesOf(behavior) };
  });
  const root = { spanId: rootId, name: 'run', startMs: 0, endMs: 10 * (children.length + 2) };
  const encoded = encodeJsonTraces(JSON.stringify(requestJson([root, ...children])));
  if (encoded.kind !== 'ok') throw new Error(encoded.message);
  const indexed = indexTraces(encoded.bytes);
  if (indexed.kind !== 'ok') throw new Error(indexed.message);
  const traces = [{ traceId: testTraceId, spans: [...indexed.batch] }];
  return reconstructUnit({ id: testTraceId, kind: 'trace', traces }, dialects);
}

function attributesOf({ actor, action, target, content, with: args }: JsonObject) {
  return {
    'abs.actor': String(actor),
    ...(typeof action === 'string' && { 'abs.action': action }),
    ...(typeof target === 'string' && { 'abs.target': target }),
    ...(typeof content === 'string' && { 'abs.content': content }),
    ...(content !== undefined &&
      typeof content !== 'string' && { 'abs.content.json': canonicalJson(content) }),
    ...(args !== undefined && { 'abs.with.json': canonicalJson(args) }),
  };
}
