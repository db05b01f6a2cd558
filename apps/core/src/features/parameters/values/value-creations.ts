import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ValueCreate } from '@strata/contract';
import {
  assertAbilityOnScope,
  assertIfControlled,
  buildValueType,
  type EnvironmentId,
  Failure,
  indexById,
  type Mention,
  type NamedObject,
  NON_FIELD_ERRORS,
  type OrganizationId,
  PreconditionFailedError,
  type Rule,
  sentence,
  type TypeNode,
  type ValueId,
} from '@strata/domain';
import type { Caller } from '../../../platform/caller.ts';
import { idFromLink, unknownLinkError } from '../../../platform/http/links.ts';
import type {
  Command,
  SetDecision,
  SetMember,
  SetOperation,
  SetRequest,
  Stamp,
  Writer,
} from '../../../platform/ledger/command.ts';
import { presentVersions } from '../../../platform/ledger/present-versions.ts';
import { setCommand } from '../../../platform/ledger/write-set.ts';
import type { Statement } from '../../../platform/postgres/prepared-client.ts';
import { ExternalContents } from '../../external/external-contents.ts';
import { mentionedSql, projectsBelowEach } from '../../templating/dependency-sql.ts';
import { ownRules, typesOfParameters } from '../../validation/value-types.ts';
import type { ParameterKey } from '../parameters.reader.ts';
import {
  assertContentRead,
  assertSecretIfExternal,
  type ExternalChange,
  toExternalChange,
  toSource,
} from './external-change.ts';
import { type AssertPresentable, applyValueChange } from './value-changes.ts';
import { assertNotDynamicSecret, assertOneSource, ValueContents } from './value-contents.ts';
import type { ParameterContext, ValueWithContext } from './value-with-context.ts';
import { insertValues, type NewValue, valueChange } from './value-writer.ts';

const taken = (parameter: string, environment: string) =>
  sentence`${{ name: parameter }} has a value in ${{ environment }} already. Change that value instead of creating another one.`;

/** The requirements of a creation besides its input. */
interface CreationOptions {
  /** Whether an existing value is a failed precondition of the client (412) instead of an invalid request (400). */
  readonly isFirst: boolean;
  /** Null if the value can be shown in any case. */
  readonly view: AssertPresentable | null;
}

/** A new value of a parameter. */
interface ValueCreationInput extends CreationOptions {
  readonly key: ParameterKey;
  readonly input: ValueCreate;
  /** Null for an invalid link, which is rejected when the parameter and its project are known to exist. */
  readonly environmentId: EnvironmentId | null;
  readonly mentions: readonly Mention[] | null;
  /** Null if the text is not external. */
  readonly external: ExternalChange | null;
}

/** The objects that a new value belongs to, as stored. */
interface NewValueContext {
  readonly project: NamedObject;
  readonly parameter: ParameterContext;
  readonly environment: NamedObject;
}

interface LoadedRow {
  readonly project: string | null;
  readonly parameter: string | null;
  readonly secret: boolean;
  readonly type_id: string;
  readonly expires: string | null;
  readonly environment: string | null;
  readonly ownRules: readonly Rule[];
  /** The value that already exists. */
  readonly value: ValueId | null;
  /** Whether dynamic values or templates may depend on the name. */
  readonly mentioned: boolean;
}

/** SQL that looks up each path. If an object of the path does not exist, its columns are null. */
const LOAD = `
with recursive
  requested as (select * from unnest($2::uuid[], $3::uuid[], $4::uuid[]) with ordinality as input(project_id, parameter_id, environment_id, n)),
  ${projectsBelowEach('select distinct project_id from requested')}
select project.name as project, parameter.name as parameter, parameter.secret, parameter.type_id, parameter.expires, environment.name as environment, ${ownRules('parameter.id')} as "ownRules",
       value.id as value, parameter.id is not null and ${mentionedSql('requested.project_id', 'parameter.name')} as mentioned
  from requested
  left join lateral (select * from project where organization_id = $1 and id = requested.project_id offset 0) project on true
  left join lateral (select * from parameter where organization_id = $1 and id = requested.parameter_id and project_id = project.id offset 0) parameter on true
  left join lateral (select * from environment where organization_id = $1 and id = requested.environment_id offset 0) environment on true
  left join lateral (select id from value where organization_id = $1 and parameter_id = parameter.id and environment_id = environment.id offset 0) value on true
 order by requested.n`;

/** Creates values. The result is the stored value. */
@Injectable()
export class ValueCreations implements SetOperation<ValueCreationInput, NewValue, ValueWithContext> {
  readonly objectType = 'Value';

  constructor(
    private readonly contents: ValueContents,
    private readonly externalContents: ExternalContents,
  ) {}

  async create(
    caller: Caller,
    key: ParameterKey,
    input: ValueCreate,
    { isFirst, view }: CreationOptions,
  ): Promise<Command<ValueWithContext>> {
    assertOneSource(input);
    const mentions = await this.contents.mentionsIn(caller, input);
    const environmentId = linkedId(input.environment);
    if (input.external) {
      assertAbilityOnScope(caller, 'write', key.projectId);
      if (environmentId !== null) assertIfControlled(caller, 'write', environmentId);
    }
    const external = toExternalChange(await this.externalContents.readRequested(caller, input));
    return setCommand(
      { operation: 'projects_parameters_values_create', caller },
      {
        operation: this as SetMember<ValueWithContext>['operation'],
        input: { key, input, environmentId, mentions, external, isFirst, view },
        isAlone: isFirst || view !== null,
      },
    );
  }

