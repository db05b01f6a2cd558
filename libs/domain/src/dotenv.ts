/** One assignment of a dotenv text. */
export interface DotenvEntry {
  readonly name: string;
  readonly text: string;
}

/** An assignment as it stands in the text, whether or not a later one of its name takes its place. */
export interface DotenvAssignment extends DotenvEntry {
  /** From 1; that of its name. */
  readonly line: number;
}

/** What is wrong with a line, in words that do not repeat it: it may hold a secret. */
export interface DotenvProblem {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export interface Dotenv {
  /** Each name once, where it stood first, with the text that it was given last. */
  readonly entries: readonly DotenvEntry[];
  /** All of them in their order: who shows people what they wrote needs the lines, and what is written twice. */
  readonly assignments: readonly DotenvAssignment[];
  readonly problems: readonly DotenvProblem[];
}

const EXPORT = /^export[ \t]/;
const BLANK_OR_COMMENT = /^[ \t]*(?:#[^\n]*)?$/;
/** After a closing quote nothing may follow but a comment. */
const REST = /^[ \t]*(?:#[^\n]*)?$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

/**
 * Reads dotenv text (behaviour.md §10.1): `NAME=text`, bare or in quotes. In single quotes everything is itself, in
 * double quotes `\n`, `\r`, `\t`, `\"` and `\\` are escapes, as our own export writes them; both may span lines. A bare
 * text ends before a blank followed by `#`. Names keep their case. Stops behind `namesMax` names: whoever takes no more can
 * tell that there are.
 */
export function parseDotenv(source: string, namesMax = Number.POSITIVE_INFINITY): Dotenv {
  const texts = new Map<string, string>();
  const assignments: DotenvAssignment[] = [];
  const problems: DotenvProblem[] = [];
  for (const found of dotenvLines(source)) {
    if ('message' in found) problems.push(found);
    else {
      assignments.push(found);
      texts.set(found.name, found.text);
    }
    if (texts.size > namesMax) break;
  }
  return { entries: [...texts].map(([name, text]) => ({ name, text })), assignments, problems };
}

/** The same one by one, in the order of the lines, for whoever has others to serve while a long text is read. */
export function* dotenvLines(source: string): Generator<DotenvAssignment | DotenvProblem> {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (let at = 0; at < lines.length; ) {
    const found = BLANK_OR_COMMENT.test(lines[at] ?? '') ? null : readAssignment(lines, at);
    const line = at + 1;
    at = found !== null && 'next' in found ? found.next : at + 1;
    if (found === null) continue;
    yield 'message' in found ? { line, message: found.message } : { line, name: found.name, text: found.text };
  }
}

type Read = (DotenvEntry & { readonly next: number }) | { readonly message: string };

function readAssignment(lines: readonly string[], at: number): Read {
  const line = lines[at] ?? '';
  const equals = line.indexOf('=');
  const name = line.slice(0, Math.max(0, equals)).trim().replace(EXPORT, '').trim();
  if (name === '') return { message: 'Write NAME=text.' };
  const rest = line.slice(equals + 1).trimStart();
  const quote = rest.charAt(0);
  if (quote !== "'" && quote !== '"') {
    return { name, text: withoutComment(line.slice(equals + 1)), next: at + 1 };
  }
  return readQuoted(lines, at, name, rest.slice(1), quote);
}

/** A bare text ends where a blank and a `#` follow. */
function withoutComment(text: string): string {
  for (let at = text.indexOf('#'); at !== -1; at = text.indexOf('#', at + 1)) {
    const before = text.charAt(at - 1);
    if (before === ' ' || before === '\t') return text.slice(0, at).trim();
  }
  return text.trim();
}

/** Looks for the closing quote, in the following lines too. */
function readQuoted(lines: readonly string[], start: number, name: string, first: string, quote: string): Read {
  const parts: string[] = [];
  for (let at = start, rest = first; at < lines.length; at += 1, rest = lines[at] ?? '') {
    const end = closingQuote(rest, quote);
    if (end === -1) {
      parts.push(rest);
      continue;
    }
    if (!REST.test(rest.slice(end + 1))) return { message: 'Something follows the closing quote.' };
    parts.push(rest.slice(0, end));
    const raw = parts.join('\n');
    return { name, text: quote === "'" ? raw : unescaped(raw), next: at + 1 };
  }
  return { message: 'The closing quote is missing.' };
}

function closingQuote(text: string, quote: string): number {
  if (quote === "'") return text.indexOf(quote);
  for (let at = 0; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return -1;
}

/** An escape that means nothing stays as it was written. */
function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (whole, character: string) => ESCAPES[character] ?? whole);
}
