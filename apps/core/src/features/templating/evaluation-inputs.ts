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
import { currentLimits } from '../../platform/limits/request-limits.ts';
import {
  responseTooLongError,
  TEXT_COPIES,
  TEXTS_BYTES_MAX,
  UNRESERVED_BYTES_MAX,
} from '../../platform/limits/response-limits.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type PointInTime, rowsAt, versionParameters } from '../../platform/postgres/versioned-table.ts';
import { readSealed } from '../../platform/vault/sealed-text.ts';
import { environmentLineage } from '../snapshot/sql-parts.ts';
import { lateralJoin, referencesSql, selectDependencies } from './dependency-sql.ts';

/** A reference, with the data for a link to its target. */
export interface ReferenceRecord extends EvaluableReference {
  /** The project that owns the target. */
  readonly targetProjectId: ProjectId | null;
}

export interface InputParameter {
  readonly id: ParameterId;
  readonly projectId: ProjectId;
  readonly name: string;
  readonly secret: boolean;
}

export interface InputValue {
  readonly id: string;
  readonly parameterId: ParameterId;
  readonly environmentId: string;
  readonly interpolated: boolean;
  readonly text: string | null;
  readonly sealed: string | null;
  readonly ledger_id: string;
}

export interface InputTemplate {
  readonly id: string;
  readonly projectId: ProjectId;
  readonly name: string;
  readonly body: string;
}

/**
 * Some texts and everything that they depend on, directly or transitively. The evaluation rules of the domain use these
 * inputs.
 */
export interface EvaluationInputs {
  readonly environments: readonly EnvironmentNode[];
  /** The projects whose names or dependencies the texts depend on. */
  readonly projects: readonly ProjectLink[];
  /** The current dependencies; null if the inputs show the present. */
  readonly projectsNow: readonly ProjectLink[] | null;
  readonly parameters: readonly InputParameter[];
  readonly values: readonly InputValue[];
  readonly templates: readonly InputTemplate[];
  readonly references: readonly ReferenceRecord[];
}

export interface EvaluationInputsQuery {
  readonly organizationId: OrganizationId;
  /** The revision at which the texts were found. The inputs are read at the same one. */
  readonly revision: Revision;
  /** Whether this revision was the latest one when the texts were found. */
  readonly isPresent?: boolean;
  /** Ids of dynamic values and templates. */
  readonly sourceIds: readonly string[];
  /**
   * A name or id. Only values that are visible in the environment are read. If undefined, the values of all
   * environments are read.
   */
  readonly environment?: string | undefined;
  /** References of texts that are not stored. */
  readonly more?: readonly ReferenceRecord[];
  /** The projects of the texts that are not stored. */
  readonly projectIds?: readonly ProjectId[];
}

const PROJECT_COLUMNS = `coalesce(json_agg(json_build_object('id', id, 'name', name, 'dependsOnId', depends_on_id)), '[]')`;
const selectNode = (row: string) => `
      case when ${row}.kind = 'template' then ${row}.target_id end,
      case when ${row}.kind <> 'template' then ${row}.project_id end,
      case when ${row}.kind <> 'template' then ${row}.name end`;

/**
 * Selects the inputs. $1 is the organization, $2 the revision, $3 contains ids of texts, $4 is the environment, $5
 * contains further references, $6 the projects whose names are needed, and $7 is the maximum size of the texts in
 * bytes. If they are larger, the statement returns only their size. Dependencies are selected without regard to
 * environments, as in the check for reference cycles; the domain then selects those that apply.
 */
