import { type Mention, mentionsOf } from '@strata/domain';

/** The names that a template of a project can reference. */
export interface ReferableNames {
  /** The own and inherited parameters by name. */
  readonly parameters: ReadonlyMap<string, { readonly secret: boolean; readonly projectName: string }>;
  /** The names of the project's templates. */
  readonly templates: ReadonlySet<string>;
  /** The names of the projects that the user may read. */
  readonly projects: ReadonlySet<string>;
}

/** A range of a text with an error message. */
export interface MarkedProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

const NAME = '[A-Za-z_][A-Za-z0-9_-]*';
const MEMBER = String.raw`(?:\.${NAME}|\["[^"\n]*"\]|\['[^'\n]*'\])`;
/** Matches an output that starts with a name. The preview reports all other errors. */
const OUTPUT = new RegExp(String.raw`\{\{-?\s*(${NAME})((?:${MEMBER})*)`, 'g');
const EACH_MEMBER = new RegExp(MEMBER, 'g');
/** Matches the tags around texts that are not evaluated. */
const RAW_TAG = /\{%-?\s*(?:end)?(?:raw|comment)\s*-?%\}/g;
/** Matches the names that the template itself defines. */
const MADE_HERE = new RegExp(String.raw`\{%-?\s*(?:assign|capture|for|tablerow|increment|decrement)\s+(${NAME})`, 'g');
const WORDS = new Set(['nil', 'null', 'true', 'false', 'empty', 'blank', 'forloop']);

/** Returns the unknown names that a text references, as far as they can be found without evaluating it. */
export function unknownNames(text: string, referable: ReferableNames, projectName: string): readonly MarkedProblem[] {
  const read = withoutRawTexts(text);
  const made = new Set([...read.matchAll(MADE_HERE)].map(([, name]) => name));
  const isComplete = completeOutputs(read);
  return [...read.matchAll(OUTPUT)].flatMap((match) => {
    const [output, root = '', members = ''] = match;
    if (made.has(root) || WORDS.has(root) || !isComplete(match.index + output.length)) return [];
    const path = [root, ...(members.match(EACH_MEMBER) ?? []).map(nameOfMember)];
    const { mentions, problems } = mentionsOf([path]);
    const message = problems[0] ?? mentions.map((mention) => missing(mention, referable, projectName)).find(Boolean);
    if (!message) return [];
    const to = match.index + output.length;
    return [{ from: to - root.length - members.length, to, message }];
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

function indexOrEnd(text: string, searched: string, from: number): number {
  const at = text.indexOf(searched, from);
  return at === -1 ? text.length : at;
}

const nameOfMember = (member: string): string => (member.startsWith('.') ? member.slice(1) : member.slice(2, -2));

/** Returns the error message of a reference; null if the name exists or cannot be checked. */
function missing({ kind, project, name }: Mention, known: ReferableNames, projectName: string): string | null {
  if (project !== null) return known.projects.has(project) ? null : `There is no project named ${project}.`;
  if (kind === 'parameter' && !known.parameters.has(name)) {
    return `${projectName} has no own or inherited parameter named ${name}.`;
  }
  return kind === 'template' && !known.templates.has(name) ? `${projectName} has no template named ${name}.` : null;
}

/** A completion for the editor. */
export interface Completions {
  readonly label: string;
  readonly detail: string;
  readonly kind: 'parameter' | 'template' | 'word';
}

const PLAIN = new RegExp(`^${NAME}$`);

/** The text that is edited. It is left out of the completions, because it cannot reference itself. */
export interface EditedText {
  readonly kind: 'parameter' | 'template';
  readonly name: string;
}

/** Returns all completions for a text of a project. */
export function completionsFor(
  { parameters, templates, projects }: ReferableNames,
  projectName: string,
  own: EditedText,
): Completions[] {
  const member = (name: string) => (PLAIN.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);
  const isWord = (name: string) => PLAIN.test(name) && !WORDS.has(name) && !['strata', 'cloudtruth'].includes(name);
  const isOther = (kind: EditedText['kind']) => (name: string) => own.kind !== kind || own.name !== name;
  const [isOtherParameter, isOtherTemplate] = [isOther('parameter'), isOther('template')];
  return [
    ...[...parameters]
      .filter(([name]) => isOtherParameter(name))
      .map(([name, { secret, projectName: owner }]) => ({
        label: isWord(name) ? name : `strata.parameters${member(name)}`,
        detail: [owner === projectName ? '' : `from ${owner}`, secret ? 'secret' : ''].filter(Boolean).join(', '),
        kind: 'parameter' as const,
      })),
    ...[...templates]
      .filter(isOtherTemplate)
      .map((name) => ({ label: `strata.templates${member(name)}`, detail: 'template', kind: 'template' as const })),
    { label: 'strata.environment', detail: 'environment name', kind: 'word' },
    { label: 'strata.project', detail: 'project name', kind: 'word' },
    { label: 'strata.self', detail: `${own.kind} name`, kind: 'word' },
    ...[...projects]
      .filter((name) => name !== projectName)
      .map((name) => ({
        label: `strata.projects${member(name)}.parameters`,
        detail: 'from another project',
        kind: 'word' as const,
      })),
  ];
}

const COMPLETE_OUTPUT = /\{\{([^{}]*)\}\}/g;
/** Returns whether a text outputs something. */
export const hasOutput = (text: string): boolean =>
  [...text.matchAll(COMPLETE_OUTPUT)].some(([, content = '']) => content.trim() !== '');

/** Returns the unfinished reference at the end of a text, such as `HO` of `http://{{ HO`; null if there is none. */
export const typedReference = (before: string): string | null => /\{\{-?[ \t]*([^\s{}|]*)$/.exec(before)?.[1] ?? null;

/** Returns the text that inserts a completion between two texts, with a space and closing braces if they are missing. */
export function outputText(label: string, before: string, after: string): string {
  const blank = before.endsWith('{') ? ' ' : '';
  return `${blank}${label}${/^[^{\n]*\}\}/.test(after) ? '' : ' }}'}`;
}
