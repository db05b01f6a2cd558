import { type Mention, mentionsOf } from '@strata/domain';

/** The names that a template of a project can reference. */
export interface ReferableNames {
  /** Parameters by name: own and inherited ones. */
  readonly parameters: ReadonlyMap<string, { readonly secret: boolean; readonly projectName: string }>;
  /** The templates of the project. */
  readonly templates: ReadonlySet<string>;
  /** All projects that the user can read. */
  readonly projects: ReadonlySet<string>;
}

/** A range of the text with its problem. */
export interface MarkedProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

const NAME = '[A-Za-z_][A-Za-z0-9_-]*';
const MEMBER = String.raw`(?:\.${NAME}|\["[^"\n]*"\]|\['[^'\n]*'\])`;
/** A complete output that begins with a name. An output that is being typed has no end yet. The core validates the rest in the preview. */
const OUTPUT = new RegExp(String.raw`\{\{-?\s*(${NAME})((?:${MEMBER})*)(?=[^\n]*?\}\})`, 'g');
const EACH_MEMBER = new RegExp(MEMBER, 'g');
const NOT_READ = /\{%-?\s*(raw|comment)\s*-?%\}[\s\S]*?\{%-?\s*end\1\s*-?%\}/g;
/** Names that the text assigns itself. */
const MADE_HERE = new RegExp(String.raw`\{%-?\s*(?:assign|capture|for|tablerow|increment|decrement)\s+(${NAME})`, 'g');
const WORDS = new Set(['nil', 'null', 'true', 'false', 'empty', 'blank', 'forloop']);

/** Returns the unknown names that a text references, as far as a static check can find them. */
export function unknownNames(text: string, referable: ReferableNames, projectName: string): readonly MarkedProblem[] {
  const read = text.replace(NOT_READ, (part) => ' '.repeat(part.length));
  const made = new Set([...read.matchAll(MADE_HERE)].map(([, name]) => name));
  return [...read.matchAll(OUTPUT)].flatMap((match) => {
    const [output, root = '', members = ''] = match;
    if (made.has(root) || WORDS.has(root)) return [];
    const path = [root, ...(members.match(EACH_MEMBER) ?? []).map(nameOfMember)];
    const { mentions, problems } = mentionsOf([path]);
    const message = problems[0] ?? mentions.map((mention) => missing(mention, referable, projectName)).find(Boolean);
    if (!message) return [];
    const to = match.index + output.length;
    return [{ from: to - root.length - members.length, to, message }];
  });
}

const nameOfMember = (member: string): string => (member.startsWith('.') ? member.slice(1) : member.slice(2, -2));

/** Returns null if the name exists or cannot be checked. */
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

/** Returns all completions. `own` is the edited template, which cannot reference itself. */
export function completionsFor(
  { parameters, templates, projects }: ReferableNames,
  projectName: string,
  own: string,
): Completions[] {
  const member = (name: string) => (PLAIN.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);
  const isWord = (name: string) => PLAIN.test(name) && !WORDS.has(name) && !['strata', 'cloudtruth'].includes(name);
  return [
    ...[...parameters].map(([name, { secret, projectName: owner }]) => ({
      label: isWord(name) ? name : `strata.parameters${member(name)}`,
      detail: [owner === projectName ? '' : `from ${owner}`, secret ? 'secret' : ''].filter(Boolean).join(', '),
      kind: 'parameter' as const,
    })),
    ...[...templates]
      .filter((name) => name !== own)
      .map((name) => ({ label: `strata.templates${member(name)}`, detail: 'template', kind: 'template' as const })),
    { label: 'strata.environment', detail: 'environment name', kind: 'word' },
    { label: 'strata.project', detail: 'project name', kind: 'word' },
    { label: 'strata.self', detail: 'template name', kind: 'word' },
    ...[...projects]
      .filter((name) => name !== projectName)
      .map((name) => ({
        label: `strata.projects${member(name)}.parameters`,
        detail: 'from another project',
        kind: 'word' as const,
      })),
  ];
}
