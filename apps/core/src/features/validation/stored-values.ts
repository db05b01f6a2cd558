import { Injectable } from '@nestjs/common';
import {
  type EnvironmentId,
  Failure,
  forbiddenScopes,
  type OrganizationId,
  type ParameterId,
  type ParameterList,
  type ProjectId,
  parameterList,
  type Rule,
  type ScopeId,
  type Sentence,
  type Uuid,
  type ValueType,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Writer } from '../../platform/ledger/command.ts';
import { ignoreForbidden, listIgnoredScopes } from '../../platform/ledger/forbidden-values.ts';
import { mayValidateSecret } from '../../platform/ledger/plan-recorder.ts';
import { TimeBudget } from '../../platform/patterns/pattern-engine.ts';
import { readSealed } from '../../platform/vault/sealed-text.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { ActiveTexts } from '../templating/active-texts.ts';
import { lateralJoin } from '../templating/dependency-sql.ts';
import { TextValidation } from './text-validation.ts';

/** A parameter whose values are validated. */
export interface StoredParameter {
  readonly id: ParameterId;
  readonly name: string;
  readonly projectId: ProjectId;
  readonly project: string;
  readonly typeId: Uuid;
  /** The rules of the parameter itself, without those of its type. */
  readonly rules: readonly Rule[];
}

/** One parameter, or all parameters of some types. */
export type ParameterScope = { readonly parameterId: ParameterId } | { readonly typeIds: readonly Uuid[] };

type ViolatedParam = 'rule' | 'limit' | 'owner' | 'type' | 'expected';

/** A violation of stored values. */
export interface StoredViolation extends Sentence<ViolatedParam> {
  /** The names of the parameters whose values violate the rule, for messages. */
  readonly parameters: ParameterList;
}

interface TextRow {
  readonly id: Uuid;
  readonly parameterId: ParameterId;
  readonly environmentId: EnvironmentId;
  readonly text: string | null;
  readonly sealed: Buffer | null;
  readonly interpolated: boolean;
}

/** The number of values that are in memory at once. */
const BATCH = 500;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Selects the next batch of values. $2 contains parameters; $3 and $4 are the parameter and environment of the last
 * value of the previous batch.
 */
const NEXT = `
select value.* from ${lateralJoin(
  'unnest($2::uuid[]) requested(id)',
  `select id, parameter_id as "parameterId", environment_id as "environmentId", text, ${readSealed('value')} as sealed, interpolated
     from value
    where organization_id = $1 and parameter_id = requested.id and (parameter_id, environment_id) > ($3::uuid, $4::uuid)
      and (text is not null or sealed is not null)`,
  'value',
)}
 order by value."parameterId", value."environmentId" limit ${BATCH}`;

/** Validates stored values in batches of a few hundred. The number of statements per batch is fixed. */
@Injectable()
export class StoredValues {
  constructor(
    private readonly vault: Vault,
    private readonly texts: TextValidation,
    private readonly activeTexts: ActiveTexts,
  ) {}

  /**
   * Returns each violation with the parameters that have it. Explicit nulls are valid. `typeOf` returns the type and
   * the rules of a parameter. Throws 403 if a value is in a forbidden scope, because callers could find out the value
   * by repeated attempts.
   */
  async violations(
    em: EntityManager,
    caller: Writer,
    scope: ParameterScope,
    typeOf: (parameter: StoredParameter) => ValueType,
  ): Promise<readonly StoredViolation[]> {
    const ignored = new Set<ScopeId>(listIgnoredScopes(caller));
    const parameters = new Map(
      (await parametersIn(em, caller.organizationId, scope))
        .filter(({ projectId }) => !ignored.has(projectId))
        .map((row) => [row.id, row]),
    );
    const types = new Map([...parameters.values()].map((parameter) => [parameter.id, typeOf(parameter)]));
    if (ignored.size === 0) await assertNoneForbidden(em, caller, scope);
    else noteIgnored(caller, scope, parameters);
    const offenders = new Map<string, { readonly violated: Sentence<ViolatedParam>; readonly ids: Set<ParameterId> }>();
    const budget = new TimeBudget();
    for await (const batch of this.batches(em, caller, parameters)) {
      const typedTexts = batch.map(({ parameterId, text }) => ({ type: types.get(parameterId) as ValueType, text }));
      for (const [index, violations] of (await this.texts.violations(typedTexts, budget)).entries()) {
        const { parameterId } = batch[index] as { parameterId: ParameterId };
        for (const violatedRule of violations) {
          const offender = offenders.get(violatedRule.message) ?? { violated: violatedRule, ids: new Set() };
          offenders.set(violatedRule.message, offender);
          offender.ids.add(parameterId);
        }
      }
    }
    return [...offenders.values()].map(({ violated: { message, params }, ids }) => ({
      ...{ message, params },
      parameters: parameterList(
        caller,
        [...ids].map((id) => parameters.get(id) as StoredParameter),
      ),
    }));
  }

