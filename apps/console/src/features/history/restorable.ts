interface ListedChangeset {
  readonly revision: number;
  readonly changeCount: number;
  /** The first changes. */
  readonly changes: readonly { readonly projectName: string | null }[];
}

/**
 * Returns the projects that have changed after a revision, so that something can be restored. `newest` are the newest changesets of the
 * organization. If they do not reach back to the revision, every project may have changed.
 */
export function restorableProjects(
  projects: readonly string[],
  revision: number,
  newest: readonly ListedChangeset[],
): readonly string[] {
  const laterChangesets = newest.filter((changeset) => changeset.revision > revision);
  if (laterChangesets.length === newest.length) return projects;
  const isUnknown = laterChangesets.some(({ changes, changeCount }) => changes.length < changeCount);
  const changedProjects = new Set(
    laterChangesets.flatMap(({ changes }) => changes.map(({ projectName }) => projectName)),
  );
  return projects.filter((project) => isUnknown || changedProjects.has(project));
}
