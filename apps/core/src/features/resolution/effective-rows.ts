import { Injectable } from '@nestjs/common';
import {
  demandOnScope,
  type EffectiveView,
  effectiveView,
  type Named,
  type OrganizationId,
  type ParameterRow,
  type ProjectId,
  type Standing,
  type ValueRow,
} from '@strata/domain';
import { strayedFrom } from '../../platform/auth/strayed-projects.ts';
import type { Head } from '../../platform/database/heads.ts';
import { SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import { type PointInTime, parametersOf, rowsAt } from '../../platform/database/versioned-table.ts';
import { missing } from '../../platform/http/moment.ts';
import { DEPTH_MAX } from './project-snapshot.ts';

/** A parameter, with what it can be filtered by. */
export interface ViewedParameter extends ParameterRow {
  readonly description: string;
  readonly secret: boolean;
}

export interface ViewedValue extends ValueRow {
  /** Clear text; null when the value is an explicit null or sealed. */
  readonly text: string | null;
  /** Sealed text as PostgreSQL writes bytes: `\x…`. */
  readonly sealed: string | null;
  /** The text is one to evaluate. */
  readonly interpolated: boolean;
  /** As the parameter is that it was set on. */
  readonly secret: boolean;
}

/** The part of a question about effective values that rows are looked up by. */
export interface Place {
  readonly organizationId: OrganizationId;
  readonly projectId: ProjectId;
  /** Name or id. */
  readonly environment: string;
  /** Only parameters of this exact name. */
  readonly name: string | undefined;
}

/** One project as seen from one environment at one point in time. */
export interface PlacedView {
  readonly head: Head;
  readonly environment: Named;
  /** The project, then the one it depends on, and so on to the top. */
  readonly projectChain: readonly Named[];
  readonly view: EffectiveView<ViewedParameter, ViewedValue>;
}

type ParameterColumns = [id: string, projectId: string, name: string, description: string, secret: boolean];
type ValueColumns = [
  id: string | null,
  environmentId: string,
  text: string | null,
  sealed: string | null,
  interpolated: boolean,
];

interface Row extends Head {
  readonly strayed: readonly ProjectId[] | null;
  readonly chain: readonly (readonly [id: string, name: string])[] | null;
  readonly lineage: readonly (readonly [id: string, name: string])[] | null;
  readonly parameters: readonly (readonly [...ParameterColumns, ...ValueColumns])[] | null;
}

/**
 * $1 organization, $2 revision, $3 project, $4 environment (name or id), $5 name of a parameter. Rows travel as arrays,
 * each parameter with its nearest value. Ids travel as arrays between the steps: PostgreSQL then looks each up in an
 * index, whatever it believes of recursive queries.
 */
function statement(at: PointInTime, name: string | undefined): string {
  return `
  with recursive
    chain as (
      select p.id, p.name, p.depends_on_id, 0 as depth from ${rowsAt('project', at)} p where p.id = $3::uuid
      union all
      select p.id, p.name, p.depends_on_id, c.depth + 1
        from chain c join ${rowsAt('project', at)} p on p.id = c.depends_on_id where c.depth < ${DEPTH_MAX}),
    lineage as (
      (select e.id, e.name, e.parent_id, 0 as depth from ${rowsAt('environment', at)} e
        where e.id::text = lower($4) or e.name = $4 order by (e.id::text = lower($4)) desc limit 1)
      union all
      select e.id, e.name, e.parent_id, l.depth + 1
        from lineage l join ${rowsAt('environment', at)} e on e.id = l.parent_id where l.depth < ${DEPTH_MAX}),
    owned as materialized (
      select x.id, x.project_id, x.name, x.description, x.secret from ${rowsAt('parameter', at)} x
       where x.project_id = any(array(select id from chain))
         and ${name === undefined ? '$5::text is null' : 'x.name = $5'}),
    nearest as (
      select distinct on (v.parameter_id) v.*
        from ${rowsAt('value', at)} v join lineage l on l.id = v.environment_id
       where v.parameter_id = any(array(select id from owned)) order by v.parameter_id, l.depth)
  select h.epoch, h.revision,
    (select json_agg(id) from (${strayedFrom(at)}) s) as strayed,
    (select json_agg(json_build_array(id, name) order by depth) from chain) as chain,
    (select json_agg(json_build_array(id, name) order by depth) from lineage) as lineage,
    (select json_agg(json_build_array(x.id, x.project_id, x.name, x.description, x.secret,
                                      v.id, v.environment_id, v.text, v.sealed, v.interpolated))
       from owned x left join nearest v on v.parameter_id = x.id) as parameters
    from organization_head h where h.organization_id = $1 and $2::bigint is not distinct from $2`;
}

/** Reads what effective values are made of: one statement, whatever the number of rows. */
@Injectable()
export class EffectiveRows {
  constructor(private readonly reader: SnapshotReader) {}

  /** Throws 404 when there was no such project or environment, and 403 for what the project does not depend on any more. */
  async at(at: PointInTime, place: Place, standing: Standing): Promise<PlacedView> {
    const { organizationId, projectId, environment: nameOrId, name } = place;
    const values = [...parametersOf(organizationId, at), projectId, nameOrId, name ?? null];
    const [row] = await this.reader.query<Row>(statement(at, name), values);
    if (!row) throw new Error(`Organization ${organizationId} has no head.`);
    if (row.chain === null) throw missing('Project', at);
    for (const id of row.strayed ?? []) demandOnScope(standing, 'read', id);
    const lineage = (row.lineage ?? []).map(named);
    const [environment] = lineage;
    if (!environment) throw missing('Environment', at);
    const projectChain = row.chain.map(named);
    const { epoch, revision } = row;
    const view = effectiveView({ lineage: lineage.map(({ id }) => id), projectChain, ...recordsOf(row) });
    return { head: { epoch, revision: at === 'now' ? revision : at }, environment, projectChain, view };
  }
}

const named = ([id, name]: readonly [string, string]): Named => ({ id, name });

function recordsOf({ parameters: rows }: Row) {
  const parameters: ViewedParameter[] = [];
  const values: ViewedValue[] = [];
  for (const [id, projectId, name, description, secret, valueId, ...value] of rows ?? []) {
    parameters.push({ id, projectId, name, description, secret });
    if (valueId === null) continue;
    const [environmentId, text, sealed, interpolated] = value;
    values.push({ id: valueId, parameterId: id, environmentId, text, sealed, interpolated, secret });
  }
  return { parameters, values };
}
