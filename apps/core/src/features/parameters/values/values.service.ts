import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ValueCreate, ValuePatch } from '@strata/contract';
import {
  assertIfControlled,
  Failure,
  type Mention,
  type NamedObject,
  PreconditionFailed,
  type ValueId,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import { idFromLink, unknownLink } from '../../../platform/http/links.ts';
import type { Precondition } from '../../../platform/http/request.ts';
import type { Command, WriteContext, Writer } from '../../../platform/ledger/command.ts';
import { presentVersions } from '../../../platform/ledger/present-versions.ts';
import { translateViolations } from '../../../platform/postgres/constraints.ts';
import type { Statement } from '../../../platform/postgres/prepared-client.ts';
import { References } from '../../templating/references.ts';
import type { NamesChange } from '../../validation/inputs.ts';
import { Validator } from '../../validation/validator.ts';
import type { ParameterKey } from '../parameters.reader.ts';
import { findParameter, owningProject } from '../parameters.service.ts';
import { assertConsistent, assertNotExternal } from './external.ts';
import { deleteValues, insertValues, updateValues, type ValueContext, valueChange } from './value.store.ts';
import { assertNotDynamicSecret, changedValue, ValueChanges } from './value-changes.ts';
import { type Content, ValueContents } from './value-contents.ts';
import { createdValue, newValue, ValueCreations } from './value-creations.ts';
import type { ParameterContext, ValueWithContext } from './value-with-context.ts';

const taken = (parameter: string, environment: string) =>
  `${parameter} has a value in ${environment} already. Change that value instead of creating another one.`;

const refusals = (parameter: string, environment: string) => ({
  value_environment_taken: () => Failure.field('duplicate_value', 'non_field_errors', taken(parameter, environment)),
});

const INTERNAL_VALUE = { field: 'internal_value' };

/** Checks before and after a change. */
interface Conditions {
  readonly before: Precondition;
  readonly after: AssertPresentable;
}

interface Creation {
  /** Whether an existing value is a failed precondition of the client (412) instead of an invalid request (400). */
  readonly isFirst: boolean;
  /** Null if the value can be shown in any case. */
  readonly view: AssertPresentable | null;
}

/** Throws inside a write if the value cannot be shown as the query requests. */
export type AssertPresentable = (em: EntityManager, id: ValueId) => Promise<void>;

/** Creates the commands that write values. Their result is the stored value. */
@Injectable()
export class ValuesService {
  constructor(
    private readonly changes: ValueChanges,
    private readonly creations: ValueCreations,
    private readonly contents: ValueContents,
    private readonly references: References,
    private readonly validator: Validator,
  ) {}

  async create(
    caller: Caller,
    key: ParameterKey,
    input: ValueCreate,
    { isFirst, view }: Creation,
  ): Promise<Command<ValueWithContext>> {
    assertConsistent(input);
    const mentions = await this.mentionsIn(caller, input);
    const environmentId = linkedId(input.environment);
    const isPlain = !isFirst && view === null && !input.interpolated && !input.external && !input.external_fqn;
    const text = input.internal_value ?? null;
    return {
      operation: 'projects_parameters_values_create',
      caller,
      ...(isPlain &&
        environmentId !== null && {
          inSet: { operation: this.creations, input: { key, environmentId, text } },
        }),
      run: async (context) => {
        const { caller, em, revision, at } = context;
        const project = await owningProject(em, caller, key.projectId);
        const parameter = await findParameter(em, key);
        const environment = await environmentLinked(em, caller, input.environment);
        if (isFirst) await assertNotSet(em, caller, parameter, environment);
        const id = randomUUID();
        await assertNotExternal(em, caller.organizationId, input);
        const requested = { text, interpolated: input.interpolated ?? false };
        assertNotDynamicSecret(parameter, input);
        const content = await this.contents.stored(parameter, id, requested, () =>
          this.validator.typeOf(em, parameter),
        );
        const target = { project, parameter, environment };
        const made = newValue(id, target, content);
        await translateViolations(
          run(em, insertValues(parameter.organizationId, [{ ...made, revision, at }])),
          refusals(parameter.name, environment.name),
        );
        await this.keepReferences(em, caller, parameter, id, requested, mentions);
        await this.validator.validateDependents(em, caller, namesOf(target), INTERNAL_VALUE);
        await view?.(em, id);
        context.record(valueChange('create', id, target));
        return createdValue(made, target)({ revision, at });
      },
    };
  }

  /** Changes a value. Omitted members keep their values. A value cannot be moved to another environment. */
  async change(
    caller: Caller,
    key: ParameterKey,
    id: ValueId,
    patch: ValuePatch,
    conditions: Conditions | null,
  ): Promise<Command<ValueWithContext>> {
    assertConsistent(patch);
    const mentions = await this.mentionsIn(caller, patch);
    const isPlain = conditions === null && !patch.interpolated && !patch.external;
    return {
      operation: 'projects_parameters_values_partial_update',
      caller,
      storedResult: 'revision',
      ...(isPlain && { inSet: { operation: this.changes, input: { key, id, patch } } }),
      run: (context) => this.changeOne(context, key, id, { patch, conditions, mentions }),
    };
  }

  /** Deletes a value, so that the environment inherits one again. */
  remove(caller: Caller, key: ParameterKey, id: ValueId, precondition: Precondition): Command<void> {
    return {
      operation: 'projects_parameters_values_destroy',
      caller,
      run: async ({ caller, em, record }) => {
        const current = await this.changes.find(em, caller, key, id);
        await precondition(em, caller);
        await run(em, deleteValues(key.organizationId, [id]));
        await this.validator.validateDependents(em, caller, { ...namesOf(current), uncovers: true }, 'conflict');
        record(valueChange('delete', id, current));
      },
    };
  }

  private async changeOne(
    { caller, em, record, recordUnchangedSecret, revision, at }: WriteContext,
    key: ParameterKey,
    id: ValueId,
    { patch, conditions, mentions }: SingleChange,
  ): Promise<ValueWithContext> {
    const current = await this.changes.find(em, caller, key, id);
    await conditions?.before(em, caller);
    await assertNotExternal(em, key.organizationId, patch);
    const { content, change, isSame } = await this.changes.changeOf(caller, current, patch);
    if (change === null) {
      if (current.parameter.secret && patch.internal_value != null) recordUnchangedSecret(id);
      await conditions?.after(em, id);
      return current;
    }
    const decided = { id, ledgerId: randomUUID(), content };
    await run(em, updateValues(key.organizationId, [{ ...decided, ...content, revision, at }]));
    const { parameter, value } = current;
    if (!isSame && (content.interpolated || value.interpolated)) {
      await this.keepReferences(em, caller, parameter, id, content, mentions);
    }
    if (!isSame && current.isMentioned) {
      await this.validator.validateDependents(em, caller, namesOf(current), INTERNAL_VALUE);
    }
    await conditions?.after(em, id);
    record(change);
    return changedValue(current, decided, { revision, at });
  }

  /** Finds the references of a dynamic text before the write, which would otherwise hold its lock during that time. */
  private async mentionsIn({ organizationId }: Caller, { interpolated, internal_value: text }: ValuePatch) {
    return interpolated && typeof text === 'string'
      ? this.references.mentionsIn(organizationId, text, Failure.list)
      : null;
  }

  private async keepReferences(
    em: EntityManager,
    caller: Writer,
    parameter: ParameterContext,
    id: ValueId,
    { text, interpolated }: Content,
    early: readonly Mention[] | null,
  ): Promise<void> {
    const { organizationId, projectId } = parameter;
    const source = { organizationId, projectId, id, kind: 'value' } as const;
    if (!interpolated || text === null) return this.references.store(em, caller, source, []);
    const mentions = early ?? (await this.references.mentionsIn(organizationId, text, Failure.list));
    await this.references.store(em, caller, source, mentions);
    await this.validator.validateDynamicValue(em, caller, parameter, id);
  }
}

interface SingleChange {
  readonly patch: ValuePatch;
  readonly conditions: Conditions | null;
  readonly mentions: readonly Mention[] | null;
}

/**
 * Returns the name and environment whose dependents need validation. Texts in the environment and in its descendants
 * may depend on the value.
 */
function namesOf({ parameter, project, environment }: ValueContext): NamesChange {
  return { kind: 'names', projectId: project.id, names: [parameter.name], environmentId: environment.id };
}

const run = (em: EntityManager, { text, values }: Statement): Promise<unknown> => em.query(text, [...values]);

/** Throws 412 with the existing value if the client requires that there is none. */
async function assertNotSet(
  em: EntityManager,
  caller: Caller,
  parameter: NamedObject,
  environment: NamedObject,
): Promise<void> {
  const rows = await em.query<{ id: ValueId }[]>(
    'select id from value where organization_id = $1 and parameter_id = $2 and environment_id = $3',
    [caller.organizationId, parameter.id, environment.id],
  );
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  throw new PreconditionFailed(await presentVersions(em, caller, ids), taken(parameter.name, environment.name));
}

/** Returns the id in a link, or null for an invalid link, which is rejected later. */
function linkedId(link: string): string | null {
  try {
    return idFromLink('environment', 'environments', link);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

async function environmentLinked(em: EntityManager, caller: Caller, link: string): Promise<NamedObject> {
  const id = idFromLink('environment', 'environments', link);
  const found = await findEnvironment(em, caller.organizationId, id);
  if (!found) throw unknownLink('environment', 'environments');
  assertIfControlled(caller, 'write', id);
  return found;
}

async function findEnvironment(
  em: EntityManager,
  organizationId: string,
  id: string,
): Promise<NamedObject | undefined> {
  const [row] = await em.query<NamedObject[]>(
    'select id, name from environment where organization_id = $1 and id = $2',
    [organizationId, id],
  );
  return row;
}
