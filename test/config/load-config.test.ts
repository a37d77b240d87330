import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.js';
import type { Override } from '../../src/config/environment.js';
import { loadConfig } from '../../src/config/load-config.js';
import type { Problem } from '../../src/model/problem.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'retrial-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Given {
  readonly yaml?: string;
  readonly environment?: Record<string, string>;
  readonly flags?: readonly Override[];
}

function load({ yaml, environment = {}, flags = [] }: Given) {
  if (yaml !== undefined) writeFileSync(join(folder, 'retrial.yaml'), yaml);
  return loadConfig({ folder, file: null, environment, flags });
}

function configOf(given: Given): Config {
  const result = load(given);
  if (!result.ok) throw new Error(result.problems.map((p) => p.message).join('\n'));
  return result.value;
}

function problemsOf(given: Given): readonly Problem[] {
  const result = load(given);
  expect(result.ok).toBe(false);
  return result.problems;
}

/** `retrial.yaml:3:5 message (hint)` */
function lines(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ position, message, hint }) => {
    const place =
      position === undefined ? '' : `${position.file}:${position.line}:${position.column} `;
    return `${place}${message}${hint === undefined ? '' : ` (${hint})`}`;
  });
}

describe('defaults', () => {
  it('are those of the contract, every key of it', () => {
    const { values, specs, file } = configOf({});
    expect(file).toBe(null);
    expect(specs).toEqual([]);
    expect(values).toEqual({
      unit: null,
      receivers: {
        http: {
          host: '127.0.0.1',
          port: 4318,
          max_request_body_size: 67_108_864,
          cors: { allowed_origins: [] },
          tls: null,
          auth: null,
        },
        grpc: {
          host: '127.0.0.1',
          port: 4317,
          max_recv_msg_size: 67_108_864,
          tls: null,
          auth: null,
        },
      },
      admin: { host: '127.0.0.1', port: 4319 },
      hold: {
        decision_wait: 30_000,
        decision_wait_after_root_received: 2_000,
        conversation_wait: 600_000,
        max_trace_duration: 86_400_000,
        max_trace_spans: 100_000,
        max_trace_bytes: 268_435_456,
        max_bytes: 1_073_741_824,
      },
      ack: 'memory',
      journal: { directory: '.retrial/journal', max_size: 10_737_418_240 },
      specs: [],
      behaviors: {
        aliases: {},
        handoff_tools: [
          'transfer_to_*',
          'transfer_to_agent',
          'handoff_*',
          'handoff to *',
          'Delegate work to coworker',
        ],
        classify: [],
        map: [],
      },
      destinations: [],
      emit: 'span_events',
      adapters: {},
      judges: {
        cache: { enabled: true, directory: '.retrial/judges' },
        cassette: null,
        budget: { run: null, day: null },
        serve: { sample: 0, when: ['pass', 'fail', 'inconclusive'], max_queue: 1_000 },
      },
      alerts: { rules: [], sinks: {} },
      history: {
        path: '.retrial/history.db',
        retention: { max_age: 2_592_000_000, max_size: 5_368_709_120 },
      },
      telemetry: { otlp_endpoint: null },
    });
  });

  it('an entry of a list has its own', () => {
    const { values, specs } = configOf({
      yaml: `
specs:
  - { files: [a.abs.yaml] }
destinations:
  - { name: tempo, otlp_http: http://localhost:14318 }
alerts:
  sinks: { ops: { webhook: https://hooks.example/x } }
  rules: [ {} ]
`,
    });
    expect(specs).toEqual([{ files: ['a.abs.yaml'], when: null, mode: 'test' }]);
    expect(values.destinations).toEqual([
      {
        name: 'tempo',
        otlp_http: 'http://localhost:14318',
        headers: {},
        signals: ['traces', 'logs', 'metrics'],
        sending_queue: { max_bytes: 268_435_456 },
        retry_on_failure: {
          initial_interval: 5_000,
          max_interval: 30_000,
          max_elapsed_time: 300_000,
        },
      },
    ]);
    expect(values.alerts).toEqual({
      rules: [{ sessions: [], types: [], min_severity: 'info', sinks: [] }],
      sinks: {
        ops: {
          webhook: 'https://hooks.example/x',
          headers: {},
          timeout: 5_000,
          allow_private: false,
        },
      },
    });
  });

  it('a section whose keys are all commented out counts as not there', () => {
    expect(
      configOf({ yaml: 'hold:\n  # decision_wait: 1s\nspecs:\nunit: null\n' }).values.hold
        .decision_wait,
    ).toBe(30_000);
    expect(configOf({ yaml: '# nothing yet\n' }).values.unit).toBe(null);
  });
});

