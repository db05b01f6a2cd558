import { LANGUAGE_WORDS, type Mention, parseWrittenReferences } from '@strata/domain';

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

/** Returns the unknown names that a text references, as far as they can be found without evaluating it. */
export const findUnknownNames = (
  text: string,
  referableNames: ReferableNames,
  projectName: string,
): readonly MarkedProblem[] =>
  parseWrittenReferences(text).flatMap(({ from, to, mentions, problem }) => {
    const message = problem ?? mentions.map((mention) => missing(mention, referableNames, projectName)).find(Boolean);
    return message ? [{ from, to, message }] : [];
  });

/** Returns the error message of a reference; null if the name exists or cannot be checked. */
function missing({ kind, project, name }: Mention, referableNames: ReferableNames, projectName: string): string | null {
  if (project !== null) return referableNames.projects.has(project) ? null : `There is no project named ${project}.`;
  if (kind === 'parameter' && !referableNames.parameters.has(name)) {
    return `${projectName} has no own or inherited parameter named ${name}.`;
  }
  return kind === 'template' && !referableNames.templates.has(name)
    ? `${projectName} has no template named ${name}.`
    : null;
}

/** A completion for the editor. */
export interface Completions {
  readonly label: string;
  readonly detail: string;
  readonly kind: 'parameter' | 'template' | 'word';
}

const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** The text that is edited. It is left out of the completions, because it cannot reference itself. */
export interface EditedText {
  readonly kind: 'parameter' | 'template';
  readonly name: string;
}

/** Returns all completions for a text of a project. */
export function completionsFor(
  { parameters, templates, projects }: ReferableNames,
  projectName: string,
  editedText: EditedText,
): Completions[] {
  const member = (name: string) => (PLAIN.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);
  const isWord = (name: string) =>
    PLAIN.test(name) && !LANGUAGE_WORDS.has(name) && !['strata', 'cloudtruth'].includes(name);
  const isOther = (kind: EditedText['kind']) => (name: string) => editedText.kind !== kind || editedText.name !== name;
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
    { label: 'strata.self', detail: `${editedText.kind} name`, kind: 'word' },
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
export const readTypedReference = (before: string): string | null =>
  /\{\{-?[ \t]*([^\s{}|]*)$/.exec(before)?.[1] ?? null;

/** Returns the text that inserts a completion between two texts, with a space and closing braces if they are missing. */
export function completeOutput(label: string, before: string, after: string): string {
  const padding = before.endsWith('{') ? ' ' : '';
  return `${padding}${label}${/^[^{\n]*\}\}/.test(after) ? '' : ' }}'}`;
}
