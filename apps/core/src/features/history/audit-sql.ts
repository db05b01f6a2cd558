/** Builds SQL conditions, and numbers their values in the order in which they are bound. */
export class AuditConditions {
  private readonly conditions: string[] = [];

  constructor(readonly values: unknown[] = []) {}

  /** Returns a second set of conditions that shares these values. */
  sharingValues(): AuditConditions {
    return new AuditConditions(this.values);
  }

  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  add(sql: (value: string) => string, value: unknown): void {
    if (value !== undefined) this.conditions.push(sql(this.bind(value)));
  }

  toString(): string {
    return this.conditions.join(' and ');
  }
}

/** Columns of the location. The ledger stores names; the access log stores only ids. */
export const AUDIT_LOCATIONS = `,
  coalesce(record.project_name,
    (select project.name from project where project.organization_id = $1 and project.id = record.project_id)) as project_name,
  coalesce(record.environment_name,
    (select environment.name from environment where environment.organization_id = $1 and environment.id = record.environment_id)) as environment_name`;

/** SQL fragments for the tables that records are read from. */
export interface AuditSource {
  /** The conditions whose values the SQL fragments bind. */
  readonly where: AuditConditions;
  /** SQL that selects records as `record`. Further conditions can be appended. */
  readonly from: string;
  /** SQL that joins the author and the timestamp as `author`. */
  readonly by: string;
  /** SQL for the columns that only records of the access log have; empty without them. */
  readonly more: string;
}

export function changesSource(conditions: AuditConditions): AuditSource {
  const actorSql =
    'join changeset author on author.organization_id = record.organization_id and author.revision = record.revision';
  return { where: conditions, from: `from change record where ${conditions}`, by: actorSql, more: '' };
}

const DENIED_REQUEST = `, case when record.rule is not null then json_build_object(
  'rule', record.rule, 'ability', record.ability, 'operation', record.operation, 'requests', record.requests) end as refusal`;

const RECORD = `record.organization_id, record.revision, record.ordinal, record.action, record.object_type, record.object_id, record.object_name,
  record.project_id, record.environment_id, record.parameter_id`;

/** Returns the fragments that merge both tables. Each table is read in the order of its own key. */
export function withAccessLog(conditions: AuditConditions, logConditions: AuditConditions): AuditSource {
  return {
    where: conditions,
    from: `from (
      select ${RECORD}, record.project_name, record.environment_name, null::timestamptz as at, null as actor_id, null as actor_name, null as actor_type,
             null as rule, null as ability, null as operation, null as requests
        from change record where ${conditions}
      union all
      select ${RECORD}, null, null, record.at, record.actor_id, record.actor_name, record.actor_type,
             record.rule, record.ability, record.operation, record.requests from access_log record where ${logConditions}) record where true`,
    more: DENIED_REQUEST,
    by: `left join changeset on record.actor_id is null and changeset.organization_id = record.organization_id and changeset.revision = record.revision
      cross join lateral (
        select record.organization_id, coalesce(record.at, changeset.at) as at, coalesce(record.actor_id, changeset.actor_id) as actor_id,
               coalesce(record.actor_name, changeset.actor_name) as actor_name, coalesce(record.actor_type, changeset.actor_type) as actor_type) author`,
  };
}
