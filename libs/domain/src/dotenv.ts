/** One assignment in a dotenv text. */
export interface DotenvEntry {
  readonly name: string;
  readonly text: string;
}

/** One assignment as written, even if a later assignment to the same name overrides it. */
interface DotenvAssignment extends DotenvEntry {
  /** The line of the name, counted from 1. */
  readonly line: number;
}

/** Describes what is wrong with a line without quoting it, because the line may hold a secret. */
interface DotenvProblem {
  /** The number of the line, counted from 1. */
  readonly line: number;
  readonly message: string;
}

interface Dotenv {
  /** The last text of each name, in the order in which the names first occur. */
  readonly entries: readonly DotenvEntry[];
  /** Every assignment in order, including repeated names. The console shows them to users with their line numbers. */
  readonly assignments: readonly DotenvAssignment[];
  readonly problems: readonly DotenvProblem[];
}

const EXPORT = /^export[ \t]/;
const BLANK_OR_COMMENT = /^[ \t]*(?:#[^\n]*)?$/;
/** Only a comment may follow a closing quote. */
const REST = /^[ \t]*(?:#[^\n]*)?$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

/**
 * Parses dotenv text (behaviour.md §10.1): `NAME=text`, unquoted or in quotes. Single quotes take every character
 * literally. In double quotes `\n`, `\r`, `\t`, `\"` and `\\` are escapes, as in our own export. Both kinds may span
 * lines. An unquoted text ends before a blank followed by `#`. Names keep their case. Parsing stops after `namesMax` +
 * 1 names, so that the caller can detect that there are too many.
 */
export function parseDotenv(source: string, namesMax = Number.POSITIVE_INFINITY): Dotenv {
  const texts = new Map<string, string>();
  const assignments: DotenvAssignment[] = [];
  const problems: DotenvProblem[] = [];
  for (const line of dotenvLines(source)) {
    if ('message' in line) problems.push(line);
    else {
      assignments.push(line);
      texts.set(line.name, line.text);
    }
    if (texts.size > namesMax) break;
  }
  return { entries: [...texts].map(([name, text]) => ({ name, text })), assignments, problems };
}

/**
 * Yields the assignments and problems one by one in line order, so that the caller can pause while it parses a long
 * text.
 */
export function* dotenvLines(source: string): Generator<DotenvAssignment | DotenvProblem> {
  // The odd entries are line breaks. A carriage return alone is one, too.
  const pieces = source.replace(/^\uFEFF/, '').split(/(\r\n?|\n)/);
  const lines = pieces.filter((_, index) => index % 2 === 0);
  const breaks = pieces.filter((_, index) => index % 2 === 1);
  for (let index = 0; index < lines.length; ) {
    const result = BLANK_OR_COMMENT.test(lines[index] ?? '') ? null : readAssignment({ lines, breaks }, index);
    const line = index + 1;
    index = result !== null && 'next' in result ? result.next : index + 1;
    if (result === null) continue;
    yield 'message' in result ? { line, message: result.message } : { line, name: result.name, text: result.text };
  }
}

type Read = (DotenvEntry & { readonly next: number }) | { readonly message: string };

interface Lines {
  readonly lines: readonly string[];
  /** The line break after each line. */
  readonly breaks: readonly string[];
}

function readAssignment(source: Lines, at: number): Read {
  const { lines } = source;
  const line = lines[at] ?? '';
  const equals = line.indexOf('=');
  const name = line.slice(0, Math.max(0, equals)).trim().replace(EXPORT, '').trim();
  if (name === '') return { message: 'expected NAME=value' };
  const rest = line.slice(equals + 1).trimStart();
  const quote = rest.charAt(0);
  if (quote !== "'" && quote !== '"') {
    return { name, text: withoutComment(line.slice(equals + 1)), next: at + 1 };
  }
  return readQuoted(source, at, name, rest.slice(1), quote);
}

/** An unquoted text ends before a blank followed by `#`. */
function withoutComment(text: string): string {
  for (let at = text.indexOf('#'); at !== -1; at = text.indexOf('#', at + 1)) {
    const before = text.charAt(at - 1);
    if (before === ' ' || before === '\t') return text.slice(0, at).trim();
  }
  return text.trim();
}

/** Finds the closing quote, which may be on a later line. */
function readQuoted({ lines, breaks }: Lines, start: number, name: string, first: string, quote: string): Read {
  let raw = '';
  for (let at = start, restLine = first; at < lines.length; at += 1, restLine = lines[at] ?? '') {
    const end = closingQuote(restLine, quote);
    if (end === -1) {
      raw += restLine + (breaks[at] === '\r' ? '\r' : '\n');
      continue;
    }
    if (!REST.test(restLine.slice(end + 1))) return { message: 'expected nothing after the closing quote' };
    raw += restLine.slice(0, end);
    return { name, text: quote === "'" ? raw : unescaped(raw), next: at + 1 };
  }
  return { message: 'expected a closing quote' };
}

function closingQuote(text: string, quote: string): number {
  if (quote === "'") return text.indexOf(quote);
  for (let index = 0; index < text.length; index += 1) {
    if (text.charAt(index) === '\\') index += 1;
    else if (text.charAt(index) === quote) return index;
  }
  return -1;
}

/** Unknown escapes stay as written. */
function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (sequence, character: string) => ESCAPES[character] ?? sequence);
}
