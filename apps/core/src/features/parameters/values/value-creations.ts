import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  assertIfControlled,
  assertOnScope,
  byId,
  type EnvironmentId,
  Failure,
  type NamedObject,
  type OrganizationId,
  type Rule,
  type TypeNode,
  valueTypeOf,
} from '@strata/domain';
import type { SetDecision, SetOperation, SetRequest, Stamp } from '../../../platform/ledger/command.ts';
import type { Statement } from '../../../platform/postgres/prepared-client.ts';
import { isMentioned, projectsBelowEach } from '../../templating/dependency-sql.ts';
import { ownRules, typesOfParameters } from '../../validation/value-types.ts';
import type { ParameterKey } from '../parameters.reader.ts';
import { insertValues, type NewValue, type StoredContent, valueChange } from './value.store.ts';
import { changedValue } from './value-changes.ts';
import { ValueContents } from './value-contents.ts';
import type { ParameterContext, ValueWithContext } from './value-with-context.ts';

/** A literal text for a cell without a value. */
export interface ValueCreationInput {
  readonly key: ParameterKey;
  readonly environmentId: EnvironmentId;
  readonly text: string | null;
}

/** The objects that a new value belongs to. */
export interface NewValueContext {
  readonly project: NamedObject;
  readonly parameter: ParameterContext;
  readonly environment: NamedObject;
}

/** The stored columns, without revision and time. */
export type DecidedCreation = Omit<NewValue, keyof Stamp>;

interface LoadedRow {
  readonly project: string;
  readonly parameter: string;
  readonly secret: boolean;
  readonly type_id: string;
  readonly expires: string | null;
  readonly environment: string;
  readonly own: readonly Rule[];
  /** Whether a value already exists, or dynamic values or templates may depend on the name. */
  readonly is_single: boolean;
}

/** SQL that looks up each path. If an object of the path does not exist, its columns are null. */
const LOAD = `
with recursive
  asked as (select * from unnest($2::uuid[], $3::uuid[], $4::uuid[]) with ordinality as a(project_id, parameter_id, environment_id, n)),
  ${projectsBelowEach('select distinct project_id from asked')}
select p.name as project, x.name as parameter, x.secret, x.type_id, x.expires, e.name as environment, ${ownRules('x.id')} as own,
       x.id is null or e.id is null or v.id is not null or ${isMentioned('a.project_id', 'x.name')} as is_single
  from asked a
  left join lateral (select * from project where organization_id = $1 and id = a.project_id offset 0) p on true
  left join lateral (select * from parameter where organization_id = $1 and id = a.parameter_id and project_id = p.id offset 0) x on true
  left join lateral (select * from environment where organization_id = $1 and id = a.environment_id offset 0) e on true
  left join lateral (select id from value where organization_id = $1 and parameter_id = x.id and environment_id = e.id offset 0) v on true
 order by a.n`;

/**
 * Creates batches of literal values whose names no text refers to. Other creations, and rejected ones, run one by one.
 */
@Injectable()
export class ValueCreations implements SetOperation<ValueCreationInput, DecidedCreation, ValueWithContext> {
  readonly objectType = 'Value';

  constructor(private readonly contents: ValueContents) {}

  rowOf({ key, environmentId }: ValueCreationInput): string {
    return `${key.id} ${environmentId}`;
  }

  load(organizationId: OrganizationId, inputs: readonly ValueCreationInput[]): readonly Statement[] {
    const parameterIds = inputs.map(({ key }) => key.id);
    const ids = [inputs.map(({ key }) => key.projectId), parameterIds, inputs.map((input) => input.environmentId)];
    return [{ text: LOAD, values: [organizationId, ...ids] }, typesOfParameters(organizationId, parameterIds)];
  }

  async decide(
    requests: readonly SetRequest<ValueCreationInput>[],
    found: readonly object[][],
  ): Promise<readonly SetDecision<DecidedCreation, ValueWithContext>[]> {
    const decisions: SetDecision<DecidedCreation, ValueWithContext>[] = [];
    for (const [index, request] of requests.entries()) {
      decisions.push(
        await this.decideOne(request, found, index).catch((error: unknown) => {
          if (error instanceof Failure) return { is: 'single' as const };
          throw error;
        }),
      );
    }
    return decisions;
  }

  store(organizationId: OrganizationId, rows: readonly (Stamp & { readonly row: DecidedCreation })[]): Statement {
    return insertValues(
      organizationId,
      rows.map(({ row, revision, at }) => ({ ...row, revision, at })),
    );
  }

  private async decideOne(
    { caller, input: { key, environmentId, text } }: SetRequest<ValueCreationInput>,
    [rows = [], types = []]: readonly object[][],
    index: number,
  ): Promise<SetDecision<DecidedCreation, ValueWithContext>> {
    const row = rows[index] as LoadedRow;
    if (row.is_single) return { is: 'single' };
    assertOnScope(caller, 'write', key.projectId);
    assertIfControlled(caller, 'write', environmentId);
    const { secret, type_id: typeId, expires } = row;
    const { organizationId, projectId } = key;
    const parameter = { organizationId, projectId, id: key.id, name: row.parameter, secret, typeId, expires };
    const context = {
      project: { id: projectId, name: row.project },
      parameter,
      environment: { id: environmentId, name: row.environment },
    };
    const rules = { name: row.parameter, rules: row.own };
    const id = randomUUID();
    const type = () => valueTypeOf(byId(types as TypeNode[]), typeId, rules);
    const content = await this.contents.stored(parameter, id, { text, interpolated: false }, type);
    const made = newValue(id, context, content);
    return {
      is: 'changed',
      row: made,
      change: valueChange('create', id, context),
      result: createdValue(made, context),
    };
  }
}

export function newValue(id: string, { parameter, environment }: NewValueContext, content: StoredContent) {
  return { id, ledgerId: randomUUID(), parameterId: parameter.id, environmentId: environment.id, ...content };
}

const NOTHING_STORED = { text: null, sealed: null, interpolated: false };

/** Returns a function that returns the value as it will be stored. */
export function createdValue({ id, ledgerId, ...made }: DecidedCreation, context: NewValueContext) {
  return ({ revision, at }: Stamp): ValueWithContext => {
    const { parameterId, environmentId, ...content } = made;
    const stored = { id, parameterId, environmentId, ledger_id: ledgerId, created_at: at, modified_at: at };
    const { organizationId } = context.parameter;
    const current = { organizationId, revision, ...context, value: { ...stored, ...NOTHING_STORED } };
    return changedValue(current, { id, ledgerId, content }, { revision, at });
  };
}
