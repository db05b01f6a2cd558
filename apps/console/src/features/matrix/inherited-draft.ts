import type { MatrixLine } from '../../data/cell.ts';
import type { Draft } from '../../lib/draft.ts';
import type { ColumnOfGrid } from './grid-types.ts';

interface PlacedEnvironment {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

/** The tree of environments, as far as a draft reaches down in it. */
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

/** The drafts about a row, by the environments that they were made in. */
export interface DraftsOfRow {
  /** Of the project that is shown. */
  readonly own: ReadonlyMap<string, Draft>;
  /** Of the project that has the parameter, where this one shows the parameter of another. */
  readonly shown: ReadonlyMap<string, Draft>;
}

/**
 * The draft that a cell would follow, since it inherits from where that was made: what is nearer goes first, in one
 * environment what the project itself says. Undefined where a cell has a draft of its own, or would stay as it is.
 * What is evaluated may follow, too: that is known to the plan only.
 */
export function inheritedDraft(
  line: MatrixLine,
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
  // What applies was set in this very environment, here or in a project that this one depends on.
  if (!isMissing && cell.environmentName === null) return undefined;
  for (const environment of paths.above(column.id)) {
    const draft = own.get(environment.id) ?? shown.get(environment.id);
    if (draft) return draft;
    if (environment.name === cell.environmentName) return undefined;
  }
  return undefined;
}
