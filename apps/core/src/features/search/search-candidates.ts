import type { SearchQuery } from '@strata/contract';
import { type ProjectId, type ProjectLink, projectChain, type ScopeId, type SearchField } from '@strata/domain';
import { type PointInTime, rowsAt } from '../../platform/postgres/versioned-table.ts';
import type { AdditionalRows, Forest } from '../snapshot/forest.ts';

/** If there are more candidates than this, whole projects are searched, because filtering by names does not help. */
const CANDIDATES_MAX = 5_000;

/** A name in a project that may be a hit. */
export interface SearchCandidate {
  readonly projectId: ProjectId;
  readonly name: string;
}

/**
 * Returns SQL for the names that a hit must be among: their own text matches or is evaluated. Texts in forbidden
 * environments are not searched. Returns null for a regular expression, which the database cannot match.
 */
export function candidateRows(
  { q, match = 'contains' }: Pick<SearchQuery, 'q' | 'match'>,
  fields: readonly SearchField[],
  at: PointInTime,
  forbidden: readonly ScopeId[],
): AdditionalRows | null {
  if (match === 'regex') return null;
  const holds = (text: string) => (match === 'exact' ? `${text} = $3` : `strpos(${text}, $3) > 0`);
  const conditions: Readonly<Record<SearchField, string>> = {
    name: holds('x.name'),
    description: holds('x.description'),
    value: `x.id in (select v.parameter_id from ${rowsAt('value', at)} v
             where v.environment_id <> all($4::uuid[]) and (v.interpolated or ${holds('v.text')}))`,
  };
  const sql = `select distinct x.project_id as "projectId", x.name from ${rowsAt('parameter', at)} x
    where ($3::text is not null) and x.project_id <> all($4::uuid[]) and (${fields.map((field) => conditions[field]).join(' or ')}) limit ${CANDIDATES_MAX + 1}`;
  return { sql, values: [q, forbidden] };
}

/** The search after narrowing: the projects that inherit or own a candidate, and the names. */
export interface NarrowedSearch {
  readonly projects: readonly ProjectLink[];
  /** Undefined includes all names. */
  readonly names?: readonly string[];
}

/**
 * Narrows the search to the candidates. The progress within the time limit reveals how much was searched, so this must
 * not depend on hidden texts. If a readable scope inherits from a forbidden one, a hidden text may be effective there
 * or be overridden, so everything is searched.
 */
export function narrowSearch(
  { environments, projects: all }: Pick<Forest, 'environments' | 'projects'>,
  projects: readonly ProjectLink[],
  candidates: readonly SearchCandidate[] | null,
  forbidden: ReadonlySet<string>,
): NarrowedSearch {
  const chains = new Map(projects.map(({ id }) => [id, projectChain(all, id)]));
  const isBelowForbidden =
    environments.some(({ id, parentId }) => !forbidden.has(id) && parentId !== null && forbidden.has(parentId)) ||
    [...chains.values()].some((chain) => chain.some((id) => forbidden.has(id)));
  if (candidates === null || isBelowForbidden || candidates.length > CANDIDATES_MAX) return { projects };
  const owners = new Set(candidates.map(({ projectId }) => projectId));
  return {
    projects: projects.filter(({ id }) => chains.get(id)?.some((above) => owners.has(above))),
    names: [...new Set(candidates.map(({ name }) => name))],
  };
}
