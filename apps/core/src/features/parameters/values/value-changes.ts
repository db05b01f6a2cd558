import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { ValuePatch } from '@strata/contract';
import {
  assertAbilityOnScope,
  assertIfControlled,
  buildValueType,
  externalSource,
  Failure,
  indexById,
  type Mention,
  type OrganizationId,
  type Rule,
  type TypeNode,
  type ValueId,
  type ValueType,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import type { Precondition } from '../../../platform/http/request.ts';
import type {
  Command,
  LoadedInput,
  SetDecision,
  SetMember,
  SetOperation,
  SetRequest,
  Stamp,
} from '../../../platform/ledger/command.ts';
import { writesEqualSecrets } from '../../../platform/ledger/plan-recorder.ts';
import { loadSet, setCommand } from '../../../platform/ledger/write-set.ts';
import type { Statement } from '../../../platform/postgres/prepared-client.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { ExternalContents } from '../../external/external-contents.ts';
import { mentionedSql, projectsBelowEach } from '../../templating/dependency-sql.ts';
import { Validator } from '../../validation/validator.ts';
import { ownRules, typesOfParameters } from '../../validation/value-types.ts';
import type { ParameterKey } from '../parameters.reader.ts';
import {
  assertContentRead,
  assertSecretIfExternal,
  type ExternalChange,
  nextSource,
  toExternalChange,
  toSource,
  withStoredSource,
} from './external-change.ts';
import {
  assertNotDynamicSecret,
  assertOneSource,
  pickDefinedContent,
  toNamesChange,
  ValueContents,
} from './value-contents.ts';
import { addContext, VALUE_COLUMNS, type ValueContextRow, type ValueWithContext } from './value-with-context.ts';
import { deleteValues, type StoredContent, updateValues, valueChange } from './value-writer.ts';

/** Checks before and after a change. */
interface Conditions {
  readonly before: Precondition;
  readonly after: AssertPresentable;
}

/** Throws inside a write if the value cannot be shown as the query requests. */
export type AssertPresentable = (em: EntityManager, id: ValueId) => Promise<void>;

/** The requested change of one value. */
interface ValueChangeInput {
  readonly key: ParameterKey;
  readonly id: ValueId;
  readonly patch: ValuePatch;
  readonly conditions: Conditions | null;
  readonly mentions: readonly Mention[] | null;
  /** Null if the change does not set the text from an external system. */
  readonly external: ExternalChange | null;
}

/** A value with the context that a change needs. */
interface WritableValue extends ValueWithContext {
  readonly type: ValueType;
  /** Whether dynamic values or templates may depend on the value. */
  readonly isMentioned: boolean;
}

/** The result of applying a change to a value. */
interface DecidedChange {
  readonly id: ValueId;
  readonly ledgerId: string;
  readonly content: StoredContent;
}

interface LoadedRow extends ValueContextRow {
  readonly ownRules: readonly Rule[];
  readonly mentioned: boolean;
}

/**
 * SQL that looks up each value by its key. It visits each project and its dependents once to find texts that refer to
 * the name.
 */
const LOAD = `
with recursive
  requested as (select * from unnest($2::uuid[], $3::uuid[], $4::uuid[]) with ordinality as input(project_id, parameter_id, value_id, n)),
  ${projectsBelowEach('select distinct project_id from requested')}
select ${VALUE_COLUMNS}, ${ownRules('parameter.id')} as "ownRules", parameter.id is not null and ${mentionedSql('requested.project_id', 'parameter.name')} as mentioned
  from requested
  left join lateral (select * from project where organization_id = $1 and id = requested.project_id offset 0) project on true
  left join lateral (select * from parameter where organization_id = $1 and id = requested.parameter_id and project_id = project.id offset 0) parameter on true
  left join lateral (select * from value where organization_id = $1 and id = requested.value_id and parameter_id = parameter.id offset 0) value on true
  left join lateral (select * from environment where organization_id = $1 and id = value.environment_id offset 0) environment on true
 order by requested.n`;

/** Changes and deletes values. The result of a change is the stored value. */
@Injectable()
export class ValueChanges implements SetOperation<ValueChangeInput, DecidedChange, ValueWithContext> {
  readonly objectType = 'Value';

  constructor(
    private readonly contents: ValueContents,
    private readonly validator: Validator,
    private readonly externalContents: ExternalContents,
    private readonly reader: SnapshotReader,
  ) {}

  /** Changes a value. Omitted members keep their values. A value cannot be moved to another environment. */
  async change(
    caller: Caller,
    key: ParameterKey,
    id: ValueId,
    patch: ValuePatch,
    conditions: Conditions | null,
  ): Promise<Command<ValueWithContext>> {
    const completeInput = await withStoredSource(this.reader, caller, { key, id, patch });
    assertOneSource(completeInput);
    const mentions = await this.contents.mentionsIn(caller, completeInput);
    const external = toExternalChange(await this.externalContents.readRequested(caller, completeInput));
    return this.command(caller, { key, id, patch: completeInput, conditions, mentions, external });
  }

  /** Stores the current content of an external value, or why it cannot be read. */
  refresh(caller: Caller, key: ParameterKey, id: ValueId, external: ExternalChange): Command<ValueWithContext> {
    return this.command(caller, { key, id, patch: {}, conditions: null, mentions: null, external });
  }

  private command(caller: Caller, input: ValueChangeInput): Command<ValueWithContext> {
    return setCommand(
      { operation: 'projects_parameters_values_partial_update', caller, storedResult: 'revision' },
      {
        operation: this as SetMember<ValueWithContext>['operation'],
        input,
        isAlone: input.conditions !== null,
      },
    );
  }

  /** Deletes a value, so that the environment inherits one again. */
  remove(caller: Caller, key: ParameterKey, id: ValueId, precondition: Precondition): Command<void> {
    return {
      operation: 'projects_parameters_values_destroy',
      caller,
      run: async ({ caller, em, record }) => {
        const loadedSet = await loadSet(em, key.organizationId, this as SetMember<unknown>['operation'], [{ key, id }]);
        const currentValue = writable(caller, key, loadedSet, 0);
        await precondition(em, caller);
        await deleteValues(em, key.organizationId, [id]);
        await this.validator.validateDependents(
          em,
          caller,
          { ...toNamesChange(currentValue), uncovers: true },
          'conflict',
        );
        record(valueChange('delete', id, currentValue));
      },
    };
  }

  rowKey({ key, id }: ValueChangeInput): string {
    return `${key.projectId} ${key.id} ${id}`;
  }

  load(organizationId: OrganizationId, inputs: readonly Pick<ValueChangeInput, 'key' | 'id'>[]): readonly Statement[] {
    const parameterIds = inputs.map(({ key }) => key.id);
    const values = [organizationId, inputs.map(({ key }) => key.projectId), parameterIds, inputs.map(({ id }) => id)];
    return [{ text: LOAD, values }, typesOfParameters(organizationId, parameterIds)];
  }

  afterWrite(
    [rows = [], ...otherRows]: readonly object[][],
    index: number,
    { row: { ledgerId, content }, ...stamp }: Stamp & { readonly row: DecidedChange },
  ): LoadedInput {
    const columns = { ...toColumns(content, ledgerId, stamp), ledger_id: ledgerId, modified_at: stamp.at };
    const currentValue = { ...rows[index], ...columns };
    return { loaded: [[currentValue], ...otherRows], index: 0 };
  }

  store(organizationId: OrganizationId, rows: readonly (Stamp & { readonly row: DecidedChange })[]): Statement {
    return updateValues(
      organizationId,
      rows.map(({ row: { id, ledgerId, content }, revision, at }) => ({ id, ledgerId, ...content, revision, at })),
    );
  }

  async decide(
    request: SetRequest<ValueChangeInput>,
    loadedRows: readonly object[][],
    index: number,
  ): Promise<SetDecision<DecidedChange, ValueWithContext>> {
    const { caller, em, input } = request;
    const { key, id, patch, conditions, mentions, external } = input;
    const currentValue = writable(caller, key, loadedRows, index);
    await conditions?.before(em, caller);
    assertContentRead(patch, external);
    assertSecretIfExternal(currentValue.parameter, external);
    const source = nextSource(currentValue.value, patch, external);
    assertNotDynamicSecret(currentValue.parameter, patch);
    const { value, parameter, isMentioned } = currentValue;
    const { interpolated } = value;
    const text = await this.contents.readText(currentValue);
    const requestedContent = {
      text,
      interpolated,
      ...pickDefinedContent(patch),
      ...(external?.text != null && { text: external.text }),
    };
    const setsSecret = parameter.secret && (patch.internal_value != null || external !== null);
    const isCompared = !(setsSecret && writesEqualSecrets(caller));
    if (external && external.replaces !== null && external.replaces !== value.ledger_id)
      return { is: 'unchanged', result: currentValue, secretId: null };
    const isSame =
      isCompared &&
      requestedContent.text === text &&
      requestedContent.interpolated === interpolated &&
      isDeepStrictEqual(source, toSource(externalSource(value)));
    // Only the source changes. The text was accepted before, and texts that depend on it stay the same.
    const keepsText = external !== null && external.text === null;
    const content = keepsText
      ? await this.contents.keep(currentValue)
      : await this.contents.stored(parameter, id, requestedContent, currentValue.type);
    // Existing clients compare the timestamps of a value. They expect every request to be a write, even if the text
    // stays the same.
    const setsText = patch.internal_value !== undefined || patch.external === true;
    const isSetAgain = isSame && setsText && caller.surface === 'rest';
    if (isSame && !isSetAgain) {
      await conditions?.after(em, id);
      return { is: 'unchanged', result: currentValue, secretId: setsSecret ? id : null };
    }
    const row = { id, ledgerId: randomUUID(), content: { ...content, source } };
    const hasReferences = !isSame && (content.interpolated || interpolated);
    const isDepended = !isSame && isMentioned && !keepsText;
    const settle = async () => {
      const storedValue = { id, context: currentValue, content, hasReferences, mentions, isMentioned: isDepended };
      await this.contents.settle(request, storedValue);
      await conditions?.after(em, id);
    };
    const change = valueChange('update', id, currentValue);
    return {
      is: 'changed',
      row,
      change: isSetAgain ? { ...change, eventType: null } : change,
      result: (stamp) => applyValueChange(currentValue, row, stamp),
      settle: hasReferences || isDepended || conditions ? settle : null,
    };
  }
}

export function applyValueChange(
  currentValue: ValueWithContext,
  { ledgerId, content }: DecidedChange,
  stamp: Stamp,
): ValueWithContext {
  const columns = { ...toColumns(content, ledgerId, stamp), ledger_id: ledgerId, modified_at: stamp.at };
  return { ...currentValue, revision: stamp.revision, value: { ...currentValue.value, ...columns } };
}

/** Returns the columns as they are read back. */
function toColumns({ text, sealed, interpolated, source }: StoredContent, ledgerId: string, { revision, at }: Stamp) {
  const shownContent = { text, sealed: sealed?.read(revision, at) ?? null, interpolated };
  return { ...shownContent, source: source ? { ...source, ledger_id: ledgerId } : null };
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
  assertAbilityOnScope(caller, 'write', key.projectId);
  if (row.parameter === null) throw Failure.notFound('Parameter');
  const currentValue = addContext(row, key, 0);
  if (!currentValue) throw Failure.notFound('Value');
  assertIfControlled(caller, 'write', currentValue.environment.id, '/path/id');
  const rules = { name: row.parameter, rules: row.ownRules };
  return {
    ...currentValue,
    type: buildValueType(indexById(types as TypeNode[]), row.type_id, rules),
    isMentioned: row.mentioned,
  };
}
