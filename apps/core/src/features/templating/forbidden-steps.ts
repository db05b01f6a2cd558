import {
  canOnScope,
  type EvaluationStep,
  forbiddenScopes,
  type Input,
  type Permissions,
  type ProjectId,
  projectChain,
  stepKey,
  type TextInEnvironment,
} from '@strata/domain';
import type { EvaluationInputs } from './evaluation-inputs.ts';

/**
 * Returns the steps whose texts depend on forbidden scopes, directly or transitively. A text does so if it names a
 * forbidden project, or if it uses a value or template of a forbidden project that its own project depended on only in
 * the past.
 */
export function forbiddenSteps(
  permissions: Permissions,
  inputs: EvaluationInputs,
  steps: ReadonlyMap<string, EvaluationStep>,
): ReadonlySet<string> {
  const forbiddenKeys = new Set<string>();
  if (forbiddenScopes(permissions).length === 0) return forbiddenKeys;
  const isOutsideChain = outsideChainIn(inputs);
  const ownerOf = ownersIn(inputs, steps);
  const canRead = (projectId: ProjectId) => canOnScope(permissions, 'read', projectId);
  const isForbidden = (input: Input) => {
    if (input.from !== null && forbiddenKeys.has(input.from)) return true;
    if (input.project !== null && !canRead(input.projectId)) return true;
    const owner = ownerOf(input);
    return owner !== null && !canRead(owner) && isOutsideChain(input.projectId, owner);
  };
  for (const step of [...steps.values()].sort((left, right) => left.depth - right.depth)) {
    if (step.inputs.some(isForbidden)) forbiddenKeys.add(step.key);
  }
  return forbiddenKeys;
}

/**
 * Returns the steps to run for the requested texts. Leaves out steps that only hidden texts depend on: their errors
 * would show their names to callers who must not know them.
 */
export function selectStepsToRun(
  steps: ReadonlyMap<string, EvaluationStep>,
  requestedTexts: readonly TextInEnvironment[],
  forbiddenKeys: ReadonlySet<string>,
): readonly EvaluationStep[] {
  const neededSteps = new Set<EvaluationStep>();
  const open = requestedTexts.map(stepKey);
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const step = steps.get(key);
    if (!step || forbiddenKeys.has(key) || neededSteps.has(step)) continue;
    neededSteps.add(step);
    for (const { from } of step.inputs) if (from !== null) open.push(from);
  }
  return [...neededSteps];
}

/**
 * Returns a function that returns the project which owns an input. It may be another one than the project in which the
 * name is looked up.
 */
function ownersIn({ parameters, values }: EvaluationInputs, steps: ReadonlyMap<string, EvaluationStep>) {
  const projects = new Map(parameters.map(({ id, projectId }) => [id, projectId]));
  const owners = new Map(values.map(({ id, parameterId }) => [id, projects.get(parameterId)]));
  return ({ from, valueId }: Input): ProjectId | null =>
    (from === null ? owners.get(valueId ?? '') : steps.get(from)?.projectId) ?? null;
}

/**
 * Returns a function that returns whether a project no longer depends on another one. Grants on the project then no
 * longer apply to that one.
 */
function outsideChainIn({ projectsNow }: EvaluationInputs): (projectId: ProjectId, owner: ProjectId) => boolean {
  if (projectsNow === null) return () => false;
  const chains = new Map<ProjectId, ReadonlySet<ProjectId>>();
  return (projectId, owner) => {
    const chain = chains.get(projectId) ?? new Set(projectChain(projectsNow, projectId));
    chains.set(projectId, chain);
    return !chain.has(owner);
  };
}
