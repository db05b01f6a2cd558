import type { Explanation, Page } from '@strata/contract';
import {
  type ConfigurationModel,
  MODEL_NAMES,
  type ModelCell,
  ModelInService,
  type ModelPointInTime,
  type ModelStep,
  type RawClient,
  type RunningCore,
} from '@strata/testkit';

/** An organization with its model and history. */
export interface ExplainedOrganization {
  readonly service: ModelInService;
  /** The states of the model; the first one is before the first step. */
  readonly pointsInTime: readonly ModelPointInTime[];
  readonly model: ConfigurationModel;
}

export async function createExplainedOrganization(
  core: RunningCore,
  steps: readonly ModelStep[],
): Promise<ExplainedOrganization> {
  const service = await ModelInService.begin(await core.organization());
  const pointsInTime: ModelPointInTime[] = [{ model: service.state, revision: 0 }];
  for (const step of steps) {
    const { revision } = await service.apply(step);
    pointsInTime.push({ model: service.state, revision });
  }
  return { service, pointsInTime, model: service.state };
}

/** Returns every combination of project, environment and name, whether it exists or not. */
export const modelCells = ({ projects, environments }: ConfigurationModel): ModelCell[] =>
  projects.flatMap(({ key: project }) =>
    environments.flatMap(({ key: environment }) => MODEL_NAMES.map((name) => ({ project, environment, name }))),
  );

/** Returns the explanation of one name for a caller; undefined if the request is rejected. */
export async function explainCell(
  client: RawClient,
  service: ModelInService,
  { project, environment, name }: ModelCell,
  extraText = '',
) {
  const path = `projects/${service.id(project)}/explain/?environment=${service.id(environment)}&name=${name}${extraText}`;
  const { status, body, text } = await client.get<Page<Explanation>>(path);
  return { status, text, explanation: body?.results?.[0] };
}

/** Returns all names of a project in an environment, each with its latest change; null if the request is rejected. */
export async function explainAll(
  client: RawClient,
  service: ModelInService,
  { project, environment }: Pick<ModelCell, 'project' | 'environment'>,
  extraText = '',
): Promise<readonly Explanation[] | null> {
  const path = `projects/${service.id(project)}/explain/?environment=${service.id(environment)}&include=since${extraText}`;
  const { status, body, text } = await client.get<Page<Explanation>>(path);
  if (status === 403) return null;
  expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, '']);
  return body.results;
}