const inputsAt = (at: PointInTime) => `
with recursive
  further as materialized (
    select * from jsonb_to_recordset($5::jsonb)
      as more(source_id uuid, kind text, project_id uuid, named boolean, name text, target_id uuid)),
  ${selectDependencies(`(select id, null::uuid, null::text from unnest($3::uuid[]) id union all select ${selectNode('further')} from further)`, at)},
  own (project_id, name) as (
    select parameter.project_id, parameter.name
      from ${lateralJoin(
        'unnest($3::uuid[]) source(id)',
        `select value.parameter_id from ${rowsAt('value', at)} value where value.id = source.id`,
        'value',
      )} cross join lateral (
        select parameter.project_id, parameter.name from ${rowsAt('parameter', at)} parameter where parameter.id = value.parameter_id offset 0) parameter
    union
    select project.depends_on_id, own.name
      from ${lateralJoin('own', `select project.depends_on_id from ${rowsAt('project', at)} project where project.id = own.project_id`, 'project')}
     where project.depends_on_id is not null),
  place as materialized (
    select project_id, name from needed where project_id is not null union select project_id, name from own),
  text_id as materialized (select distinct text_id as id from needed where text_id is not null),
  needed_reference as materialized (
    select coalesce(value_id, template_id) as source_id, kind, project_id, named, name,
           coalesce(target_parameter_id, target_template_id) as target_id
      from (${referencesSql('select id from text_id', at)}) reference
    union all
    select * from further),
  needed_parameter as materialized (
    select parameter.* from ${lateralJoin(
      'place',
      `select parameter.id, parameter.project_id, parameter.name, parameter.secret from ${rowsAt('parameter', at)} parameter where parameter.project_id = place.project_id and parameter.name = place.name`,
      'parameter',
    )}
    union
    select parameter.* from ${lateralJoin(
      `(select distinct project_id from place where name = '') place`,
      `select parameter.id, parameter.project_id, parameter.name, parameter.secret from ${rowsAt('parameter', at)} parameter where parameter.project_id = place.project_id`,
      'parameter',
    )}),
  needed_template as materialized (
    select template.* from ${lateralJoin(
      'text_id',
      `select template.id, template.project_id, template.name, template.body from ${rowsAt('template', at)} template where template.id = text_id.id`,
      'template',
    )}),
  needed_value as materialized (
    select value.* from ${lateralJoin('needed_parameter', `select value.* from ${rowsAt('value', at)} value where value.parameter_id = needed_parameter.id`, 'value')}
     where $4::text is null or value.environment_id in (select id from environment_lineage) or value.id in (select id from text_id)),
  weight as materialized (
    select (select coalesce(sum(octet_length(text)), 0) + coalesce(sum(octet_length(sealed)), 0) from needed_value)
           + (select coalesce(sum(octet_length(body)), 0) from needed_template) as texts),
  environment_row as materialized (select id, name, parent_id from ${rowsAt('environment', at)} environment),
  ${environmentLineage(at, 'environment.id::text = lower($4) or environment.name = $4')}
select head.revision, weight.texts as "textBytes",
  (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'parentId', parent_id)), '[]')
     from environment_row) as environments,
  (select ${PROJECT_COLUMNS} from ${rowsAt('project', at)} project
    where id = any(array(select project_id from place union select project_id from needed_reference
                         union select project_id from needed_template union select unnest($6::uuid[])))) as projects,
  ${at === 'now' ? 'null::json' : `(select ${PROJECT_COLUMNS} from ${rowsAt('project', 'now')} project)`} as "projectsNow",
  (select coalesce(json_agg(json_build_object('id', id, 'projectId', project_id, 'name', name, 'secret', secret)), '[]')
     from needed_parameter) as parameters,
  (select coalesce(json_agg(json_build_object('id', needed_value.id, 'parameterId', needed_value.parameter_id, 'interpolated', needed_value.interpolated and needed_value.text is not null,
            'environmentId', needed_value.environment_id, 'text', needed_value.text, 'sealed', ${readSealed('needed_value')}, 'ledger_id', needed_value.ledger_id)), '[]')
     from needed_value where weight.texts <= $7) as values,
  (select coalesce(json_agg(json_build_object('id', id, 'projectId', project_id, 'name', name, 'body', body)), '[]')
     from needed_template where weight.texts <= $7) as templates,
  (select coalesce(json_agg(json_build_object('sourceId', needed_reference.source_id, 'kind', needed_reference.kind, 'projectId', needed_reference.project_id,
            'named', needed_reference.named, 'name', needed_reference.name, 'targetId', needed_reference.target_id,
            'targetProjectId', coalesce(target_parameter.project_id, target_template.project_id))), '[]')
     from needed_reference
     left join lateral (select target_parameter.project_id from ${rowsAt('parameter', at)} target_parameter where needed_reference.kind = 'parameter' and target_parameter.id = needed_reference.target_id offset 0) target_parameter on true
     left join lateral (select target_template.project_id from ${rowsAt('template', at)} target_template where needed_reference.kind = 'template' and target_template.id = needed_reference.target_id offset 0) target_template on true) as references
  from organization_head head cross join weight where head.organization_id = $1 and $2::bigint is not distinct from $2`;

/** Two prepared statements, so that reads of the present do not read the history tables. */
const INPUTS_NOW = inputsAt('now');
const INPUTS_THEN = inputsAt(0);

interface WeighedInputs extends EvaluationInputs {
  readonly revision: Revision;
  readonly textBytes: number;
}

/**
 * Loads the inputs of evaluations. It runs one statement, however many texts there are. It runs another one if the
 * texts are so long that memory must be reserved first, and another one if a write happened in between. Throws
 * `answer_too_long`.
 */
@Injectable()
export class EvaluationInputsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  async of(
    {
      organizationId,
      revision,
      isPresent = false,
      sourceIds,
      environment,
      more = [],
      projectIds = [],
    }: EvaluationInputsQuery,
    reader?: SnapshotReader,
  ): Promise<EvaluationInputs> {
    const furtherReferences = more.map(({ sourceId, kind, projectId, named, name, targetId }) => ({
      source_id: sourceId,
      kind,
      project_id: projectId,
      named,
      name,
      target_id: targetId,
    }));
    const values = [sourceIds, environment ?? null, JSON.stringify(furtherReferences), projectIds];
    const read = async (text: string, at: PointInTime, textBytesMax: number) => {
      const parameters = [...versionParameters(organizationId, at), ...values, textBytesMax];
      const [inputs] = await (reader ?? this.snapshotReader).atHead<WeighedInputs>(organizationId, text, parameters);
      if (!inputs) throw new Error(`Organization ${organizationId} has no head.`);
      return inputs;
    };
    const share = reader === undefined ? currentLimits() : undefined;
    /** Reserves memory before it reads many bytes. */
    const run = async (text: string, at: PointInTime) => {
      if (!share) return read(text, at, Number.MAX_SAFE_INTEGER);
      const lightInputs = await read(text, at, UNRESERVED_BYTES_MAX / TEXT_COPIES);
      if (lightInputs.textBytes * TEXT_COPIES <= UNRESERVED_BYTES_MAX) return lightInputs;
      if (lightInputs.textBytes > TEXTS_BYTES_MAX) throw responseTooLongError();
      await share.reserveMemory(lightInputs.textBytes * TEXT_COPIES);
      return read(text, at, Number.MAX_SAFE_INTEGER);
    };
    // A revision that was just read is nearly always still the latest one.
    const currentInputs = isPresent ? await run(INPUTS_NOW, 'now') : null;
    return currentInputs?.revision === revision ? currentInputs : run(INPUTS_THEN, revision);
  }
}