  /** Creates an external value with the text that was read from its location. */
  createExternal(
    caller: Caller,
    key: ParameterKey,
    environmentId: EnvironmentId,
    external: ExternalChange,
  ): Command<ValueWithContext> {
    const input = { environment: environmentId, external: true, interpolated: false };
    return setCommand(
      { operation: 'projects_parameters_values_create', caller },
      {
        operation: this as SetMember<ValueWithContext>['operation'],
        input: { key, input, environmentId, mentions: null, external, isFirst: false, view: null },
        isAlone: true,
      },
    );
  }

  rowKey({ key, environmentId }: ValueCreationInput): string {
    return `${key.id} ${environmentId}`;
  }

  load(organizationId: OrganizationId, inputs: readonly ValueCreationInput[]): readonly Statement[] {
    const parameterIds = inputs.map(({ key }) => key.id);
    const ids = [inputs.map(({ key }) => key.projectId), parameterIds, inputs.map((input) => input.environmentId)];
    return [{ text: LOAD, values: [organizationId, ...ids] }, typesOfParameters(organizationId, parameterIds)];
  }

  store(organizationId: OrganizationId, rows: readonly (Stamp & { readonly row: NewValue })[]): Statement {
    return insertValues(
      organizationId,
      rows.map(({ row, revision, at }) => ({ ...row, revision, at })),
    );
  }

  async decide(
    request: SetRequest<ValueCreationInput>,
    [rows = [], types = []]: readonly object[][],
    index: number,
  ): Promise<SetDecision<NewValue, ValueWithContext>> {
    const { caller, em, input: creation } = request;
    const { key, input, isFirst, view, mentions, external } = creation;
    const row = rows[index] as LoadedRow;
    const context = writableContext(caller, creation, row);
    const { parameter, environment } = context;
    if (isFirst && row.value !== null) {
      throw new PreconditionFailedError(
        await presentVersions(em, caller, [row.value]),
        taken(parameter.name, environment.name),
      );
    }
    assertContentRead(input, external);
    assertSecretIfExternal(parameter, external);
    assertNotDynamicSecret(parameter, input);
    const id = randomUUID();
    const text = external ? external.text : (input.internal_value ?? null);
    const requestedContent = { text, interpolated: input.interpolated ?? false };
    const rules = { name: parameter.name, rules: row.ownRules };
    const type = buildValueType(indexById(types as TypeNode[]), parameter.typeId, rules);
    const content = await this.contents.stored(parameter, id, requestedContent, type);
    if (row.value !== null) {
      const problem = { field: NON_FIELD_ERRORS, pointer: '/environment', ...taken(parameter.name, environment.name) };
      throw Failure.fields('duplicate_value', [problem]);
    }
    const newValue = {
      id,
      ledgerId: randomUUID(),
      parameterId: key.id,
      environmentId: environment.id,
      ...content,
      source: toSource(external),
    };
    const hasReferences = requestedContent.interpolated;
    const settle = async () => {
      const { mentioned: isMentioned } = row;
      await this.contents.settle(request, {
        id,
        context,
        content: requestedContent,
        hasReferences,
        mentions,
        isMentioned,
      });
      await view?.(em, id);
    };
    return {
      is: 'changed',
      row: newValue,
      change: valueChange('create', id, context),
      result: createdValue(newValue, context),
      settle: hasReferences || row.mentioned || view ? settle : null,
    };
  }
}

/**
 * Returns the objects of the new value if the caller may write there. Throws 404, 400 or 403 for the first one that does
 * not exist or is forbidden.
 */
function writableContext(
  caller: Writer,
  { key, input, environmentId }: ValueCreationInput,
  { project, parameter, environment, secret, type_id: typeId, expires }: LoadedRow,
): NewValueContext {
  const { organizationId, projectId } = key;
  if (project === null) throw Failure.notFound('Project');
  assertAbilityOnScope(caller, 'write', projectId);
  if (parameter === null) throw Failure.notFound('Parameter');
  if (environmentId === null || environment === null) {
    idFromLink('environment', 'environments', input.environment);
    throw unknownLinkError('environment', 'environments');
  }
  assertIfControlled(caller, 'write', environmentId);
  return {
    project: { id: projectId, name: project },
    parameter: { organizationId, projectId, id: key.id, name: parameter, secret, typeId, expires },
    environment: { id: environmentId, name: environment },
  };
}

/** Returns the id in a link, or null for an invalid link. */
function linkedId(link: string): EnvironmentId | null {
  try {
    return idFromLink('environment', 'environments', link);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

const NOTHING_STORED = { text: null, sealed: null, interpolated: false, source: null };

/** Returns a function that returns the value as it will be stored. */
function createdValue({ id, ledgerId, parameterId, environmentId, ...content }: NewValue, context: NewValueContext) {
  return ({ revision, at }: Stamp): ValueWithContext => {
    const storedColumns = { id, parameterId, environmentId, ledger_id: ledgerId, created_at: at, modified_at: at };
    const { organizationId } = context.parameter;
    const emptyValue = { organizationId, revision, ...context, value: { ...storedColumns, ...NOTHING_STORED } };
    return applyValueChange(emptyValue, { id, ledgerId, content }, { revision, at });
  };
}
