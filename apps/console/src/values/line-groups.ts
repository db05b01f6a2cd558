import type { ShownCell, ShownParameter } from './cell-of.ts';

/** A parameter with the value that applies in each environment, in the order of the columns. */
export interface ValueLine {
  readonly parameter: ShownParameter;
  readonly cells: readonly ShownCell[];
}

/** Parameters of one project. */
export interface LineGroup {
  readonly projectId: string;
  readonly projectName: string;
  readonly lines: readonly ValueLine[];
}

/** What a project owns comes first, then what it has from each project that it depends on. */
export function inGroups(lines: readonly ValueLine[], projectId: string): readonly LineGroup[] {
  const byOwner = Map.groupBy(lines, ({ parameter }) => parameter.projectId);
  const groups = [...byOwner].map(([owner, ofOwner]) => ({
    projectId: owner,
    projectName: ofOwner[0]?.parameter.projectName ?? '',
    lines: ofOwner,
  }));
  return groups.sort((a, b) => Number(b.projectId === projectId) - Number(a.projectId === projectId));
}
