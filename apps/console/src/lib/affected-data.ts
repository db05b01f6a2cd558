/** The members of a change event that decide which queries are stale. */
export interface ReportedChangeScope {
  readonly type: string;
  readonly object: { readonly id: string };
  readonly project: { readonly id: string } | null;
  readonly parameter: { readonly id: string; readonly name: string } | null;
}

/** The data that may differ after some changes. Events contain no values; only the core returns them. */
export interface AffectedData {
  /** Kinds of objects that changed, as events name them: `project`, `webhook`, `service_account`. */
  readonly kinds: ReadonlySet<string>;
  /** Projects whose rows may differ. */
  readonly whole: ReadonlySet<string>;
  /** Names whose values changed, by the project of their parameter. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Kinds of objects that do not affect values. */
const WITHOUT_VALUES = /^(membership|invitation|group|grant|service_account|webhook|tag|template|organization)_/;

export function affectedDataOf(changes: readonly ReportedChangeScope[]): AffectedData {
  const whole = new Set<string>();
  const names = new Map<string, Set<string>>();
  for (const { type, object, project, parameter } of changes) {
    if (WITHOUT_VALUES.test(type)) continue;
    const projectId = type.startsWith('project_') ? object.id : project?.id;
    if (projectId === undefined) continue;
    if (!type.startsWith('value_') || !parameter) whole.add(projectId);
    else names.set(projectId, (names.get(projectId) ?? new Set()).add(parameter.name));
  }
  const kinds = new Set(changes.map(({ type }) => type.replace(/_[a-z]+$/, '')));
  return { kinds, whole, names };
}

interface Dependent {
  readonly id: string;
  readonly dependsOnId: string | null;
}

/** Returns a project and its direct and indirect parents. */
export function chainOf(projectId: string, projects: readonly Dependent[]): readonly string[] {
  const above = new Map(projects.map(({ id, dependsOnId }) => [id, dependsOnId]));
  const chain: string[] = [];
  for (let id: string | null | undefined = projectId; id != null && !chain.includes(id); id = above.get(id)) {
    chain.push(id);
  }
  return chain;
}

/** Returns what may differ in a project: everything, or parameter names; null for nothing. */
export function affectedInProject(
  chain: readonly string[],
  touched: AffectedData,
): 'whole' | ReadonlySet<string> | null {
  if (touched.kinds.has('environment') || chain.some((id) => touched.whole.has(id))) return 'whole';
  const names = new Set(chain.flatMap((id) => [...(touched.names.get(id) ?? [])]));
  return names.size > 0 ? names : null;
}
