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
  coalesce(c.project_name,
    (select p.name from project p where p.organization_id = $1 and p.id = c.project_id)) as project_name,
  coalesce(c.environment_name,
    (select e.name from environment e where e.organization_id = $1 and e.id = c.environment_id)) as environment_name`;

/** SQL fragments for the tables that records are read from. */
export interface AuditSource {
  /** The conditions whose values the SQL fragments bind. */
  readonly where: AuditConditions;
  /** SQL that selects records as `c`. Further conditions can be appended. */
  readonly from: string;
  /** SQL that joins the author and the timestamp as `s`. */
  readonly by: string;
  /** SQL for the columns that only records of the access log have; empty without them. */
  readonly more: string;
}

export function changesOnly(where: AuditConditions): AuditSource {
  const by = 'join changeset s on s.organization_id = c.organization_id and s.revision = c.revision';
  return { where, from: `from change c where ${where}`, by, more: '' };
}

const DENIED_REQUEST = `, case when c.rule is not null then json_build_object(
  'rule', c.rule, 'ability', c.ability, 'operation', c.operation, 'requests', c.requests) end as refusal`;

const RECORD = `c.organization_id, c.revision, c.ordinal, c.action, c.object_type, c.object_id, c.object_name,
  c.project_id, c.environment_id, c.parameter_id`;

/** Returns the fragments that merge both tables. Each table is read in the order of its own key. */
export function withAccessLog(where: AuditConditions, logged: AuditConditions): AuditSource {
  return {
    where,
    from: `from (
      select ${RECORD}, c.project_name, c.environment_name, null::timestamptz as at, null as actor_id, null as actor_name, null as actor_type,
             null as rule, null as ability, null as operation, null as requests
        from change c where ${where}
      union all
      select ${RECORD}, null, null, c.at, c.actor_id, c.actor_name, c.actor_type,
             c.rule, c.ability, c.operation, c.requests from access_log c where ${logged}) c where true`,
    more: DENIED_REQUEST,
    by: `left join changeset w on c.actor_id is null and w.organization_id = c.organization_id and w.revision = c.revision
      cross join lateral (
        select c.organization_id, coalesce(c.at, w.at) as at, coalesce(c.actor_id, w.actor_id) as actor_id,
               coalesce(c.actor_name, w.actor_name) as actor_name, coalesce(c.actor_type, w.actor_type) as actor_type) s`,
  };
}
