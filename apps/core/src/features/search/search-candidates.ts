import type { SearchQuery } from '@strata/contract';
import { type ProjectId, type ProjectLink, projectChain, type SearchPlace } from '@strata/domain';
import { type PointInTime, rowsAt } from '../../platform/postgres/versioned-table.ts';
import type { Forest, FurtherRows } from '../snapshot/forest.ts';

/** Beyond this, names are no help: whole projects are read. */
const CANDIDATES_MAX = 5_000;

/** A name that a project owns, and that may be found somewhere because of it. */
export interface SearchCandidate {
  readonly projectId: ProjectId;
  readonly name: string;
}

/**
 * The rows without which nothing can be found: a text that applies is set somewhere, or evaluated. Null for a pattern, which is only
 * understood here.
 */
export function candidateRows(
  { q, match = 'contains' }: Pick<SearchQuery, 'q' | 'match'>,
  places: readonly SearchPlace[],
  at: PointInTime,
): FurtherRows | null {
  if (match === 'regex') return null;
  const holds = (text: string) => (match === 'exact' ? `${text} = $3` : `strpos(${text}, $3) > 0`);
  const conditions: Readonly<Record<SearchPlace, string>> = {
    name: holds('x.name'),
    description: holds('x.description'),
    value: `x.id in (select v.parameter_id from ${rowsAt('value', at)} v where v.interpolated or ${holds('v.text')})`,
  };
  const sql = `select distinct x.project_id as "projectId", x.name from ${rowsAt('parameter', at)} x
    where ($3::text is not null) and (${places.map((place) => conditions[place]).join(' or ')}) limit ${CANDIDATES_MAX + 1}`;
  return { sql, values: [q] };
}

/** What is left to look at: the projects that see a candidate, and the names. */
export interface Narrowed {
  readonly projects: readonly ProjectLink[];
  /** Absent: all names. */
  readonly names?: readonly string[];
}

export function narrowed(
  { projects: all }: Pick<Forest, 'projects'>,
  projects: readonly ProjectLink[],
  candidates: readonly SearchCandidate[] | null,
): Narrowed {
  if (candidates === null || candidates.length > CANDIDATES_MAX) return { projects };
  const owners = new Set(candidates.map(({ projectId }) => projectId));
  return {
    projects: projects.filter(({ id }) => projectChain(all, id).some((above) => owners.has(above))),
    names: [...new Set(candidates.map(({ name }) => name))],
  };
}
