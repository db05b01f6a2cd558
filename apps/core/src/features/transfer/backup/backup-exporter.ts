import { Injectable } from '@nestjs/common';
import type { BackupQuery, BackupSnapshot } from '@strata/contract';
import { type ExternalSource, externalSource, Failure, type Revision, type Role, sentence } from '@strata/domain';
import type { Caller } from '../../../platform/caller.ts';
import { currentLimits, shownText } from '../../../platform/limits/request-limits.ts';
import { TEXT_COPIES, UNRESERVED_BYTES_MAX } from '../../../platform/limits/response-limits.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../../platform/postgres/versioned-table.ts';
import { readSealed } from '../../../platform/vault/sealed-text.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { type EvaluationResults, NOTHING_EVALUATED, TextEvaluator } from '../../templating/evaluation.ts';

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
  readonly source: ExternalSource | null;
  readonly ledger_id: string;
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

const inOrganization = (noun: string) => `${noun}.organization_id = $1 and $2::bigint is null`;
const selectRules = (table: string, owner: string) => `
  (select coalesce(json_agg(json_build_object('kind', rule.kind, 'constraint', rule.constraint_text) order by rule.kind), '[]')
     from ${table} rule where rule.organization_id = $1 and rule.${owner}) as rules`;

const QUERIES = {
  head: `select ${wireTimeSql('head.at')} as at from organization_head head where ${inOrganization('head')}`,
  environments: `select environment.name, parent.name as parent, environment.description from environment
    left join environment parent on parent.organization_id = $1 and parent.id = environment.parent_id where ${inOrganization('environment')} order by environment.name`,
  types: `select type.name, parent.name as parent, type.description, ${selectRules('parameter_type_rule', 'type_id = type.id')}
    from parameter_type type join parameter_type parent on parent.organization_id = $1 and parent.id = type.parent_id where ${inOrganization('type')} order by type.name`,
  projects: `select project.id, project.name, parent.name as parent, project.description from project
    left join project parent on parent.organization_id = $1 and parent.id = project.depends_on_id where ${inOrganization('project')} order by project.name`,
  parameters: `select parameter.id, parameter.project_id as "projectId", parameter.name, parameter.description, parameter.secret, parameter.expires, type.name as type,
      ${selectRules('parameter_rule', 'parameter_id = parameter.id')}
    from parameter join parameter_type type on type.organization_id = $1 and type.id = parameter.type_id where ${inOrganization('parameter')} order by parameter.name`,
  values: `select value.id, value.parameter_id as parameter, value.environment_id as "environmentId", environment.name as environment, value.text,
      ${readSealed('value')} as sealed, value.interpolated, value.source, value.ledger_id
    from value join environment on environment.organization_id = $1 and environment.id = value.environment_id where ${inOrganization('value')} order by environment.name`,
  templates: `select template.project_id as "projectId", template.name, template.description, template.body from template where ${inOrganization('template')} order by template.name`,
} as const satisfies { readonly [Name in keyof Sets]: string };

/** A person has a unique e-mail address, a service account a unique name. */
const PRINCIPAL = `case when person.type = 'interactive' then person.email end as email, case when person.type = 'service' then person.name end as service_account`;

const FURTHER_QUERIES = {
  tags: `select environment.name as environment, tag.name, tag.description, ${wireTimeSql('tag."timestamp"')} as timestamp, tag.immutable
    from tag join environment on environment.organization_id = $1 and environment.id = tag.environment_id where ${inOrganization('tag')} order by environment.name, tag.name`,
  groups: `select member_group.name, member_group.description, (select coalesce(json_agg(member order by member.email, member.service_account), '[]') from (
        select ${PRINCIPAL}, null::text as "group" from group_member
          join membership on membership.organization_id = $1 and membership.id = group_member.membership_id join person on person.id = membership.person_id
         where group_member.organization_id = $1 and group_member.group_id = member_group.id) member) as members
    from member_group where ${inOrganization('member_group')} order by member_group.name`,
  grants: `select ${PRINCIPAL}, member_group.name as "group", project.name as project, environment.name as environment, access_grant.role from access_grant
    left join membership on membership.organization_id = $1 and membership.id = access_grant.membership_id left join person on person.id = membership.person_id
    left join member_group on member_group.organization_id = $1 and member_group.id = access_grant.group_id
    left join project on project.organization_id = $1 and project.id = access_grant.project_id
    left join environment on environment.organization_id = $1 and environment.id = access_grant.environment_id
    where ${inOrganization('access_grant')} order by project.name, environment.name, access_grant.created_at, access_grant.id`,
} as const satisfies { readonly [Name in keyof FurtherSets]: string };

