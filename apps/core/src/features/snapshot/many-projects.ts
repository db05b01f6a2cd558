import { Injectable } from '@nestjs/common';
import {
  byId,
  type EnvironmentNode,
  isUuid,
  type OrganizationId,
  type ParameterRow,
  type ProjectId,
  type ProjectLink,
  projectChain as projectIdsOf,
  type Revision,
  type ValueRow,
} from '@strata/domain';
import { SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import { type PointInTime, parametersOf, rowsAt, wireTime } from '../../platform/database/versioned-table.ts';
import { missing } from '../../platform/http/moment.ts';
import { environmentLineage, ownedParameters, projectChain, valuesIn } from './sql-parts.ts';

export interface SharedParameter extends ParameterRow {
  readonly secret: boolean;
}

export interface SharedValue extends ValueRow {
  readonly ledger_id: string;
  /** Clear text; null when the value is an explicit null or sealed. */
  readonly text: string | null;
  /** Sealed text as PostgreSQL writes bytes: `\x…`. */
  readonly sealed: string | null;
  readonly interpolated: boolean;
  readonly created_at: string;
  readonly modified_at: string;
}

/** What several projects show in several environments, at one point in time. */
export interface ManyProjects {
  readonly revision: Revision;
  /** All environments of the organization. */
  readonly environments: readonly EnvironmentNode[];
  /** Those that were asked about, in that order. */
  readonly askedEnvironments: readonly EnvironmentNode[];
  /** The projects that were asked about, in that order, each with what it depends on. */
  readonly chains: readonly (readonly ProjectLink[])[];
  readonly parameters: readonly SharedParameter[];
  /** In the environments that were asked about and in those above them. */
  readonly values: readonly SharedValue[];
  /** What a project depended on then, and does not any more. */
  readonly outsideChain: (project: ProjectId) => readonly ProjectId[];
}

export interface ManyProjectsQuery {
  readonly organizationId: OrganizationId;
  readonly at: PointInTime;
  /** Names or ids; an id wins over a name that looks like it. */
  readonly projects: readonly string[];
  readonly environments: readonly string[];
  /** Only parameters of these exact names. */
  readonly names: readonly string[] | undefined;
}

interface Row {
  readonly revision: Revision;
  readonly environments: readonly EnvironmentNode[];
  readonly projects: readonly ProjectLink[];
  readonly projectsNow: readonly ProjectLink[] | null;
  readonly parameters: readonly SharedParameter[];
  readonly values: readonly SharedValue[];
}

const LINKS = `coalesce(json_agg(json_build_object('id', id, 'name', name, 'dependsOnId', depends_on_id)), '[]')`;
const named = (row: string, list: string) => `${row}.id::text = any(${list}) or ${row}.name = any(${list})`;

/** $3 projects, $4 environments (names, and ids in lower case), $5 names of parameters or null. */
const statementAt = (at: PointInTime) => `
with recursive
  ${projectChain(at, named('p', '$3::text[]'))},
  ${environmentLineage(at, named('e', '$4::text[]'))},
  ${ownedParameters(at, '($5::text[] is null or x.name = any($5))')}
select h.revision,
  (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'parentId', parent_id)), '[]')
     from ${rowsAt('environment', at)} e) as environments,
  (select ${LINKS} from project_chain) as projects,
  ${at === 'now' ? 'null::json' : `(select ${LINKS} from ${rowsAt('project', 'now')} p)`} as "projectsNow",
  (select coalesce(json_agg(json_build_object('id', id, 'projectId', project_id, 'name', name, 'secret', secret)), '[]')
     from owned_parameter) as parameters,
  (select coalesce(json_agg(json_build_object('id', v.id, 'parameterId', v.parameter_id, 'environmentId', v.environment_id,
            'ledger_id', v.ledger_id, 'text', v.text, 'sealed', v.sealed, 'interpolated', v.interpolated,
            'created_at', ${wireTime('v.created_at')}, 'modified_at', ${wireTime('v.modified_at')})), '[]')
     from ${valuesIn(at, 'lineage')} v) as values
  from organization_head h where h.organization_id = $1 and $2::bigint is not distinct from $2`;

/** Two texts of one statement each, prepared once. */
const NOW = statementAt('now');
const THEN = statementAt(0);

/** Loads what several projects show, in one statement, whatever their number. */
@Injectable()
export class ManyProjectsLoader {
  constructor(private readonly committed: SnapshotReader) {}

  /** Throws 404 when there was no such project or environment. */
  async of(query: ManyProjectsQuery, reader: SnapshotReader = this.committed): Promise<ManyProjects> {
    const { organizationId, at, projects, environments, names } = query;
    const values = [withIds(projects), withIds(environments), names ?? null];
    const [row] = await reader.query<Row>(at === 'now' ? NOW : THEN, [...parametersOf(organizationId, at), ...values]);
    if (!row) throw new Error(`Organization ${organizationId} has no head.`);
    const links = byId(row.projects);
    const asked = projects.map((nameOrId) => found(row.projects, nameOrId) ?? fail('Project', at));
    const askedEnvironments = environments.map(
      (nameOrId) => found(row.environments, nameOrId) ?? fail('Environment', at),
    );
    const chainOf = (id: ProjectId) => projectIdsOf(row.projects, id).flatMap((one) => links.get(one) ?? []);
    return {
      ...row,
      revision: at === 'now' ? row.revision : at,
      askedEnvironments,
      chains: asked.map(({ id }) => chainOf(id)),
      outsideChain: (project) => {
        const now = row.projectsNow && new Set(projectIdsOf(row.projectsNow, project));
        return now ? projectIdsOf(row.projects, project).filter((id) => !now.has(id)) : [];
      },
    };
  }
}

/** Ids are compared without regard to letter case, names with. */
function withIds(given: readonly string[]): readonly string[] {
  return [...new Set(given.flatMap((text) => (isUuid(text) ? [text, text.toLowerCase()] : [text])))];
}

function found<T extends { readonly id: string; readonly name: string }>(
  rows: readonly T[],
  nameOrId: string,
): T | undefined {
  const id = nameOrId.toLowerCase();
  return (isUuid(id) ? rows.find((row) => row.id === id) : undefined) ?? rows.find(({ name }) => name === nameOrId);
}

function fail(thing: 'Project' | 'Environment', at: PointInTime): never {
  throw missing(thing, at);
}
