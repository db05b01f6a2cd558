import { Injectable } from '@nestjs/common';
import {
  closedScopes,
  type EnvironmentId,
  Failure,
  type OrganizationId,
  type ParameterId,
  type ProjectId,
  type Rule,
  type Uuid,
  type ValueType,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { Patience } from '../../platform/pattern-engine.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { ActiveTexts } from '../resolution/active-texts.ts';
import { forEach } from '../resolution/reach.ts';
import { parameterList } from './parameter-list.ts';
import { TextCheck } from './text-check.ts';

/** A parameter whose values are judged. */
export interface MeasuredParameter {
  readonly id: ParameterId;
  readonly name: string;
  readonly projectId: ProjectId;
  readonly project: string;
  readonly typeId: Uuid;
  /** Its own. */
  readonly rules: readonly Rule[];
}

/** Which parameters: one, or all of some types. */
export type Scope = { readonly parameterId: ParameterId } | { readonly typeIds: readonly Uuid[] };

/** What stands against a change of types or rules: a violation, and the parameters with values that commit it. */
export interface Misfit {
  readonly message: string;
  /** For people. */
  readonly parameters: string;
}

interface StoredText {
  readonly id: Uuid;
  readonly parameterId: ParameterId;
  readonly environmentId: EnvironmentId;
  readonly text: string | null;
  readonly sealed: Buffer | null;
  readonly interpolated: boolean;
}

/** How many values are in memory at once, and of how many parameters they are. */
const BATCH = 500;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** $2 parameters, $3 and $4 parameter and environment of the last value that was read. */
const NEXT = `
select v.* from ${forEach(
  'unnest($2::uuid[]) i(id)',
  `select id, parameter_id as "parameterId", environment_id as "environmentId", text, sealed, interpolated
     from value
    where organization_id = $1 and parameter_id = i.id and (parameter_id, environment_id) > ($3::uuid, $4::uuid)
      and (text is not null or sealed is not null)`,
  'v',
)}
 order by v."parameterId", v."environmentId" limit ${BATCH}`;

/**
 * Judges the values that are stored already: a fixed number of statements for every few hundred, and never more than
 * those in memory.
 */
@Injectable()
export class StoredValues {
  constructor(
    private readonly vault: Vault,
    private readonly check: TextCheck,
    private readonly activeTexts: ActiveTexts,
  ) {}

  /** The parameters of a scope with their own rules. */
  async parameters(em: EntityManager, organizationId: OrganizationId, scope: Scope): Promise<MeasuredParameter[]> {
    return em.query(
      `select p.id, p.name, p.type_id as "typeId", p.project_id as "projectId", j.name as project,
              (select coalesce(json_agg(json_build_object('kind', r.kind, 'constraint', r.constraint_text) order by r.kind), '[]')
                 from parameter_rule r where r.organization_id = p.organization_id and r.parameter_id = p.id) as rules
         from parameter p join project j on j.organization_id = p.organization_id and j.id = p.project_id
        where p.organization_id = $1 and ${WITHIN(scope)}`,
      [organizationId, idsOf(scope)],
    );
  }

  /**
   * What does not fit, by violation. Explicit nulls are exempt. `measure` says what a parameter's values must satisfy.
   * 403 if one of them lies where the caller has no access: by asking often enough, verdicts would tell what it is.
   */
  async misfits(
    em: EntityManager,
    caller: Caller,
    scope: Scope,
    measure: (parameter: MeasuredParameter) => ValueType,
  ): Promise<readonly Misfit[]> {
    const { organizationId } = caller;
    const parameters = new Map((await this.parameters(em, organizationId, scope)).map((one) => [one.id, one]));
    const types = new Map([...parameters.values()].map((parameter) => [parameter.id, measure(parameter)]));
    await demandNothingHidden(em, caller, scope);
    const offenders = new Map<string, Set<ParameterId>>();
    const patience = new Patience();
    for await (const texts of this.texts(em, caller, [...parameters.keys()].sort())) {
      const candidates = texts.map(({ parameterId, text }) => ({ type: types.get(parameterId) as ValueType, text }));
      for (const [index, violations] of (await this.check.violations(candidates, patience)).entries()) {
        const { parameterId } = texts[index] as { parameterId: ParameterId };
        for (const { message } of violations) {
          offenders.set(message, (offenders.get(message) ?? new Set()).add(parameterId));
        }
      }
    }
    return [...offenders].map(([message, ids]) => ({
      message,
      parameters: parameterList(
        caller,
        [...ids].map((id) => parameters.get(id) as MeasuredParameter),
      ),
    }));
  }

  /** In batches, by parameter. */
  private async *texts(em: EntityManager, caller: Caller, parameterIds: readonly ParameterId[]) {
    const { organizationId } = caller;
    const open = await this.vault.opener(organizationId);
    let last = { parameterId: NO_ID, environmentId: NO_ID };
    for (let at = 0; at < parameterIds.length; ) {
      const ids = parameterIds.slice(at, at + BATCH);
      const asked = [organizationId, ids, last.parameterId, last.environmentId];
      const rows = await em.query<StoredText[]>(NEXT, asked);
      const literal = rows.filter(({ interpolated }) => !interpolated);
      yield [
        ...literal.map(({ id, parameterId, text, sealed }) => ({
          parameterId,
          text: sealed === null ? (text ?? '') : open('value.sealed', id, sealed),
        })),
        ...(await this.dynamicTexts(em, caller, rows)),
      ];
      last = rows.at(-1) ?? last;
      at = rows.length < BATCH ? at + ids.length : parameterIds.indexOf(last.parameterId, at);
    }
  }

  /** A dynamic value is judged by what it says where it is effective. */
  private async dynamicTexts(em: EntityManager, caller: Caller, rows: readonly StoredText[]) {
    const parameters = new Map(rows.flatMap((row) => (row.interpolated ? [[row.id, row.parameterId] as const] : [])));
    const active = await this.activeTexts.of(em, caller, [...parameters.keys()]);
    return active.map(({ valueId, text }) => ({ parameterId: parameters.get(valueId) ?? '', text }));
  }
}

/** Asked before anything is judged, so that it does not depend on the verdict. */
async function demandNothingHidden(em: EntityManager, caller: Caller, scope: Scope): Promise<void> {
  const closed = closedScopes(caller);
  if (closed.length === 0) return;
  const [found] = await em.query<object[]>(
    `select from parameter p join value v on v.organization_id = p.organization_id and v.parameter_id = p.id
      where p.organization_id = $1 and ${WITHIN(scope)} and (v.text is not null or v.sealed is not null)
        and (p.project_id = any($3::uuid[]) or v.environment_id = any($3::uuid[])) limit 1`,
    [caller.organizationId, idsOf(scope), closed],
  );
  if (found) throw judgesHidden();
}

function judgesHidden(): Failure {
  return new Failure(
    'forbidden',
    'judges_hidden_values',
    'This would be held against values that you have no access to. Ask somebody who may read them.',
  );
}

const WITHIN = (scope: Scope) => ('parameterId' in scope ? 'p.id = any($2::uuid[])' : 'p.type_id = any($2::uuid[])');
const idsOf = (scope: Scope) => ('parameterId' in scope ? [scope.parameterId] : scope.typeIds);
