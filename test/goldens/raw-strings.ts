import { fileURLToPath } from 'node:url';
import type { AttributeSource, Span } from '../../src/model/span.js';
import { loadRecording } from '../../src/pipeline/library.js';

/** Every text of a recording: names, attribute values, and the texts inside JSON text, at any depth. */
export class RawStrings {
  readonly #texts = new Set<string>();
  #joined: string | null = null;

  static async of(file: URL): Promise<RawStrings> {
    const raw = new RawStrings();
    const { spans } = await loadRecording(fileURLToPath(file));
    for (const span of spans) raw.#addSpan(span);
    return raw;
  }

  /** True when the text occurs in the recording, whole or as part of a longer one. */
  hold(text: string): boolean {
    if (this.#texts.has(text)) return true;
    this.#joined ??= [...this.#texts].join('\0');
    return this.#joined.includes(text);
  }

  #addSpan(span: Span): void {
    this.#texts.add(span.name).add(span.status.message);
    for (const source of [span, span.resource, span.scope, ...span.events()])
      this.#addSource(source);
  }

  #addSource(source: AttributeSource): void {
    for (const key of source.attributeKeys()) {
      for (const text of collectStrings(source.attribute(key))) this.#add(text);
    }
  }

  #add(text: string): void {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    for (const inner of collectStrings(parseLoosely(text))) this.#add(inner);
  }
}

/** All strings in a value, numbers and keys included as text. */
export function collectStrings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(collectStrings);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...collectStrings(item)]);
}

function parseLoosely(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
