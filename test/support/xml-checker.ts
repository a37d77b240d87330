/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/**
 * A small strict reader for the XML that reports use: declaration, elements, quoted attributes, numeric
 * character references, text. Throws on anything else, on mismatched tags, repeated attributes, and on
 * characters that XML 1.0 forbids.
 */
export function parseXml(text: string): XmlElement {
  const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text);
  if (forbidden !== null) throw new Error(`forbidden character at ${forbidden.index}`);
  let rest = text;
  take(/^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/);
  const root = readElement();
  take(/^\s*$/);
  return root;

  function take(pattern: RegExp): RegExpExecArray {
    const match = pattern.exec(rest);
    if (match === null) throw new Error(`expected ${pattern} at: ${rest.slice(0, 60)}`);
    rest = rest.slice(match[0].length);
    return match;
  }

  function readElement(): XmlElement {
    const name = take(/^<([A-Za-z][\w-]*)/)[1] ?? '';
    const attributes: Record<string, string> = {};
    while (/^\s+[A-Za-z]/.test(rest)) {
      const [, key = '', value = ''] = take(/^\s+([A-Za-z][\w-]*)="([^"<]*)"/);
      if (Object.hasOwn(attributes, key)) throw new Error(`attribute ${key} twice`);
      attributes[key] = decode(value);
    }
    if (take(/^\s*(\/?)>/)[1] === '/') return { name, attributes, children: [], text: '' };
    const children: XmlElement[] = [];
    let content = '';
    while (!rest.startsWith('</')) {
      if (rest.startsWith('<')) children.push(readElement());
      else content += decode(take(/^[^<]+/)[0]);
    }
    const closing = take(/^<\/([\w-]+)\s*>/)[1];
    if (closing !== name) throw new Error(`${name} closed by ${closing}`);
    return { name, attributes, children, text: content };
  }
}

function decode(text: string): string {
  if (/&(?!#\d+;)/.test(text)) throw new Error(`bare & in ${text}`);
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
