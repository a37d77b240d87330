import { answerOf, type Message, toMessages, wordsOf } from './messages.js';
import { defined, threw, type Vocabulary } from './recording.js';

/** OpenInference: flattened messages (S9); tool spans carry no call ids. */
export const openInferenceVocabulary: Vocabulary = {
  name: 'openinference',
  tellsDelta: true,
  modelCall: ({ input, output, scope, stateful }) => ({
    name: 'ChatCompletion',
    scope: scope === 'sdk' ? 'openinference.instrumentation.openai' : scope,
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'scripted-1',
      'input.value': JSON.stringify(stateful ? { previous_response_id: 'resp_0' } : {}),
      ...flatten('llm.input_messages', toMessages(input)),
      ...flatten('llm.output_messages', toMessages(output)),
    },
  }),
  tool(tool) {
    const attributes = {
      'openinference.span.kind': 'TOOL',
      'tool.name': tool.name,
      'input.value': JSON.stringify(tool.args),
      'input.mime_type': 'application/json',
    };
    const span = { name: tool.name, scope: 'openinference' };
    if (tool.outcome === 'error') return { ...span, ...threw(tool, attributes) };
    const output = JSON.stringify(tool.result);
    return { ...span, attributes: { ...attributes, 'output.value': output } };
  },
  agent: (agent) => ({
    name: agent,
    scope: 'openinference',
    attributes: { 'openinference.span.kind': 'AGENT', 'agent.name': agent },
  }),
};

function flatten(prefix: string, messages: readonly Message[]): Readonly<Record<string, unknown>> {
  const entries = messages.flatMap((message, index) =>
    fieldsOf(message).map(([key, value]) => [`${prefix}.${index}.message.${key}`, value] as const),
  );
  // Attributes come in no order.
  return defined(Object.fromEntries(entries.toReversed()));
}

function fieldsOf(message: Message): readonly (readonly [string, unknown])[] {
  if (message.role === 'tool') {
    return [
      ['role', 'tool'],
      ['content', answerOf(message.result)],
      ['tool_call_id', message.result.callId],
    ];
  }
  const said: readonly (readonly [string, unknown])[] = [
    ['role', message.role],
    ['content', message.text === null ? undefined : wordsOf(message.text)],
  ];
  if (message.role === 'user') return said;
  const calls = message.calls.flatMap(({ callId, name, args }, index) => {
    const call = `tool_calls.${index}.tool_call`;
    return [
      [`${call}.id`, callId],
      [`${call}.function.name`, name],
      [`${call}.function.arguments`, JSON.stringify(args)],
    ] as const;
  });
  return [...said, ...calls];
}
