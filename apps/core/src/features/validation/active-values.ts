import { Injectable } from '@nestjs/common';
import {
  asSentence,
  buildValueType,
  canOnScope,
  type Sentence,
  sentence,
  type ValueId,
  type Violation,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Writer } from '../../platform/ledger/command.ts';
import { listIgnoredScopes } from '../../platform/ledger/forbidden-values.ts';
import { TimeBudget } from '../../platform/patterns/pattern-engine.ts';
import { ActiveTexts, type RequestQuery } from '../templating/active-texts.ts';
import { type ConstrainedValue, findDependentValues } from './dependent-values.ts';
import { TextValidation } from './text-validation.ts';
import type { DependencyChange, DynamicParameterText, TypedParameter } from './validation-inputs.ts';
import { loadValueType, loadValueTypes, readAllTypes } from './value-types.ts';

/** The number of values that are evaluated at once. It limits memory. */
const BATCH = 500;

/** A violation of an evaluated value in one environment. */
export interface ActiveViolation extends Violation {
  readonly environment: string;
}

/** A violation that a change causes in a dependent value, as a sentence. */
export interface DependentProblem extends Sentence {
  readonly valueId: ValueId;
}

/**
 * Validates the evaluated texts of dynamic values in the environments where they are effective. Skips values that the
 * caller may not read, because a result would reveal something about them.
 */
@Injectable()
export class ActiveValues {
  constructor(
    private readonly texts: TextValidation,
    private readonly activeTexts: ActiveTexts,
  ) {}

  /** Returns the violations of one value. */
  async violations(
    em: EntityManager,
    caller: Writer,
    parameter: TypedParameter,
    id: ValueId,
  ): Promise<readonly ActiveViolation[]> {
    const active = await this.activeTexts.of(em, caller, [id]);
    if (active.length === 0) return [];
    const type = await loadValueType(em, parameter);
    const texts = [...new Set(active.map(({ text }) => text))];
    const violations = await this.texts.violations(texts.map((text) => ({ type, text })));
    return active.flatMap(({ environment, text }) =>
      (violations[texts.indexOf(text)] ?? []).map((violation) => ({ ...violation, environment })),
    );
  }

  /** Returns the violations of values, with the names of their parameters. Runs the same number of statements for any number of values. */
  async violationsOfMany(
    em: EntityManager,
    caller: Writer,
    values: readonly DynamicParameterText[],
  ): Promise<readonly (ActiveViolation & { readonly name: string })[]> {
    const byValue = new Map(values.map((value) => [value.id, value]));
    const active = await this.activeTexts.of(em, caller, [...byValue.keys()]);
    const texts = active.map(({ valueId, environment, text }) => ({
      ...(byValue.get(valueId) as DynamicParameterText),
      environment,
      text,
    }));
    if (texts.length === 0) return [];
    const types = await loadValueTypes(em, caller.organizationId, texts);
    const violations = await this.texts.violations(
      types.map((type, index) => ({ type, text: texts[index]?.text ?? '' })),
    );
    return texts.flatMap(({ name, environment }, index) =>
      (violations[index] ?? []).map((violation) => ({ ...violation, name, environment })),
    );
  }

  /**
   * Returns the violations of all dependents of a change. If a dependent cannot be evaluated, throws, unless `each`
   * validates the dependents separately. The number of statements is fixed per few hundred values.
   */
  async problemsOfDependents(
    em: EntityManager,
    caller: Writer,
    change: DependencyChange,
    mode: 'all' | 'each' = 'all',
  ): Promise<readonly DependentProblem[]> {
    const dependents = await findDependentValues(em, caller, withoutIgnored(caller, change));
    const values = dependents.filter(({ projectId }) => canOnScope(caller, 'read', projectId));
    if (values.length === 0) return [];
    const types = await readAllTypes(em, caller.organizationId);
    const problems: DependentProblem[] = [];
    const budget = new TimeBudget();
    for (let index = 0; index < values.length; index += BATCH) {
      const batch = new Map(values.slice(index, index + BATCH).map((value) => [value.id, value]));
      const onProblem = (valueId: ValueId, problem: string) => {
        const { name, project } = batch.get(valueId) as ConstrainedValue;
        problems.push({
          valueId,
          ...sentence`${{ name }} of ${{ project }} could not be evaluated. ${{ reason: problem }}`,
        });
      };
      const active = await this.activeTexts.of(em, caller, [...batch.keys()], {
        ...affectedEnvironments(change),
        ...(mode === 'each' && { onProblem }),
      });
      const toValidate = active.map((value) => ({ ...value, value: batch.get(value.valueId) as ConstrainedValue }));
      const violations = await this.texts.violations(
        toValidate.map(({ text, value }) => ({ text, type: buildValueType(types, value.typeId, value) })),
        budget,
      );
      for (const [index, { value, environment }] of toValidate.entries()) {
        const { name, project } = value;
        const title = sentence`${{ name }} of ${{ project }} in ${{ environment }}`;
        for (const violation of violations[index] ?? []) {
          const text = sentence`${title} ${asSentence(WHY[change.kind])}. ${violation}`;
          problems.push({ valueId: value.id, ...text });
        }
      }
    }
    return problems;
  }
}

/** Removes forbidden environments from a move, so that its validation does not reveal their values. */
function withoutIgnored(caller: Writer, change: DependencyChange): DependencyChange {
  const ignored = listIgnoredScopes(caller);
  if (change.kind !== 'environment_moved' || ignored.length === 0) return change;
  const exchangedIds = change.exchanged.filter((id) => !ignored.includes(id));
  if (exchangedIds.length < change.exchanged.length) caller.forbiddenValues?.ignoreUnnamed();
  return { ...change, exchanged: exchangedIds };
}

const WHY: Readonly<Record<DependencyChange['kind'], string>> = {
  names: 'depends on this and would become invalid',
  places: 'depends on this and would become invalid',
  template: 'depends on this and would become invalid',
  project_moved: 'would become invalid',
  environment_moved: 'would become invalid',
  new_values: 'would not fit there',
};

/** Returns the environments that a change can affect, and how to evaluate them. */
function affectedEnvironments(change: DependencyChange): RequestQuery {
  switch (change.kind) {
    case 'names':
      return { environmentId: change.environmentId, after: change.after };
    case 'environment_moved':
      return { environmentId: change.environmentId };
    default:
      return {};
  }
}
