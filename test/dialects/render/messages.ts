import type { Atom, CallAtom, ResultAtom, TextAtom } from '../../../src/model/fact.js';

/** One message as an SDK would send it: what a person said, what the model said and called, an answer. */
export type Message =
  | { readonly role: 'user'; readonly text: TextAtom }
  | {
      readonly role: 'assistant';
      readonly text: TextAtom | null;
      readonly calls: readonly CallAtom[];
    }
  | { readonly role: 'tool'; readonly result: ResultAtom };

/** The atoms of a plan as messages: a text opens a message of the assistant, calls belong to it. */
export function toMessages(atoms: readonly Atom[]): readonly Message[] {
  const messages: Message[] = [];
  for (const atom of atoms) {
    if (atom.kind === 'result') messages.push({ role: 'tool', result: atom });
    if (atom.kind === 'text' && atom.role === 'user') messages.push({ role: 'user', text: atom });
    if (atom.kind === 'text' && atom.role === 'assistant') {
      messages.push({ role: 'assistant', text: atom, calls: [] });
    }
    if (atom.kind !== 'call') continue;
    const last = messages.at(-1);
    if (last?.role === 'assistant') {
      messages[messages.length - 1] = { ...last, calls: [...last.calls, atom] };
    } else {
      messages.push({ role: 'assistant', text: null, calls: [atom] });
    }
  }
  return messages;
}

/** A text as written down; a cut one says so, as instrumentations do that cut. */
export function wordsOf({ text, state }: TextAtom): string {
  return state === 'truncated' ? markCut(text) : text;
}

/** A result as the model gets it: text as it is, anything else as JSON text. */
export function answerOf({ result, state }: ResultAtom): string {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return state === 'truncated' ? markCut(text) : text;
}

function markCut(text: string): string {
  return `${text.replace(/…$/, '')}... [TRUNCATED]`;
}
