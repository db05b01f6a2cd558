/** The properties of an event that determine which queries are stale. */
export interface ReportedChangeScope {
  readonly type: string;
  readonly object: { readonly id: string };
  readonly project: { readonly id: string } | null;
  readonly parameter: { readonly id: string; readonly name: string } | null;
}

/** The data that events may have changed. Events contain no values, so the data is loaded again. */
export interface AffectedData {
  /** The kinds of the changed objects, as in the types of events: `project`, `webhook`, `service_account`. */
  readonly kinds: ReadonlySet<string>;
  /** The ids of projects in which any row may have changed. */
  readonly whole: ReadonlySet<string>;
  /** The names of parameters whose values changed, by the id of their project. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Matches the types of events that do not affect values. */
const WITHOUT_VALUES = /^(membership|invitation|group|grant|service_account|webhook|tag|template|organization)_/;

export function findAffectedData(changes: readonly ReportedChangeScope[]): AffectedData {
  const fullyAffectedIds = new Set<string>();
  const names = new Map<string, Set<string>>();
  for (const { type, object, project, parameter } of changes) {
    if (WITHOUT_VALUES.test(type)) continue;
    const projectId = type.startsWith('project_') ? object.id : project?.id;
    if (projectId === undefined) continue;
    if (!type.startsWith('value_') || !parameter) fullyAffectedIds.add(projectId);
    else names.set(projectId, (names.get(projectId) ?? new Set()).add(parameter.name));
  }
  const kinds = new Set(changes.map(({ type }) => type.replace(/_[a-z]+$/, '')));
  return { kinds, whole: fullyAffectedIds, names };
}

interface Dependent {
  readonly id: string;
  readonly dependsOnId: string | null;
}

/** Returns the ids of a project and of the projects that it depends on, directly or indirectly. */
export function dependencyChain(projectId: string, projects: readonly Dependent[]): readonly string[] {
  const dependencies = new Map(projects.map(({ id, dependsOnId }) => [id, dependsOnId]));
  const chain: string[] = [];
  for (let id: string | null | undefined = projectId; id != null && !chain.includes(id); id = dependencies.get(id)) {
    chain.push(id);
  }
  return chain;
}

/** Returns what may have changed in a project: all rows (`whole`), or the rows with these names; null for none. */
export function affectedInProject(
  chain: readonly string[],
  affectedData: AffectedData,
): 'whole' | ReadonlySet<string> | null {
  if (affectedData.kinds.has('environment') || chain.some((id) => affectedData.whole.has(id))) return 'whole';
  const names = new Set(chain.flatMap((id) => [...(affectedData.names.get(id) ?? [])]));
  return names.size > 0 ? names : null;
}
