// A small agent with the stock OpenTelemetry SDK and exporter. It looks an order up and then hands the customer
// over instead of refunding. Its root span ends only after the webhook was called: the alert needs no root.
// Usage: node agent.mjs OTLP_URL BACKEND_URL
import { context, SpanKind, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

const [otlpUrl, backendUrl] = process.argv.slice(2);
const exporter = new OTLPTraceExporter({ url: `${otlpUrl}/v1/traces` });
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer('refund-agent');

const say = (role, content) => ({ role, parts: [{ type: 'text', content }] });
const call = (id, name, args) => ({
  role: 'assistant',
  parts: [{ type: 'tool_call', id, name, arguments: args }],
});
const answer = (id, response) => ({
  role: 'tool',
  parts: [{ type: 'tool_call_response', id, response }],
});

const history = [];
const root = tracer.startSpan('POST /chat', { kind: SpanKind.SERVER });
const inRoot = trace.setSpan(context.active(), root);

hear('I would like a refund for my order, please.');
chat(say('assistant', 'Of course. Which order number is it?'));
hear('It is order A-1001.');
chat(call('call_1', 'get_order', { orderId: 'A-1001' }));
tool('call_1', 'get_order', { orderId: 'A-1001' }, { orderId: 'A-1001', total: 42.5 });
chat(call('call_2', 'transfer_to_human', { reason: 'customer wants a refund' }));
await provider.forceFlush();
console.log('handed off; the root span is still open');

await fetch(`${backendUrl}/alert-received`);
console.log('the alert has arrived; only now does the root span end');
tool('call_2', 'transfer_to_human', { reason: 'customer wants a refund' }, { status: 'queued' });
chat(say('assistant', 'I have handed you over to a colleague.'));
root.end();
await provider.shutdown();

function hear(text) {
  history.push(say('user', text));
}

function chat(message) {
  const span = tracer.startSpan('chat scripted', { kind: SpanKind.CLIENT }, inRoot);
  span.setAttributes({
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': JSON.stringify(history),
    'gen_ai.output.messages': JSON.stringify([message]),
  });
  span.end();
  history.push(message);
}

function tool(id, name, args, result) {
  const span = tracer.startSpan(`execute_tool ${name}`, {}, inRoot);
  span.setAttributes({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.arguments': JSON.stringify(args),
    'gen_ai.tool.call.result': JSON.stringify(result),
  });
  span.end();
  history.push(answer(id, result));
}
