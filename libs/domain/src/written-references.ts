import { collectMentions, type Mention } from './reference.ts';

const NAME = '[A-Za-z_][A-Za-z0-9_-]*';
const MEMBER = String.raw`(?:\.${NAME}|\["[^"\n]*"\]|\['[^'\n]*'\])`;
/** Matches an output that starts with a name. The preview reports all other errors. */
const OUTPUT = new RegExp(String.raw`\{\{-?\s*(${NAME})((?:${MEMBER})*)`, 'g');
const EACH_MEMBER = new RegExp(MEMBER, 'g');
/** Matches the tags around texts that are not evaluated. */
const RAW_TAG = /\{%-?\s*(?:end)?(?:raw|comment)\s*-?%\}/g;
/** Matches the names that the template itself defines. */
const MADE_HERE = new RegExp(String.raw`\{%-?\s*(?:assign|capture|for|tablerow|increment|decrement)\s+(${NAME})`, 'g');
/** Names with a meaning of their own in the template language. */
export const LANGUAGE_WORDS: ReadonlySet<string> = new Set([
  'nil',
  'null',
  'true',
  'false',
  'empty',
  'blank',
  'forloop',
]);

/** A reference as a user has written it, at the beginning of an output. */
export interface WrittenReference {
  readonly from: number;
  readonly to: number;
  readonly mentions: readonly Mention[];
  /** The reason why the reference is invalid, whatever exists; null if it is valid. */
  readonly problem: string | null;
}

/** Returns the references in a text, as far as they can be found without evaluating it. */
export function parseWrittenReferences(text: string): readonly WrittenReference[] {
  const read = withoutRawTexts(text);
  const definedNames = new Set([...read.matchAll(MADE_HERE)].map(([, name]) => name));
  const isComplete = completeOutputs(read);
  return [...read.matchAll(OUTPUT)].flatMap((match) => {
    const [output, root = '', members = ''] = match;
    if (definedNames.has(root) || LANGUAGE_WORDS.has(root) || !isComplete(match.index + output.length)) return [];
    const path = [root, ...(members.match(EACH_MEMBER) ?? []).map(nameOfMember)];
    const { mentions, problems } = collectMentions([path]);
    const to = match.index + output.length;
    return [{ from: to - root.length - members.length, to, mentions, problem: problems[0]?.message ?? null }];
  });
}

/** Replaces the texts that are not evaluated with spaces, in one pass over their tags. */
function withoutRawTexts(text: string): string {
  let read = '';
  let at = 0;
  let open: { readonly kind: string; readonly from: number } | null = null;
  for (const { 0: tag, index } of text.matchAll(RAW_TAG)) {
    const kind = tag.includes('raw') ? 'raw' : 'comment';
    if (!tag.includes('end')) open ??= { kind, from: index };
    else if (open?.kind === kind) {
      const to = index + tag.length;
      read += text.slice(at, open.from) + ' '.repeat(to - open.from);
      [at, open] = [to, null];
    }
  }
  return read + text.slice(at);
}

/**
 * Returns a function that returns whether braces close an output in the same line, so that an unfinished output is not reported. The
 * function searches each line once, because its positions only increase.
 */
function completeOutputs(text: string): (from: number) => boolean {
  let [close, line] = [-1, -1];
  return (from) => {
    if (close < from) close = indexOrEnd(text, '}}', from);
    if (line < from) line = indexOrEnd(text, '\n', from);
    return close < line;
  };
}

function indexOrEnd(text: string, searchText: string, from: number): number {
  const at = text.indexOf(searchText, from);
  return at === -1 ? text.length : at;
}

const nameOfMember = (member: string): string => (member.startsWith('.') ? member.slice(1) : member.slice(2, -2));
