import { Injectable } from '@nestjs/common';
import { MATRIX_LIMITS, type Matrix, type MatrixName, type MatrixQuery } from '@strata/contract';
import {
  compareValueTexts,
  type EnvironmentNode,
  Failure,
  type PrefixRun,
  type ProjectId,
  prefixRuns,
  sentence,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { pageInMemory } from '../../platform/http/list-order.ts';
import type { ListBody } from '../../platform/http/page.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { PageResult } from '../../platform/postgres/snapshot-reader.ts';
import { matchesFilters } from '../snapshot/parameter-filter.ts';
import { sortVisible } from '../snapshot/parameter-order.ts';
import type { VersionedSnapshot } from '../snapshot/snapshots.ts';
import { inCells, MatchingNames } from './matching-names.ts';
import { MatrixCells, presentColumn, presentName } from './matrix-cells.ts';
import {
  createSide,
  type MatrixCaller,
  type MatrixSide,
  MatrixSides,
  pickEnvironments,
  type SidesQuery,
} from './matrix-sides.ts';

/** A page of names without the links to other pages. */
export interface MatrixPage {
  readonly page: PageResult<MatrixName>;
  envelop(page: ListBody<MatrixName>): Matrix;
}

/** The loaded rows, and a function that builds a page from them. */
export interface FoundMatrix {
  readonly snapshot: VersionedSnapshot;
  write(): Promise<MatrixPage>;
}

/** Reads all names of a project in many environments (behaviour.md §7.6). */
@Injectable()
export class MatrixReader {
  constructor(
    private readonly pointsInTime: PointsInTime,
    private readonly sides: MatrixSides,
    private readonly matching: MatchingNames,
  ) {}

  /** Loads the rows of a matrix. Throws 404 if the project or an environment does not exist. */
  async find(caller: MatrixCaller, projectId: ProjectId, query: MatrixQuery): Promise<FoundMatrix> {
    const { at, environments } = await this.resolved(caller, query);
    const { organizationId } = caller;
    const names = query.name === undefined ? undefined : [query.name];
    const scope = { organizationId, at, projects: [projectId], names };
    const whole = await (valueOrder(query) ? this.sides.load(scope) : this.sides.loadSmall(scope));
    const { snapshot, pageOf } = whole
      ? { snapshot: whole, pageOf: null }
      : await this.large(scope, caller, { ...query, environment: environments && [...environments] });
    return {
      snapshot,
      write: async () => {
        const side = createSide(snapshot, projectId, caller);
        const columns = pickEnvironments(snapshot, environments);
        const { rows, groups, ...rest } = await this.page(side, columns, query, pageOf);
        const page = { ...rest, revision: snapshot.head.revision, rows };
        const shownColumns = columns.map((environment) => presentColumn(side, environment));
        const grouped = groups && { groups: [...groups] };
        return {
          page,
          envelop: (page) => ({ ...page, results: [...page.results], environments: shownColumns, ...grouped }),
        };
      },
    };
  }

  /** Selects the page without most of the values, and loads only the values of the page. */
  private async large(scope: SidesQuery, caller: MatrixCaller, query: MatrixQuery) {
    const [project = ''] = scope.projects;
    const named = await this.sides.loadNames(scope);
    const side = createSide(named, project, caller);
    const columns = pickEnvironments(named, query.environment);
    const ordered = byOwner(side, namesIn(side, query), query);
    const isFiltered = comparesCells(query);
    const names = isFiltered ? await this.matching.of(side, ordered, query, { scope, columns }) : ordered;
    const page = pageOfNames(names, query);
    const rows = { ...scope, names: page.rows.map(({ name }) => name) };
    const snapshot = await this.matching.atRevision(rows, named.head.revision);
    // A filtered page also depends on values that the snapshot does not contain.
    return { snapshot: isFiltered ? { ...snapshot, contentVersion: null } : snapshot, pageOf: page };
  }

  private async resolved(caller: MatrixCaller, { environment, as_of, tag, revision }: MatrixQuery) {
    if (tag !== undefined && environment !== undefined && environment.length > 1) {
      throw Failure.invalid('tag_of_many', 'A tag belongs to one environment, so exactly one environment is required.');
    }
    const pointInTime = { as_of, tag, revision, environment: environment?.[0] };
    const { at, query } = await this.pointsInTime.resolved(caller, pointInTime);
    return { at, environments: tag === undefined ? environment : [query.environment ?? ''] };
  }

  /** `pageOf` is the page that `side` contains the values of; null if it contains all values. */
  private async page(
    side: MatrixSide,
    columns: readonly EnvironmentNode[],
    query: MatrixQuery,
    pageOf: NamePage | null,
  ) {
    const loadCells = async (names: readonly OrderedName[], loadedColumns = columns) => {
      const indexes = names.map(({ index }) => index);
      return new MatrixCells(side, await this.sides.evaluated(side, indexes, loadedColumns));
    };
    const ordered = byOwner(side, await byValue(side, namesIn(side, query), query, loadCells), query);
    // Filters by state or search need the texts, so all cells are computed before the page is selected.
    const cells = comparesCells(query) && !pageOf ? await loadCells(ordered) : null;
    const matching = cells === null ? ordered : await inCells(cells, ordered, columns, query);
    const page = pageOf ? { ...pageOf, rows: ordered } : pageOfNames(matching, query);
    assertShort(page.rows.length * columns.length);
    const shownCells = cells ?? (await loadCells(page.rows));
    const rows: MatrixName[] = [];
    const yielder = new EventLoopYielder();
    for (const { index } of page.rows) {
      rows.push({
        ...presentName(side, index),
        cells: columns.map((environment) => shownCells.at(index, environment)),
      });
      if (yielder.isDue) await yielder.yield();
    }
    return { ...page, rows };
  }
}

/** Whether the page depends on the cells of all columns, and not only on the parameters. */
const comparesCells = ({ state, q }: MatrixQuery): boolean => state !== undefined || q !== undefined;

const valueOrder = ({ ordering = [] }: MatrixQuery) => ordering.find(({ field }) => field === 'value');

interface OrderedName {
  /** The position among the names of the side. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
}

type NamePage = ReturnType<typeof pageOfNames>;

const pageOfNames = (names: readonly OrderedName[], query: MatrixQuery) => ({
  ...pageInMemory(names, query, ({ name, id }) => [name, id]),
  groups: groupNames(names, query),
});

/** Returns the groups of all names, not only of the page; undefined unless the names are sorted by prefix. */
function groupNames(names: readonly OrderedName[], { ordering = [] }: MatrixQuery): readonly PrefixRun[] | undefined {
  if (!ordering.some(({ field }) => field === 'prefix')) return undefined;
  const isByOwner = ordering.some(({ field }) => field === 'project');
  const groups = prefixRuns(names.map(({ name, projectId }) => ({ name, owner: isByOwner ? projectId : '' })));
  if (groups.length <= MATRIX_LIMITS.groups) return groups;
  throw Failure.invalid(
    'too_many_groups',
    sentence`More than ${{ limit: MATRIX_LIMITS.groups }} groups are too many for one request. Filter the names, or sort them by name.`,
  );
}

/** Returns the names that the filters for parameters select, in the requested order of parameters. */
function namesIn(side: MatrixSide, query: MatrixQuery): readonly OrderedName[] {
  const requested = side.names.visible
    .map((name, index) => ({ ...name, index }))
    .filter(({ parameter }) => matchesFilters(parameter, query, side.project.id));
  return sortVisible(requested, query.ordering).map(({ index, parameter: { id, name, projectId } }) => ({
    index,
    id,
    name,
    projectId,
  }));
}

/**
 * Sorts names for `ordering=project`: first the project's own names, then those of the projects that it depends on,
 * nearest first.
 */
function byOwner(
  { projectChain }: MatrixSide,
  names: readonly OrderedName[],
  { ordering = [] }: MatrixQuery,
): readonly OrderedName[] {
  if (!ordering.some(({ field }) => field === 'project')) return names;
  const distance = new Map(projectChain.map(({ id }, index): [string, number] => [id, index]));
  const projectDistance = ({ projectId }: OrderedName) => distance.get(projectId) ?? projectChain.length;
  return [...names].sort((left, right) => projectDistance(left) - projectDistance(right));
}

/**
 * Sorts names for `ordering=value` by their texts in one environment. Secrets have no text here, so the order reveals
 * nothing about them.
 */
async function byValue(
  { snapshot }: MatrixSide,
  names: readonly OrderedName[],
  query: MatrixQuery,
  loadCells: (names: readonly OrderedName[], environments: readonly EnvironmentNode[]) => Promise<MatrixCells>,
): Promise<readonly OrderedName[]> {
  const order = valueOrder(query);
  if (!order) return names;
  const { order_environment: nameOrId } = query;
  if (nameOrId === undefined) {
    throw Failure.field('required', 'order_environment', 'Name the environment by whose values to sort.');
  }
  const [environment] = pickEnvironments(snapshot, [nameOrId], '/order_environment');
  if (!environment) return names;
  const cells = await loadCells(names, [environment]);
  const withText = names.flatMap((name) => {
    const { states, text } = cells.at(name.index, environment);
    return typeof text === 'string' && !states.includes('secret') ? [{ name, text }] : [];
  });
  const sign = order.descending ? -1 : 1;
  const sorted = withText
    .toSorted((left, right) => sign * compareValueTexts(left.text, right.text))
    .map(({ name }) => name);
  const sortedNames = new Set(sorted);
  return [...sorted, ...names.filter((name) => !sortedNames.has(name))];
}

function assertShort(cells: number): void {
  if (cells <= MATRIX_LIMITS.cells) return;
  throw Failure.invalid(
    'too_many_cells',
    sentence`More than ${{ limit: MATRIX_LIMITS.cells }} cells are too many for one request. Request fewer names (page_size) or environments.`,
  );
}
