/**
 * Text for XML 1.0: markup characters escaped, characters that XML cannot hold left out (controls,
 * lone surrogates, U+FFFE, U+FFFF). Line breaks are escaped too, because attributes would lose them.
 */
export function xmlText(text: string): string {
  return text.replace(illegal, '').replace(/[&<>"'\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
}

// Control characters but for tab, line feed, carriage return and C1; halves of surrogate pairs.
const illegal = /[^\P{Cc}\t\n\r\u007f-\u009f]|[\p{Surrogate}\ufffe\uffff]/gu;
