const slotCount = 512;
const maxProbes = 8;

/**
 * Gives every distinct attribute key of a batch a small integer, so that finding an attribute compares
 * integers and no string is made per span.
 *
 * A fixed open-addressing table serves the usual batch (a few dozen keys). Its hash samples few bytes
 * and can be made to collide on purpose; a key that finds no slot after `maxProbes` tries goes to a
 * `Map`, whose hash is seeded by the engine. The table never forgets, so a key that once overflowed
 * always does.
 */
export class KeyTable {
  /** Key id plus one per slot; 0 is free. */
  private readonly slots = new Int32Array(slotCount);
  /** The id that came after each id when it was seen last. */
  private readonly followers: number[] = [0];
  private lastId = 0;
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly texts: string[] = [];
  private readonly ids = new Map<string, number>();
  private readonly view: DataView;

  constructor(private readonly bytes: Buffer) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /**
   * The id of the key in `[start, end)`, new or known. Spans of one kind have their keys in one order,
   * so the key that followed the last one before is tried first.
   */
  intern(start: number, end: number): number {
    const guess = this.followers[this.lastId] ?? 0;
    if (guess < this.starts.length && this.holds(guess, start, end - start)) {
      this.lastId = guess;
      return guess;
    }
    const id = this.find(start, end);
    this.followers[this.lastId] = id;
    this.lastId = id;
    return id;
  }

  private find(start: number, end: number): number {
    const { bytes, slots } = this;
    const length = end - start;
    const sample =
      length === 0
        ? 0
        : Math.imul(bytes[end - 1] ?? 0, 0x9e3779b1) ^
          Math.imul(bytes[start + (length >> 1)] ?? 0, 0x85ebca6b) ^
          Math.imul(bytes[start + ((length * 3) >> 2)] ?? 0, 0xc2b2ae35) ^
          ((bytes[start] ?? 0) << 3);
    let hash = Math.imul(sample ^ Math.imul(length, 0x27d4eb2f), 0x165667b1);
    hash = (hash ^ (hash >>> 15)) & (slotCount - 1);
    for (let probe = 0; probe < maxProbes; probe += 1) {
      const index = (hash + probe) & (slotCount - 1);
      const id = (slots[index] ?? 0) - 1;
      if (id < 0) {
        slots[index] = this.starts.length + 1;
        return this.add(start, end);
      }
      if (this.holds(id, start, length)) return id;
    }
    return this.ids.get(bytes.toString('utf8', start, end)) ?? this.add(start, end);
  }

  /** The id of a key, or -1 when it was never interned. */
  idOf(key: string): number {
    return this.ids.get(key) ?? -1;
  }

  textOf(id: number): string {
    return this.texts[id] ?? '';
  }

  private add(start: number, end: number): number {
    const id = this.starts.push(start) - 1;
    const text = this.bytes.toString('utf8', start, end);
    this.ends.push(end);
    this.followers.push(0);
    this.texts.push(text);
    // Keys that differ in invalid UTF-8 only share a text; the first one answers to it.
    if (!this.ids.has(text)) this.ids.set(text, id);
    return id;
  }

  private holds(id: number, start: number, length: number): boolean {
    const known = this.starts[id] ?? 0;
    if ((this.ends[id] ?? 0) - known !== length) return false;
    const { view } = this;
    let index = 0;
    for (; index + 4 <= length; index += 4) {
      if (view.getInt32(known + index, true) !== view.getInt32(start + index, true)) return false;
    }
    for (; index < length; index += 1) {
      if (view.getUint8(known + index) !== view.getUint8(start + index)) return false;
    }
    return true;
  }
}
