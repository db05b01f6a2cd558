import { parseEnv } from 'node:util';
import jmespath from 'jmespath';
import { parseDocument, visit } from 'yaml';

/** Why a filter returns no text. */
export type FilterProblem = 'invalid' | 'unsupported' | 'unreadable' | 'no_match';

/** The selected text, or why there is none. */
export type FilterResult = { readonly text: string } | { readonly problem: FilterProblem };

/**
 * The parts of JMESPath that select one member. Other parts can create results of exponential size, for example `[@,@]`
 * in a chain.
 */
const ALLOWED = new Set(['Field', 'Subexpression', 'IndexExpression', 'Index', 'Identity', 'Current', 'Pipe']);

interface Expression {
  readonly type: string;
  readonly name?: string;
  readonly children?: readonly Expression[];
}

/** Functions of ES2026, which the compiler does not know yet. */
const exactJson = JSON as unknown as {
  rawJSON(text: string): unknown;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
};

/** A line of a dotenv file: empty, a comment or an assignment. YAML would read `A=b: c` as a member `A=b`. */
const DOTENV_LINE = /^(?:#.*|(?:export\s+)?[A-Za-z_][\w.]*\s*=.*)?$/;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Returns the text that a JMESPath expression selects in a JSON, YAML or dotenv content. Numbers keep their digits;
 * objects and arrays become JSON.
 */
export function selectText(content: string, filter: string): FilterResult {
  const expression = parseFilter(filter);
  if (expression === null) return { problem: 'invalid' };
  if (!isAllowed(expression)) return { problem: 'unsupported' };
  if (namesPrototype(expression)) return { problem: 'no_match' };
  const parsed = readContent(content);
  if (parsed === null) return { problem: 'unreadable' };
  const result: unknown = jmespath.search(parsed.data, filter);
  if (typeof result === 'string') return { text: result };
  const text = typeof result === 'function' || result === null ? undefined : JSON.stringify(result);
  return text === undefined ? { problem: 'no_match' } : { text };
}

function parseFilter(filter: string): Expression | null {
  try {
    const expression = (jmespath as unknown as { compile(text: string): Expression }).compile(filter);
    return isComplete(expression) ? expression : null;
  } catch {
    return null;
  }
}

/** The parser accepts some expressions that end too early, such as `a.`, and leaves out a part of them. */
function isComplete(expression: Expression | undefined): boolean {
  return expression !== undefined && (expression.children ?? []).every(isComplete);
}

function isAllowed({ type, children = [] }: Expression): boolean {
  return ALLOWED.has(type) && children.every(isAllowed);
}

/** Members that every object of JavaScript inherits are not part of a content. */
function namesPrototype({ type, name = '', children = [] }: Expression): boolean {
  return (type === 'Field' && name in {}) || children.some(namesPrototype);
}

/** The number of names that a description contains. */
const NAMES_MAX = 1_000;

/** Returns the media type of a content, and the names that a filter can begin with; null if a filter reads none. */
export function describeContent(content: string): { readonly type: string; readonly names: string[] | null } {
  const parsed = readContent(content);
  if (parsed === null) return { type: 'text/plain', names: null };
  const { type, data } = parsed;
  return { type, names: Array.isArray(data) ? null : Object.keys(data).slice(0, NAMES_MAX) };
}

const JSON_READER = { type: 'application/json', read: readJson };
const YAML_READER = { type: 'application/yaml', read: readYaml };
const DOTENV_READER = { type: 'text/plain', read: (content: string): unknown => parseEnv(content) };

function readContent(content: string): { readonly type: string; readonly data: object } | null {
  const isDotenv = content.split('\n').every((line) => DOTENV_LINE.test(line.trim()));
  const otherReaders = isDotenv ? [DOTENV_READER, YAML_READER] : [YAML_READER, DOTENV_READER];
  for (const { type, read } of [JSON_READER, ...otherReaders]) {
    try {
      const data: unknown = read(content);
      if (typeof data === 'object' && data !== null && Object.keys(data).length > 0) return { type, data };
    } catch {
      // The content has another format.
    }
  }
  return null;
}

/** Keeps the digits of a number, which a conversion to a JavaScript number can change. */
const exactNumber = (source: string): unknown => (NUMBER.test(source) ? exactJson.rawJSON(source) : source);

function readJson(content: string): unknown {
  return exactJson.parse(content, (_key, value, { source = '' }) =>
    typeof value === 'number' ? exactNumber(source) : value,
  );
}

function readYaml(content: string): unknown {
  const document = parseDocument(content);
  if (document.errors.length > 0) return null;
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'number') node.value = exactNumber(node.source ?? '');
    },
  });
  return document.toJS();
}
