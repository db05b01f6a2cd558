import type { ParameterId, ProjectId } from './ids.ts';
import { asSentence, type Sentence, sentence } from './sentence.ts';

/** A name in a text, from its root: `cloudtruth.parameters["a b"]` has three segments. Null is a computed segment. */
export type Path = readonly (string | number | null)[];

/** The two names of the object in templates: ours, and the one that existing texts use (behaviour.md §7.2). */
export const NAMESPACES: readonly string[] = ['strata', 'cloudtruth'];

/**
 * `parameters` belongs to a text that iterates over all parameters. It depends on each of them, but does not prevent
 * deleting or renaming any of them.
 */
export type ReferenceKind = 'parameter' | 'template' | 'parameters';

/** One reference as written in a text. */
export interface Mention {
  readonly kind: ReferenceKind;
  /** The project that the text names; null for the project of the text itself. */
  readonly project: string | null;
  /** Empty if the text refers to all parameters. */
  readonly name: string;
}

/** A reference with the object that it currently resolves to. */
export interface Binding {
  readonly kind: ReferenceKind;
  /** The project whose scope resolves the name. */
  readonly projectId: ProjectId;
  /** Whether the text names the project, whose name therefore must not change. */
  readonly named: boolean;
  readonly name: string;
  /** A parameter or a template; null if the text refers to all parameters. */
  readonly targetId: string | null;
}

export interface ProjectLink {
  readonly id: ProjectId;
  readonly name: string;
  readonly dependsOnId: ProjectId | null;
}

interface OwnedName {
  readonly id: string;
  readonly projectId: ProjectId;
  readonly name: string;
}

/** The objects of an organization that texts can refer to. Objects without references may be left out. */
export interface Referable {
  readonly projects: readonly ProjectLink[];
  readonly parameters: readonly (OwnedName & { readonly id: ParameterId })[];
  readonly templates: readonly OwnedName[];
}

/**
 * The members of the namespace object that have a value of their own: the project, the environment, and the name of the
 * text.
 */
export const RESERVED_WORDS = ['project', 'environment', 'self'] as const;
export type ReservedWord = (typeof RESERVED_WORDS)[number];

/**
 * Returns the distinct references in the paths of one text. `problems` are messages for people: unknown members of the
 * namespace object, and uses of it that cannot be resolved without evaluating the text.
 */
export function collectMentions(paths: readonly Path[]): {
  readonly mentions: readonly Mention[];
  readonly problems: readonly MentionProblem[];
} {
  const mentions = new Map<string, Mention>();
  const problems = new Map<string, MentionProblem>();
  for (const path of paths) {
    const result = parseMention(path);
    if (result !== null && 'message' in result) problems.set(result.message, result);
    else if (result !== null) mentions.set(JSON.stringify([result.kind, result.project, result.name]), result);
  }
  return { mentions: [...mentions.values()], problems: [...problems.values()] };
}

type MentionProblem = Sentence<'name' | 'names'>;

function parseMention([root, member, ...restPath]: Path): Mention | MentionProblem | null {
  if (typeof root !== 'string') return null;
  if (!NAMESPACES.includes(root)) return { kind: 'parameter', project: null, name: root };
  if (member === 'projects') return memberOfProject(root, restPath);
  if (RESERVED_WORDS.some((word) => word === member)) return null;
  return collection(root, null, member, restPath[0]);
}

function memberOfProject(root: string, [project, member, name]: Path): Mention | MentionProblem {
  if (typeof project !== 'string') return asSentence(`Specify the project: ${root}.projects.<name>.parameters.<name>.`);
  return collection(`${root}.projects.${project}`, project, member, name);
}

function collection(
  prefix: string,
  project: string | null,
  member: Path[number] | undefined,
  name: Path[number] | undefined,
): Mention | MentionProblem {
  if (member === 'parameters') {
    if (name === undefined || name === null) return { kind: 'parameters', project, name: '' };
    return { kind: 'parameter', project, name: String(name) };
  }
  if (member === 'templates') {
    if (name === undefined || name === null) return asSentence(`Specify the template: ${prefix}.templates.<name>.`);
    return { kind: 'template', project, name: String(name) };
  }
  const members =
    project === null ? ['parameters', 'templates', 'projects', ...RESERVED_WORDS] : ['parameters', 'templates'];
  const names = members.map((word) => `${prefix}.${word}`);
  return typeof member === 'string'
    ? sentence`${{ name: `${prefix}.${member}` }} does not exist. Use ${{ names }}.`
    : sentence`${{ name: prefix }} has no text of its own. Use ${{ names }}.`;
}

/**
 * Resolves each reference of a text in project `ownProjectId` (behaviour.md §7.2). A parameter is the nearest one of
 * its name along the project chain; a template belongs to the project itself. `dangling` holds the references that
 * resolve to nothing.
 */
export function bindMentions(
  ownProjectId: ProjectId,
  mentions: readonly Mention[],
  referableObjects: Referable,
): { readonly bindings: readonly Binding[]; readonly dangling: readonly Mention[] } {
  const byName = new Map(referableObjects.projects.map((project) => [project.name, project.id]));
  const bindings: Binding[] = [];
  const dangling: Mention[] = [];
  for (const mention of mentions) {
    const { kind, name } = mention;
    const projectId = mention.project === null ? ownProjectId : byName.get(mention.project);
    const targetId = projectId === undefined ? undefined : findTargetId(kind, projectId, name, referableObjects);
    if (projectId === undefined || targetId === undefined) dangling.push(mention);
    else bindings.push({ kind, projectId, named: mention.project !== null, name, targetId });
  }
  return { bindings, dangling };
}

function findTargetId(kind: ReferenceKind, projectId: ProjectId, name: string, referableObjects: Referable) {
  if (kind === 'parameters') return null;
  if (kind === 'template') {
    return referableObjects.templates.find((template) => template.projectId === projectId && template.name === name)
      ?.id;
  }
  for (const id of projectChain(referableObjects.projects, projectId)) {
    const target = referableObjects.parameters.find(
      (parameter) => parameter.projectId === id && parameter.name === name,
    );
    if (target) return target.id;
  }
  return undefined;
}

/** Returns the project, then the one it depends on, and so on to the top. A loop in corrupt data ends the walk. */
export function projectChain(projects: readonly ProjectLink[], start: ProjectId): readonly ProjectId[] {
  const parents = new Map(projects.map(({ id, dependsOnId }) => [id, dependsOnId]));
  return chainFrom(start, (id) => parents.get(id));
}

/** Returns the project chain like `projectChain`, with a function that returns the dependency of each project. */
export function chainFrom(
  start: ProjectId,
  dependsOn: (id: ProjectId) => ProjectId | null | undefined,
): readonly ProjectId[] {
  const chain = new Set<ProjectId>();
  for (let id: ProjectId | null = start; id !== null && !chain.has(id); id = dependsOn(id) ?? null) chain.add(id);
  return [...chain];
}

/** Formats a reference for messages: `nope`, `projects.web.parameters.port`. */
export function describeMention({ kind, project, name }: Mention): string {
  const projectPath = project === null ? '' : `projects.${project}.`;
  if (kind === 'parameter') return project === null ? name : `${projectPath}parameters.${name}`;
  return kind === 'template' ? `${projectPath}templates.${name}` : `${projectPath}parameters`;
}
