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
 * Texts that depend on what is closed to who asks, directly or through others: on a project that is named and closed, or
 * on a value or template whose owner is closed and only once was what the project that is looked into depends on.
 */
export function forbiddenSteps(
  permissions: Permissions,
  inputs: EvaluationInputs,
  steps: ReadonlyMap<string, EvaluationStep>,
): ReadonlySet<string> {
  const forbidden = new Set<string>();
  if (forbiddenScopes(permissions).length === 0) return forbidden;
  const isOutsideChain = outsideChainIn(inputs);
  const ownerOf = ownersIn(inputs, steps);
  const canRead = (projectId: ProjectId) => canOnScope(permissions, 'read', projectId);
  const isForbidden = (input: Input) => {
    if (input.from !== null && forbidden.has(input.from)) return true;
    if (input.project !== null && !canRead(input.projectId)) return true;
    const owner = ownerOf(input);
    return owner !== null && !canRead(owner) && isOutsideChain(input.projectId, owner);
  };
  for (const step of [...steps.values()].sort((left, right) => left.depth - right.depth)) {
    if (step.inputs.some(isForbidden)) forbidden.add(step.key);
  }
  return forbidden;
}

/**
 * What must be run to show the texts that were asked for. What only hidden texts need is left out: if it failed, it would
 * be named to somebody who may not know of it.
 */
export function stepsToRun(
  steps: ReadonlyMap<string, EvaluationStep>,
  requested: readonly TextInEnvironment[],
  forbidden: ReadonlySet<string>,
): readonly EvaluationStep[] {
  const needed = new Set<EvaluationStep>();
  const open = requested.map(stepKey);
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const step = steps.get(key);
    if (!step || forbidden.has(key) || needed.has(step)) continue;
    needed.add(step);
    for (const { from } of step.inputs) if (from !== null) open.push(from);
  }
  return [...needed];
}

/** The project that a value or a template belongs to, which may be above the one in whose scope it is looked up. */
function ownersIn({ parameters, values }: EvaluationInputs, steps: ReadonlyMap<string, EvaluationStep>) {
  const projects = new Map(parameters.map(({ id, projectId }) => [id, projectId]));
  const owners = new Map(values.map(({ id, parameterId }) => [id, projects.get(parameterId)]));
  return ({ from, valueId }: Input): ProjectId | null =>
    (from === null ? owners.get(valueId ?? '') : steps.get(from)?.projectId) ?? null;
}

/** Whether a project does not depend on another one any more: nobody who lets others into it now has that in mind. */
function outsideChainIn({ projectsNow }: EvaluationInputs): (projectId: ProjectId, owner: ProjectId) => boolean {
  if (projectsNow === null) return () => false;
  const chains = new Map<ProjectId, ReadonlySet<ProjectId>>();
  return (projectId, owner) => {
    const chain = chains.get(projectId) ?? new Set(projectChain(projectsNow, projectId));
    chains.set(projectId, chain);
    return !chain.has(owner);
  };
}