/** Exports all contents of an organization at one moment, keyed by name. Secrets are in clear text. */
@Injectable()
export class BackupExporter {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly vault: Vault,
    private readonly evaluations: TextEvaluator,
  ) {}

  async snapshot(
    caller: Caller,
    { extended }: BackupQuery,
  ): Promise<{ readonly revision: Revision; readonly body: BackupSnapshot }> {
    const { organizationId } = caller;
    currentLimits()?.limitAsRead();
    await this.assertSize(organizationId);
    const readOptions = { organizationId, at: 'now' } as const;
    const queries = extended ? { ...QUERIES, ...FURTHER_QUERIES } : QUERIES;
    const sets = await this.reader.sets<Sets & Partial<FurtherSets>>(readOptions, queries);
    const open = await this.vault.opener(organizationId);
    const evaluationResults = await this.evaluated(caller, sets.revision, sets.values);
    const openText = ({ id, text, sealed }: ValueRow) =>
      sealed === null
        ? text
        : shownText({
            isSecret: true,
            isMasked: false,
            isNull: false,
            clear: () => open('value.sealed', id, Buffer.from(sealed.slice(2), 'hex')),
          });
    return {
      revision: sets.revision,
      body: { ...presentBackup(sets, openText, evaluationResults), ...presentFurther(sets) },
    };
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
    const requestedTexts = values
      .filter(({ interpolated, text }) => interpolated && text !== null)
      .map(({ id, environmentId }) => ({ sourceId: id, environmentId }));
    if (requestedTexts.length === 0) return NOTHING_EVALUATED;
    const { organizationId } = caller;
    return this.evaluations
      .of({ organizationId, permissions: caller, revision, requested: requestedTexts, evaluate: true })
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
  evaluationResults: EvaluationResults,
): BackupSnapshot {
  const parameters = Map.groupBy(sets.parameters, ({ projectId }) => projectId);
  const templates = Map.groupBy(sets.templates, ({ projectId }) => projectId);
  const valuesByParameter = Map.groupBy(sets.values, ({ parameter }) => parameter);
  const name = (row: { readonly name: string }) => row.name;
  const presentValue = (project: string) => (value: ValueRow) => {
    const raw = openText(value);
    const source = externalSource(value);
    const evaluatedText = evaluationResults.evaluatedText({ sourceId: value.id, environmentId: value.environmentId });
    return {
      external: source && { fqn: source.fqn, jmes_path: source.filter || null },
      environment: value.environment,
      evaluated: evaluatedText !== null,
      source: value.environment,
      project,
      value: value.interpolated && raw !== null ? (evaluatedText?.text ?? null) : raw,
      raw,
    };
  };
  return {
    environments: byName(sets.environments, name, ({ name, parent, description }) => ({ name, parent, description })),
    types: byName(sets.types, name, ({ rules, ...type }) => ({ rules: presentRules(rules), ...type })),
    projects: byName(sets.projects, name, (project) => ({
      parameters: byName(parameters.get(project.id) ?? [], name, (parameter) => ({
        rules: presentRules(parameter.rules),
        values: byName(
          valuesByParameter.get(parameter.id) ?? [],
          ({ environment }) => environment,
          presentValue(project.name),
        ),
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
