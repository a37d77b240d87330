import type { JsonValue } from './json.js';

/** Thrown inside the JSON parsers only; their public functions turn it into a value. */
export class JsonFault {
  constructor(
    readonly message: string,
    readonly offset: number,
  ) {}
}

const quote = 0x22;
const backslash = 0x5c;
/** Converting digits to a bigint is slower than linear; no honest number comes near this. */
const maxIntegerLength = 1000;
const numberPattern = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Recursive-descent reader of JSON text; recursion is bounded by `maxDepth`. */
export class JsonReader {
  /** Members that a later member of the same name replaced. */
  duplicateKeys = 0;
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
  ) {}

  /** One value and nothing after it but white space. */
  readDocument(): JsonValue {
    if (this.text.charCodeAt(0) === 0xfeff) this.at = 1;
    const value = this.readValue(0);
    this.skipSpace();
    if (this.at < this.text.length) {
      this.fail(`unexpected ${this.seen()} after the end of the JSON value`);
    }
    return value;
  }

  private readValue(depth: number): JsonValue {
    this.skipSpace();
    switch (this.text[this.at]) {
      case '{':
        return this.readObject(this.deeper(depth));
      case '[':
        return this.readArray(this.deeper(depth));
      case '"':
        return this.readString();
      case 't':
        return this.readWord('true', true);
      case 'f':
        return this.readWord('false', false);
      case 'n':
        return this.readWord('null', null);
      default:
        return this.readNumber();
    }
  }

  private readObject(depth: number): JsonValue {
    const object: Record<string, JsonValue> = Object.create(null);
    this.at += 1;
    if (this.takes('}')) return object;
    do {
      this.skipSpace();
      if (this.text[this.at] !== '"') this.fail(`expected a key in quotes, saw ${this.seen()}`);
      const key = this.readString();
      this.expect(':', `after the key ${JSON.stringify(key.slice(0, 40))}`);
      const value = this.readValue(depth);
      if (key in object) this.duplicateKeys += 1;
      object[key] = value;
    } while (this.takes(','));
    this.expect('}', 'or "," in an object');
    return object;
  }

  private readArray(depth: number): JsonValue {
    const array: JsonValue[] = [];
    this.at += 1;
    if (this.takes(']')) return array;
    do {
      array.push(this.readValue(depth));
    } while (this.takes(','));
    this.expect(']', 'or "," in an array');
    return array;
  }

  private readString(): string {
    const { text } = this;
    const start = this.at + 1;
    let result = '';
    let runStart = start;
    for (let at = start; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === quote) {
        this.at = at + 1;
        return result + text.slice(runStart, at);
      }
      if (unit === backslash) {
        this.at = at;
        result += text.slice(runStart, at) + this.readEscape();
        at = this.at - 1;
        runStart = this.at;
      } else if (unit < 0x20) {
        this.at = at;
        this.fail('a control character inside a string must be escaped');
      }
    }
    this.at = text.length;
    return this.fail('the text ends inside a string');
  }

  /** The escape at the cursor, decoded; the cursor moves behind it. */
  private readEscape(): string {
    const letter = this.text[this.at + 1];
    if (letter === 'u') {
      const hex = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) this.fail('expected four hex digits after \\u');
      this.at += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const decoded = letter === undefined ? undefined : simpleEscapes[letter];
    if (decoded === undefined)
      return this.fail(`unknown escape ${this.text.slice(this.at, this.at + 2)}`);
    this.at += 2;
    return decoded;
  }

  private readWord<T extends boolean | null>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) {
      this.fail(`expected a JSON value, saw ${this.seen()}`);
    }
    this.at += word.length;
    return value;
  }

  private readNumber(): number | bigint {
    numberPattern.lastIndex = this.at;
    const match = numberPattern.exec(this.text);
    if (match === null) return this.fail(`expected a JSON value, saw ${this.seen()}`);
    const [literal, fraction, exponent] = match;
    const value = Number(literal);
    const isInteger = fraction === undefined && exponent === undefined;
    if (!isInteger && !Number.isFinite(value)) {
      this.fail(`the number ${literal.slice(0, 40)} is too large for a double`);
    }
    this.at += literal.length;
    if (!isInteger || Number.isSafeInteger(value)) return value;
    if (literal.length > maxIntegerLength) {
      this.fail(`an integer of ${literal.length} digits, more than ${maxIntegerLength}`);
    }
    return BigInt(literal);
  }

  private skipSpace(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.at += 1;
    }
  }

  private takes(mark: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== mark) return false;
    this.at += 1;
    return true;
  }

  private expect(mark: string, where: string): void {
    if (!this.takes(mark)) this.fail(`expected "${mark}" ${where}, saw ${this.seen()}`);
  }

  private deeper(depth: number): number {
    if (depth >= this.maxDepth) this.fail(`nested more than ${this.maxDepth} levels deep`);
    return depth + 1;
  }

  private seen(): string {
    const [unit] = this.text.slice(this.at, this.at + 2);
    return unit === undefined ? 'the end of the text' : JSON.stringify(unit);
  }

  private fail(message: string): never {
    throw new JsonFault(message, this.at);
  }
}
