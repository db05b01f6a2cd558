import { Injectable } from '@nestjs/common';
import type { MatrixCell, MatrixQuery } from '@strata/contract';
import type { EnvironmentNode, MatrixState, Revision } from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { NOTHING_EVALUATED } from '../templating/evaluation.ts';
import { MatrixCells } from './matrix-cells.ts';
import { canSee, createSide, type MatrixSide, MatrixSides, type SidesQuery } from './matrix-sides.ts';
import { readOutlines, type ValueDigest, type ValueOutlines } from './value-outlines.ts';

/** The filters that depend on cells. */
export type CellFilters = Pick<MatrixQuery, 'state' | 'q'>;

/** A name of a matrix and its position there. */
interface IndexedName {
  readonly index: number;
  readonly name: string;
}

/** The names that a filter selects, and those that only their texts can decide. */
interface Decision<Name> {
  readonly matching: readonly Name[];
  readonly undecided: readonly Name[];
}

/** The number of names whose outlines are in memory as objects at once. */
const NAMES_AT_ONCE = 250;
/** The number of values whose texts are read at once, about as many as a matrix that is read with one statement. */
const VALUES_AT_ONCE = 12_000;

/** The states of a dynamic value that its text decides: whether it refers to a secret, and whether it equals another one. */
const EVALUATED_STATES: readonly MatrixState[] = ['secret', 'differs', 'redundant'];

/** Selects the names of a large matrix by their cells. Reads texts only where nothing else decides. */
@Injectable()
export class MatchingNames {
  constructor(
    private readonly committed: SnapshotReader,
    private readonly sides: MatrixSides,
  ) {}

  /** `named` contains the parameters without values, and `names` the names to select from. */
  async of<Name extends IndexedName>(
    named: MatrixSide,
    names: readonly Name[],
    filters: CellFilters,
    { scope, columns }: { readonly scope: SidesQuery; readonly columns: readonly EnvironmentNode[] },
  ): Promise<readonly Name[]> {
    const outlines = await this.outlines(named, filters);
    const { undecided, ...decided } = await decide(named, names, { filters, columns, outlines });
    const matching = new Set(decided.matching);
    for (const part of inParts(undecided, (name) => valueCount(named, name, outlines))) {
      for (const name of await this.byTexts(part, named, { filters, columns, scope })) matching.add(name);
    }
    return names.filter((name) => matching.has(name));
  }

  private async outlines({ snapshot, projectChain }: MatrixSide, { q }: CellFilters): Promise<ValueOutlines> {
    const { organizationId, at, head, environments, parameters } = snapshot;
    const query = {
      organizationId,
      projectIds: projectChain.map(({ id }) => id),
      environmentIds: environments.map(({ id }) => id),
      parameterCount: parameters.length,
      sought: q?.toLowerCase(),
    };
    const currentOutlines = await readOutlines(this.committed, { ...query, at });
    return currentOutlines.revision === head.revision
      ? currentOutlines
      : readOutlines(this.committed, { ...query, at: head.revision });
  }

  /** Selects names by their texts, as they were at the revision of `named`. */
  private async byTexts<Name extends IndexedName>(
    names: readonly Name[],
    { snapshot: { head }, project, permissions }: MatrixSide,
    { filters, columns, scope }: { readonly scope: SidesQuery } & CellSelection,
  ): Promise<readonly Name[]> {
    const snapshot = await this.atRevision({ ...scope, names: names.map(({ name }) => name) }, head.revision);
    const side = createSide(snapshot, project.id, permissions);
    const namesAtSide = atTheirPositions(side, names);
    const evaluated = await this.sides.evaluated(
      side,
      namesAtSide.map(({ index }) => index),
      columns,
    );
    const matchingRows = await inCells(new MatrixCells(side, evaluated), namesAtSide, columns, filters);
    return matchingRows.map(({ of }) => of);
  }

  /** Loads rows as they were at a revision. Usually that is the present, which is read first because it may be cached. */
  async atRevision(rows: SidesQuery, revision: Revision) {
    const currentSnapshot = await this.sides.load(rows);
    return currentSnapshot.head.revision === revision ? currentSnapshot : this.sides.load({ ...rows, at: revision });
  }
}

interface CellSelection {
  readonly filters: CellFilters;
  readonly columns: readonly EnvironmentNode[];
}

