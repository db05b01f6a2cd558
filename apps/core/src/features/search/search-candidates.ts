import type { SearchQuery } from '@strata/contract';
import {
  compareNames,
  type ListKey,
  type ProjectId,
  type ProjectLink,
  projectChain,
  type ScopeId,
  type SearchField,
} from '@strata/domain';
import { escapeLike } from '../../platform/http/filters.ts';
import { type PointInTime, rowsAt } from '../../platform/postgres/versioned-table.ts';
import type { AdditionalRows, Forest } from '../snapshot/forest.ts';

/** If there are more candidates than this, whole projects are searched, because listing the names takes too long. */
const CANDIDATES_MAX = 50_000;

/** A name in a project that may be a hit. */
export interface SearchCandidate {
  readonly projectId: ProjectId;
  readonly name: string;
}

/**
 * Returns SQL for the names that a hit must be among: their own text matches or is evaluated. Texts in forbidden
 * environments are not searched. The database cannot match a regular expression, so all names are candidates for it.
 */
export function candidateRows(
  query: Pick<SearchQuery, 'q' | 'match' | 'ignore_case'>,
  fields: readonly SearchField[],
  at: PointInTime,
  forbiddenScopeIds: readonly ScopeId[],
): AdditionalRows {
  const { holds, searched } = textCondition(query);
  const conditions: Readonly<Record<SearchField, string>> = {
    name: holds('parameter.name'),
    description: holds('parameter.description'),
    value: `parameter.id in (select value.parameter_id from ${rowsAt('value', at)} value
             where value.environment_id <> all($4::uuid[]) and (value.interpolated or ${holds('value.text')}))`,
  };
  const sql = `select distinct parameter.project_id as "projectId", parameter.name from ${rowsAt('parameter', at)} parameter
    where ($3::text is not null) and parameter.project_id <> all($4::uuid[]) and (${fields.map((field) => conditions[field]).join(' or ')}) limit ${CANDIDATES_MAX + 1}`;
  return { sql, values: [searched, forbiddenScopeIds] };
}

/** The only characters outside of ASCII that are equal to an ASCII letter if case is ignored. */
const FOLDED_TO_ASCII = { s: '\u017f', k: '\u212a' } as const;

/** Returns the condition that a text must meet to match, and the parameter $3 of the condition. */
function textCondition({ q, match = 'contains', ignore_case: ignoreCase }: Parameters<typeof candidateRows>[0]): {
  readonly searched: string;
  readonly holds: (text: string) => string;
} {
  if (match === 'regex') return { searched: q, holds: () => 'true' };
  if (!ignoreCase) {
    const conditions = { contains: 'strpos(?, $3) > 0', prefix: 'starts_with(?, $3)', exact: '? = $3' };
    return { searched: q, holds: (text) => conditions[match].replace('?', text) };
  }
  // Only ASCII is folded here, because the collation of the database is unknown. Other characters match anything.
  const pattern = escapeLike(q)
    .replace(/[^\p{ASCII}]/gu, '_')
    .toLowerCase();
  const specialLetters = Object.entries(FOLDED_TO_ASCII).flatMap(([letter, foldedLetter]) =>
    pattern.includes(letter) ? foldedLetter : [],
  );
  return {
    searched: { contains: `%${pattern}%`, prefix: `${pattern}%`, exact: pattern }[match],
    holds: (text) =>
      [
        `lower(${text} collate "C") like $3`,
        ...specialLetters.map((character) => `${text} like '%${character}%'`),
      ].join(' or '),
  };
}

/** The search after narrowing: the projects that inherit or own a candidate, and the names. */
export interface NarrowedSearch {
  readonly projects: readonly ProjectLink[];
  /** The candidates that each project shows. Undefined includes all names. */
  readonly names?: CandidateNames;
}

/** The projects to search, and whether the values of a name are compared or only its name and description. */
interface SearchScope {
  readonly projects: readonly ProjectLink[];
  readonly forbidden: ReadonlySet<string>;
  readonly comparesValues: boolean;
}

/**
 * Narrows the search to the candidates. The progress within the time limit reveals how much was searched, so this must
 * not depend on hidden texts. If a readable scope inherits from a forbidden one, a hidden text may be effective there
 * or be overridden, so everything is searched.
 */
export function narrowSearch(
  { environments, projects: all }: Pick<Forest, 'environments' | 'projects'>,
  candidates: readonly SearchCandidate[],
  { projects, forbidden, comparesValues }: SearchScope,
): NarrowedSearch {
  const chains = new Map<ProjectId, readonly ProjectId[]>(projects.map(({ id }) => [id, projectChain(all, id)]));
  const isBelowForbidden =
    (comparesValues &&
      environments.some(({ id, parentId }) => !forbidden.has(id) && parentId !== null && forbidden.has(parentId))) ||
    [...chains.values()].some((chain) => chain.some((id) => forbidden.has(id)));
  if (isBelowForbidden || candidates.length > CANDIDATES_MAX) return { projects };
  const candidatesByProject = Map.groupBy(candidates, ({ projectId }) => projectId);
  const names = new Map<ProjectId, Set<string>>();
  for (const { id } of projects) {
    const shownNames = chains
      .get(id)
      ?.flatMap((ancestorId) => candidatesByProject.get(ancestorId)?.map(({ name }) => name) ?? []);
    if (shownNames !== undefined && shownNames.length > 0) names.set(id, new Set(shownNames));
  }
  return { projects: projects.filter(({ id }) => names.has(id)), names: new CandidateNames(names) };
}

/** The candidates that each project shows, by the id of the project. */
export class CandidateNames {
  private readonly sorted = new Map<ProjectId, readonly string[]>();

  constructor(private readonly names: ReadonlyMap<ProjectId, ReadonlySet<string>>) {}

  /** Returns the candidates of a project after a position in the results, in natural order. */
  after(position: ListKey | null, { id }: Pick<ProjectLink, 'id'>): readonly string[] {
    const sortedNames = this.sorted.get(id) ?? [...(this.names.get(id) ?? [])].sort(compareNames);
    this.sorted.set(id, sortedNames);
    if (position === null || position[1] !== id) return sortedNames;
    const lastName = position[2] ?? null;
    return lastName === null ? [] : sortedNames.filter((name) => compareNames(name, lastName) > 0);
  }

  /** Returns the number of all candidates. */
  get count(): number {
    return [...this.names.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns the number of candidates after a position. The projects are those that follow it. */
  countAfter(position: ListKey, followingProjects: readonly ProjectLink[]): number {
    const countIn = (project: ProjectLink) =>
      project.id === position[1] ? this.after(position, project).length : (this.names.get(project.id)?.size ?? 0);
    return followingProjects.reduce((sum, project) => sum + countIn(project), 0);
  }
}
