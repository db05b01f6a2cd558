import {
  type ConfigurationModel,
  findByKey,
  findEffectiveValue,
  type ModelInService,
  type ModelStep,
} from '@strata/testkit';

/** The model after a step, and the query parameters for that point in time. */
export interface ServicePointInTime {
  readonly model: ConfigurationModel;
  readonly query: string;
  /** The change of a value by the step; null if the step changed no value. */
  readonly change: ModelValueChange | null;
}

/** A change of a value as a timeline shows it, with the environments in which the effective value changed. */
export interface ModelValueChange {
  readonly parameter: string;
  readonly type: 'create' | 'update' | 'delete';
  readonly environments: readonly string[];
}

/** Applies all steps, and returns the moments after each of them. */
export async function recordPointsInTime(
  service: ModelInService,
  steps: readonly ModelStep[],
): Promise<ServicePointInTime[]> {
  const pointsInTime: ServicePointInTime[] = [];
  for (const step of steps) {
    const before = service.state;
    const { revision, modifiedAt } = await service.apply(step);
    const query = modifiedAt ? `as_of=${modifiedAt}` : `revision=${revision}`;
    pointsInTime.push({ model: service.state, query, change: compareValues(before, service.state, step) });
  }
  return pointsInTime;
}

/**
 * Returns the change that a step makes, with the environments in which its value is effective. A deleted value is looked up in the state
 * before the step.
 */
function compareValues(
  before: ConfigurationModel,
  model: ConfigurationModel,
  step: ModelStep,
): ModelValueChange | null {
  if (step.kind !== 'set value' && step.kind !== 'delete value') return null;
  const { parameter, environment } = step;
  const wasSet = before.values.some((value) => value.parameter === parameter && value.environment === environment);
  const type = step.kind === 'delete value' ? 'delete' : wasSet ? 'update' : 'create';
  const modelToRead = type === 'delete' ? before : model;
  const { name, project } = findByKey(modelToRead.parameters, parameter);
  const environments = modelToRead.environments.flatMap((modelEnvironment) => {
    const appliesTo = findEffectiveValue(modelToRead, project, modelEnvironment.key, name);
    const isThis = appliesTo?.parameter === parameter && appliesTo.environment === environment;
    return isThis ? [`${modelEnvironment.name} ${modelEnvironment.key === environment}`] : [];
  });
  return { parameter, type, environments };
}
