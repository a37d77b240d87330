import type { Dialect } from '../model/fact.js';
import type { Span } from '../model/span.js';
import { LossLog } from './losses.js';

/** Marks of agent instrumentations that Retrial knows of and cannot read yet, and whose they are. */
const marks: Readonly<Record<string, string>> = {
  'gcp.vertex.agent.llm_request': 'Google ADK',
  'gcp.vertex.agent.llm_response': 'Google ADK',
  'gcp.vertex.agent.tool_call_args': 'Google ADK',
  'mastra.span.type': 'Mastra',
  all_messages_events: 'Pydantic AI',
  'langfuse.observation.type': 'Langfuse',
  'langsmith.span.kind': 'LangSmith',
  'mlflow.spanInputs': 'MLflow',
  'genkit:type': 'Genkit',
  'haystack.component.name': 'Haystack',
  'lk.chat_ctx': 'LiveKit',
  'lk.pii.chat_ctx': 'LiveKit',
  'spring.ai.tool.definition.name': 'Spring AI',
  'ag2.span.type': 'AG2',
  request_data: 'Logfire',
};

/**
 * The last row: a span of an agent, in a vocabulary that no other row reads. What it shows is not known, so
 * anything could have happened there: a rule must not pass because nothing was understood.
 */
export const unread: Dialect = {
  name: 'unread',
  detects: (span) => vendorOf(span) !== undefined,
  read: (span) => {
    const losses = new LossLog();
    losses.add('dialect_unread', `spans of ${vendorOf(span)} cannot be read yet`);
    return [{ kind: 'other', span, dialect: 'unread', losses: losses.list() }];
  },
};

function vendorOf(span: Span): string | undefined {
  if (span.name.startsWith('claude_code.')) return 'Claude Code';
  for (const [key, vendor] of Object.entries(marks)) {
    if (span.attribute(key) !== undefined) return vendor;
  }
  return undefined;
}
