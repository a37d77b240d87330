import type { Resource, Scope } from '../model/span.js';
import { decodeText, type TextCounters } from './any-value.js';
import { AttributeBag } from './attribute-bag.js';
import { resourceSpansTag, resourceTag, scopeSpansTag, scopeTag } from './field-tags.js';
import { messageField } from './message-fields.js';
import { WireReader } from './wire-reader.js';

/** The resource of the ResourceSpans message `[start, end)`. */
export function viewResource(
  bytes: Buffer,
  start: number,
  end: number,
  counters: TextCounters,
): Resource {
  const message = messageField(bytes, start, end, resourceSpansTag.resource);
  return new AttributeBag(
    message.bytes,
    message.start,
    message.end,
    resourceTag.attributes,
    counters,
  );
}

/** The instrumentation scope of the ScopeSpans message `[start, end)`. */
export function viewScope(
  bytes: Buffer,
  start: number,
  end: number,
  counters: TextCounters,
): Scope {
  const message = messageField(bytes, start, end, scopeSpansTag.scope);
  return new ScopeView(message.bytes, message.start, message.end, counters);
}

class ScopeView extends AttributeBag implements Scope {
  readonly name: string;
  readonly version: string;

  constructor(bytes: Buffer, start: number, end: number, counters: TextCounters) {
    super(bytes, start, end, scopeTag.attributes, counters);
    let name = '';
    let version = '';
    const reader = new WireReader(bytes, start, end);
    while (reader.at < reader.end) {
      const tag = reader.readTag();
      if (tag !== scopeTag.name && tag !== scopeTag.version) {
        reader.skip(tag);
        continue;
      }
      const fieldEnd = reader.readLength();
      const text = decodeText(bytes, reader.at, fieldEnd, counters);
      if (tag === scopeTag.name) name = text;
      else version = text;
      reader.at = fieldEnd;
    }
    this.name = name;
    this.version = version;
  }
}
