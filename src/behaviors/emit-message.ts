import type { TextAtom } from '../model/fact.js';
import type { JsonValue } from '../util/json.js';
import { isJsonArray, isJsonObject } from '../util/json-text.js';
import { agentOf, baseBehavior, type EmitContext, type Emitted } from './emit-context.js';
import { type Form, isHidden, roleClass } from './form.js';
import type { Entry } from './transcript.js';

/** A message: of user, assistant or someone else, a summary of older messages, or a notice. */
export function emitMessage(entry: Entry, at: bigint, context: EmitContext): readonly Emitted[] {
  const { form } = entry;
  if (form.is('notice')) {
    const { content, state } = form.atom;
    const informs = baseBehavior(
      entry,
      at,
      { actor: 'system', action: 'informs' },
      { content: state },
    );
    return [isHidden(state) ? informs : { ...informs, content }];
  }
  if (!form.is('text')) return [];
  if (entry.isCompaction) {
    const act = { actor: 'system', action: 'informs' };
    return [
      withText(
        baseBehavior(entry, at, act, { inferred: 'a summary in place of older messages' }),
        form.atom,
      ),
    ];
  }
  const caller = context.delegations.get(entry.invocation);
  if (caller !== undefined && roleClass(form.atom.role) === 'user') {
    return isCarriedBy(caller.entry.form, form.plain.text)
      ? []
      : [
          withText(
            {
              ...baseBehavior(entry, at, { actor: 'assistant', action: 'says' }),
              ...agentOf(caller.entry),
            },
            form.atom,
          ),
        ];
  }
  const message = withText(baseBehavior(entry, at, actOf(form.atom.role)), form.atom);
  const isOfAgent = form.atom.role === 'assistant' || caller !== undefined;
  return [isOfAgent ? { ...message, ...agentOf(entry) } : message];
}

function withText(behavior: Emitted, atom: TextAtom): Emitted {
  const evidence = { ...behavior.evidence, content: atom.state };
  return isHidden(atom.state)
    ? { ...behavior, evidence }
    : { ...behavior, content: atom.value ?? atom.text, evidence };
}

/** Base acts (semantics A1). */
function actOf(role: TextAtom['role']): { actor: string; action: string } {
  switch (role) {
    case 'user':
      return { actor: 'user', action: 'says' };
    case 'assistant':
      return { actor: 'assistant', action: 'responds' };
    case 'tool':
      return { actor: 'tool', action: 'responds' };
    case 'system':
    case 'human':
    case 'external':
      return { actor: role, action: 'informs' };
  }
}

/** The delegating call's arguments hold the prompt, or the prompt is made of them. */
function isCarriedBy(call: Form, prompt: string): boolean {
  if (!call.is('call') || call.atom.args === undefined) return false;
  return textsIn(call.atom.args).some((text) => {
    const plain = text.replace(/\s+/g, ' ').trim();
    return plain !== '' && (prompt.includes(plain) || plain.includes(prompt));
  });
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isJsonArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
