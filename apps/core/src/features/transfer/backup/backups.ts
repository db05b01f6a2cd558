import { Injectable } from '@nestjs/common';
import type { BackupQuery, BackupSnapshot } from '@strata/contract';
import { Failure, type Revision, type Role, sentence } from '@strata/domain';
import type { Caller } from '../../../platform/caller.ts';
import { TEXT_COPIES, UNRESERVED_BYTES_MAX } from '../../../platform/limits/answer-limits.ts';
import { currentLimits, shownText } from '../../../platform/limits/request-limits.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { wireTime } from '../../../platform/postgres/versioned-table.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { type EvaluationResults, Evaluations, NOTHING_EVALUATED } from '../../templating/evaluation.ts';

/** The maximum size of a backup, because the whole response is built in memory. */
const VALUES_MAX = 50_000;
const BYTES_MAX = 64 * 1_048_576;
/** The memory of a value, both as a row and as presented, in bytes. */
const VALUE_BYTES = 2_048;

interface RuleRow {
  readonly kind: string;
  readonly constraint: string;
}

interface ValueRow {
  readonly id: string;
  readonly parameter: string;
  readonly environmentId: string;
  readonly environment: string;
  readonly text: string | null;
  readonly sealed: string | null;
  readonly interpolated: boolean;
}

interface Sets {
  readonly head: readonly { readonly at: string }[];
  readonly environments: readonly { name: string; parent: string | null; description: string }[];
  readonly types: readonly { name: string; parent: string; description: string; rules: readonly RuleRow[] }[];
  readonly projects: readonly { id: string; name: string; parent: string | null; description: string }[];
  readonly parameters: readonly {
    id: string;
    projectId: string;
    name: string;
    description: string;
    secret: boolean;
    expires: string | null;
    type: string;
    rules: readonly RuleRow[];
  }[];
  readonly values: readonly ValueRow[];
  readonly templates: readonly { projectId: string; name: string; description: string; body: string }[];
}

type Principal = NonNullable<BackupSnapshot['grants']>[number]['principal'];

/** The rows of an extended backup. Version 1 does not have them. */
interface FurtherSets {
  readonly tags: NonNullable<BackupSnapshot['tags']>;
  readonly groups: readonly { name: string; description: string; members: readonly Principal[] }[];
  readonly grants: readonly (Principal & { project: string | null; environment: string | null; role: Role })[];
}

const of = (noun: string) => `${noun}.organization_id = $1 and $2::bigint is null`;
const selectRules = (table: string, owner: string) => `
  (select coalesce(json_agg(json_build_object('kind', r.kind, 'constraint', r.constraint_text) order by r.kind), '[]')
     from ${table} r where r.organization_id = $1 and r.${owner}) as rules`;

const QUERIES = {
  head: `select ${wireTime('o.at')} as at from organization_head o where ${of('o')}`,
  environments: `select e.name, p.name as parent, e.description from environment e
    left join environment p on p.organization_id = $1 and p.id = e.parent_id where ${of('e')} order by e.name`,
  types: `select t.name, p.name as parent, t.description, ${selectRules('parameter_type_rule', 'type_id = t.id')}
    from parameter_type t join parameter_type p on p.organization_id = $1 and p.id = t.parent_id where ${of('t')} order by t.name`,
  projects: `select o.id, o.name, p.name as parent, o.description from project o
    left join project p on p.organization_id = $1 and p.id = o.depends_on_id where ${of('o')} order by o.name`,
  parameters: `select x.id, x.project_id as "projectId", x.name, x.description, x.secret, x.expires, t.name as type,
      ${selectRules('parameter_rule', 'parameter_id = x.id')}
    from parameter x join parameter_type t on t.organization_id = $1 and t.id = x.type_id where ${of('x')} order by x.name`,
  values: `select v.id, v.parameter_id as parameter, v.environment_id as "environmentId", e.name as environment, v.text,
      v.sealed, v.interpolated
    from value v join environment e on e.organization_id = $1 and e.id = v.environment_id where ${of('v')} order by e.name`,
  templates: `select t.project_id as "projectId", t.name, t.description, t.body from template t where ${of('t')} order by t.name`,
} as const satisfies { readonly [Name in keyof Sets]: string };

