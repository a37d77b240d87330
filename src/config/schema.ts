import { z } from 'zod';
import { defaultHandoffTools } from '../behaviors/handoff-rules.js';
import { adapterEntrySchema } from '../judges/adapter-schema.js';
import { parseBudget } from '../judges/budget.js';
import {
  choice,
  count,
  duration,
  httpUrl,
  list,
  port,
  section,
  size,
  text,
  textMap,
} from './fields.js';

/** The keys of retrial.yaml (contract.md §6). Keys take the Collector's names where the meaning is the same. */

const auth = section({ token_file: text('the path of a file with one token per line') })
  .nullable()
  .default(null);

/** Not available yet; the keys are known so that their errors say so. */
const anything = z.unknown();

const http = section({
  host: text('a host name or address').default('127.0.0.1'),
  port: port(4318),
  max_request_body_size: size('64MiB').describe('Before and after decompression.'),
  cors: section({
    allowed_origins: list(text('an origin such as https://app.example')).default([]),
  }).prefault({}),
  tls: anything.default(null),
  auth: auth.describe('Who may send; null: everyone.'),
}).prefault({});

const grpc = section({
  host: text('a host name or address').default('127.0.0.1'),
  port: port(4317),
  max_recv_msg_size: size('64MiB'),
  tls: anything.default(null),
  auth,
}).prefault({});

const hold = section({
  decision_wait: duration('30s').describe('Release a trace after this long without a span.'),
  decision_wait_after_root_received: duration('2s').describe(
    'The same, once the root and every parent seen have ended.',
  ),
  conversation_wait: duration('10m').describe(
    'A conversation is over after this long without a trace.',
  ),
  max_trace_duration: duration('24h'),
  max_trace_spans: count(100_000),
  max_trace_bytes: size('256MiB'),
  max_bytes: size('1GiB').describe('All held traces together.'),
}).prefault({});

const spec = section({
  files: list(text('a file, a folder or a glob'))
    .min(1, { error: 'expected at least one file, folder or glob' })
    .describe('Documents; relative to the configuration file.'),
  when: text('a CEL expression')
    .nullable()
    .default(null)
    .describe(
      'CEL: which spans admit their unit. Knows resource, attributes, name, scope, agent, conversation.',
    ),
  mode: choice(['test', 'monitor']).default('test'),
});

const behaviors = section({
  aliases: z
    .record(z.string(), list(text('an observed name')), {
      error: 'expected document targets with lists of observed names',
    })
    .default({}),
  handoff_tools: list(text('a tool name; * stands for any text'))
    .default([...defaultHandoffTools])
    .describe('Names of tools that hand off; replaces the default list.'),
  classify: list(anything).default([]),
  map: list(anything).default([]),
}).prefault({});

const destination = section({
  name: text('a name for logs and counts'),
  otlp_http: httpUrl().describe('Base URL; /v1/traces is added.'),
  headers: textMap(),
  signals: list(choice(['traces', 'logs', 'metrics'])).default(['traces', 'logs', 'metrics']),
  sending_queue: section({ max_bytes: size('256MiB') }).prefault({}),
  retry_on_failure: section({
    initial_interval: duration('5s'),
    max_interval: duration('30s'),
    max_elapsed_time: duration('5m').describe('0 never gives up.'),
  }).prefault({}),
});

const severity = choice(['info', 'warning', 'critical']);

const alerts = section({
  rules: list(
    section({
      sessions: list(text('a session name')).default([]).describe('Empty: every session.'),
      types: list(text('an evaluator kind')).default([]).describe('Empty: every kind.'),
      min_severity: severity.default('info'),
      sinks: list(text('the name of a sink')).default([]).describe('Empty: every sink.'),
    }),
  )
    .default([])
    .describe('Which failures alert; without a rule: failed never and count rules, to every sink.'),
  sinks: z
    .record(
      z.string(),
      section({
        webhook: httpUrl(),
        headers: textMap(),
        timeout: duration('5s'),
        allow_private: z
          .boolean({ error: 'expected true or false' })
          .default(false)
          .describe('Allows plain http and addresses that are not public, such as localhost.'),
      }),
      { error: 'expected sink names with their settings' },
    )
    .default({}),
}).prefault({});

const budget = z
  .string({ error: 'expected a budget such as 2usd, 100000tokens or 50calls' })
  .refine((value) => parseBudget(value) !== null, {
    error: 'expected a budget such as 2usd, 100000tokens or 50calls',
  })
  .nullable()
  .default(null);

const judges = section({
  cache: section({
    enabled: z.boolean({ error: 'expected true or false' }).default(true),
    directory: text('a folder').default('.retrial/judges'),
  })
    .prefault({})
    .describe('Where answers of judges are kept: the same question is asked once.'),
  cassette: section({
    file: text('a file'),
    mode: choice(['auto', 'record', 'replay']).default('auto'),
  })
    .nullable()
    .default(null)
    .describe(
      'Answers in one file to be committed; replay asks nothing. Takes the place of the cache.',
    ),
  budget: section({ run: budget, day: budget })
    .prefault({})
    .describe('What may be spent: amounts of usd, tokens and calls, joined by commas.'),
  serve: section({
    sample: z
      .number({ error: 'expected a share from 0 to 1' })
      .min(0, { error: 'expected a share from 0 to 1' })
      .max(1, { error: 'expected a share from 0 to 1' })
      .default(0)
      .describe('Share of the units whose judged rules are judged live; 0: none.'),
    when: list(choice(['pass', 'fail', 'inconclusive']))
      .default(['pass', 'fail', 'inconclusive'])
      .describe('Only units whose rules that need no judge came to this.'),
    max_queue: count(1_000).describe('Units that wait to be judged; more are not judged.'),
  }).prefault({}),
}).prefault({});

export const configSchema = section({
  unit: choice(['trace', 'conversation', 'auto'])
    .nullable()
    .default(null)
    .describe('null: auto in grade, trace in serve.'),
  receivers: section({ http, grpc }).prefault({}),
  admin: section({
    host: text('a host name or address').default('127.0.0.1'),
    port: port(4319),
  }).prefault({}),
  hold,
  ack: choice(['memory', 'durable'])
    .default('memory')
    .describe('What an acknowledgement promises.'),
  journal: section({
    directory: text('a folder').default('.retrial/journal'),
    max_size: size('10GiB'),
  }).prefault({}),
  specs: list(spec).default([]),
  behaviors,
  destinations: list(destination).default([]),
  emit: choice(['span_events', 'log_events', 'both', 'none']).default('span_events'),
  adapters: z
    .record(z.string(), adapterEntrySchema, {
      error: 'expected names of judges with their settings',
    })
    .default({})
    .describe('Judges: a name and the settings of its provider.'),
  judges,
  alerts,
  history: section({
    path: text('a file').default('.retrial/history.db'),
    retention: section({ max_age: duration('30d'), max_size: size('5GiB') }).prefault({}),
  }).prefault({}),
  telemetry: section({ otlp_endpoint: httpUrl().nullable().default(null) }).prefault({}),
});

/** The configuration with every default filled in; sizes in bytes, durations in milliseconds. */
export type ConfigValues = z.output<typeof configSchema>;
