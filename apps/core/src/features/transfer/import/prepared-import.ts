import { randomUUID } from 'node:crypto';
import type { ImportPlan, ImportStep } from '@strata/domain';
import type { EvaluationInputs, InputParameter, InputValue } from '../../templating/evaluation-inputs.ts';
import type { ParameterText } from '../../validation/validation-inputs.ts';
import type { ImportScope } from './import-scope.ts';
import type { State } from './import-state.ts';

/** The steps of an import, and the state that they are based on. */
export interface PreparedImport {
  readonly scope: ImportScope;
  readonly plan: ImportPlan;
  readonly state: State;
}

/** Returns the steps that store a text. */
export function filterWritingSteps({ steps }: ImportPlan): readonly ImportStep[] {
  return steps.filter(({ action }) => action !== 'unchanged' && action !== 'inherited');
}

/**
 * Returns the texts to validate against types and rules. A new parameter accepts any text, but an override has the type
 * of the inherited parameter.
 */
export function textsToValidate({ plan, state }: PreparedImport): readonly ParameterText[] {
  return filterWritingSteps(plan).flatMap(({ name, text, addsParameter }) => {
    const visibleParameter = state.get(name)?.shown;
    return visibleParameter
      ? [{ name, text, type: visibleParameter.type, parameterId: addsParameter ? null : visibleParameter.id }]
      : [];
  });
}

/** Returns whether the planned actions reveal if a text equals a secret. */
export function comparesSecrets({ plan, state }: PreparedImport): boolean {
  return plan.steps.some(({ name }) => {
    const before = state.get(name);
    return before?.comparesSecret === true && (before.explicit ?? before.effective ?? null) !== null;
  });
}

/** Returns a function that adds the parameters and values of an import to evaluation inputs. */
export function afterImport({ scope, plan, state }: PreparedImport): (inputs: EvaluationInputs) => EvaluationInputs {
  const { project, environment, rootId } = scope;
  const parameters: InputParameter[] = [];
  const values = new Map<string, InputValue>();
  for (const { name, text, secret, addsParameter } of filterWritingSteps(plan)) {
    const parameterId = addsParameter ? randomUUID() : (state.get(name)?.shown.id ?? '');
    if (addsParameter) parameters.push({ id: parameterId, projectId: project.id, name, secret });
    const value = {
      id: randomUUID(),
      parameterId,
      environmentId: environment.id,
      interpolated: false,
      text,
      sealed: null,
      ledger_id: randomUUID(),
    };
    values.set(parameterId, value);
  }
  const isReplaced = ({ parameterId, environmentId }: InputValue) =>
    environmentId === environment.id && values.has(parameterId);
  return (inputs) => ({
    ...inputs,
    environments: environment.isNew
      ? [...inputs.environments, { id: environment.id, name: environment.name, parentId: rootId }]
      : inputs.environments,
    parameters: [...inputs.parameters, ...parameters],
    values: [...inputs.values.filter((value) => !isReplaced(value)), ...values.values()],
  });
}
