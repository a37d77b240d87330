import type { Atom, CallAtom } from '../../../src/model/fact.js';
import { answerOf, type Message, toMessages, wordsOf } from './messages.js';
import { otelVocabulary } from './otel-genai.js';
import { defined, threw, type Vocabulary } from './recording.js';

const otel = otelVocabulary('otel-genai', 'framework', (value) => value && JSON.stringify(value));

/** The AI SDK 5 and 6: spans `ai.*` with model messages (S7). */
export const aiSdkVocabulary: Vocabulary = {
  name: 'ai-sdk',
  tellsDelta: false,
  modelCall(call) {
    // Whoever else records the SDK's model calls does not write its attributes.
    if (call.scope !== 'sdk') return otel.modelCall(call);
    return {
      name: 'ai.generateText.doGenerate',
      scope: 'ai',
      attributes: defined({
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.prompt.messages': JSON.stringify(toMessages(call.input).map(modelMessage)),
        'ai.response.text': textOf(call.output),
        'ai.response.toolCalls': callsOf(call.output),
      }),
    };
  },
  tool(tool) {
    const attributes = defined({
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': tool.name,
      'ai.toolCall.id': tool.callId,
      'ai.toolCall.args': JSON.stringify(tool.args),
    });
    const span = { name: 'ai.toolCall', scope: 'ai' };
    if (tool.outcome === 'error') return { ...span, ...threw(tool, attributes) };
    const result = JSON.stringify(tool.result);
    return { ...span, attributes: { ...attributes, 'ai.toolCall.result': result } };
  },
  agent: (agent) => ({
    name: 'ai.generateText',
    scope: 'ai',
    attributes: { 'ai.operationId': 'ai.generateText', 'ai.telemetry.functionId': agent },
  }),
};

function modelMessage(message: Message): unknown {
  if (message.role === 'tool') {
    const { name, callId, isError, state, result } = message.result;
    const isText = typeof result === 'string' || state === 'truncated';
    const type = isText ? (isError ? 'error-text' : 'text') : 'json';
    const output = { type, value: isText ? answerOf(message.result) : result };
    const part = defined({ type: 'tool-result', toolCallId: callId, toolName: name, output });
    return { role: 'tool', content: [part] };
  }
  const said = message.text === null ? [] : [{ type: 'text', text: wordsOf(message.text) }];
  if (message.role === 'user') return { role: 'user', content: said };
  const calls = message.calls.map(({ callId, name, args }) =>
    defined({ type: 'tool-call', toolCallId: callId, toolName: name, input: args }),
  );
  return { role: 'assistant', content: [...said, ...calls] };
}

function textOf(output: readonly Atom[]): string | undefined {
  const texts = output.flatMap((atom) => (atom.kind === 'text' ? [wordsOf(atom)] : []));
  return texts.length === 0 ? undefined : texts.join('');
}

function callsOf(output: readonly Atom[]): string | undefined {
  const calls = output.filter((atom): atom is CallAtom => atom.kind === 'call');
  if (calls.length === 0) return undefined;
  return JSON.stringify(
    calls.map(({ callId, name, args }) =>
      defined({ toolCallId: callId, toolName: name, input: JSON.stringify(args) }),
    ),
  );
}
