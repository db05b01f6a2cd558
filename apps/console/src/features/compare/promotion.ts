import type { ComparisonCell, ComparisonPage, DifferenceRow } from '../../data/compare.ts';
import type { ChangesetOperations } from '../../data/plan.ts';

/** A difference that can be promoted to the right side. */
export interface Promotable {
  readonly name: string;
  readonly row: DifferenceRow;
  readonly cell: ComparisonCell;
  readonly toSet: NonNullable<ComparisonCell['toSet']>;
  readonly from: { readonly id: string; readonly name: string } | null;
  readonly to: { readonly id: string; readonly name: string };
}

/** The maximum number of values in one `set` operation. */
const NAMES_MAX = 5_000;
const PARAMETER = 'projects_parameters';

export const cellKey = (name: string, column: number): string => `${column} ${name}`;

/**
 * Returns the differences that can be promoted, by `cellKey`. `mayWriteIn` returns whether the user may write in an environment, by its id.
 */
export function findPromotable(
  { edges, columns }: Pick<ComparisonPage, 'edges' | 'columns'>,
  mayWriteIn: (environmentId: string) => boolean,
): ReadonlyMap<string, Promotable> {
  const promotable = new Map<string, Promotable>();
  for (const { node: row } of edges) {
    for (const cell of row.cells) {
      const { left: from = null, right: to = null } = columns[cell.column] ?? {};
      const { toSet } = cell;
      if (!to || !toSet || !mayWriteIn(to.id)) continue;
      if (toSet.action === 'nothing' || toSet.action === 'impossible') continue;
      promotable.set(cellKey(row.name, cell.column), { name: row.name, row, cell, toSet, from, to });
    }
  }
  return promotable;
}

interface PromotionPlace {
  readonly projectId: string;
  /** The revision of the left side; null for now. */
  readonly leftRevision: number | null;
}

/**
 * Returns the operations of a promotion. Texts are set; secrets are copied by the core without being shown. Each operation expects the
 * version that was compared on the right side.
 */
export function promotionOperations(
  chosenDifferences: readonly Promotable[],
  location: PromotionPlace,
): ChangesetOperations {
  const isDynamic = ({ toSet }: Promotable) => toSet.action === 'set' && toSet.interpolated;
  const set = chosenDifferences.filter(({ toSet }) => toSet.action !== 'unset');
  // Dynamic texts come last, because they can refer to parameters that the others create.
  const groups = [set.filter((promotable) => !isDynamic(promotable)), set.filter(isDynamic)];
  return [
    ...chosenDifferences
      .filter(({ toSet }) => toSet.action === 'unset')
      .map((promotable) => removal(promotable, location)),
    ...groups.flatMap((group) =>
      [...Map.groupBy(group, ({ to }) => to.id)].flatMap(([environment, part]) => setting(environment, part, location)),
    ),
  ];
}

function setting(
  environment: string,
  promotables: readonly Promotable[],
  location: PromotionPlace,
): ChangesetOperations {
  const batches = Array.from({ length: Math.ceil(promotables.length / NAMES_MAX) }, (_, at) =>
    promotables.slice(at * NAMES_MAX, (at + 1) * NAMES_MAX),
  );
  return batches.map((part) => ({
    set: {
      project: location.projectId,
      environment,
      createMissing: true,
      values: Object.fromEntries(
        part.map((promotable) => [promotable.name, { ...content(promotable, location), ...expected(promotable) }]),
      ),
    },
  }));
}

function content({ toSet, row, from, to }: Promotable, { leftRevision }: PromotionPlace) {
  if (toSet.action === 'copy_secret') {
    const environment = (from ?? to).id;
    return { from: leftRevision === null ? { environment } : { environment, revision: leftRevision } };
  }
  // A parameter that is missing on the right is created with the type and description of the left one.
  const parameterInput =
    row.right === null && row.left ? { type: row.left.type, description: row.left.description } : {};
  const dynamic = toSet.action === 'set' && toSet.interpolated ? { interpolated: true } : {};
  return { value: toSet.text, ...dynamic, ...parameterInput };
}

const expected = ({ toSet: { ledgerId } }: Promotable) =>
  ledgerId === null ? { if_none_match: '*' } : { if_match: ledgerId };

const expectedAlone = ({ toSet: { ledgerId } }: Promotable) =>
  ledgerId === null ? { ifNoneMatch: '*' } : { ifMatch: ledgerId };

function removal(promotable: Promotable, { projectId }: PromotionPlace): ChangesetOperations[number] {
  const path = { project_pk: projectId, parameter_pk: promotable.toSet.parameterId, id: promotable.toSet.valueId };
  return { operation: `${PARAMETER}_values_destroy`, path, ...expectedAlone(promotable) };
}

/** Describes the effect of promoting a difference, or why it cannot be promoted. */
export function describePromotion({ toSet }: Pick<ComparisonCell, 'toSet'>): string {
  switch (toSet?.action) {
    case 'set':
      return toSet.valueId === null ? 'sets a value' : 'changes the value';
    case 'copy_secret':
      return 'copies the secret without showing it';
    case 'unset':
      return 'removes the value';
    default:
      return toSet?.reason ?? '';
  }
}
