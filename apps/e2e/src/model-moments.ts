import { applying, type ConfigurationModel, keyed, type ModelInService, type ModelStep } from '@strata/testkit';

/** The model as it was after some step, and the query that asks for that moment. */
export interface ServiceMoment {
  readonly model: ConfigurationModel;
  readonly query: string;
  /** What the step did to a value; null when it did nothing to one. */
  readonly change: ModelValueChange | null;
}

/** As a timeline tells of it: what happened to a value, and where that changed what applies. */
export interface ModelValueChange {
  readonly parameter: string;
  readonly type: 'create' | 'update' | 'delete';
  readonly environments: readonly string[];
}

/** Does every step, and tells the moments in between. */
export async function momentsOf(service: ModelInService, steps: readonly ModelStep[]): Promise<ServiceMoment[]> {
  const moments: ServiceMoment[] = [];
  for (const step of steps) {
    const before = service.state;
    const { revision, modifiedAt } = await service.apply(step);
    const query = modifiedAt ? `as_of=${modifiedAt}` : `revision=${revision}`;
    moments.push({ model: service.state, query, change: changeOf(before, service.state, step) });
  }
  return moments;
}

/** Where the value of a step is the one that applies; what is gone can only be looked at before. */
function changeOf(before: ConfigurationModel, model: ConfigurationModel, step: ModelStep): ModelValueChange | null {
  if (step.kind !== 'set value' && step.kind !== 'delete value') return null;
  const { parameter, environment } = step;
  const wasSet = before.values.some((value) => value.parameter === parameter && value.environment === environment);
  const type = step.kind === 'delete value' ? 'delete' : wasSet ? 'update' : 'create';
  const seen = type === 'delete' ? before : model;
  const { name, project } = keyed(seen.parameters, parameter);
  const environments = seen.environments.flatMap((one) => {
    const applies = applying(seen, project, one.key, name);
    const isThis = applies?.parameter === parameter && applies.environment === environment;
    return isThis ? [`${one.name} ${one.key === environment}`] : [];
  });
  return { parameter, type, environments };
}
