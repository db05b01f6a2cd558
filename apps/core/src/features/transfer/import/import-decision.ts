import { randomUUID } from 'node:crypto';
import type { ImportPlan, ImportStep } from '@strata/domain';
import type { World, WorldParameter, WorldValue } from '../../templating/world.ts';
import type { ParameterText } from '../../validation/inputs.ts';
import type { ImportPlace } from './import-place.ts';
import type { State } from './import-state.ts';

/** What an import will do, with what there is. */
export interface ImportDecision {
  readonly place: ImportPlace;
  readonly plan: ImportPlan;
  readonly state: State;
}

/** The steps that store a text. */
export function writingSteps({ steps }: ImportPlan): readonly ImportStep[] {
  return steps.filter(({ action }) => action !== 'unchanged' && action !== 'inherited');
}

/** The texts that are held against types and rules. A new parameter takes any text, but one that overrides has a type. */
export function textsToValidate({ plan, state }: ImportDecision): readonly ParameterText[] {
  return writingSteps(plan).flatMap(({ name, text, addsParameter }) => {
    const shown = state.get(name)?.shown;
    return shown ? [{ name, text, type: shown.type, parameterId: addsParameter ? null : shown.id }] : [];
  });
}

/** What texts would see after an import: its parameters, and what it sets, in its environment. */
export function afterImport({ place, plan, state }: ImportDecision): (world: World) => World {
  const { project, environment, rootId } = place;
  const parameters: WorldParameter[] = [];
  const values = new Map<string, WorldValue>();
  for (const { name, text, secret, addsParameter } of writingSteps(plan)) {
    const parameterId = addsParameter ? randomUUID() : (state.get(name)?.shown.id ?? '');
    if (addsParameter) parameters.push({ id: parameterId, projectId: project.id, name, secret });
    const value = {
      id: randomUUID(),
      parameterId,
      environmentId: environment.id,
      interpolated: false,
      text,
      sealed: null,
    };
    values.set(parameterId, value);
  }
  const isReplaced = ({ parameterId, environmentId }: WorldValue) =>
    environmentId === environment.id && values.has(parameterId);
  return (world) => ({
    ...world,
    environments: environment.isNew
      ? [...world.environments, { id: environment.id, name: environment.name, parentId: rootId }]
      : world.environments,
    parameters: [...world.parameters, ...parameters],
    values: [...world.values.filter((value) => !isReplaced(value)), ...values.values()],
  });
}
