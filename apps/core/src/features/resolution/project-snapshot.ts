import { Injectable } from '@nestjs/common';
import {
  canOnScope,
  demandOnScope,
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
  type RuleKind,
  type Standing,
  type Uuid,
  type ValueRow,
} from '@strata/domain';
import { strayedFrom } from '../../platform/auth/strayed-projects.ts';
import { SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import { type PointInTime, rowsAt, wireTime } from '../../platform/database/versioned-table.ts';
import { missing } from '../../platform/http/moment.ts';
import { Vault } from '../../platform/vault/vault.ts';

export interface ParameterRecord extends ParameterRow {
  readonly ledger_id: string;
  readonly description: string;
  readonly secret: boolean;
  readonly type: string;
  /** Values expire so long after their last change; null: never. */
  readonly expires: string | null;
  readonly expirationAction: Readonly<Record<string, unknown>> | null;
  readonly expiredStatus: Readonly<Record<string, unknown>> | null;
  readonly created_at: string;
  readonly modified_at: string;
}

/** A rule that a parameter itself has. */
export interface RuleRecord {
  readonly id: Uuid;
  readonly parameterId: ParameterId;
  readonly ledger_id: string;
  readonly type: RuleKind;
  readonly constraint: string;
  readonly created_at: string;
  readonly modified_at: string;
}

export interface ValueRecord extends ValueRow {
  readonly ledger_id: string;
  /** Clear text; null when the value is an explicit null or sealed. */
  readonly text: string | null;
  /** Sealed text as PostgreSQL writes bytes: `\x…`. */
  readonly sealed: string | null;
  /** The text is one to evaluate. */
  readonly interpolated: boolean;
  readonly created_at: string;
  readonly modified_at: string;
}

/** A text that refers to a parameter: a template, or a value of another parameter. */
export interface ReferrerRecord {
  /** What is referred to. */
  readonly parameterId: ParameterId;
  readonly sourceId: string;
  /** The project of the template, or of the value's parameter. */
  readonly projectId: ProjectId;
  /** Null for a template. */
  readonly ofParameterId: ParameterId | null;
}

/** What a question about one project needs, read in one statement. */
export interface ProjectSnapshot {
  readonly organizationId: OrganizationId;
  readonly revision: Revision;
  readonly at: PointInTime;
  /** Of who asks. */
  readonly standing: Standing;
  /** Whether who asks has access to an environment. The values of others are inherited from, but not looked at. */
  readonly mayRead: (environmentId: EnvironmentId) => boolean;
  readonly environments: readonly EnvironmentNode[];
  readonly projectChain: readonly ProjectNode[];
  readonly parameters: readonly ParameterRecord[];
  /** By kind; empty unless they were asked for. */
  readonly rules: readonly RuleRecord[];
  readonly values: readonly ValueRecord[];
  /** Those that who asks may read; empty unless asked for. */
  readonly referrers: readonly ReferrerRecord[];
  /** Opens sealed text; null stays null. */
  readonly textOf: (value: ValueRecord) => string | null;
}

export interface Question {
  readonly organizationId: OrganizationId;
  /** Of who asks: the caller, or FULL_STANDING for what the service itself must know. */
  readonly standing: Standing;
  readonly projectId: ProjectId;
  readonly at: PointInTime;
  /** Name or id; only the nearest value of each parameter is read. Absent: the values of all environments. */
  readonly environment?: string | undefined;
  /** What is told to be missing where both project and environment are (the table of behaviour.md §1.9). */
  readonly firstMissing?: 'project' | 'environment';
  /** Whether values are needed at all. */
  readonly values?: boolean;
  /** Whether the parameters' own rules are needed. */
  readonly rules?: boolean;
  /** Whether it matters who refers to the parameters. */
  readonly referrers?: boolean;
  /** Only parameters of this exact name, or that share their name with this parameter. */
  readonly name?: string | undefined;
  readonly parameterId?: ParameterId | undefined;
}

type Sets = Pick<ProjectSnapshot, 'environments' | 'projectChain' | 'parameters' | 'rules' | 'values' | 'referrers'> & {
  readonly strayed: readonly { readonly id: ProjectId }[];
};

/** A loop in the tree cannot arise; this ends the query should the data be corrupt all the same. */
export const DEPTH_MAX = 10_000;

/** None; of one environment, the nearest above it for each parameter; or all that are set. */
type WantedValues = 'none' | 'effective' | 'everywhere';

function wantedOf({ values = true, environment }: Question): WantedValues {
  if (!values) return 'none';
  return environment === undefined ? 'everywhere' : 'effective';
}

/**
 * Parameters: $3 project, $4 environment (name or id), $5 name, $6 parameter id. Ids travel as arrays between the steps:
 * PostgreSQL then looks each up in an index, however large the tables are and whatever it believes of recursive queries.
 */
function queries(question: Question): { readonly [Name in keyof Sets]: string } {
  const { at, name, parameterId, rules = false, referrers = false } = question;
  const chain = `
    with recursive chain as (
      select p.id, p.name, p.depends_on_id, 0 as depth from ${rowsAt('project', at)} p where p.id = $3::uuid
      union all
      select p.id, p.name, p.depends_on_id, c.depth + 1
        from chain c join ${rowsAt('project', at)} p on p.id = c.depends_on_id where c.depth < ${DEPTH_MAX})`;
  // conditions that are not asked for stay out: with "or" in them no index could find the one parameter
  const wanted = `
      x.project_id = any(array(select id from chain)) and
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
    `${row}.ledger_id, ${wireTime(`${row}.created_at`)} as created_at, ${wireTime(`${row}.modified_at`)} as modified_at`;
  const expiration = `x.expires, x.expiration_action as "expirationAction",
             case when x.expires is not null then (
               select json_build_object('state', s.state, 'at', ${wireTime('s.at')}, 'detail', s.detail)
                 from parameter_expiration s where s.organization_id = $1 and s.parameter_id = x.id) end as "expiredStatus"`;
  const columns = `v.id, v.parameter_id as "parameterId", v.environment_id as "environmentId", v.text, v.sealed, v.interpolated,
             ${stamps('v')}`;
  const ofWanted = `v.parameter_id = any(array(select x.id from ${rowsAt('parameter', at)} x where ${wanted}))`;
  const effective = `${chain}, ${lineage}
      select ${columns}
        from (select distinct on (v.parameter_id) v.*
                from ${rowsAt('value', at)} v join lineage l on l.id = v.environment_id
               where ${ofWanted} order by v.parameter_id, l.depth) v`;
  const everywhere = `${chain} select ${columns} from ${rowsAt('value', at)} v where ${ofWanted}`;
  const values: Readonly<Record<WantedValues, string>> = { none: 'select where false', effective, everywhere };
  return {
    environments: `select e.id, e.name, e.parent_id as "parentId" from ${rowsAt('environment', at)} e
                    where $4::text is null or $4 is not null`,
    strayed: strayedFrom(at),
    projectChain: `${chain} select id, name from chain order by depth`,
    parameters: `${chain}
      select x.id, x.project_id as "projectId", x.name, x.description, x.secret, t.name as type, ${stamps('x')},
             ${expiration}
        from ${rowsAt('parameter', at)} x
        join ${rowsAt('parameter_type', at)} t on t.id = x.type_id
       where ${wanted}`,
    rules: rules
      ? `${chain}
      select r.id, r.parameter_id as "parameterId", r.ledger_id, r.kind as type, r.constraint_text as "constraint",
             ${wireTime('r.created_at')} as created_at, ${wireTime('r.modified_at')} as modified_at
        from ${rowsAt('parameter_rule', at)} r
       where r.parameter_id = any(array(select x.id from ${rowsAt('parameter', at)} x where ${wanted})) order by r.kind`
      : 'select where false',
    values: values[wantedOf(question)],
    referrers: referrers
      ? `${chain}
      select x.id as "parameterId", coalesce(r.template_id, r.value_id) as "sourceId",
             coalesce(t.project_id, o.project_id) as "projectId", o.id as "ofParameterId"
        from ${rowsAt('reference', at)} r
        join ${rowsAt('parameter', at)} x on x.id = r.target_parameter_id
        left join ${rowsAt('template', at)} t on t.id = r.template_id
        left join ${rowsAt('value', at)} v on v.id = r.value_id
        left join ${rowsAt('parameter', at)} o on o.id = v.parameter_id
       where ${wanted}
       order by t.name collate human, o.name collate human, r.id`
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
    const { organizationId, standing, projectId, at, environment, name, parameterId } = question;
    const sets = await reader.sets<Sets>({ organizationId, at }, queries(question), [
      projectId,
      environment ?? null,
      name ?? null,
      parameterId ?? null,
    ]);
    if (question.firstMissing === 'environment' && environment !== undefined) {
      if (!environmentNamed(sets.environments, environment)) throw missing('Environment', at);
    }
    if (sets.projectChain.length === 0) throw missing('Project', at);
    for (const { id } of sets.strayed) demandOnScope(standing, 'read', id);
    return {
      ...sets,
      referrers: sets.referrers.filter((referrer) => canOnScope(standing, 'read', referrer.projectId)),
      organizationId,
      at,
      standing,
      mayRead: (environmentId) => canOnScope(standing, 'read', environmentId),
      textOf: await this.vault.valueOpener(organizationId, sets.values),
    };
  }
}

/**
 * An environment by id or name; the name of another one may look like an id, so ids win (behaviour.md §1.8). 403 for
 * one that who asks has no access to.
 */
export function environmentOf(
  snapshot: Pick<ProjectSnapshot, 'environments' | 'at' | 'mayRead'>,
  nameOrId: string,
): EnvironmentNode & { readonly id: EnvironmentId } {
  const found = environmentNamed(snapshot.environments, nameOrId);
  if (!found) throw missing('Environment', snapshot.at);
  if (!snapshot.mayRead(found.id)) throw Failure.forbidden();
  return found;
}

function environmentNamed(environments: readonly EnvironmentNode[], nameOrId: string): EnvironmentNode | undefined {
  const id = nameOrId.toLowerCase();
  const byId = isUuid(id) ? environments.find((environment) => environment.id === id) : undefined;
  return byId ?? environments.find((environment) => environment.name === nameOrId);
}

export const noSuchParameter = (at: PointInTime): Failure => missing('Parameter', at);
