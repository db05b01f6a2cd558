import { Injectable } from '@nestjs/common';
import type { Difference, Differences, DifferencesQuery } from '@strata/contract';
import {
  type ComparableText,
  compareNames,
  type EnvironmentNode,
  Failure,
  isSameText,
  jsonPointer,
  type ProjectId,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { pageInMemory } from '../../platform/http/list-order.ts';
import type { ListBody } from '../../platform/http/page.ts';
import { type PointInTimeQuery, PointsInTime } from '../../platform/http/points-in-time.ts';
import type { PageResult } from '../../platform/postgres/snapshot-reader.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import { byIdOrName } from '../snapshot/lookup.ts';
import { matchesFilters } from '../snapshot/parameter-filter.ts';
import type { VersionedSnapshot } from '../snapshot/snapshots.ts';
import { type ComparedSide, compareCell, compareName } from './difference-cells.ts';
import { MatrixCells, presentColumn } from './matrix-cells.ts';
import {
  canSee,
  createSide,
  type MatrixCaller,
  type MatrixSide,
  MatrixSides,
  pickEnvironments,
} from './matrix-sides.ts';

/** One side of the comparison, as the request describes it. */
interface SideQuery {
  readonly environment: string | undefined;
  /** Whether the side uses the environment that the other side names. */
  readonly borrows: boolean;
  readonly project: string;
  readonly at: PointInTime;
}

interface ComparedColumn {
  readonly left: EnvironmentNode | null;
  readonly right: EnvironmentNode | null;
}

/** A page of differences without the links to other pages. */
export interface DifferencesPage {
  readonly page: PageResult<Difference>;
  envelop(page: ListBody<Difference>): Differences;
}

export interface FoundDifferences {
  /** The same object twice if both sides show the same point in time. */
  readonly snapshots: readonly [left: VersionedSnapshot, right: VersionedSnapshot];
  write(): Promise<DifferencesPage>;
}

/** Compares two environments, two points in time or two projects by their effective values (behaviour.md §7.7). */
@Injectable()
export class DifferencesReader {
  constructor(
    private readonly pointsInTime: PointsInTime,
    private readonly sides: MatrixSides,
  ) {}

  /**
   * Finds the differences. Throws 404 if an object does not exist, 403 if a scope is forbidden, and 400 if both sides
   * are the same.
   */
  async find(caller: MatrixCaller, projectId: ProjectId, query: DifferencesQuery): Promise<FoundDifferences> {
    const [left, right] = await this.resolved(caller, projectId, query);
    const snapshots = await this.load(caller, left, right, query.name);
    return {
      snapshots,
      write: async () => {
        const sides = [
          createSide(snapshots[0], left.project, caller, query.left_project && locateOnSide('left', 'project')),
          createSide(snapshots[1], right.project, caller, query.right_project && locateOnSide('right', 'project')),
        ] as const;
        const columns = pairColumns(sides, [left, right]);
        assertDifferent(sides, columns);
        return this.page(sides, columns, query);
      },
    };
  }

  private async resolved(caller: MatrixCaller, projectId: ProjectId, query: DifferencesQuery) {
    const resolve = async (side: SideInput, lender?: SideQuery): Promise<SideQuery> => {
      const environment = side.environment ?? (lender && (await this.environmentOfOtherSide(caller, lender, side)));
      const pointInTime = { ...side.pointInTime, environment };
      const { at, query: resolvedQuery } = await this.pointsInTime.resolved(caller, pointInTime, undefined, (member) =>
        locateOnSide(side.side, member),
      );
      const borrows = lender?.environment !== undefined;
      return { at, environment: resolvedQuery.environment, borrows, project: side.project ?? projectId };
    };
    const [left, right] = [leftSide(query), rightSide(query)];
    if (left.environment === undefined && right.environment !== undefined) {
      const second = await resolve(right);
      return [await resolve(left, second), second] as const;
    }
    const first = await resolve(left);
    return [first, await resolve(right, right.environment === undefined ? first : undefined)] as const;
  }

  /**
   * Returns the environment that the other side uses. If the request names a tag, this is the environment's id, because
   * the tag was resolved with its current name.
   */
  private async environmentOfOtherSide(
    { organizationId }: MatrixCaller,
    { at, environment, project }: SideQuery,
    { pointInTime }: SideInput,
  ): Promise<string | undefined> {
    if (environment === undefined || pointInTime.tag === undefined || at === 'now') return environment;
    const { environments } = await this.sides.load({ organizationId, at, projects: [project] });
    return byIdOrName(environments, environment)?.id ?? environment;
  }

  /**
   * If both sides show the same point in time, reads them with one statement, so that no write can happen in between.
   */
  private async load({ organizationId }: MatrixCaller, left: SideQuery, right: SideQuery, name: string | undefined) {
    const names = name === undefined ? undefined : [name];
    if (left.at === right.at) {
      const projects = [...new Set([left.project, right.project])];
      const side = await this.sides.load({ organizationId, at: left.at, projects, names });
      return [side, side] as const;
    }
    return Promise.all([
      this.sides.load({ organizationId, at: left.at, projects: [left.project], names }),
      this.sides.load({ organizationId, at: right.at, projects: [right.project], names }),
    ]);
  }

  private async page(
    sides: readonly [MatrixSide, MatrixSide],
    columns: readonly ComparedColumn[],
    query: DifferencesQuery,
  ): Promise<DifferencesPage> {
    // If a name matches the filter on one side, both sides show it: a filter must not make a name look missing.
    const requested = new Set(sides.flatMap((side) => matchingNames(side, query)));
    const left = await this.compared(
      sides[0],
      columns.flatMap((column) => column.left ?? []),
      requested,
    );
    const right = await this.compared(
      sides[1],
      columns.flatMap((column) => column.right ?? []),
      requested,
    );
    const names = [...new Set([...left.indexes.keys(), ...right.indexes.keys()])].sort(compareNames);
    const different: { readonly name: string; readonly columns: readonly number[] }[] = [];
    const yielder = new EventLoopYielder();
    for (const name of names) {
      const differing = columns.flatMap((column, index) => (differsIn(column, left, right, name) ? [index] : []));
      if (differing.length > 0) different.push({ name, columns: differing });
      if (yielder.isDue) await yielder.yield();
    }
    if (query.ordering?.find(({ field }) => field === 'name')?.descending) different.reverse();
    const page = pageInMemory(different, query, ({ name }) => [name]);
    const rows = page.rows.map(({ name, columns: differing }) => ({
      ...compareName(left, right, name),
      cells: differing.map((at) => ({ column: at, ...compareCell(left, right, name, columns[at]) })),
    }));
    const revision = Math.max(...sides.map(({ snapshot }) => snapshot.head.revision));
    return {
      page: { ...page, revision, rows },
      envelop: ({ count, next, previous, results }) => ({
        count,
        next,
        previous,
        left: presentSide(sides[0]),
        right: presentSide(sides[1]),
        columns: columns.map((column) => ({
          left: column.left && presentColumn(sides[0], column.left),
          right: column.right && presentColumn(sides[1], column.right),
        })),
        results: [...results],
      }),
    };
  }

  private async compared(
    side: MatrixSide,
    environments: readonly EnvironmentNode[],
    requested: ReadonlySet<string>,
  ): Promise<ComparedSide> {
    const indexes = new Map(
      side.names.visible.flatMap(({ parameter }, index) =>
        requested.has(parameter.name) ? [[parameter.name, index] as const] : [],
      ),
    );
    const evaluated = await this.sides.evaluated(side, [...indexes.values()], environments);
    return { side, indexes, cells: new MatrixCells(side, evaluated) };
  }
}

function matchingNames({ names, project }: MatrixSide, query: DifferencesQuery): readonly string[] {
  return names.visible.flatMap(({ parameter }) =>
    matchesFilters(parameter, query, project.id) ? [parameter.name] : [],
  );
}

interface SideInput {
  readonly side: 'left' | 'right';
  readonly environment: string | undefined;
  readonly project: string | undefined;
  readonly pointInTime: {
    readonly as_of: string | undefined;
    readonly tag: string | undefined;
    readonly revision: number | undefined;
  };
}

/** Returns the pointer to a query parameter of a side. The environment of the left side is called `left`. */
function locateOnSide(side: SideInput['side'], member: keyof PointInTimeQuery | 'project'): string {
  return jsonPointer([member === 'environment' ? side : `${side}_${member}`]);
}

function leftSide(query: DifferencesQuery): SideInput {
  const { left: environment, left_project: project, left_as_of, left_tag, left_revision } = query;
  return {
    side: 'left',
    environment,
    project,
    pointInTime: { as_of: left_as_of, tag: left_tag, revision: left_revision },
  };
}

function rightSide(query: DifferencesQuery): SideInput {
  const { right: environment, right_project: project, right_as_of, right_tag, right_revision } = query;
  return {
    side: 'right',
    environment,
    project,
    pointInTime: { as_of: right_as_of, tag: right_tag, revision: right_revision },
  };
}

/**
 * Returns the pairs of environments to compare. If the request names no environments, pairs every environment with
 * itself by id, so that a rename does not matter.
 */
function pairColumns(
  [left, right]: readonly [MatrixSide, MatrixSide],
  queries: readonly [SideQuery, SideQuery],
): readonly ComparedColumn[] {
  const named = orderNames([left, right], queries);
  if (named !== null) {
    const [leftPointer, rightPointer] = [
      queries[0].borrows ? '/right' : '/left',
      queries[1].borrows ? '/left' : '/right',
    ];
    const [leftEnvironment] = pickEnvironments(left.snapshot, [named[0]], leftPointer);
    const [rightEnvironment] = pickEnvironments(right.snapshot, [named[1]], rightPointer);
    if (!leftEnvironment || !rightEnvironment) throw new Error('A loaded environment is missing from the snapshot.');
    if (!canSee(left, leftEnvironment.id)) throw Failure.forbidden().at(leftPointer);
    if (!canSee(right, rightEnvironment.id)) throw Failure.forbidden().at(rightPointer);
    return [{ left: leftEnvironment, right: rightEnvironment }];
  }
  const [before, after] = [pickEnvironments(left.snapshot, undefined), pickEnvironments(right.snapshot, undefined)];
  const onTheRight = new Map(after.map((environment) => [environment.id, environment]));
  const idsBefore = new Set(before.map(({ id }) => id));
  return [
    ...before.map((environment) => ({ left: environment, right: onTheRight.get(environment.id) ?? null })),
    ...after.filter(({ id }) => !idsBefore.has(id)).map((environment) => ({ left: null, right: environment })),
  ];
}

/**
 * Returns the name or id of the environment on each side, or null if the request names none. If one environment is used
 * for both sides, it is looked up on the side that names it, then on the other one, and identified by its id, because
 * it may have another name there.
 */
function orderNames(
  sides: readonly [MatrixSide, MatrixSide],
  [left, right]: readonly [SideQuery, SideQuery],
): readonly [string, string] | null {
  if (left.environment === undefined || right.environment === undefined) return null;
  if (!left.borrows && !right.borrows) return [left.environment, right.environment];
  const [ownEnvironment, lentSides] = left.borrows
    ? [right.environment, [sides[1], sides[0]]]
    : [left.environment, sides];
  const [environment] = lentSides.flatMap(({ snapshot }) => byIdOrName(snapshot.environments, ownEnvironment) ?? []);
  return environment ? [environment.id, environment.id] : [left.environment, right.environment];
}

/** Rejects a comparison of a side with itself: the client has omitted one side. */
function assertDifferent([left, right]: readonly [MatrixSide, MatrixSide], columns: readonly ComparedColumn[]): void {
  const isSame =
    left.snapshot.at === right.snapshot.at &&
    left.project.id === right.project.id &&
    columns.every((column) => column.left?.id === column.right?.id);
  if (!isSame) return;
  throw Failure.invalid(
    'same_sides',
    'Left and right are the same. Choose different environments, or another project or point in time for one of them.',
  );
}

function differsIn(column: ComparedColumn, left: ComparedSide, right: ComparedSide, name: string): boolean {
  const textOn = (
    { side, indexes, cells }: ComparedSide,
    environment: EnvironmentNode | null,
  ): ComparableText | 'closed' => {
    const index = indexes.get(name);
    if (environment === null || index === undefined) return null;
    return canSee(side, environment.id) ? cells.comparable(index, environment.id) : 'closed';
  };
  const [leftText, rightText] = [textOn(left, column.left), textOn(right, column.right)];
  return leftText !== 'closed' && rightText !== 'closed' && !isSameText(leftText, rightText);
}

function presentSide({ project, snapshot }: MatrixSide) {
  return {
    project_id: project.id,
    project_name: project.name,
    revision: snapshot.at === 'now' ? null : snapshot.at,
  };
}
