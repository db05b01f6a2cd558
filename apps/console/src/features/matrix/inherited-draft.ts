import type { MatrixRow } from '../../data/cell.ts';
import type { Draft } from '../../lib/draft.ts';
import type { ColumnOfGrid } from './grid-types.ts';

interface PlacedEnvironment {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

/** The tree of environments, for the inheritance of drafts. */
export class EnvironmentPaths {
  private readonly byId: ReadonlyMap<string, PlacedEnvironment>;

  constructor(environments: readonly PlacedEnvironment[]) {
    this.byId = new Map(environments.map((environment) => [environment.id, environment]));
  }

  /** The parents of an environment, nearest first. */
  *above(id: string): Generator<PlacedEnvironment> {
    for (let at = this.parentOf(id); at; at = this.parentOf(at.id)) yield at;
  }

  private parentOf(id: string): PlacedEnvironment | undefined {
    return this.byId.get(this.byId.get(id)?.parentId ?? '');
  }
}

/** The drafts of a row by environment. */
export interface DraftsOfRow {
  /** The drafts of the shown project. */
  readonly own: ReadonlyMap<string, Draft>;
  /** The drafts of the project that owns an inherited parameter. */
  readonly shown: ReadonlyMap<string, Draft>;
}

/**
 * Returns the draft that a cell would inherit from. The nearest environment wins; within one, a draft of the project itself wins.
 * Returns undefined if the cell has its own draft or does not change.
 * Dynamic values may change, too, but only the plan knows that.
 */
export function inheritedDraft(
  line: MatrixRow,
  column: ColumnOfGrid,
  { own, shown }: DraftsOfRow,
  paths: EnvironmentPaths,
): Draft | undefined {
  if (own.size === 0 && shown.size === 0) return undefined;
  const cell = line.cells[column.at];
  if (!cell || cell.states.includes('closed') || own.has(column.id)) return undefined;
  const besideIt = shown.get(column.id);
  if (besideIt) return besideIt;
  const isMissing = cell.states.includes('missing');
  // The effective value is set in this environment, in this project or a parent project.
  if (!isMissing && cell.environmentName === null) return undefined;
  for (const environment of paths.above(column.id)) {
    const draft = own.get(environment.id) ?? shown.get(environment.id);
    if (draft) return draft;
    if (environment.name === cell.environmentName) return undefined;
  }
  return undefined;
}
