import { Injectable } from '@nestjs/common';
import type {
  EnvironmentNode,
  EvaluableReference,
  OrganizationId,
  ParameterId,
  ProjectId,
  ProjectLink,
  Revision,
} from '@strata/domain';
import { SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import { type PointInTime, parametersOf, rowsAt } from '../../platform/database/versioned-table.ts';

/** A reference with all that a link to its target needs. */
export interface ReferenceRecord extends EvaluableReference {
  /** The project that owns the target. */
  readonly targetProjectId: ProjectId | null;
}

export interface WorldParameter {
  readonly id: ParameterId;
  readonly projectId: ProjectId;
  readonly name: string;
  readonly secret: boolean;
}

export interface WorldValue {
  readonly id: string;
  readonly parameterId: ParameterId;
  readonly environmentId: string;
  readonly interpolated: boolean;
  readonly text: string | null;
  readonly sealed: string | null;
}

export interface WorldTemplate {
  readonly id: string;
  readonly projectId: ProjectId;
  readonly name: string;
  readonly body: string;
}

/** Some texts and everything that they need, directly or through others; the type that domain's rules of evaluation ask. */
export interface World {
  readonly environments: readonly EnvironmentNode[];
  readonly projects: readonly ProjectLink[];
  /** What depends on what by now, for who may look into the past; null when this is the present. */
  readonly projectsNow: readonly ProjectLink[] | null;
  readonly parameters: readonly WorldParameter[];
  readonly values: readonly WorldValue[];
  readonly templates: readonly WorldTemplate[];
  readonly references: readonly ReferenceRecord[];
}

export interface WorldQuestion {
  readonly organizationId: OrganizationId;
  /** Always a number: the question is asked of the very state in which its texts were found. */
  readonly revision: Revision;
  /** The revision was the latest when the texts were found. */
  readonly isPresent?: boolean;
  /** Dynamic values and templates. */
  readonly sourceIds: readonly string[];
  /** Name or id: values that cannot be seen there are not read. Absent: those of all environments. */
  readonly environment?: string | undefined;
  /** References of texts that are not stored. */
  readonly more?: readonly ReferenceRecord[];
}

const DEPTH_MAX = 10_000;
const projectsIn = (
  rows: string,
) => `(select coalesce(json_agg(json_build_object('id', id, 'name', name, 'dependsOnId', depends_on_id)), '[]')
     from ${rows} p)`;
/**
 * $1 organization, $2 revision, $3 ids of texts, $4 environment, $5 further references. Which text may need which other
 * one is asked without regard to environments, like the rule against loops; the domain then takes what it needs.
 */
const worldAt = (at: PointInTime) => `
with recursive
  project_row as materialized (select id, name, depends_on_id from ${rowsAt('project', at)} p),
  chain as materialized (
    select id as root, id, depends_on_id, 0 as depth from project_row
    union all
    select c.root, p.id, p.depends_on_id, c.depth + 1
      from chain c join project_row p on p.id = c.depends_on_id where c.depth < ${DEPTH_MAX}),
  dynamic_value as materialized (
    select v.id, x.id as parameter_id, x.project_id, x.name
      from ${rowsAt('value', at)} v join ${rowsAt('parameter', at)} x on x.id = v.parameter_id where v.interpolated and v.text is not null),
  reference_row as materialized (
    select coalesce(value_id, template_id) as source_id, kind, project_id, named, name,
           coalesce(target_parameter_id, target_template_id) as target_id
      from ${rowsAt('reference', at)} r
    union all
    select * from jsonb_to_recordset($5::jsonb)
      as more(source_id uuid, kind text, project_id uuid, named boolean, name text, target_id uuid)),
  needs as materialized (
    select source_id, target_id as id from reference_row where kind = 'template'
    union all
    select r.source_id, d.id
      from reference_row r join chain c on c.root = r.project_id
      join dynamic_value d on d.project_id = c.id and d.name = r.name
     where r.kind = 'parameter'
    union all
    select r.source_id, d.id
      from reference_row r join chain c on c.root = r.project_id
      join dynamic_value d on d.project_id = c.id
     where r.kind = 'parameters'),
  reached (id) as (
    select unnest($3::uuid[])
    union
    select n.id from reached q join needs n on n.source_id = q.id),
  needed_reference as materialized (
    select r.* from reference_row r where r.source_id in (select id from reached)),
  needed_name as materialized (
    select c.id as project_id, r.name from needed_reference r join chain c on c.root = r.project_id where r.kind = 'parameter'
    union
    select c.id, d.name from dynamic_value d join chain c on c.root = d.project_id where d.id in (select id from reached)),
  needed_project as materialized (
    select distinct c.id from needed_reference r join chain c on c.root = r.project_id where r.kind = 'parameters'),
  needed_parameter as materialized (
    select x.id, x.project_id, x.name, x.secret
      from ${rowsAt('parameter', at)} x join needed_name n on n.project_id = x.project_id and n.name = x.name
    union
    select x.id, x.project_id, x.name, x.secret
      from ${rowsAt('parameter', at)} x join needed_project n on n.id = x.project_id),
  environment_row as materialized (select id, name, parent_id from ${rowsAt('environment', at)} e),
  lineage as (
    (select id, parent_id, 0 as depth from environment_row
      where id::text = lower($4) or name = $4 order by (id::text = lower($4)) desc limit 1)
    union all
    select e.id, e.parent_id, l.depth + 1
      from lineage l join environment_row e on e.id = l.parent_id where l.depth < ${DEPTH_MAX})
select h.revision,
  (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'parentId', parent_id)), '[]')
     from environment_row) as environments,
  ${projectsIn('project_row')} as projects,
  ${at === 'now' ? 'null::json' : projectsIn(rowsAt('project', 'now'))} as "projectsNow",
  (select coalesce(json_agg(json_build_object('id', id, 'projectId', project_id, 'name', name, 'secret', secret)), '[]')
     from needed_parameter) as parameters,
  (select coalesce(json_agg(json_build_object('id', v.id, 'parameterId', v.parameter_id, 'interpolated', v.interpolated and v.text is not null,
            'environmentId', v.environment_id, 'text', v.text, 'sealed', v.sealed)), '[]')
     from ${rowsAt('value', at)} v
    where v.parameter_id in (select id from needed_parameter)
      and ($4::text is null or v.environment_id in (select id from lineage) or v.id in (select id from reached))) as values,
  (select coalesce(json_agg(json_build_object('id', t.id, 'projectId', t.project_id, 'name', t.name, 'body', t.body)), '[]')
     from ${rowsAt('template', at)} t where t.id in (select id from reached)) as templates,
  (select coalesce(json_agg(json_build_object('sourceId', r.source_id, 'kind', r.kind, 'projectId', r.project_id,
            'named', r.named, 'name', r.name, 'targetId', r.target_id,
            'targetProjectId', coalesce(x.project_id, t.project_id))), '[]')
     from needed_reference r
     left join ${rowsAt('parameter', at)} x on r.kind = 'parameter' and x.id = r.target_id
     left join ${rowsAt('template', at)} t on r.kind = 'template' and t.id = r.target_id) as references
  from organization_head h where h.organization_id = $1 and $2::bigint is not distinct from $2`;

/** Two texts of one statement each, prepared once: the present is asked without a look into the past. */
const WORLD_NOW = worldAt('now');
const WORLD_THEN = worldAt(0);

/** Loads worlds. One statement, whatever the number of texts; one more when somebody has just written. */
@Injectable()
export class Worlds {
  constructor(private readonly committed: SnapshotReader) {}

  async of(
    { organizationId, revision, isPresent = false, sourceIds, environment, more = [] }: WorldQuestion,
    reader: SnapshotReader = this.committed,
  ): Promise<World> {
    const further = more.map(({ sourceId, kind, projectId, named, name, targetId }) => ({
      source_id: sourceId,
      kind,
      project_id: projectId,
      named,
      name,
      target_id: targetId,
    }));
    const values = [sourceIds, environment ?? null, JSON.stringify(further)];
    const ask = async (text: string, at: PointInTime) => {
      const asked = [...parametersOf(organizationId, at), ...values];
      const [world] = await reader.query<World & { readonly revision: Revision }>(text, asked);
      if (!world) throw new Error(`Organization ${organizationId} has no head.`);
      return world;
    };
    // What was found a moment ago is nearly always still the present.
    const present = isPresent ? await ask(WORLD_NOW, 'now') : null;
    return present?.revision === revision ? present : ask(WORLD_THEN, revision);
  }
}
