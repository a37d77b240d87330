// What stands behind Retrial, in a process of its own: prints the events that were added to the spans it gets,
// and the webhook calls. GET /alert-received answers as soon as there was one.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { indexTraces } from '../../dist/otlp/span-index.js';

let reportAlert = () => {};
const alerted = new Promise((done) => {
  reportAlert = done;
});

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const sent = Buffer.concat(chunks);
  const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;

  if (request.url === '/alert-received') await alerted;
  if (request.url === '/alert') {
    printAlert(JSON.parse(body.toString()));
    reportAlert();
  }
  if (request.url === '/v1/traces') printEvents(body);
  response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(`http://127.0.0.1:${server.address().port}`);
process.on('SIGTERM', () => process.exit(0));

function printAlert(alert) {
  console.log(`WEBHOOK ${JSON.stringify(alert, null, 2)}`);
}

function printEvents(body) {
  const indexed = indexTraces(body);
  if (indexed.kind !== 'ok') return console.log(`not a trace: ${indexed.message}`);
  for (const span of indexed.batch) {
    for (const event of span.events()) {
      const name = event.attribute('gen_ai.evaluation.name') ?? event.attribute('retrial.rule');
      const label = event.attribute('gen_ai.evaluation.score.label') ?? '';
      console.log(`span "${span.name}": ${event.name} "${name}" ${label}`);
    }
  }
}
