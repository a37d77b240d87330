import type { Atom } from '../model/fact.js';
import { readMessages } from './messages/index.js';
import type { OtelMessages } from './otel-messages.js';
import { isArray, isObject, stringField } from './shape.js';
import type { ReadContext } from './values.js';
import { parseStructure } from './values.js';

/**
 * The JavaScript instrumentation of the Responses API writes the whole input list as the text of one
 * user message. Such a text, alone in its input and a list of messages or items itself, is opened.
 */
export function unwrapResponsesInput(messages: OtelMessages, context: ReadContext): OtelMessages {
  const [only, ...others] = messages.input.atoms;
  const list = only === undefined || others.length > 0 ? undefined : listIn(only);
  if (list === undefined) return messages;
  return { ...messages, input: readMessages(list, 'user', context, 'gen_ai.input.messages') };
}

function listIn(atom: Atom): string | undefined {
  if (atom.kind !== 'text' || atom.role !== 'user') return undefined;
  const list = parseStructure(atom.text);
  if (!isArray(list) || list.length === 0) return undefined;
  const isList = list.every(
    (item) => isObject(item) && stringField(item, 'role', 'type') !== undefined,
  );
  return isList ? atom.text : undefined;
}
