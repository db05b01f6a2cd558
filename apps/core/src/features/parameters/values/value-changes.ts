import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ValuePatch } from '@strata/contract';
import {
  assertIfControlled,
  assertOnScope,
  byId,
  Failure,
  type OrganizationId,
  type Rule,
  type TypeNode,
  type ValueId,
  type ValueType,
  valueTypeOf,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import type { Change } from '../../../platform/ledger/change.ts';
import type { SetDecision, SetOperation, SetRequest, Stamp, Writer } from '../../../platform/ledger/command.ts';
import { writesEqualSecrets } from '../../../platform/ledger/plan-recorder.ts';
import type { Statement } from '../../../platform/postgres/prepared-client.ts';
import { isMentioned, projectsBelowEach } from '../../templating/dependency-sql.ts';
import { ownRules, typesOfParameters } from '../../validation/value-types.ts';
import type { ParameterKey } from '../parameters.reader.ts';
import { type StoredContent, updateValues, valueChange } from './value.store.ts';
import { definedContent, ValueContents } from './value-contents.ts';
import {
  type ParameterContext,
  VALUE_COLUMNS,
  type ValueContextRow,
  type ValueWithContext,
  valueWithContextOf,
} from './value-with-context.ts';

/** The requested change of one value. */
export interface ValueChangeInput {
  readonly key: ParameterKey;
  readonly id: ValueId;
  readonly patch: ValuePatch;
}

/** A value with the context that a change needs. */
export interface WritableValue extends ValueWithContext {
  readonly type: ValueType;
  /** Whether dynamic values or templates may depend on the value. */
  readonly isMentioned: boolean;
}

/** The result of applying a change to a value. */
export interface DecidedChange {
  readonly id: ValueId;
  readonly ledgerId: string;
  readonly content: StoredContent;
}

interface LoadedRow extends ValueContextRow {
  readonly own: readonly Rule[];
  readonly mentioned: boolean;
}

/**
 * SQL that looks up each value by its key. It visits each project and its dependents once to find texts that refer to
 * the name.
 */
const LOAD = `
with recursive
  asked as (select * from unnest($2::uuid[], $3::uuid[], $4::uuid[]) with ordinality as a(project_id, parameter_id, value_id, n)),
  ${projectsBelowEach('select distinct project_id from asked')}
select ${VALUE_COLUMNS}, ${ownRules('x.id')} as own, x.id is not null and ${isMentioned('a.project_id', 'x.name')} as mentioned
  from asked a
  left join lateral (select * from project where organization_id = $1 and id = a.project_id offset 0) p on true
  left join lateral (select * from parameter where organization_id = $1 and id = a.parameter_id and project_id = p.id offset 0) x on true
  left join lateral (select * from value where organization_id = $1 and id = a.value_id and parameter_id = x.id offset 0) v on true
  left join lateral (select * from environment where organization_id = $1 and id = v.environment_id offset 0) e on true
 order by a.n`;

/** Changes batches of literal values whose names no text refers to. Other changes run one by one. */
@Injectable()
export class ValueChanges implements SetOperation<ValueChangeInput, DecidedChange, ValueWithContext> {
  readonly objectType = 'Value';

  constructor(private readonly contents: ValueContents) {}

  rowOf({ id }: ValueChangeInput): string {
    return id;
  }

  load(organizationId: OrganizationId, inputs: readonly Pick<ValueChangeInput, 'key' | 'id'>[]): readonly Statement[] {
    const parameterIds = inputs.map(({ key }) => key.id);
    const values = [organizationId, inputs.map(({ key }) => key.projectId), parameterIds, inputs.map(({ id }) => id)];
    return [{ text: LOAD, values }, typesOfParameters(organizationId, parameterIds)];
  }

  async decide(
    requests: readonly SetRequest<ValueChangeInput>[],
    found: readonly object[][],
  ): Promise<readonly SetDecision<DecidedChange, ValueWithContext>[]> {
    const decisions: SetDecision<DecidedChange, ValueWithContext>[] = [];
    for (const [index, request] of requests.entries()) {
      decisions.push(
        await this.decideOne(request, found, index).catch((error: unknown) => {
          if (error instanceof Failure) return { is: 'refused' as const, because: error };
          throw error;
        }),
      );
    }
    return decisions;
  }

  store(organizationId: OrganizationId, rows: readonly (Stamp & { readonly row: DecidedChange })[]): Statement {
    return updateValues(
      organizationId,
      rows.map(({ row: { id, ledgerId, content }, revision, at }) => ({ id, ledgerId, ...content, revision, at })),
    );
  }

  /** Loads one value for a command that does not run in a batch. */
  async find(em: EntityManager, caller: Caller, key: ParameterKey, id: ValueId): Promise<WritableValue> {
    const found: object[][] = [];
    for (const { text, values } of this.load(key.organizationId, [{ key, id }])) {
      found.push(await em.query<object[]>(text, [...values]));
    }
    return writable(caller, key, found, 0);
  }

  private async decideOne(
    { caller, input: { key, id, patch } }: SetRequest<ValueChangeInput>,
    found: readonly object[][],
    index: number,
  ): Promise<SetDecision<DecidedChange, ValueWithContext>> {
    const current = writable(caller, key, found, index);
    if (current.value.interpolated || current.isMentioned) return { is: 'single' };
    const { change, content } = await this.changeOf(caller, current, patch);
    if (change === null) return { is: 'unchanged', result: current };
    const row = { id, ledgerId: randomUUID(), content };
    return { is: 'changed', row, change, result: (stamp) => changedValue(current, row, stamp) };
  }

  /** Returns the stored content after a change, and the change to record, which is null if there is no effect. */
  async changeOf(
    caller: Writer,
    current: WritableValue,
    patch: ValuePatch,
  ): Promise<{ readonly content: StoredContent; readonly change: Change | null; readonly isSame: boolean }> {
    assertNotDynamicSecret(current.parameter, patch);
    const { id, interpolated } = current.value;
    const text = await this.contents.textOf(current);
    const requested = { text, interpolated, ...definedContent(patch) };
    const isCompared = !(writesEqualSecrets(caller) && current.parameter.secret && patch.internal_value != null);
    const isSame = isCompared && requested.text === text && requested.interpolated === interpolated;
    const content = await this.contents.stored(current.parameter, id, requested, () => current.type);
    // Existing clients compare the timestamps of a value. They expect every request to be a write, even if the text
    // stays the same.
    const isSetAgain = isSame && patch.internal_value !== undefined && caller.surface === 'rest';
    if (isSame && !isSetAgain) return { content, change: null, isSame };
    const change = valueChange('update', id, current);
    return { content, change: isSetAgain ? { ...change, eventType: null } : change, isSame };
  }
}

export function changedValue(
  current: ValueWithContext,
  { ledgerId, content }: DecidedChange,
  { revision, at }: Stamp,
): ValueWithContext {
  const { text, sealed, interpolated } = content;
  const stored = { text, sealed: sealed && `\\x${sealed.toString('hex')}`, interpolated };
  return { ...current, revision, value: { ...current.value, ...stored, ledger_id: ledgerId, modified_at: at } };
}

/**
 * Returns the value if the caller may write it. Throws 404 or 403 for the outermost object that does not exist or is
 * forbidden.
 */
function writable(
  caller: Caller,
  key: ParameterKey,
  [rows = [], types = []]: readonly object[][],
  index: number,
): WritableValue {
  const row = rows[index] as LoadedRow;
  if (row.project === null) throw Failure.notFound('Project');
  assertOnScope(caller, 'write', key.projectId);
  if (row.parameter === null) throw Failure.notFound('Parameter');
  const current = valueWithContextOf(row, key, 0);
  if (!current) throw Failure.notFound('Value');
  assertIfControlled(caller, 'write', current.environment.id);
  const rules = { name: row.parameter, rules: row.own };
  return { ...current, type: valueTypeOf(byId(types as TypeNode[]), row.type_id, rules), isMentioned: row.mentioned };
}

/** Rejects a dynamic secret: every text that is evaluated with it would show it (E44). */
export function assertNotDynamicSecret(
  { secret, name }: Pick<ParameterContext, 'secret' | 'name'>,
  { interpolated }: ValuePatch,
): void {
  if (!secret || !interpolated) return;
  throw Failure.field(
    'secret_is_literal',
    'interpolated',
    `${name} is secret, and the text of a secret cannot refer to others. Refer to it from a parameter that is not secret.`,
  );
}