  /** Yields the texts of each batch by parameter. */
  private async *batches(em: EntityManager, caller: Writer, parameters: ReadonlyMap<ParameterId, StoredParameter>) {
    const { organizationId, planRecorder } = caller;
    const ignored = new Set<ScopeId>(listIgnoredScopes(caller));
    const parameterIds = [...parameters.keys()].sort();
    const open = await this.vault.opener(organizationId);
    let lastCell = { parameterId: NO_ID, environmentId: NO_ID };
    for (let index = 0; index < parameterIds.length; ) {
      const ids = parameterIds.slice(index, index + BATCH);
      const textRows = await em.query<TextRow[]>(NEXT, [
        organizationId,
        ids,
        lastCell.parameterId,
        lastCell.environmentId,
      ]);
      const rows = textRows.filter(({ environmentId }) => !ignored.has(environmentId));
      const literal = rows.filter(
        ({ interpolated, sealed, parameterId }) =>
          !interpolated && (sealed === null || mayValidateSecret(planRecorder, parameters.get(parameterId))),
      );
      yield [
        ...literal.map(({ id, parameterId, text, sealed }) => ({
          parameterId,
          text: sealed === null ? (text ?? '') : open('value.sealed', id, sealed),
        })),
        ...(await this.dynamicTexts(em, caller, rows)),
      ];
      lastCell = textRows.at(-1) ?? lastCell;
      index = textRows.length < BATCH ? index + ids.length : parameterIds.indexOf(lastCell.parameterId, index);
    }
  }

  /** Returns the evaluated texts of dynamic values in the environments where they are effective. */
  private async dynamicTexts(em: EntityManager, caller: Writer, rows: readonly TextRow[]) {
    const parameters = new Map(rows.flatMap((row) => (row.interpolated ? [[row.id, row.parameterId] as const] : [])));
    const active = await this.activeTexts.of(em, caller, [...parameters.keys()]);
    return active.map(({ valueId, text }) => ({ parameterId: parameters.get(valueId) ?? '', text }));
  }
}

/** Returns the parameters with their own rules. */
async function parametersIn(
  em: EntityManager,
  organizationId: OrganizationId,
  scope: ParameterScope,
): Promise<StoredParameter[]> {
  return em.query(
    `select parameter.id, parameter.name, parameter.type_id as "typeId", parameter.project_id as "projectId", project.name as project,
            (select coalesce(json_agg(json_build_object('kind', rule.kind, 'constraint', rule.constraint_text) order by rule.kind), '[]')
               from parameter_rule rule where rule.organization_id = parameter.organization_id and rule.parameter_id = parameter.id) as rules
       from parameter join project on project.organization_id = parameter.organization_id and project.id = parameter.project_id
      where parameter.organization_id = $1 and ${scopeCondition(scope)}`,
    [organizationId, scopeIds(scope)],
  );
}

/**
 * Records that forbidden values of these parameters are ignored. Records it for each of them, so that it does not
 * reveal whether forbidden values exist.
 */
function noteIgnored(
  caller: Writer,
  scope: ParameterScope,
  parameters: ReadonlyMap<ParameterId, StoredParameter>,
): void {
  for (const { name, project } of parameters.values()) ignoreForbidden(caller, { project, environment: null, name });
  if ('typeIds' in scope) ignoreForbidden(caller, { project: null, environment: null, name: '*' });
}

/**
 * Throws 403 if a value is in a forbidden scope. It runs before the validation, so that the response does not depend on
 * its result.
 */
async function assertNoneForbidden(em: EntityManager, caller: Caller, scope: ParameterScope): Promise<void> {
  const forbiddenScopeIds = forbiddenScopes(caller);
  if (forbiddenScopeIds.length === 0) return;
  const [row] = await em.query<object[]>(
    `select from parameter join value on value.organization_id = parameter.organization_id and value.parameter_id = parameter.id
      where parameter.organization_id = $1 and ${scopeCondition(scope)} and (value.text is not null or value.sealed is not null)
        and (parameter.project_id = any($3::uuid[]) or value.environment_id = any($3::uuid[])) limit 1`,
    [caller.organizationId, scopeIds(scope), forbiddenScopeIds],
  );
  if (row) throw createHiddenValuesError();
}

function createHiddenValuesError(): Failure {
  return new Failure({
    kind: 'forbidden',
    code: 'judges_hidden_values',
    message:
      'This change must be validated against values that you cannot access. Ask a member with access to apply it.',
  });
}

const scopeCondition = (scope: ParameterScope) =>
  'parameterId' in scope ? 'parameter.id = any($2::uuid[])' : 'parameter.type_id = any($2::uuid[])';
const scopeIds = (scope: ParameterScope) => ('parameterId' in scope ? [scope.parameterId] : scope.typeIds);
