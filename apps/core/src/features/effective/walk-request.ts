import { encodeListCursor, Failure, isListOf, isUuid, type ListKey, type ProjectLink } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { Links } from '../../platform/http/links.ts';
import { type AfterCursor, invalidCursorError } from '../../platform/http/list-order.ts';
import { cursorLink } from '../../platform/http/page.ts';
import type { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { Call } from '../../platform/http/request.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import type { BoundedPage } from './bounded-page.ts';
import { compareListOrder } from './project-walk.ts';

/** The query parameters of reads that cover many projects, parsed by the contract. */
interface WalkQuery {
  readonly project?: readonly string[] | undefined;
  readonly environment?: readonly string[] | undefined;
  readonly as_of?: string | undefined;
  readonly tag?: string | undefined;
  readonly revision?: number | undefined;
  readonly after?: AfterCursor;
}

/**
 * Resolves the point in time and the requested environments. If the request names a tag, the tag determines the
 * environment.
 */
export async function resolveWalkScope(
  pointsInTime: PointsInTime,
  caller: Caller,
  { as_of, tag, revision, environment: environmentNames }: WalkQuery,
): Promise<{ readonly at: PointInTime; readonly environments: readonly string[] | undefined }> {
  if (tag !== undefined && (environmentNames?.length ?? 0) > 1) {
    throw Failure.invalid('tag_of_many', 'A tag belongs to one environment, so exactly one environment is required.');
  }
  const { at, query } = await pointsInTime.resolved(caller, {
    as_of,
    tag,
    revision,
    environment: environmentNames?.[0],
  });
  return { at, environments: tag === undefined ? environmentNames : [query.environment ?? ''] };
}

/** Parses the cursor: the project, its id, and the sort key within the project. Returns null for the first page. */
export function parsePositionAfter({ url }: Pick<Call, 'url'>, { after }: WalkQuery, parts: number): ListKey | null {
  if (after === undefined || after === 'start') return null;
  const [name, id] = after.key;
  const isOurs = isListOf(after, url) && after.key.length === parts && typeof name === 'string' && isUuid(id ?? '');
  if (!isOurs) throw invalidCursorError();
  return after.key;
}

/**
 * Returns the projects from a position on. The first one is the project that contains the position, unless the position
 * is the end of that project.
 */
export function projectsFrom(projects: readonly ProjectLink[], after: ListKey | null): readonly ProjectLink[] {
  if (after === null) return projects;
  const [name, id, inside] = after;
  const orderMin = inside === null ? 1 : 0;
  return projects.filter((project) => compareListOrder([project.name, project.id], [name ?? '', id ?? '']) >= orderMin);
}

/**
 * Returns the members that describe the progress of a page: whether it is incomplete, and the link to the next page.
 */
export function presentProgress({ url }: Pick<Call, 'url'>, links: Links, page: BoundedPage<unknown>) {
  const { next, isIncomplete: incomplete } = page;
  const [path = ''] = url.split('?');
  return {
    cursor: next && encodeListCursor(path, next),
    next: next && cursorLink({ links, url }, next),
    incomplete,
  };
}
