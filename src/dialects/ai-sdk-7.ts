import type { Dialect, Fact } from '../model/fact.js';
import { callsFirst } from './ai-sdk.js';
import { agentFact, type Origin, otherFact } from './facts.js';
import { readOtelModelCall } from './otel-genai.js';
import { readOtelMessages } from './otel-messages.js';
import { readOtelTool } from './otel-tool.js';
import { SpanReading } from './span-reading.js';

const dialect = 'ai-sdk-7';

/**
 * Vercel AI SDK 7, scope `gen_ai` (dialects.md §2.4): the OTel convention with habits of its own.
 *
 * `step N` spans (operation `agent_step`) are plain parents. The output of a run is one message with
 * its last text first. A tool that was refused answers `{denied: true, reason}`. A request for
 * approval keeps only its type on model calls; it is tied to the open calls in their order. A tool
 * that threw has an exception; status ERROR beside a result is the error of an earlier tool.
 */
export const aiSdk7: Dialect = {
  name: dialect,
  detects: (span) => span.scope.name === 'gen_ai' && operations.has(operation(span.attribute(key))),
  read(span) {
    const reading = new SpanReading(span, { deniedResults: true });
    const origin: Origin = { dialect, agentName: reading.text('gen_ai.agent.name') };
    return [
      readers[operation(span.attribute(key))]?.(reading, origin) ?? otherFact(reading, origin),
    ];
  },
};

type Reader = (reading: SpanReading, origin: Origin) => Fact;

const key = 'gen_ai.operation.name';

const readers: Readonly<Record<string, Reader>> = {
  chat: readOtelModelCall,
  execute_tool: (reading, origin) => readOtelTool(reading, origin, { statusLies: true }),
  invoke_agent(reading, origin) {
    const { system, input, output } = readOtelMessages(reading);
    const atoms = [...system.atoms, ...input.atoms];
    return agentFact(reading, origin, 'agent', atoms, callsFirst(output.atoms));
  },
};

const operations = new Set([...Object.keys(readers), 'agent_step', 'embeddings', 'rerank']);

function operation(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
