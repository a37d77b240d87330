/**
 * Every error and warning that Retrial itself words, in one table. A row says what a person reads,
 * what to do next, and what the error becomes at each boundary: an exit code of the command line
 * (contract.md §4), an HTTP status and a gRPC code for a sender, and whether sending again can help.
 *
 * `{name}` in a message or hint is filled by `createProblem`, which asks for exactly those names.
 * Problems inside documents are worded by `documents/abs`, beside the grammar they belong to.
 */
interface ErrorRow {
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly hint?: string;
  /** Exit code an `error` of this kind leads to; other severities do not decide an exit code. */
  readonly exitCode?: 2 | 4;
  /** What a sender is told; only for errors that can meet a request. */
  readonly http?: number;
  readonly grpc?: number;
  readonly retryable?: boolean;
}

export const errorTable = {
  // The command line.
  usage: { severity: 'error', message: '{detail}', exitCode: 2 },
  'unknown-output-format': {
    severity: 'error',
    message: 'no report format for "{file}"',
    hint: 'end the name in one of: {extensions}, or add --format',
    exitCode: 2,
  },
  'output-unwritable': {
    severity: 'error',
    message: 'cannot write the report to {file}: {detail}',
    exitCode: 4,
  },
  'trace-not-found': {
    severity: 'warning',
    message: 'no trace id in the recordings begins with "{id}"',
    hint: 'retrial explain without --trace lists every trace',
  },
  unexpected: {
    severity: 'error',
    message: 'unexpected error: {detail}',
    hint: 'this is a fault of Retrial; please report it with the command and the input',
    exitCode: 4,
  },

  // Files.
  'file-not-found': {
    severity: 'error',
    message: 'no such file or folder: {file}',
    hint: '{hint}',
    exitCode: 2,
  },
  'file-unreadable': {
    severity: 'error',
    message: 'cannot read {file}: {detail}',
    exitCode: 2,
  },
  'folder-empty': {
    severity: 'warning',
    message: 'the folder {file} holds no recording',
  },
  'glob-empty': {
    severity: 'error',
    message: 'no file matches {pattern}',
    exitCode: 2,
  },
  'documents-empty': {
    severity: 'error',
    message: 'the folder {file} holds no document',
    hint: 'documents end in .abs.yaml, .abs.yml or .abs.json; name other files one by one',
    exitCode: 2,
  },

  // Recordings.
  'recording-unknown': {
    severity: 'error',
    message: '{file} is no recording that Retrial knows: {seen}',
    hint: 'known: {known}; each may be gzipped',
    exitCode: 2,
  },
  'recording-unsupported': {
    severity: 'error',
    message: '{file} is {format}, which is not supported yet',
    hint: '{hint}',
    exitCode: 2,
  },
  'recording-empty': { severity: 'warning', message: '{file} is empty' },
  'recording-cut': {
    severity: 'warning',
    message: '{file} breaks off in {where}; everything before it was kept',
    hint: 'traces of this recording may lack spans, so what was not seen there proves nothing',
  },
  'recording-part-unreadable': {
    severity: 'warning',
    message: '{file}: {count} part(s) not readable, first {where} ({detail}); the rest was kept',
    hint: 'traces of this recording may lack spans, so what was not seen there proves nothing',
  },
  'recording-unreadable': {
    severity: 'error',
    message: '{file} looks like {format}, but nothing in it is readable: {where}: {detail}',
    exitCode: 2,
  },
  'recording-part-foreign': {
    severity: 'warning',
    message: '{file}: {count} value(s) hold no OTLP and were passed over, first {where}: {seen}',
  },
  'recording-part-too-large': {
    severity: 'warning',
    message:
      '{file}: {count} part(s) over the limit of {limit} bytes were passed over, first {where}',
    hint: 'traces of this recording may lack spans, so what was not seen there proves nothing',
  },
  'recording-other-signals': {
    severity: 'info',
    message: '{file}: {counts} passed over; only traces are graded',
  },
  'spans-rejected': {
    severity: 'warning',
    message: '{count} span(s) of {file} were refused ({reason}), first at {at}: {detail}',
  },

  // Grading.
  'no-traces': {
    severity: 'warning',
    message: 'the recordings hold no span',
    hint: 'check that the exporter wrote traces, and that the process flushed before it ended',
  },
  'no-known-dialect': {
    severity: 'warning',
    message: 'no span of this unit is of a known agent instrumentation, so it shows no Behavior',
    hint: 'state Behaviors on the spans with abs.actor and abs.action',
  },
  'nothing-to-grade': {
    severity: 'warning',
    message:
      'session "{session}" of {file} has no rule that applies in this mode, so it grades nothing',
  },
  'no-session-fits': {
    severity: 'warning',
    message: '{unit} was not graded: several sessions are loaded and none was chosen for it',
    hint: 'choose with --session, or with the attribute retrial.spec on the trace; candidates: {candidates}',
  },
  'no-row-fits': {
    severity: 'warning',
    message: '{unit} was not graded by session "{session}": {detail}',
    hint: 'choose with --row, or with the attribute retrial.row on the trace; candidates: {candidates}',
  },
  'no-such-session': {
    severity: 'error',
    message: 'no session is named "{session}"',
    hint: 'sessions loaded: {candidates}',
    exitCode: 2,
  },
  'flag-without-dataset': {
    severity: 'error',
    message: '{flag} chooses among the rows of a dataset, and no session has one',
    hint: 'give one with --dataset FILE, or name it in the document',
    exitCode: 2,
  },
  'no-documents': {
    severity: 'error',
    message: 'no document to grade by',
    hint: 'name one with --spec FILE',
    exitCode: 2,
  },
  'traces-share-conversation': {
    severity: 'info',
    message: '{count} traces share the conversation {key} and were graded one by one',
    hint: 'grade the whole conversation with --unit conversation',
  },

  // Judges.
  'adapter-invalid': { severity: 'error', message: '{at}: {detail}', exitCode: 2 },
  'adapter-conflict': {
    severity: 'error',
    message: 'the adapters "{first}" and "{second}" both claim {type}',
    hint: 'take the type out of the `types` of one of them',
    exitCode: 2,
  },
  'adapter-unknown': {
    severity: 'error',
    message: 'no adapter is named "{name}"',
    hint: '{hint}',
    exitCode: 2,
  },
  'adapter-type-unknown': {
    severity: 'error',
    message: '--adapter: no type of evaluation that is judged is named "{type}"',
    hint: 'did you mean {near}?',
    exitCode: 2,
  },

  'budget-invalid': {
    severity: 'error',
    message: 'no budget can be read from "{text}"',
    hint: 'write amounts joined by commas, such as 2usd, 100000tokens or 50calls',
    exitCode: 2,
  },
  'no-adapters': {
    severity: 'error',
    message: 'no judge is configured',
    hint: 'add one under `adapters:` in retrial.yaml',
    exitCode: 2,
  },
  'label-unreadable': { severity: 'error', message: 'no labelled case: {detail}', exitCode: 2 },
  'labels-empty': { severity: 'error', message: '{file} holds no labelled case', exitCode: 2 },
  'cassette-unusable': { severity: 'error', message: 'the cassette: {detail}', exitCode: 2 },

  // Requests of a sender (contract.md §9, request rejections).
  unauthenticated: {
    severity: 'error',
    message: 'no valid token came with the request',
    http: 401,
    grpc: 16,
    retryable: false,
  },
  'unsupported-media-type': {
    severity: 'error',
    message: 'content type {type} is not supported',
    hint: 'send application/x-protobuf or application/json',
    http: 415,
    grpc: 3,
    retryable: false,
  },
  'unsupported-encoding': {
    severity: 'error',
    message: 'content encoding {encoding} is not supported',
    hint: 'send gzip or identity',
    http: 415,
    grpc: 12,
    retryable: false,
  },
  'too-large': {
    severity: 'error',
    message: 'the request is larger than {limit} bytes',
    http: 413,
    grpc: 8,
    retryable: false,
  },
  malformed: {
    severity: 'error',
    message: 'the body cannot be read: {detail}',
    http: 400,
    grpc: 3,
    retryable: false,
  },
  overload: {
    severity: 'error',
    message: 'too much is held at the moment',
    http: 503,
    grpc: 14,
    retryable: true,
  },
  'shutting-down': {
    severity: 'error',
    message: 'Retrial is shutting down',
    http: 503,
    grpc: 14,
    retryable: true,
  },
  // Serving.
  'token-file-unreadable': {
    severity: 'error',
    message: 'cannot read the token file {file}: {detail}',
    hint: 'receivers.http.auth.token_file names a file with one token per line',
    exitCode: 2,
  },
  'open-to-all': {
    severity: 'warning',
    message: 'everyone who reaches {host} may send traces',
    hint: 'set receivers.http.auth, or listen on 127.0.0.1',
  },
  'forwards-to-itself': {
    severity: 'error',
    message: 'destination "{name}" is the address that Retrial itself listens on: {url}',
    hint: 'choose another port with --http-port, or another destination',
    exitCode: 2,
  },
  'nothing-grades': {
    severity: 'warning',
    message: 'no document grades: traces are only forwarded',
    hint: 'name documents under `specs` in retrial.yaml, or with --spec',
  },
  'cannot-listen': { severity: 'error', message: '{detail}', exitCode: 4 },
  'route-unknown': {
    severity: 'error',
    message: 'nothing is served at {path}',
    hint: '{hint}',
    http: 404,
    grpc: 12,
    retryable: false,
  },
  'method-not-allowed': {
    severity: 'error',
    message: '{method} is not allowed at {path}',
    hint: 'use {allowed}',
    http: 405,
    grpc: 12,
    retryable: false,
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
type Texts<Row> = Row extends { readonly hint: infer Hint; readonly message: infer Message }
  ? Message | Hint
  : Row extends { readonly message: infer Message }
    ? Message
    : never;
/** The values that the texts of one row ask for. */
export type ErrorValues<Code extends ErrorCode> = Readonly<
  Record<NamesIn<Texts<(typeof errorTable)[Code]>>, string | number>
>;

/** A row of the table with its texts filled in; has the shape of a `Problem`. */
export interface FilledError {
  readonly severity: 'error' | 'warning' | 'info';
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

/** Fills the texts of one row. An empty hint is left out. */
export function createProblem<Code extends ErrorCode>(
  code: Code,
  values: ErrorValues<Code>,
): FilledError {
  const row: ErrorRow = errorTable[code];
  const named = new Map<string, string | number>(Object.entries(values));
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(named.get(name) ?? ''));
  const hint = fill(row.hint ?? '');
  const problem = { severity: row.severity, code, message: fill(row.message) };
  return hint === '' ? problem : { ...problem, hint };
}
