import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ImportParameter, ImportQuery, ImportRequest } from '@strata/contract';
import { Failure, type ImportStep, importPlan, jsonPointer, MASK, type NamedObject, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import type { Command, WriteContext, WriteResult, Writer } from '../../../platform/ledger/command.ts';
import { objectChange } from '../../../platform/ledger/object-change.ts';
import { writesEqualSecrets } from '../../../platform/ledger/plan-recorder.ts';
import { UnitOfWork } from '../../../platform/ledger/unit-of-work.ts';
import { recordSecretValidation } from '../../../platform/limits/request-limits.ts';
import { addValues, replaceContents, type ValueInContext } from '../../parameters/values/value-writer.ts';
import { findTypeId } from '../../types/type-lookup.ts';
import { assertNewNames, assertParameterNames, parameterNameScope } from '../../validation/names.ts';
import type { NamesChange } from '../../validation/validation-inputs.ts';
import { Validator } from '../../validation/validator.ts';
import { ReferenceCopies } from '../copy/reference-copies.ts';
import { ValueCopies } from '../copy/value-copies.ts';
import { addScope, importScope } from './import-scope.ts';
import { ImportStates } from './import-state.ts';
import { importEntries } from './import-text.ts';
import {
  afterImport,
  comparesSecrets,
  filterWritingSteps,
  type PreparedImport,
  textsToValidate,
} from './prepared-import.ts';

/** The parameter and the value that an entry wrote. */
interface Done {
  readonly parameterId: string;
  readonly valueId: string;
}

/** Imports texts. A preview makes the same decisions and checks as the import, but writes nothing. */
@Injectable()
export class Imports {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly states: ImportStates,
    private readonly validator: Validator,
    private readonly values: ValueCopies,
    private readonly references: ReferenceCopies,
  ) {}

  async command(
    caller: Caller,
    input: ImportRequest,
    query: ImportQuery,
  ): Promise<Command<readonly ImportParameter[]>> {
    const decide = await this.decision(input);
    return {
      operation: 'import_create',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller } = context;
        const decision = await decide(context);
        const importedValues = await this.apply(context, caller, decision);
        return presentSteps(decision, importedValues, context.at, query);
      },
    };
  }

  /** Returns the result of an import without writing anything. */
  async preview(
    caller: Caller,
    input: ImportRequest,
    query: ImportQuery,
  ): Promise<WriteResult<readonly ImportParameter[]>> {
    const decide = await this.decision(input);
    return this.unitOfWork.preview(caller, async (context) => {
      const decision = await decide(context);
      await this.validateDependents(context.em, context.caller, decision, { after: afterImport(decision) });
      // The result reveals whether a text equals a secret, so this is recorded: a preview leaves no other record.
      if (comparesSecrets(decision)) recordSecretValidation();
      return presentSteps(decision, new Map(), context.at, query);
    });
  }

  private async decision(input: ImportRequest) {
    const entries = await importEntries(input);
    return async ({ caller, em }: Pick<WriteContext, 'caller' | 'em'>): Promise<PreparedImport> => {
      const scope = await importScope(em, caller, input);
      const state = await this.states.of(em, caller, scope);
      const lists = { secrets: new Set(input.secrets), ignore: new Set(input.ignore) };
      const plan = importPlan(entries, (name) => state.get(name), lists, {
        inheritOnSame: input.inherit_on_same,
        addParameters: input.add_parameters,
        addOverrides: input.add_overrides,
        secretsAnew: writesEqualSecrets(caller),
      });
      const decision = { scope, plan, state };
      assertAllowed(decision);
      const addedNames = plan.steps.filter(({ addsParameter }) => addsParameter).map(({ name }) => name);
      await assertParameterNames(scope.project, addedNames);
      const names = parameterNameScope({ organizationId: caller.organizationId, projectId: scope.project.id });
      await assertNewNames(em, names, addedNames);
      await this.validator.validateTexts(em, caller.organizationId, textsToValidate(decision));
      return decision;
    };
  }

  private async apply(context: WriteContext, caller: Writer, decision: PreparedImport) {
    const { scope, plan, state } = decision;
    const { organizationId } = caller;
    const { em } = context;
    await addScope(context, organizationId, scope);
    const addedParameters = await addParameters(context, organizationId, decision);
    const completedSteps = new Map<string, Done>();
    const createdValues: ValueInContext[] = [];
    const updatedValues: ValueInContext[] = [];
    for (const { name, text, action, secret } of filterWritingSteps(plan)) {
      const before = state.get(name);
      const parameter = { id: addedParameters.get(name) ?? before?.shown.id ?? '', name };
      const id = action === 'updated' ? (before?.value?.id ?? '') : randomUUID();
      const content = secret
        ? { text: null, sealed: await this.values.seal(organizationId, id, text) }
        : { text, sealed: null };
      const { project, environment } = scope;
      const location = { parameter, project: named(project), environment: named(environment) };
      (action === 'updated' ? updatedValues : createdValues).push({
        id,
        context: location,
        ...content,
        interpolated: false,
      });
      completedSteps.set(name, { parameterId: parameter.id, valueId: id });
    }
    for (const { name, action, secret } of plan.steps) {
      if (action === 'unchanged' && secret) context.recordUnchangedSecret(state.get(name)?.value?.id ?? '');
    }
    await addValues(context, organizationId, createdValues);
    await replaceContents(context, organizationId, updatedValues);
    if (addedParameters.size > 0) {
      await this.references.settle(em, caller, { projectIds: [scope.project.id], names: [...addedParameters.keys()] });
    }
    await this.validateDependents(em, caller, decision);
    return completedSteps;
  }

  /** Validates the dependents of the imported texts. For a preview, `after` applies the import to the loaded inputs. */
  private validateDependents(
    em: EntityManager,
    caller: Writer,
    { scope: { project, environment }, plan }: PreparedImport,
    preview: Pick<NamesChange, 'after'> = {},
  ): Promise<void> {
    const names = filterWritingSteps(plan).map(({ name }) => name);
    const change = { kind: 'names', projectId: project.id, names, environmentId: environment.id, ...preview } as const;
    return this.validator.validateDependents(em, caller, change, { field: 'internal_value' });
  }
}