describe('sizes and durations', () => {
  it.each([
    ['64MiB', 67_108_864],
    ['1.5 GB', 1_500_000_000],
    ['1024', 1_024],
    ['7B', 7],
  ])('size %s', (text, bytes) => {
    expect(configOf({ yaml: `hold: { max_bytes: ${text} }` }).values.hold.max_bytes).toBe(bytes);
  });

  it.each([
    ['500ms', 500],
    ['1h30m', 5_400_000],
    ['2.5s', 2_500],
    ['0', 0],
    ['30d', 2_592_000_000],
  ])('duration %s', (text, ms) => {
    expect(configOf({ yaml: `hold: { decision_wait: ${text} }` }).values.hold.decision_wait).toBe(
      ms,
    );
  });

  it.each(['64 mib', '"1e3"', '-1', 'lots', '"64MiB "x', '[1]', 'true'])(
    '%s is no size',
    (text) => {
      expect(problemsOf({ yaml: `hold:\n  max_bytes: ${text}\n` }).length).toBe(1);
    },
  );

  it.each(['30', '5 seconds', '-5s', '1s2', 's', 'constructor'])('%s is no duration', (text) => {
    expect(lines(problemsOf({ yaml: `hold:\n  decision_wait: ${text}\n` }))[0]).toMatch(
      /^retrial.yaml:2:18 hold.decision_wait: expected a duration such as 30s, 2m or 1h30m, found /,
    );
  });
});

