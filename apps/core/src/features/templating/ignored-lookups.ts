import { type EvaluationStep, ForbiddenLookups } from '@strata/domain';
import { listIgnoredScopes } from '../../platform/ledger/forbidden-values.ts';
import type { EvaluationInputs } from './evaluation-inputs.ts';
import type { Requester } from './references.ts';

/** Returns the keys of the steps whose texts depend, directly or transitively, on a lookup that `isSkipped` selects. */
export function findStepsLookingUp(
  steps: ReadonlyMap<string, EvaluationStep>,
  isSkipped: (projectId: string, name: string, environmentId: string) => boolean,
): ReadonlySet<string> {
  const stepKeys = new Set<string>();
  for (const { key, environmentId, inputs } of [...steps.values()].sort((left, right) => left.depth - right.depth)) {
    const dependsOnSkipped = inputs.some(
      ({ kind, projectId, name, from }) =>
        (from !== null && stepKeys.has(from)) || (kind === 'parameter' && isSkipped(projectId, name, environmentId)),
    );
    if (dependsOnSkipped) stepKeys.add(key);
  }
  return stepKeys;
}

/** Finds the texts that a write does not validate, because they may depend on a value that its caller may not read. */
export class IgnoredLookups {
  private readonly lookups: ForbiddenLookups | null;
  private readonly locations: ReadonlyMap<string, { readonly projectId: string; readonly name: string }>;

  constructor(
    private readonly requester: Requester,
    inputs: EvaluationInputs,
  ) {
    const ignored = listIgnoredScopes(requester);
    this.lookups = ignored.length > 0 ? new ForbiddenLookups(inputs, new Set(ignored)) : null;
    const parameters = new Map(inputs.parameters.map((parameter) => [parameter.id, parameter]));
    this.locations = new Map(
      this.lookups === null
        ? []
        : inputs.values.flatMap(({ id, parameterId }) => {
            const parameter = parameters.get(parameterId);
            return parameter ? [[id, parameter] as const] : [];
          }),
    );
  }

  /** Returns whether a forbidden value could be effective in an environment instead of this value. */
  decidesWhether(valueId: string, environmentId: string): boolean {
    const location = this.locations.get(valueId);
    return location !== undefined && this.decides(location.projectId, location.name, environmentId);
  }

  among(steps: ReadonlyMap<string, EvaluationStep>): ReadonlySet<string> {
    if (this.lookups === null) return new Set();
    return findStepsLookingUp(steps, (...lookup) => this.decides(...lookup));
  }

  private decides(projectId: string, name: string, environmentId: string): boolean {
    const isDecided = (this.lookups?.of(projectId, name, environmentId).length ?? 0) > 0;
    if (isDecided) this.requester.forbiddenValues?.ignoreUnnamed();
    return isDecided;
  }
}