/** A person has a unique e-mail address, a service account a unique name. */
const PRINCIPAL = `case when u.type = 'interactive' then u.email end as email, case when u.type = 'service' then u.name end as service_account`;

const FURTHER_QUERIES = {
  tags: `select e.name as environment, t.name, t.description, ${wireTime('t."timestamp"')} as timestamp, t.immutable
    from tag t join environment e on e.organization_id = $1 and e.id = t.environment_id where ${of('t')} order by e.name, t.name`,
  groups: `select g.name, g.description, (select coalesce(json_agg(x order by x.email, x.service_account), '[]') from (
        select ${PRINCIPAL}, null::text as "group" from group_member m
          join membership s on s.organization_id = $1 and s.id = m.membership_id join person u on u.id = s.person_id
         where m.organization_id = $1 and m.group_id = g.id) x) as members
    from member_group g where ${of('g')} order by g.name`,
  grants: `select ${PRINCIPAL}, g.name as "group", j.name as project, e.name as environment, a.role from access_grant a
    left join membership s on s.organization_id = $1 and s.id = a.membership_id left join person u on u.id = s.person_id
    left join member_group g on g.organization_id = $1 and g.id = a.group_id
    left join project j on j.organization_id = $1 and j.id = a.project_id
    left join environment e on e.organization_id = $1 and e.id = a.environment_id
    where ${of('a')} order by j.name, e.name, a.created_at, a.id`,
} as const satisfies { readonly [Name in keyof FurtherSets]: string };

/** Exports all contents of an organization at one moment, keyed by name. Secrets are in clear text. */
@Injectable()
export class Backups {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly vault: Vault,
    private readonly evaluations: Evaluations,
  ) {}

  async snapshot(
    caller: Caller,
    { extended }: BackupQuery,
  ): Promise<{ readonly revision: Revision; readonly body: BackupSnapshot }> {
    const { organizationId } = caller;
    currentLimits()?.limitAsRead();
    await this.assertSize(organizationId);
    const reading = { organizationId, at: 'now' } as const;
    const queries = extended ? { ...QUERIES, ...FURTHER_QUERIES } : QUERIES;
    const sets = await this.reader.sets<Sets & Partial<FurtherSets>>(reading, queries);
    const open = await this.vault.opener(organizationId);
    const evaluated = await this.evaluated(caller, sets.revision, sets.values);
    const openText = ({ id, text, sealed }: ValueRow) =>
      sealed === null
        ? text
        : shownText({
            isSecret: true,
            isMasked: false,
            isNull: false,
            clear: () => open('value.sealed', id, Buffer.from(sealed.slice(2), 'hex')),
          });
    return { revision: sets.revision, body: { ...presentBackup(sets, openText, evaluated), ...presentFurther(sets) } };
  }

  private async assertSize(organizationId: string): Promise<void> {
    const [size] = await this.reader.query<{ values: number; bytes: number }>(
      `select count(*)::int as values, coalesce(sum(octet_length(text)), 0)::bigint + coalesce(sum(octet_length(sealed)), 0)::bigint as bytes
         from value where organization_id = $1`,
      [organizationId],
    );
    if (!size || (size.values <= VALUES_MAX && size.bytes <= BYTES_MAX)) {
      const memory = size ? size.values * VALUE_BYTES + size.bytes * TEXT_COPIES : 0;
      if (memory > UNRESERVED_BYTES_MAX) await currentLimits()?.reserveMemory(memory);
      return;
    }
    throw Failure.invalid(
      'too_much_to_back_up',
      sentence`One response contains at most ${{ limit: VALUES_MAX }} values and ${{ size_limit: BYTES_MAX / 1_048_576 }} MiB of texts; there are ${{ count: size.values }} values. Back up the database instead.`,
    );
  }

  /**
   * Evaluates dynamic values in the environments where they are set. If one of them fails, none is evaluated, and the
   * backup contains their sources.
   */
  private async evaluated(caller: Caller, revision: Revision, values: readonly ValueRow[]): Promise<EvaluationResults> {
    const requested = values
      .filter(({ interpolated, text }) => interpolated && text !== null)
      .map(({ id, environmentId }) => ({ sourceId: id, environmentId }));
    if (requested.length === 0) return NOTHING_EVALUATED;
    const { organizationId } = caller;
    return this.evaluations
      .of({ organizationId, permissions: caller, revision, requested, evaluate: true })
      .catch((error: unknown) => {
        if (error instanceof Failure && error.kind === 'unprocessable') return NOTHING_EVALUATED;
        throw error;
      });
  }
}

