// The live job: `retrial serve` between a small agent and a backend. The agent hands off, which the document
// forbids; the webhook is called while the agent still works, the verdicts arrive on the forwarded trace.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'retrial-demo-'));
const backend = start('scripts/demo/backend.mjs', []);
const backendUrl = await firstUrl(backend);

const config = join(folder, 'retrial.yaml');
writeFileSync(
  config,
  `specs: [{ files: ["${resolve('fixtures/documents/refund.abs.yaml')}"] }]
hold: { decision_wait_after_root_received: 1s }
destinations: [{ name: backend, otlp_http: "${backendUrl}" }]
# A webhook on this machine is allowed for the demonstration only.
alerts: { sinks: { on_call: { webhook: "${backendUrl}/alert", allow_private: true } } }
`,
);
console.log('\n# Live: an agent, retrial serve, and a backend behind it, three processes');
const serve = start('dist/cli/main.js', [
  'serve',
  '-c',
  config,
  '--http-port',
  '0',
  '--admin-port',
  '0',
]);
const serveUrl = await firstUrl(serve);
print('retrial', serve);
print('backend', backend);

const agent = start('scripts/demo/agent.mjs', [serveUrl, backendUrl]);
print('agent', agent);
await once(agent, 'exit');

// What is still held is graded, annotated and sent before serve ends.
serve.kill('SIGTERM');
await once(serve, 'exit');
backend.kill('SIGTERM');
await once(backend, 'exit');
rmSync(folder, { recursive: true, force: true });

function start(script, args) {
  return spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Waits for the first address that a process prints. */
function firstUrl(child) {
  return new Promise((done, fail) => {
    let seen = '';
    child.stdout.on('data', (chunk) => {
      seen += chunk;
      const [url] = /http:\/\/\S+/.exec(seen) ?? [];
      if (url !== undefined && seen.includes('\n')) done(url);
    });
    child.once('exit', () => fail(new Error(`ended before it listened: ${seen}`)));
  });
}

function print(name, child) {
  child.stdout.on('data', (chunk) => {
    for (const line of String(chunk).trimEnd().split('\n')) console.log(`[${name}] ${line}`);
  });
}