describe('T14: problems stand at their place, all at once', () => {
  it('unknown keys say what was meant', () => {
    const yaml = `
hold:
  decision_wiat: 5s
receiver: {}
destinations:
  - name: tempo
    otlp_http: http://localhost:1
    retry_on_failure: { initial_intervall: 1s }
alerts:
  sinks:
    ops: { webhook: https://x.example, tiemout: 1s }
constructor: 1
`;
    expect(lines(problemsOf({ yaml }))).toEqual([
      'retrial.yaml:3:3 unknown key "hold.decision_wiat" (did you mean "decision_wait"?)',
      'retrial.yaml:8:25 unknown key "destinations[0].retry_on_failure.initial_intervall" (did you mean "initial_interval"?)',
      'retrial.yaml:11:40 unknown key "alerts.sinks.ops.tiemout" (did you mean "timeout"?)',
      'retrial.yaml:4:1 unknown key "receiver" (did you mean "receivers"?)',
      expect.stringMatching(
        /^retrial.yaml:12:1 unknown key "constructor" \(known here: unit, receivers, /,
      ),
    ]);
  });

  it('values say what is expected and what was found', () => {
    const yaml = `
unit: traces
receivers: { http: { port: 70000 } }
hold: 5s
specs:
  - { files: [], mode: strict }
destinations:
  - { name: "", otlp_http: localhost:4318 }
emit: [span_events]
`;
    expect(lines(problemsOf({ yaml }))).toEqual([
      'retrial.yaml:2:7 unit: expected one of: trace, conversation, auto, found "traces"',
      'retrial.yaml:3:28 receivers.http.port: expected a port, 0 to 65535 (0 takes a free one), found 70000',
      'retrial.yaml:4:7 hold: expected keys with values, found "5s"',
      'retrial.yaml:6:14 specs[0].files: expected at least one file, folder or glob, found a list',
      'retrial.yaml:6:24 specs[0].mode: expected one of: test, monitor, found "strict"',
      'retrial.yaml:8:13 destinations[0].name: expected a name for logs and counts, found ""',
      'retrial.yaml:8:28 destinations[0].otlp_http: expected a URL such as http://localhost:4318, found "localhost:4318"',
      'retrial.yaml:9:7 emit: expected one of: span_events, log_events, both, none, found a list',
    ]);
  });

  it('names must be unique and sinks known', () => {
    const yaml = `
destinations:
  - { name: a, otlp_http: http://x.example }
  - { name: a, otlp_http: http://y.example }
alerts:
  sinks: { pager: { webhook: https://x.example } }
  rules: [ { sinks: [pagr] } ]
`;
    expect(lines(problemsOf({ yaml }))).toEqual([
      'retrial.yaml:4:13 two destinations are named "a"',
      'retrial.yaml:7:22 no sink is named "pagr" (did you mean "pager"?)',
    ]);
  });

  it('S6: a webhook that is not https, or not public, must be allowed', () => {
    const yaml = `
alerts:
  sinks:
    plain: { webhook: http://hooks.example/x }
    local: { webhook: https://127.0.0.1:8080 }
    name: { webhook: "https://localhost" }
    metadata: { webhook: "https://[::ffff:a9fe:a9fe]/" }
    meant: { webhook: http://localhost:8080, allow_private: true }
`;
    expect(lines(problemsOf({ yaml }))).toEqual([
      'retrial.yaml:4:23 http://hooks.example/x is not https (set allow_private: true where this is meant)',
      'retrial.yaml:5:23 https://127.0.0.1:8080 does not go to a public address (set allow_private: true where this is meant)',
      'retrial.yaml:6:22 https://localhost does not go to a public address (set allow_private: true where this is meant)',
      'retrial.yaml:7:26 https://[::ffff:a9fe:a9fe]/ does not go to a public address (set allow_private: true where this is meant)',
    ]);
  });

  it('what is part of the contract and does nothing yet says so instead of being ignored', () => {
    const yaml = `
receivers: { grpc: { port: 5000 }, http: { tls: { cert_file: x } } }
ack: durable
journal: { max_size: 1GiB }
behaviors: { classify: [ { actor: user } ], map: [ { when: x } ] }
history: { path: h.db }
telemetry: { otlp_endpoint: http://localhost:4318 }
`;
    const problems = problemsOf({ yaml });
    expect(lines(problems)).toEqual([
      'retrial.yaml:2:20 receivers.grpc is not available yet (send OTLP over HTTP to receivers.http)',
      'retrial.yaml:2:49 receivers.http.tls is not available yet (put a proxy with TLS in front, or a Collector on the same machine)',
      expect.stringContaining('3:6 ack is not available yet'),
      expect.stringContaining('4:10 journal is not available yet'),
      expect.stringContaining('5:24 behaviors.classify is not available yet'),
      expect.stringContaining('5:50 behaviors.map is not available yet'),
      expect.stringContaining('6:10 history is not available yet'),
      expect.stringContaining('7:29 telemetry.otlp_endpoint is not available yet'),
    ]);
    expect(problems.every((p) => p.code === 'config-not-yet')).toBe(true);
  });

  it('the same keys at their defaults are fine', () => {
    const yaml =
      'receivers: { grpc: { port: 4317 } }\nack: memory\nadapters: {}\nhistory: { path: .retrial/history.db }\n';
    expect(configOf({ yaml }).values.ack).toBe('memory');
  });
});

describe('S16: the file itself', () => {
  it.each([
    ['a syntax error', 'hold: { a: 1\nunit: [\n'],
    ['a duplicate key', 'unit: trace\nunit: auto\n'],
    ['deep nesting', `unit: ${'['.repeat(5_000)}`],
    [
      'an alias bomb',
      `a: &a [x]\n${Array.from({ length: 9 }, (_, i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [${`*${'abcdefghi'[i]},`.repeat(9)}]`).join('\n')}`,
    ],
    ['a list at the top', '- unit: trace\n'],
    ['a text at the top', 'hello\n'],
  ])('%s is a problem with a place, never a crash', (_, yaml) => {
    const [problem] = problemsOf({ yaml });
    expect(problem?.position?.file).toBe('retrial.yaml');
    expect(problem?.message).not.toMatch(/ {2}at .*\.ts/);
  });

  it('keys of JavaScript are data', () => {
    const yaml = 'behaviors: { aliases: { __proto__: [x], constructor: [y] } }\n';
    const { aliases } = configOf({ yaml }).values.behaviors;
    expect(Object.getPrototypeOf(aliases)?.constructor ?? Object).toBe(Object);
    expect(Object.hasOwn(aliases, 'constructor')).toBe(true);
  });

  it('a file that is named and missing is an error', () => {
    const result = loadConfig({ folder, file: 'other.yaml', environment: {}, flags: [] });
    expect(result).toMatchObject({ ok: false, problems: [{ code: 'config-unreadable' }] });
  });

  it('is looked for upward to the root of the repository and no further', () => {
    writeFileSync(join(folder, 'retrial.yaml'), 'unit: auto\n');
    const inner = join(folder, 'repo', 'packages', 'agent');
    mkdirSync(inner, { recursive: true });
    const load = () => loadConfig({ folder: inner, file: null, environment: {}, flags: [] });
    expect(load()).toMatchObject({ ok: true, value: { file: null } });
    mkdirSync(join(folder, 'repo', '.git'));
    expect(load()).toMatchObject({ ok: true, value: { file: null } });
    writeFileSync(join(folder, 'repo', 'retrial.yaml'), 'unit: conversation\n');
    expect(load()).toMatchObject({
      ok: true,
      value: { values: { unit: 'conversation' }, folder: join(folder, 'repo') },
    });
  });
});

describe('precedence: flag, environment, file, default', () => {
  const yaml = 'receivers: { http: { port: 1000, host: filehost } }\nadmin: { port: 3000 }\n';

  it('the closer one wins, key by key', () => {
    const { values } = configOf({
      yaml,
      environment: { RETRIAL_RECEIVERS_HTTP_PORT: '2000', RETRIAL_ADMIN_PORT: '4000' },
      flags: [{ path: ['receivers', 'http', 'port'], value: 5000, origin: '--http-port' }],
    });
    expect(values.receivers.http).toMatchObject({ port: 5000, host: 'filehost' });
    expect(values.admin).toEqual({ port: 4000, host: '127.0.0.1' });
  });

  it('a wrong value says where it came from', () => {
    const flags = [{ path: ['receivers', 'http', 'port'], value: 'abc', origin: '--http-port' }];
    expect(lines(problemsOf({ yaml, flags }))).toEqual([
      'receivers.http.port: expected a port, 0 to 65535 (0 takes a free one), found "abc" (from --http-port)',
    ]);
    const environment = { RETRIAL_HOLD_DECISION_WAIT: 'soon' };
    expect(lines(problemsOf({ yaml, environment }))[0]).toContain(
      '(from RETRIAL_HOLD_DECISION_WAIT)',
    );
  });

  it('a misspelt variable is a warning with a suggestion', () => {
    const result = load({ environment: { RETRIAL_HOLD_DECISION_WIAT: '1s' } });
    expect(result.ok).toBe(true);
    expect(lines(result.problems)).toEqual([
      'the environment variable RETRIAL_HOLD_DECISION_WIAT stands for no key and was ignored (did you mean RETRIAL_HOLD_DECISION_WAIT?)',
    ]);
  });

  it('OTEL_EXPORTER_OTLP_… names a destination where the file has none', () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x,tenant=a=b',
    };
    expect(configOf({ environment }).values.destinations).toMatchObject([
      {
        name: 'otel_exporter_otlp',
        otlp_http: 'http://collector:4318',
        headers: { authorization: 'Bearer x', tenant: 'a=b' },
      },
    ]);
    const own = 'destinations: [ { name: own, otlp_http: http://own.example } ]\n';
    expect(configOf({ yaml: own, environment }).values.destinations).toMatchObject([
      { name: 'own' },
    ]);
  });
});