/** Returns an object with one entry per row, keyed by name. Names may be any text, including `__proto__`. */
function byName<Row, T>(rows: readonly Row[], nameOf: (row: Row) => string, presentRow: (row: Row) => T) {
  return Object.fromEntries(rows.map((row) => [nameOf(row), presentRow(row)]));
}

const presentRules = (rules: readonly RuleRow[]) =>
  byName(
    rules,
    ({ kind }) => kind,
    ({ kind, constraint }) => ({ rule_type: kind, constraint }),
  );

function presentBackup(
  sets: Sets & Partial<FurtherSets>,
  openText: (value: ValueRow) => string | null,
  evaluated: EvaluationResults,
): BackupSnapshot {
  const parameters = Map.groupBy(sets.parameters, ({ projectId }) => projectId);
  const templates = Map.groupBy(sets.templates, ({ projectId }) => projectId);
  const values = Map.groupBy(sets.values, ({ parameter }) => parameter);
  const name = (row: { readonly name: string }) => row.name;
  const presentValue = (project: string) => (value: ValueRow) => {
    const raw = openText(value);
    const seen = evaluated.evaluatedText({ sourceId: value.id, environmentId: value.environmentId });
    return {
      external: null,
      environment: value.environment,
      evaluated: seen !== null,
      source: value.environment,
      project,
      value: value.interpolated && raw !== null ? (seen?.text ?? null) : raw,
      raw,
    };
  };
  return {
    environments: byName(sets.environments, name, ({ name, parent, description }) => ({ name, parent, description })),
    types: byName(sets.types, name, ({ rules, ...type }) => ({ rules: presentRules(rules), ...type })),
    projects: byName(sets.projects, name, (project) => ({
      parameters: byName(parameters.get(project.id) ?? [], name, (parameter) => ({
        rules: presentRules(parameter.rules),
        values: byName(values.get(parameter.id) ?? [], ({ environment }) => environment, presentValue(project.name)),
        name: parameter.name,
        param_type: parameter.type,
        project: project.name,
        secret: parameter.secret,
        description: parameter.description,
        ...(sets.grants && { expires: parameter.expires }),
      })),
      templates: byName(templates.get(project.id) ?? [], name, ({ name, body, description }) => ({
        name,
        text: body,
        description,
      })),
      name: project.name,
      parent: project.parent,
      description: project.description,
    })),
    timestamp: sets.head[0]?.at ?? '',
  };
}

const presentFurther = ({ tags, groups, grants }: Partial<FurtherSets>) => ({
  ...(tags && { tags }),
  ...(groups && { groups: groups.map((group) => ({ ...group, members: [...group.members] })) }),
  ...(grants && {
    grants: grants.map(({ email, service_account, group, ...grant }) => ({
      principal: { email, service_account, group },
      ...grant,
    })),
  }),
});
