import { NAMESPACES, type Path } from './reference.ts';

/**
 * The values that a text can refer to during evaluation. Null is a parameter without a text, which is rendered as an
 * empty text.
 */
export interface TextScope {
  readonly project: string;
  readonly environment: string;
  /** The name of the text itself. */
  readonly self: string;
  readonly parameters: ReadonlyMap<string, string | null>;
  readonly templates: ReadonlyMap<string, string>;
  /** The other projects that the text refers to. */
  readonly projects: ReadonlyMap<string, Pick<TextScope, 'parameters' | 'templates'>>;
}

/** A text without tags and filters: literal pieces and references. */
export type PlainText = readonly (string | Path)[];

const NAME = '[A-Za-z_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?';
const MEMBER = String.raw`(?:\.${NAME}|\["[^"'\\{}\n]*"\]|\['[^"'\\{}\n]*'\])`;
const OUTPUT = new RegExp(String.raw`\{\{[ \t\r\n]*(${NAME})((?:${MEMBER})*)[ \t\r\n]*\}\}`, 'y');
const EACH_MEMBER = new RegExp(MEMBER, 'g');
/** Names with another meaning in the template language. */
const KEYWORDS = new Set(['nil', 'null', 'true', 'false', 'empty', 'blank']);

/**
 * Parses a text that contains only references such as `{{ name }}`; returns null if it needs the full template
 * language. Every accepted text must have the same meaning in that language. This parser is faster and needs no limits.
 */
export function plainText(text: string): PlainText | null {
  if (text.includes('{%')) return null;
  const parts: (string | Path)[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', at)) {
    OUTPUT.lastIndex = open;
    const match = OUTPUT.exec(text);
    const path = match && parsePath(match[1] ?? '', match[2] ?? '');
    if (!path) return null;
    if (open > at) parts.push(text.slice(at, open));
    parts.push(path);
    at = OUTPUT.lastIndex;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

function parsePath(root: string, members: string): Path | null {
  const restPath = (members.match(EACH_MEMBER) ?? []).map((member) =>
    member.startsWith('.') ? member.slice(1) : member.slice(2, -2),
  );
  if (KEYWORDS.has(root)) return null;
  if (!NAMESPACES.includes(root)) return restPath.length === 0 ? [root] : null;
  const [collection] = restPath;
  const lengths: Readonly<Record<string, number>> = { parameters: 2, templates: 2, projects: 4 };
  const isWord = collection === 'project' || collection === 'environment' || collection === 'self';
  const length = isWord ? 1 : Object.hasOwn(lengths, collection ?? '') ? lengths[collection ?? ''] : undefined;
  return length === restPath.length ? [root, ...restPath] : null;
}

/** Returns the references of the text, for `collectMentions`. */
export function listPaths(parts: PlainText): readonly Path[] {
  return parts.filter((part) => typeof part !== 'string');
}

/**
 * Replaces every reference with its value; returns null if the result is longer than `lengthMax`. The length is checked
 * while the pieces are collected, because thousands of references to long texts could exceed the memory.
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

function lookUp([root, ...restPath]: Path, scope: TextScope): string | null | undefined {
  const [collection, first, member, name] = restPath.map(String);
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
      const otherProject = scope.projects.get(first ?? '');
      return member === 'templates'
        ? otherProject?.templates.get(name ?? '')
        : otherProject?.parameters.get(name ?? '');
    }
  }
}
