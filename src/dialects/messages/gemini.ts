import type { Atom } from '../../model/fact.js';
import type { JsonObject } from '../../util/json.js';
import { field, objectField, stringField } from '../shape.js';
import { callAtoms, type MessageContext, resultAtoms, textAtoms } from './atoms.js';

/** S5, a Gemini part (`{text}`, `{functionCall}`, `{function_response}` …); `undefined` if it is none. */
export function readGeminiPart(
  part: JsonObject,
  message: MessageContext,
): readonly Atom[] | undefined {
  if (field(part, 'thought') === true) return [];
  const call = objectField(part, 'functionCall', 'function_call');
  if (call !== undefined) return callAtoms(call, message);
  const response = objectField(part, 'functionResponse', 'function_response');
  if (response !== undefined) {
    return resultAtoms(
      {
        callId: stringField(response, 'id'),
        name: stringField(response, 'name'),
        raw: field(response, 'response'),
      },
      message,
    );
  }
  const text = field(part, 'text');
  return typeof text === 'string' ? textAtoms(text, message) : undefined;
}
