import { once } from 'node:events';
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Parsed JSON of any shape: tests reach into the bodies of many providers. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type LooseJson = any;

export interface JudgeCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: LooseJson;
}

/** What the server does with a call: answer, say nothing, or half an answer, and hold the connection open. */
export type Script = (
  call: JudgeCall,
  number: number,
) => ScriptedAnswer | 'silence' | 'half' | Promise<ScriptedAnswer>;

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Anything but a text is sent as JSON. */
  readonly body: unknown;
}

export interface ScriptedJudge {
  readonly url: string;
  readonly calls: readonly JudgeCall[];
  /** Most calls that were under way at once. */
  readonly mostAtOnce: number;
  script: Script;
  /** Resolves with the number of the first call whose connection the client closed unanswered. */
  readonly closed: Promise<number>;
}

/** A server on the loopback that stands where a judge's provider would; gone when the test is over. */
export async function startScriptedJudge(script: Script): Promise<ScriptedJudge> {
  const calls: JudgeCall[] = [];
  let arrived = 0;
  const load = { now: 0, most: 0 };
  let reportClosed: (number: number) => void = () => undefined;
  const closed = new Promise<number>((resolve) => {
    reportClosed = resolve;
  });
  const server = http.createServer((request, response) => {
    load.now += 1;
    load.most = Math.max(load.most, load.now);
    arrived += 1;
    const connection = arrived;
    response.on('close', () => {
      load.now -= 1;
      if (!response.writableEnded) reportClosed(connection);
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { method = '', url: path = '', headers } = request;
      const call = { method, path, headers, body, json: body === '' ? null : JSON.parse(body) };
      calls.push(call);
      const number = calls.length;
      const answer = await judge.script(call, number);
      if (answer === 'silence') return;
      if (answer === 'half') {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"choices": [');
        return;
      }
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      response.writeHead(answer.status ?? 200, {
        'content-type': 'application/json',
        ...answer.headers,
      });
      response.end(text);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
  });
  const judge = {
    url: `http://127.0.0.1:${port}`,
    calls,
    get mostAtOnce() {
      return load.most;
    },
    script,
    closed,
  };
  return judge;
}

/** The body of a chat completion that says this. */
export function chatCompletion(
  verdict: unknown,
  usage = { prompt_tokens: 100, completion_tokens: 20 },
) {
  const content = typeof verdict === 'string' ? verdict : JSON.stringify(verdict);
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'scripted-2026-01-01',
    choices: [
      { index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' },
    ],
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  };
}
