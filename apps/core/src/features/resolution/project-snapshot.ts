import { Injectable } from '@nestjs/common';
import {
  type EnvironmentId,
  type EnvironmentNode,
  Failure,
  isUuid,
  type OrganizationId,
  type ParameterId,
  type ParameterRow,
  type ProjectId,
  type ProjectNode,
  type Revision,
  type ValueRow,
} from '@strata/domain';
import { SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import { type PointInTime, rowsAt, wireTime } from '../../platform/database/versioned-table.ts';
import { missing } from '../../platform/http/moment.ts';
import { Vault } from '../../platform/vault/vault.ts';

export interface ParameterRecord extends ParameterRow {
  readonly ledger_id: string;
  readonly description: string;
  readonly secret: boolean;
  readonly type: string;
  readonly created_at: string;
  readonly modified_at: string;
}

export interface ValueRecord extends ValueRow {
  readonly ledger_id: string;
  /** Clear text; null when the value is an explicit null or sealed. */
  readonly text: string | null;
  /** Sealed text as PostgreSQL writes bytes: `\x…`. */
  readonly sealed: string | null;
  readonly created_at: string;
  readonly modified_at: string;
}

/** What a question about one project needs, read in one statement. */
export interface ProjectSnapshot {
  readonly organizationId: OrganizationId;
  readonly revision: Revision;
  readonly at: PointInTime;
  readonly environments: readonly EnvironmentNode[];
  readonly projectChain: readonly ProjectNode[];
  readonly parameters: readonly ParameterRecord[];
  readonly values: readonly ValueRecord[];
  /** Opens sealed text; null stays null. */
  readonly textOf: (value: ValueRecord) => string | null;
}

export interface Question {
  readonly organizationId: OrganizationId;
  readonly projectId: ProjectId;
  readonly at: PointInTime;
  /** Name or id; values of other lineages are not even read. Absent: the values of all environments. */
  readonly environment?: string | undefined;
  /** Whether values are needed at all. */
  readonly values?: boolean;
  /** Only parameters of this exact name, or that share their name with this parameter. */
  readonly name?: string | undefined;
  readonly parameterId?: ParameterId | undefined;
  /** Leaves ledger ids and times empty: half of the work, for answers that do not show them. */
  readonly brief?: boolean;
}

type Sets = Pick<ProjectSnapshot, 'environments' | 'projectChain' | 'parameters' | 'values'>;

/** A loop in the tree cannot arise; this ends the query should the data be corrupt all the same. */
const DEPTH_MAX = 10_000;

/** Parameters: $3 project, $4 environment (name or id), $5 name, $6 parameter id. A text for each kind of question. */
function queries({ at, name, parameterId, values = true, brief = false }: Question): {
  readonly [Name in keyof Sets]: string;
} {
  const chain = `
    with recursive chain as (
      select p.id, p.name, p.depends_on_id, 0 as depth from ${rowsAt('project', at)} p where p.id = $3::uuid
      union all
      select p.id, p.name, p.depends_on_id, c.depth + 1
        from chain c join ${rowsAt('project', at)} p on p.id = c.depends_on_id where c.depth < ${DEPTH_MAX})`;
  // conditions that are not asked for stay out: with "or" in them no index could find the one parameter
  const wanted = `
      ${name === undefined ? '$5::text is null' : 'x.name = $5'} and
      ${parameterId === undefined ? '$6::uuid is null' : `x.name = (select s.name from ${rowsAt('parameter', at)} s where s.id = $6)`}`;
  const lineage = `
    lineage as (
      (select e.id, e.parent_id, 0 as depth from ${rowsAt('environment', at)} e
        where e.id::text = lower($4) or e.name = $4 order by (e.id::text = lower($4)) desc limit 1)
      union all
      select e.id, e.parent_id, l.depth + 1
        from lineage l join ${rowsAt('environment', at)} e on e.id = l.parent_id where l.depth < ${DEPTH_MAX})`;
  const stamps = (row: string) =>
    brief
      ? `'' as ledger_id, '' as created_at, '' as modified_at`
      : `${row}.ledger_id, ${wireTime(`${row}.created_at`)} as created_at, ${wireTime(`${row}.modified_at`)} as modified_at`;
  return {
    environments: `select e.id, e.name, e.parent_id as "parentId" from ${rowsAt('environment', at)} e
                    where $4::text is null or $4 is not null`,
    projectChain: `${chain} select id, name from chain order by depth`,
    parameters: `${chain}
      select x.id, x.project_id as "projectId", x.name, x.description, x.secret, t.name as type, ${stamps('x')}
        from chain c
        join ${rowsAt('parameter', at)} x on x.project_id = c.id
        join ${rowsAt('parameter_type', at)} t on t.id = x.type_id
       where ${wanted}`,
    values: values
      ? `${chain}, ${lineage}
      select v.id, v.parameter_id as "parameterId", v.environment_id as "environmentId", v.text, v.sealed, ${stamps('v')}
        from chain c
        join ${rowsAt('parameter', at)} x on x.project_id = c.id
        join ${rowsAt('value', at)} v on v.parameter_id = x.id
       where ${wanted} and ($4::text is null or v.environment_id in (select id from lineage))`
      : 'select where false',
  };
}

/** Loads the snapshots that questions are asked of. One statement, whatever the number of rows. */
@Injectable()
export class ProjectSnapshots {
  constructor(
    private readonly committed: SnapshotReader,
    private readonly vault: Vault,
  ) {}

  async of(question: Question, reader: SnapshotReader = this.committed): Promise<ProjectSnapshot> {
    const { organizationId, projectId, at, environment, name, parameterId } = question;
    const sets = await reader.sets<Sets>({ organizationId, at }, queries(question), [
      projectId,
      environment ?? null,
      name ?? null,
      parameterId ?? null,
    ]);
    if (sets.projectChain.length === 0) throw missing('Project', at);
    const isSealed = sets.values.some(({ sealed }) => sealed !== null);
    const open = isSealed ? await this.vault.opener(organizationId) : null;
    return {
      ...sets,
      organizationId,
      at,
      textOf: ({ id, text, sealed }) =>
        sealed === null || open === null ? text : open('value.sealed', id, Buffer.from(sealed.slice(2), 'hex')),
    };
  }
}

/** An environment by id or name; the name of another one may look like an id, so ids win (behaviour.md §1.8). */
export function environmentOf(
  snapshot: Pick<ProjectSnapshot, 'environments' | 'at'>,
  nameOrId: string,
): EnvironmentNode & { readonly id: EnvironmentId } {
  const { environments, at } = snapshot;
  const id = nameOrId.toLowerCase();
  const found =
    (isUuid(id) ? environments.find((environment) => environment.id === id) : undefined) ??
    environments.find((environment) => environment.name === nameOrId);
  if (!found) throw missing('Environment', at);
  return found;
}

export const noSuchParameter = (at: PointInTime): Failure => missing('Parameter', at);
