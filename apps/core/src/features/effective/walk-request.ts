import { encodeListCursor, Failure, isListOf, isUuid, type ListKey, type ProjectLink } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { Links } from '../../platform/http/links.ts';
import { type AfterCursor, invalidCursor } from '../../platform/http/list-order.ts';
import { cursorLink } from '../../platform/http/page.ts';
import type { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { Call } from '../../platform/http/request.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import type { BoundedPage } from './bounded-page.ts';
import { compareListOrder } from './project-walk.ts';

/** The query members of reads that walk through many projects, as parsed by the contract. */
interface WalkQuery {
  readonly project?: readonly string[] | undefined;
  readonly environment?: readonly string[] | undefined;
  readonly as_of?: string | undefined;
  readonly tag?: string | undefined;
  readonly revision?: number | undefined;
  readonly after?: AfterCursor;
}

/**
 * Resolves the point in time and the requested environments. With a tag, the environment is the one that the tag
 * belongs to.
 */
export async function resolveWalkScope(
  moments: PointsInTime,
  caller: Caller,
  { as_of, tag, revision, environment: named }: WalkQuery,
): Promise<{ readonly at: PointInTime; readonly environments: readonly string[] | undefined }> {
  if (tag !== undefined && (named?.length ?? 0) > 1) {
    throw Failure.invalid('tag_of_many', 'A tag belongs to one environment: give exactly one environment.');
  }
  const { at, query } = await moments.resolved(caller, { as_of, tag, revision, environment: named?.[0] });
  return { at, environments: tag === undefined ? named : [query.environment ?? ''] };
}

/** Parses the cursor: project, its id, and the sort key within the project; null for the first page. */
export function positionAfter({ url }: Pick<Call, 'url'>, { after }: WalkQuery, parts: number): ListKey | null {
  if (after === undefined || after === 'start') return null;
  const [name, id] = after.key;
  const isOurs = isListOf(after, url) && after.key.length === parts && typeof name === 'string' && isUuid(id ?? '');
  if (!isOurs) throw invalidCursor();
  return after.key;
}

/**
 * Returns the projects from a position on. The project that contains the position comes first, unless the position is
 * its end.
 */
export function projectsFrom(projects: readonly ProjectLink[], after: ListKey | null): readonly ProjectLink[] {
  if (after === null) return projects;
  const [name, id, inside] = after;
  const nearest = inside === null ? 1 : 0;
  return projects.filter((project) => compareListOrder([project.name, project.id], [name ?? '', id ?? '']) >= nearest);
}

/** Presents the progress of a page: whether it is incomplete, and the link to the next one. */
export function progressOf({ url }: Pick<Call, 'url'>, links: Links, page: BoundedPage<unknown>) {
  const { next, isIncomplete: incomplete } = page;
  const [path = ''] = url.split('?');
  return {
    cursor: next && encodeListCursor(path, next),
    next: next && cursorLink({ links, url }, next),
    incomplete,
  };
}
