import type { Atom } from '../../../src/model/fact.js';
import { answerOf, type Message, toMessages, wordsOf } from './messages.js';
import { defined, type PlannedModelCall, threw, type Vocabulary } from './recording.js';

/** S1, messages of the OTel GenAI convention. */
export function otelMessages(atoms: readonly Atom[]): readonly unknown[] {
  return toMessages(atoms).map((message) => ({ role: message.role, parts: partsOf(message) }));
}

/** The output as one message of choice 0; `undefined` where nothing was said. */
export function otelOutput(atoms: readonly Atom[]): readonly unknown[] | undefined {
  const parts = toMessages(atoms).flatMap(partsOf);
  return parts.length === 0 ? undefined : [{ role: 'assistant', parts, finish_reason: 'stop' }];
}

function partsOf(message: Message): readonly unknown[] {
  if (message.role === 'tool') {
    const { callId, state, result } = message.result;
    const response = state === 'truncated' ? answerOf(message.result) : result;
    return [defined({ type: 'tool_call_response', id: callId, response })];
  }
  const said = message.text === null ? [] : [{ type: 'text', content: wordsOf(message.text) }];
  if (message.role === 'user') return said;
  const calls = message.calls.map(({ callId, name, args }) =>
    defined({ type: 'tool_call', id: callId, name, arguments: args }),
  );
  return [...said, ...calls];
}

/** `write` decides how messages stand in an attribute: as JSON text or as a structured value. */
export function otelVocabulary(
  name: string,
  scope: string,
  write: (value: readonly unknown[] | undefined) => unknown,
): Vocabulary {
  return {
    name,
    tellsDelta: true,
    modelCall: (call) => ({
      name: 'chat scripted-1',
      scope: call.scope === 'sdk' ? scope : call.scope,
      kind: 3,
      attributes: modelAttributes(call, write),
    }),
    tool(tool) {
      const attributes = defined({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool.name,
        'gen_ai.tool.call.id': tool.callId,
        'gen_ai.tool.call.arguments': JSON.stringify(tool.args),
      });
      const span = { name: `execute_tool ${tool.name}`, scope };
      if (tool.outcome === 'error') return { ...span, ...threw(tool, attributes) };
      const result = JSON.stringify(tool.result);
      return { ...span, attributes: { ...attributes, 'gen_ai.tool.call.result': result } };
    },
    agent: (agent) => ({
      name: `invoke_agent ${agent}`,
      scope,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agent },
    }),
  };
}

function modelAttributes(
  call: PlannedModelCall,
  write: (value: readonly unknown[] | undefined) => unknown,
) {
  return defined({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'scripted-1',
    'gen_ai.input.messages': write(otelMessages(call.input)),
    'gen_ai.output.messages': write(otelOutput(call.output)),
    'gen_ai.request.previous_response.id': call.stateful ? 'resp_0' : undefined,
  });
}
