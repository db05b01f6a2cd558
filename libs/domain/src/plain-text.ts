import { NAMESPACES, type Path } from './reference.ts';

/** What a text can see while it is evaluated. Null is a parameter without a text, and is written as nothing. */
export interface TextScope {
  readonly project: string;
  readonly environment: string;
  /** The name of the text itself. */
  readonly self: string;
  readonly parameters: ReadonlyMap<string, string | null>;
  readonly templates: ReadonlyMap<string, string>;
  /** Other projects, as far as the text names them. */
  readonly projects: ReadonlyMap<string, Pick<TextScope, 'parameters' | 'templates'>>;
}

/** A text without tags and filters: literal pieces and names alternate. */
export type PlainText = readonly (string | Path)[];

const NAME = '[A-Za-z_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?';
const MEMBER = String.raw`(?:\.${NAME}|\["[^"'\\{}\n]*"\]|\['[^"'\\{}\n]*'\])`;
const OUTPUT = new RegExp(String.raw`\{\{[ \t\r\n]*(${NAME})((?:${MEMBER})*)[ \t\r\n]*\}\}`, 'y');
const EACH_MEMBER = new RegExp(MEMBER, 'g');
/** Names that the language reads as something else. */
const KEYWORDS = new Set(['nil', 'null', 'true', 'false', 'empty', 'blank']);

/**
 * The pieces of a text that only says `{{ name }}` and the like, or null when it says more and needs the whole
 * language. Whatever this accepts must mean the same there; it is only faster, and needs no limits.
 */
export function plainText(text: string): PlainText | null {
  if (text.includes('{%')) return null;
  const parts: (string | Path)[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', at)) {
    OUTPUT.lastIndex = open;
    const match = OUTPUT.exec(text);
    const path = match && pathOf(match[1] ?? '', match[2] ?? '');
    if (!path) return null;
    if (open > at) parts.push(text.slice(at, open));
    parts.push(path);
    at = OUTPUT.lastIndex;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

function pathOf(root: string, members: string): Path | null {
  const rest = (members.match(EACH_MEMBER) ?? []).map((member) =>
    member.startsWith('.') ? member.slice(1) : member.slice(2, -2),
  );
  if (KEYWORDS.has(root)) return null;
  if (!NAMESPACES.includes(root)) return rest.length === 0 ? [root] : null;
  const [collection] = rest;
  const lengths: Readonly<Record<string, number>> = { parameters: 2, templates: 2, projects: 4 };
  const isWord = collection === 'project' || collection === 'environment' || collection === 'self';
  const length = isWord ? 1 : Object.hasOwn(lengths, collection ?? '') ? lengths[collection ?? ''] : undefined;
  return length === rest.length ? [root, ...rest] : null;
}

/** The names in it, for `mentionsOf`. */
export function pathsOf(parts: PlainText): readonly Path[] {
  return parts.filter((part) => typeof part !== 'string');
}

/**
 * The text with every name replaced by what it stands for; null when that is longer than `lengthMax`. It is measured
 * before it is put together: thousands of names of long texts would be more than there is memory.
 */
export function fillPlainText(parts: PlainText, scope: TextScope, lengthMax: number): string | null {
  const pieces: string[] = [];
  let length = 0;
  for (const part of parts) {
    const piece = typeof part === 'string' ? part : (lookUp(part, scope) ?? '');
    length += piece.length;
    if (length > lengthMax) return null;
    pieces.push(piece);
  }
  return pieces.join('');
}

function lookUp([root, ...rest]: Path, scope: TextScope): string | null | undefined {
  const [collection, first, member, name] = rest.map(String);
  if (collection === undefined) return scope.parameters.get(String(root));
  switch (collection) {
    case 'project':
    case 'environment':
    case 'self':
      return scope[collection];
    case 'parameters':
      return scope.parameters.get(first ?? '');
    case 'templates':
      return scope.templates.get(first ?? '');
    default: {
      const other = scope.projects.get(first ?? '');
      return member === 'templates' ? other?.templates.get(name ?? '') : other?.parameters.get(name ?? '');
    }
  }
}