const named = ({ id, name }: NamedObject): NamedObject => ({ id, name });

function assertAllowed({ plan: { forbidden }, scope: { project, environment } }: PreparedImport): void {
  const [first] = forbidden;
  if (!first) return;
  const names = forbidden.filter(({ flag }) => flag === first.flag).map(({ name }) => name);
  const noun =
    first.flag === 'add_parameters'
      ? sentence`${{ project: project.name }} has no parameter of its own named ${{ names }}`
      : sentence`${{ environment: environment.name }} has no value of its own for ${{ names }}`;
  throw new Failure({
    kind: 'not_found',
    code: first.flag,
    pointer: jsonPointer([first.flag]),
    message: sentence`${noun}, and ${{ option: first.flag }} is false. Add these names to ignore, or set it to true.`,
  });
}

/**
 * Creates parameters with one statement, and returns their ids by name. A parameter that overrides an inherited one
 * gets its type and secret flag.
 */
async function addParameters(
  { em, record }: WriteContext,
  organizationId: string,
  { scope: { project }, plan, state }: PreparedImport,
): Promise<ReadonlyMap<string, string>> {
  const addedSteps = plan.steps.filter(({ addsParameter }) => addsParameter);
  const ids = new Map(addedSteps.map(({ name }) => [name, randomUUID() as string]));
  if (addedSteps.length === 0) return ids;
  const text = await findTypeId(em, organizationId, 'string');
  await em.query(
    `insert into parameter (organization_id, id, project_id, name, secret, type_id)
     select $1, imported.id, $2, imported.name, imported.secret, coalesce(parameter.type_id, $3)
       from unnest($4::uuid[], $5::text[], $6::boolean[], $7::uuid[]) as imported(id, name, secret, overridden)
       left join parameter on parameter.organization_id = $1 and parameter.id = imported.overridden`,
    [
      organizationId,
      project.id,
      text,
      [...ids.values()],
      addedSteps.map(({ name }) => name),
      addedSteps.map(({ secret }) => secret),
      addedSteps.map(({ name }) => state.get(name)?.shown.id ?? null),
    ],
  );
  for (const [name, id] of ids) {
    const object = { id, name };
    record(objectChange('create', 'Parameter', object, { project }));
  }
  return ids;
}

function presentSteps(
  decision: PreparedImport,
  completedSteps: ReadonlyMap<string, Done>,
  at: string,
  query: ImportQuery,
): readonly ImportParameter[] {
  return decision.plan.steps.map((step) => presentStep(step, decision, completedSteps.get(step.name), at, query));
}

/** Presents a step. Existing objects have their id; a preview shows the state before the import. */
function presentStep(
  { name, text, action, secret, addsParameter }: ImportStep,
  { scope: { project, environment }, state }: PreparedImport,
  completedStep: Done | undefined,
  at: string,
  { preview, mask_secrets: maskSecrets }: ImportQuery,
): ImportParameter {
  const before = state.get(name);
  const isMade = action === 'created' || action === 'overridden';
  const shownValue = isMade ? null : (before?.value ?? null);
  const id = ({ id, isNew }: { id: string; isNew: boolean }) => (preview && isNew ? null : id);
  return {
    project_name: project.name,
    project_id: id(project),
    environment_name: environment.name,
    environment_id: id(environment),
    parameter_name: name,
    parameter_id: completedStep?.parameterId ?? (addsParameter ? null : (before?.shown.id ?? null)),
    secret,
    value: secret && maskSecrets ? MASK : text,
    value_id: completedStep?.valueId ?? shownValue?.id ?? null,
    created_at: shownValue?.created_at ?? (completedStep ? at : null),
    modified_at: completedStep ? at : (shownValue?.modified_at ?? null),
    action,
  };
}