/** Decides by the outlines of the values. The rules are those of the cells, with digests instead of texts. */
async function decide<Name extends IndexedName>(
  named: MatrixSide,
  names: readonly Name[],
  selection: CellSelection & { readonly outlines: ValueOutlines },
): Promise<Decision<Name>> {
  const matching: Name[] = [];
  const undecided: Name[] = [];
  const yielder = new EventLoopYielder();
  for (let start = 0; start < names.length; start += NAMES_AT_ONCE) {
    const batch = names.slice(start, start + NAMES_AT_ONCE);
    const parameters = batch.flatMap(({ index }) => named.names.visible[index]?.owners ?? []);
    const values = parameters.flatMap(({ id }) => selection.outlines.of(id));
    const side = createSide({ ...named.snapshot, parameters, values }, named.project.id, named.permissions);
    const dynamic = new Set(values.flatMap(({ interpolated, parameterId }) => (interpolated ? parameterId : [])));
    const cells = new MatrixCells(side, NOTHING_EVALUATED);
    for (const name of atTheirPositions(side, batch)) {
      const isDynamic = side.names.visible[name.index]?.owners.some(({ id }) => dynamic.has(id)) ?? false;
      const result = isSelected(name, { side, cells, isDynamic, ...selection });
      if (result !== false) (result === null ? undecided : matching).push(name.of);
      if (yielder.isDue) await yielder.yield();
    }
  }
  return { matching, undecided };
}

interface OutlinedName extends CellSelection {
  readonly side: MatrixSide;
  readonly cells: MatrixCells;
  readonly isDynamic: boolean;
}

/** Returns whether a filter selects a name; null if its outlines do not decide. */
function isSelected({ index, name }: IndexedName, outlined: OutlinedName): boolean | null {
  const { side, cells, columns, isDynamic, filters } = outlined;
  const { state: states, q } = filters;
  const isNamed = q === undefined || name.toLowerCase().includes(q.toLowerCase());
  const needsTexts = states?.some((state) => EVALUATED_STATES.includes(state)) ?? false;
  if (isDynamic && (needsTexts || !isNamed)) return null;
  const row = columns.map((environment) => cells.at(index, environment));
  if (!isInStates(row, filters)) return false;
  if (isNamed) return true;
  const hits = columns.map((environment, at) => {
    const isShown = canSee(side, environment.id) && !row[at]?.states.includes('secret');
    return isShown ? ((side.names.at(index, environment.id) as ValueDigest | null)?.isFound ?? null) : false;
  });
  const isUnknown = columns.some(
    (environment, at) => hits[at] === null && side.names.at(index, environment.id) !== null,
  );
  return hits.includes(true) || (isUnknown ? null : false);
}

const isInStates = (row: readonly MatrixCell[], { state: states }: CellFilters): boolean =>
  states === undefined ||
  row.some((cell) => cell.states.some((state) => states.some((requested) => requested === state)));

/** Returns the names with a cell that has one of the requested states and matches the search. */
export async function inCells<Name extends IndexedName>(
  cells: MatrixCells,
  names: readonly Name[],
  columns: readonly EnvironmentNode[],
  filters: CellFilters,
): Promise<readonly Name[]> {
  const sought = filters.q?.toLowerCase();
  const isSaid = (text: string | null | undefined) =>
    sought === undefined || (text?.toLowerCase().includes(sought) ?? false);
  const isShown = ({ states: cellStates, text }: MatrixCell) => !cellStates.includes('secret') && isSaid(text);
  const matching: Name[] = [];
  const yielder = new EventLoopYielder();
  for (const name of names) {
    const row = columns.map((environment) => cells.at(name.index, environment));
    if (isInStates(row, filters) && (isSaid(name.name) || row.some(isShown))) matching.push(name);
    if (yielder.isDue) await yielder.yield();
  }
  return matching;
}

/** Returns names with their positions in another matrix, which contains all of them. */
function atTheirPositions<Name extends IndexedName>({ names: { visible } }: MatrixSide, names: readonly Name[]) {
  const positions = new Map(visible.map(({ parameter }, index) => [parameter.name, index]));
  return names.flatMap((orderedName) => {
    const index = positions.get(orderedName.name);
    return index === undefined ? [] : [{ of: orderedName, name: orderedName.name, index }];
  });
}

const valueCount = ({ names }: MatrixSide, { index }: IndexedName, outlines: ValueOutlines): number =>
  names.visible[index]?.owners.reduce((sum, { id }) => sum + outlines.of(id).length, 0) ?? 0;

function inParts<Name>(names: readonly Name[], sizeOf: (name: Name) => number): readonly (readonly Name[])[] {
  const batches: Name[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const added = sizeOf(name);
    if (size + added > VALUES_AT_ONCE) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(name);
    size += added;
  }
  return batches;
}
