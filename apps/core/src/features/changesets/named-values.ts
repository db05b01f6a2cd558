import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { PutValue, SettableValue } from '@strata/contract';
import { Failure, jsonPointer, type OrganizationId, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { WriteContext, Writer } from '../../platform/ledger/command.ts';
import { mayValidateSecret, writesEqualSecrets } from '../../platform/ledger/plan-recorder.ts';
import { recordSecretValidation } from '../../platform/limits/request-limits.ts';
import type { SealedValue } from '../../platform/vault/sealed-text.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { addValues, removeValues, replaceContents, type ValueInContext } from '../parameters/values/value-writer.ts';
import { ReferenceCopies } from '../transfer/copy/reference-copies.ts';
import { assertNewNames, assertParameterNames, parameterNameScope } from '../validation/names.ts';
import type { NamesChange } from '../validation/validation-inputs.ts';
import { Validator } from '../validation/validator.ts';
import { addParameters, typeIdsByName } from './added-parameters.ts';
import { CopiedValues } from './copied-values.ts';
import { DynamicTexts, type MentionsByName } from './dynamic-texts.ts';
import { assertExpected } from './expected-values.ts';
import { type NamedLocation, type NamedParameter, namedEnvironment, namedParameters } from './named-state.ts';
import {
  locateProblems,
  locateValues,
  missingNamesError,
  type SetStep,
  setSteps,
  unknownNameProblem,
} from './set-steps.ts';

interface SetInput {
  readonly values: Readonly<Record<string, SettableValue>>;
  readonly create_missing: boolean;
  readonly touch: boolean;
}

const ERROR_TARGET = { field: 'internal_value' };

/** A value that a promotion stores in the target environment. */
interface PromotedValue {
  readonly source: NamedParameter;
  readonly value: ValueInContext;
  readonly isNew: boolean;
}

/**
 * Writes many values of one project and environment by the names of their parameters. Runs a few statements, however
 * many values there are.
 */
@Injectable()
export class NamedValues {
  constructor(
    private readonly vault: Vault,
    private readonly validator: Validator,
    private readonly references: ReferenceCopies,
    private readonly copiedValues: CopiedValues,
    private readonly dynamic: DynamicTexts,
  ) {}

  /** Sets values, and returns what happened to each name. `mentions` contains the references of dynamic texts. */
  set(
    context: WriteContext,
    location: NamedLocation,
    input: SetInput,
    mentions: MentionsByName,
  ): Promise<readonly PutValue[]> {
    return locateValues(input.values, () => this.setValues(context, location, input, mentions));
  }

  private async setValues(
    context: WriteContext,
    location: NamedLocation,
    input: SetInput,
    mentions: MentionsByName,
  ): Promise<readonly PutValue[]> {
    const { caller, em } = context;
    const state = await namedParameters(em, caller, location, Object.keys(input.values));
    const textOf = await this.opener(caller, state);
    const values = await this.copiedValues.readSources(context, location, input.values, state);
    const steps = setSteps(values, state, {
      createMissing: input.create_missing,
      touch: input.touch,
      alwaysWritesSecrets: writesEqualSecrets(caller),
      textOf,
    });
    await assertExpected(context, location.environment, input.values, state);
    const types = await typeIdsByName(
      em,
      caller.organizationId,
      steps.filter(({ createdAs }) => createdAs !== null),
    );
    await this.validate(em, caller, location, steps);
    const ids = await addParameters(context, location, steps, types);
    const valueIds = await this.store(context, location, steps, ids);
    for (const { action, secret, text, ownParameter } of steps) {
      if (action === 'unchanged' && secret && text !== null)
        context.recordUnchangedSecret(ownParameter?.value?.id ?? '');
    }
    const addedIds = [...ids.keys()];
    if (addedIds.length > 0)
      await this.references.settle(em, caller, { projectIds: [location.project.id], names: addedIds });
    const dynamic = steps.flatMap(({ name, action, interpolated, type, ownParameter }) =>
      interpolated && action !== 'unchanged'
        ? { id: valueIds.get(name) ?? '', name, type, parameterId: ownParameter?.id ?? ids.get(name) ?? null }
        : [],
    );
    await this.dynamic.store(context, location, dynamic, mentions);
    const writtenNames = steps
      .filter(({ action }) => action === 'created' || action === 'updated')
      .map(({ name }) => name);
    await this.validateDependents(em, caller, location, writtenNames);
    return steps.map(({ name, action, ownParameter }) => ({
      name,
      action: action === 'touched' ? 'updated' : action,
      parameter_id: ownParameter?.id ?? ids.get(name) ?? '',
      value_id: valueIds.get(name) ?? ownParameter?.value?.id ?? null,
    }));
  }

  /**
   * Deletes values. Throws 404 with a problem per name for parameters that the project does not own. Ignores names
   * without a value.
   */
  async unset(context: WriteContext, location: NamedLocation, names: readonly string[]): Promise<readonly PutValue[]> {
    const state = await namedParameters(context.em, context.caller, location, names);
    const namesWithoutValue = names.filter((name) => !state.get(name)?.isOwn);
    if (namesWithoutValue.length > 0)
      throw missingNamesError(
        namesWithoutValue.map((name) => ({ ...unknownNameProblem(name), pointer: pointerToName(names, name) })),
      );
    return this.remove(context, location, [...state.values()]);
  }

  /** Deletes the values of all names that are not kept. Never deletes parameters. */
  async prune(
    context: WriteContext,
    location: NamedLocation,
    keptNames: readonly string[],
  ): Promise<readonly PutValue[]> {
    const keep = new Set(keptNames);
    const state = await namedParameters(context.em, context.caller, location, null);
    return this.remove(
      context,
      location,
      [...state.values()].filter(({ name }) => !keep.has(name)),
    );
  }

  /**
   * Copies the values of the environment `from`. Values with equal texts stay unchanged, secrets are encrypted again
   * without being shown, and dynamic values stay dynamic. Throws 404 with a problem per name for values that do not
   * exist in `from`.
   */
  async promote(
    context: WriteContext,
    location: NamedLocation,
    from: string,
    names: readonly string[] | null,
  ): Promise<readonly PutValue[]> {
    const { caller, em } = context;
    const { organizationId } = caller;
    const environment = await namedEnvironment(em, caller, from, 'read', '/from');
    if (environment.id === location.environment.id) {
      throw Failure.field('contradiction', 'from', 'Choose two different environments.');
    }
    const sourceParameters = await namedParameters(em, caller, { project: location.project, environment }, names);
    const namesWithoutValue = (names ?? []).filter((name) => !sourceParameters.get(name)?.value);
    if (namesWithoutValue.length > 0) {
      throw missingNamesError(
        namesWithoutValue.map((name) => ({
          field: name,
          ...sentence`${{ name }} is not set in ${{ environment: environment.name }}.`,
          pointer: pointerToName(names ?? [], name),
        })),
      );
    }
    const set = [...sourceParameters.values()].filter(({ value }) => value !== null);
    const targets = await namedParameters(
      em,
      caller,
      location,
      set.map(({ name }) => name),
    );
    const [textOf, textOfTarget] = [await this.opener(caller, sourceParameters), await this.opener(caller, targets)];
    const createdValues: PromotedValue[] = [];
    const results: PutValue[] = [];
    for (const source of set) {
      const target = targets.get(source.name) ?? source;
      const text = textOf(source);
      const isInterpolated = source.value?.interpolated ?? false;
      const isCompared = !(writesEqualSecrets(caller) && source.secret && text !== null);
      const isSame =
        isCompared &&
        target.value !== null &&
        target.value.interpolated === isInterpolated &&
        textOfTarget(target) === text;
      if (isCompared && source.secret && target.value !== null) recordSecretValidation();
      const id = target.value?.id ?? randomUUID();
      const action = isSame ? 'unchanged' : target.value ? 'updated' : 'created';
      results.push({ name: source.name, action, parameter_id: source.id, value_id: id });
      if (isSame) {
        if (source.secret && text !== null) context.recordUnchangedSecret(id);
        continue;
      }
      const sealedText =
        source.value?.sealed != null && text !== null ? await this.seal(organizationId, id, text) : null;
      const value = {
        id,
        context: createContext(location, source),
        text: sealedText ? null : text,
        sealed: sealedText,
        interpolated: isInterpolated,
      };
      createdValues.push({ source, value, isNew: target.value === null });
    }
    await this.storePromoted(context, createdValues);
    const promotedNames = createdValues.map(({ source }) => source.name);
    await locateProblems(
      () => this.validateDependents(em, caller, location, promotedNames),
      () => '',
    );
    return results;
  }

  private async storePromoted(context: WriteContext, promotedValues: readonly PromotedValue[]): Promise<void> {
    const { organizationId } = context.caller;
    const values = (isNew: boolean) =>
      promotedValues.filter((value) => value.isNew === isNew).map(({ value }) => value);
    await addValues(context, organizationId, values(true));
    await replaceContents(context, organizationId, values(false));
    const dynamic = promotedValues.filter(({ value }) => value.interpolated);
    if (dynamic.length === 0) return;
    const copies = new Map(dynamic.map(({ source, value }) => [source.value?.id ?? '', value.id]));
    await this.references.copy(context.em, context.caller, { values: copies });
  }

  private async validate(
    em: EntityManager,
    caller: Writer,
    { project }: NamedLocation,
    steps: readonly SetStep[],
  ): Promise<void> {
    const createdNames = steps.flatMap((step) => (step.createdAs ? [step.name] : []));
    await assertParameterNames(project, createdNames);
    const { organizationId } = caller;
    await assertNewNames(em, parameterNameScope({ organizationId, projectId: project.id }), createdNames);
    const texts = steps.flatMap(({ name, text, type, ownParameter, action, secret, isCopied, interpolated }) => {
      if (text === null || interpolated) return [];
      const parameter = { id: ownParameter?.id ?? name, name, project: project.name };
      if (secret && isCopied && !mayValidateSecret(caller.planRecorder, parameter)) return [];
      return action === 'unchanged' ? [] : [{ name, text, type, parameterId: ownParameter?.id ?? null }];
    });
    const violations = await this.validator.findViolations(em, caller.organizationId, texts);
    const problems = violations.flatMap((valueViolations, index) =>
      valueViolations.map(({ code, message, params, rule }) => ({
        ...{ code, field: texts[index]?.name ?? '', message, params, rule: rule?.kind },
      })),
    );
    if (problems[0]) throw Failure.fields(problems[0].code, problems);
  }

  private async store(
    context: WriteContext,
    location: NamedLocation,
    steps: readonly SetStep[],
    ids: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, string>> {
    const { organizationId } = context.caller;
    const valuesByAction: Record<SetStep['action'], ValueInContext[]> = {
      created: [],
      updated: [],
      touched: [],
      unchanged: [],
    };
    const valueIds = new Map<string, string>();
    for (const { name, action, ownParameter, text, secret, interpolated } of steps) {
      if (action === 'unchanged') continue;
      const id = ownParameter?.value?.id ?? randomUUID();
      const sealedText = secret && text !== null ? await this.seal(organizationId, id, text) : null;
      const parameter = { id: ownParameter?.id ?? ids.get(name) ?? '', name };
      valuesByAction[action].push({
        id,
        context: createContext(location, parameter),
        text: sealedText ? null : text,
        sealed: sealedText,
        interpolated,
      });
      valueIds.set(name, id);
    }
    await addValues(context, organizationId, valuesByAction.created);
    await replaceContents(context, organizationId, valuesByAction.updated);
    // Event type null: if the text stays the same, no event is sent to subscribers of changed texts.
    const record: WriteContext['record'] = (change) => context.record({ ...change, eventType: null });
    await replaceContents({ ...context, record }, organizationId, valuesByAction.touched);
    return valueIds;
  }

  private async remove(
    context: WriteContext,
    location: NamedLocation,
    parameters: readonly NamedParameter[],
  ): Promise<readonly PutValue[]> {
    const set = parameters.flatMap((parameter) => (parameter.value ? [{ parameter, id: parameter.value.id }] : []));
    if (set.length === 0) return [];
    const values = set.map(({ parameter, id }) => ({ id, context: createContext(location, parameter) }));
    await removeValues(context, context.caller.organizationId, values);
    const change = namesIn(
      location,
      set.map(({ parameter }) => parameter.name),
    );
    await this.validator.validateDependents(context.em, context.caller, { ...change, uncovers: true }, 'conflict');
    return set.map(({ parameter, id }) => ({
      name: parameter.name,
      action: 'deleted',
      parameter_id: parameter.id,
      value_id: id,
    }));
  }

  private async validateDependents(
    em: EntityManager,
    caller: Writer,
    location: NamedLocation,
    names: readonly string[],
  ): Promise<void> {
    if (names.length > 0) await this.validator.validateDependents(em, caller, namesIn(location, names), ERROR_TARGET);
  }

  private async opener({ organizationId }: Writer, state: ReadonlyMap<string, NamedParameter>) {
    const values = [...state.values()].flatMap(({ value }) => value ?? []);
    const open = await this.vault.valueOpener(organizationId, values);
    return ({ value }: NamedParameter) => value && open(value);
  }

  private seal(organizationId: OrganizationId, rowId: string, text: string): Promise<SealedValue> {
    return this.vault.sealValue(organizationId, rowId, text);
  }
}

function createContext(
  { project, environment }: NamedLocation,
  { id, name }: { readonly id: string; readonly name: string },
) {
  return { parameter: { id, name }, project: { id: project.id, name: project.name }, environment };
}

function namesIn({ project, environment }: NamedLocation, names: readonly string[]): NamesChange {
  return { kind: 'names', projectId: project.id, names, environmentId: environment.id };
}

const pointerToName = (names: readonly string[], name: string) => jsonPointer(['names', names.indexOf(name)]);
