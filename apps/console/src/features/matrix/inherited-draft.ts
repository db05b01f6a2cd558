import type { MatrixRow } from '../../data/cell.ts';
import type { Draft } from '../../lib/draft.ts';
import type { ColumnOfGrid } from './grid-types.ts';

interface PlacedEnvironment {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

/** The ancestors of environments, which determine where drafts are inherited. */
export class EnvironmentPaths {
  private readonly byId: ReadonlyMap<string, PlacedEnvironment>;

  constructor(environments: readonly PlacedEnvironment[]) {
    this.byId = new Map(environments.map((environment) => [environment.id, environment]));
  }

  /** Iterates over the ancestors of an environment, nearest first. */
  *above(id: string): Generator<PlacedEnvironment> {
    for (let at = this.parentOf(id); at; at = this.parentOf(at.id)) yield at;
  }

  private parentOf(id: string): PlacedEnvironment | undefined {
    return this.byId.get(this.byId.get(id)?.parentId ?? '');
  }
}

/** The drafts of a row by environment id. */
export interface DraftsOfRow {
  /** The drafts of the shown project. */
  readonly ownDrafts: ReadonlyMap<string, Draft>;
  /** The drafts of the project that owns an inherited parameter. */
  readonly shown: ReadonlyMap<string, Draft>;
}

/**
 * Returns the draft that a cell would inherit, or undefined if the cell has its own draft or does not change. The draft of the nearest
 * environment applies; in the same environment, the draft of the project itself takes precedence. Dynamic values may change, too, but only
 * the plan determines them.
 */
export function inheritedDraft(
  line: MatrixRow,
  column: ColumnOfGrid,
  { ownDrafts, shown }: DraftsOfRow,
  paths: EnvironmentPaths,
): Draft | undefined {
  if (ownDrafts.size === 0 && shown.size === 0) return undefined;
  const cell = line.cells[column.at];
  if (!cell || cell.states.includes('closed') || ownDrafts.has(column.id)) return undefined;
  const besideIt = shown.get(column.id);
  if (besideIt) return besideIt;
  const isMissing = cell.states.includes('missing');
  // The effective value is set in the same environment, so no draft of a parent environment applies.
  if (!isMissing && cell.environmentName === null) return undefined;
  for (const environment of paths.above(column.id)) {
    const draft = ownDrafts.get(environment.id) ?? shown.get(environment.id);
    if (draft) return draft;
    if (environment.name === cell.environmentName) return undefined;
  }
  return undefined;
}
