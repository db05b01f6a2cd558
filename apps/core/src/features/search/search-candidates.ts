import type { SearchQuery } from '@strata/contract';
import { type ProjectId, type ProjectLink, projectChain, type ScopeId, type SearchField } from '@strata/domain';
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
 * The rows without which nothing can be found: a text that applies is set somewhere, or evaluated. Texts in closed environments are not
 * looked into. Null for a pattern, which is only understood here.
 */
export function candidateRows(
  { q, match = 'contains' }: Pick<SearchQuery, 'q' | 'match'>,
  places: readonly SearchField[],
  at: PointInTime,
  closed: readonly ScopeId[],
): FurtherRows | null {
  if (match === 'regex') return null;
  const holds = (text: string) => (match === 'exact' ? `${text} = $3` : `strpos(${text}, $3) > 0`);
  const conditions: Readonly<Record<SearchField, string>> = {
    name: holds('x.name'),
    description: holds('x.description'),
    value: `x.id in (select v.parameter_id from ${rowsAt('value', at)} v
             where v.environment_id <> all($4::uuid[]) and (v.interpolated or ${holds('v.text')}))`,
  };
  const sql = `select distinct x.project_id as "projectId", x.name from ${rowsAt('parameter', at)} x
    where ($3::text is not null) and x.project_id <> all($4::uuid[]) and (${places.map((place) => conditions[place]).join(' or ')}) limit ${CANDIDATES_MAX + 1}`;
  return { sql, values: [q, closed] };
}

/** What is left to look at: the projects that see a candidate, and the names. */
export interface Narrowed {
  readonly projects: readonly ProjectLink[];
  /** Absent: all names. */
  readonly names?: readonly string[];
}

/**
 * How far an answer gets in its time tells how much there was to look at. So what is looked at must not depend on a text that nobody is
 * shown: where something closed lies above what is open, a text there may apply or be covered, and everything is looked at.
 */
export function narrowed(
  { environments, projects: all }: Pick<Forest, 'environments' | 'projects'>,
  projects: readonly ProjectLink[],
  candidates: readonly SearchCandidate[] | null,
  closed: ReadonlySet<string>,
): Narrowed {
  const chains = new Map(projects.map(({ id }) => [id, projectChain(all, id)]));
  const isBelowClosed =
    environments.some(({ id, parentId }) => !closed.has(id) && parentId !== null && closed.has(parentId)) ||
    [...chains.values()].some((chain) => chain.some((id) => closed.has(id)));
  if (candidates === null || isBelowClosed || candidates.length > CANDIDATES_MAX) return { projects };
  const owners = new Set(candidates.map(({ projectId }) => projectId));
  return {
    projects: projects.filter(({ id }) => chains.get(id)?.some((above) => owners.has(above))),
    names: [...new Set(candidates.map(({ name }) => name))],
  };
}
