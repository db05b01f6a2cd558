import type { SearchHit, SearchQuery, SearchWin } from '@strata/contract';
import { createExcerpt, type EffectiveMatch, type FoundName, type NamedObject, type ProjectLink } from '@strata/domain';
import type { Links } from '../../platform/http/links.ts';
import type { ParameterRecord } from '../snapshot/snapshot.ts';

/** A hit before presentation. */
export interface HitRow {
  readonly project: ProjectLink;
  readonly parameter: ParameterRecord;
  readonly match: FoundName;
}

/** The names behind the ids of a hit. */
export interface HitNames {
  readonly links: Links;
  readonly projects: ReadonlyMap<string, NamedObject>;
  readonly environments: ReadonlyMap<string, NamedObject>;
}

export function presentHit(
  { project, parameter, match: nameMatch }: HitRow,
  { q, match = 'contains', wins_max: max }: Pick<SearchQuery, 'q' | 'match' | 'wins_max'>,
  names: HitNames,
): SearchHit {
  const searchedText = match === 'contains' ? q : null;
  const wins = nameMatch.wins.slice(0, max);
  return {
    project_id: project.id,
    project_name: project.name,
    parameter: names.links.parameter(parameter.projectId, parameter.id),
    parameter_id: parameter.id,
    name: parameter.name,
    description: parameter.description,
    type: parameter.type,
    secret: parameter.secret,
    matched: [...nameMatch.matched],
    wins: wins.map((winningCell) => presentWin(winningCell, project, searchedText, names)),
    wins_left_out: nameMatch.wins.length - wins.length,
  };
}

function presentWin(
  { cell, matched, environmentIds }: EffectiveMatch,
  project: ProjectLink,
  searchedText: string | null,
  { projects, environments }: HitNames,
): SearchWin {
  const { text, cut } = createExcerpt(cell, searchedText);
  const nameOf = (objectsById: ReadonlyMap<string, NamedObject>, id: string) => objectsById.get(id)?.name ?? '';
  return {
    value: text,
    cut,
    matched,
    secret: cell.secret,
    dynamic: cell.dynamic,
    failed: cell.failed,
    value_id: cell.valueId,
    source_parameter_id: cell.parameterId,
    source_project_id: cell.sourceProjectId,
    source_project_name: nameOf(projects, cell.sourceProjectId),
    source_environment_id: cell.sourceEnvironmentId,
    source_environment_name: nameOf(environments, cell.sourceEnvironmentId),
    environments: environmentIds.map((id) => ({
      environment_id: id,
      environment_name: nameOf(environments, id),
      inherited: id !== cell.sourceEnvironmentId || project.id !== cell.sourceProjectId,
    })),
  };
}
