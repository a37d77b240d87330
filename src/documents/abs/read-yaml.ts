import { Composer, type CST, type Document, Parser } from 'yaml';
import type { SourceText } from '../../util/text.js';
import { buildTree } from './build-tree.js';
import { maxDocumentCharacters, maxYamlDepth } from './limits.js';
import type { ProblemSink } from './problems.js';
import type { TreeNode } from './tree.js';

/** One YAML document of a stream. */
export interface YamlDocument {
  readonly root: TreeNode;
  /** Its own text: from the end of the document before it to its own end. */
  readonly text: string;
}

/** What a stream holds: its documents that could be read, and how many could not. */
export interface YamlStream {
  readonly documents: readonly YamlDocument[];
  readonly broken: number;
}

/**
 * Reads a YAML 1.2 stream, core schema (semantics A45): timestamps and `yes` are texts, `1.0` is the
 * number 1, big integers are exact, duplicate keys are errors, merge keys and aliases work within bounds,
 * empty documents are left out. JSON is YAML. Never throws.
 */
export function readYamlStream(sink: ProblemSink): YamlStream {
  const { source } = sink;
  if (source.text.length > maxDocumentCharacters) {
    sink.add(
      'document-too-large',
      0,
      `the file has ${source.text.length} characters`,
      `a document file may have at most ${maxDocumentCharacters}; split it`,
    );
    return { documents: [], broken: 1 };
  }
  const tokens = [...new Parser().parse(source.text)];
  const tooDeep = findTooDeep(tokens);
  if (tooDeep !== null) {
    sink.add(
      'yaml-depth',
      tooDeep,
      'lists and maps are nested too deeply',
      `at most ${maxYamlDepth} levels`,
    );
    return { documents: [], broken: 1 };
  }
  return readDocuments(sink, source, tokens);
}

function readDocuments(
  sink: ProblemSink,
  source: SourceText,
  tokens: readonly CST.Token[],
): YamlStream {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    intAsBigInt: true,
    // Both are done in build-tree.ts: the library's check for duplicates is quadratic.
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
  });
  const documents: YamlDocument[] = [];
  let broken = 0;
  let textStart = 0;
  for (const document of composer.compose(tokens, true, source.text.length)) {
    const textEnd = document.range[2];
    const root = readDocument(sink, document);
    if (root === null) broken++;
    else if (root.value !== null) {
      documents.push({ root, text: source.text.slice(textStart, textEnd) });
    }
    textStart = textEnd;
  }
  return { documents, broken };
}

/** The tree of a document; null when it is broken. Only the first syntax error is told: others follow from it. */
function readDocument(sink: ProblemSink, document: Document.Parsed): TreeNode | null {
  for (const warning of document.warnings) {
    sink.add('yaml-warning', warning.pos[0], firstLine(warning.message));
  }
  const fault = document.errors[0];
  if (fault === undefined) return buildTree(sink, document);
  const known = syntaxHints.get(fault.code);
  sink.add('yaml-syntax', fault.pos[0], firstLine(fault.message), known ?? generalHint);
  return null;
}

const generalHint = 'check quotes, indentation and brackets here and in the line above';

const syntaxHints: ReadonlyMap<string, string> = new Map([
  ['TAB_AS_INDENT', 'indent with spaces'],
  ['BAD_INDENT', 'entries of one map or list start in the same column'],
  ['MISSING_CHAR', 'a quote, bracket or separator is missing before this place'],
  ['BLOCK_AS_IMPLICIT_KEY', 'a text that holds ": " needs quotes'],
  ['MULTILINE_IMPLICIT_KEY', 'a key stands on one line and ends with ":"; quote longer texts'],
  ['BAD_SCALAR_START', 'a text that starts with this character needs quotes'],
  [
    'BAD_DQ_ESCAPE',
    'in double quotes a backslash starts an escape: write \\\\, or use single quotes',
  ],
  ['UNEXPECTED_TOKEN', 'a text that holds quotes, "#", ": " or brackets needs quotes'],
]);

function firstLine(message: string): string {
  const end = message.indexOf('\n');
  const line = end < 0 ? message : message.slice(0, end);
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

/** Offset of the first token that is nested too deeply; the walk itself does not recurse. */
function findTooDeep(tokens: readonly CST.Token[]): number | null {
  const stack: { readonly token: CST.Token; readonly depth: number }[] = tokens.map((token) => ({
    token,
    depth: 0,
  }));
  let found: number | null = null;
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { token, depth } = entry;
    const isCollection = 'items' in token;
    if (depth > maxYamlDepth) {
      found = found === null ? token.offset : Math.min(found, token.offset);
      continue;
    }
    if (token.type === 'document' && token.value !== undefined) {
      stack.push({ token: token.value, depth });
    }
    if (!isCollection) continue;
    for (const item of token.items) {
      if (item.key != null) stack.push({ token: item.key, depth: depth + 1 });
      if (item.value !== undefined) stack.push({ token: item.value, depth: depth + 1 });
    }
  }
  return found;
}
