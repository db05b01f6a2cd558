import { queryOptions } from '@tanstack/react-query';
import { requireSaved } from '../graphql/mutation-result.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import {
  AbortRotation,
  CreateRotation,
  type CreateRotationMutationVariables,
  DeleteRotation,
  DismissFromRotation,
  type DismissFromRotationMutationVariables,
  RotatableParameters,
  RotateSecret,
  Rotations,
  type RotationsQuery,
  UpdateRotation,
  type UpdateRotationMutationVariables,
} from '../graphql/rotations.graphql.ts';
import { queryKeys } from './query-keys.ts';
import type { SignedInViewer } from './session.ts';
import { mayWrite } from './write-access.ts';

export type ListedRotation = RotationsQuery['rotations']['edges'][number]['node'];

export type NewRotation = CreateRotationMutationVariables['input'];
export type RotationChange = UpdateRotationMutationVariables['input'];

/** The intervals at which rotations are refetched, because events report only some of their steps. */
const REFETCH_INTERVAL_MS = 5_000;
const IDLE_REFETCH_INTERVAL_MS = 60_000;

export const rotationKeys = queryKeys('rotation', { on: ['rotation'] }, (all) => ({
  list: [...all, 'list'],
  parameters: (projectId: string) => [...all, 'parameters', projectId],
}));

/** The query for all rotations that the user may read, of which there are at most 100. */
export const rotationsQuery = queryOptions({
  queryKey: rotationKeys.list,
  queryFn: ({ signal }) =>
    readAllPages(async (after) => (await requestGraphql(Rotations, { after }, signal)).rotations),
  refetchInterval: ({ state: { data = [] } }) =>
    data.every(({ state }) => state === 'idle') ? IDLE_REFETCH_INTERVAL_MS : REFETCH_INTERVAL_MS,
});

/** The query for the secret parameters of a project. */
export const rotatableParametersQuery = (projectId: string) =>
  queryOptions({
    queryKey: rotationKeys.parameters(projectId),
    queryFn: async ({ signal }) => {
      const parameters = await readAllPages(async (after) => {
        const { project } = await requestGraphql(RotatableParameters, { projectId, after }, signal);
        return project?.parameters ?? { edges: [], pageInfo: { hasNextPage: false, endCursor: null } };
      });
      return parameters.filter(({ secret }) => secret);
    },
  });

/** Returns whether the user may create rotations of some values. */
export function mayCreateRotations(viewer: SignedInViewer | undefined): boolean {
  if (!viewer?.abilities.revealsSecrets) return false;
  const { abilities, scopes } = viewer.abilities;
  return abilities.includes('write_content') || scopes.some((scope) => scope.abilities.includes('write'));
}

/**
 * Returns whether the user may change, run and abort the rotation, and dismiss what it waits for. The core enforces permissions;
 * the console only hides actions that would fail.
 */
export function mayRotate(viewer: SignedInViewer | undefined, rotation: ListedRotation): boolean {
  if (!viewer?.abilities.revealsSecrets || !mayWrite(viewer, rotation)) return false;
  return rotation.rotator === 'postgresql' || viewer.abilities.abilities.includes('manage_integrations');
}

export async function createRotation(input: NewRotation): Promise<void> {
  requireSaved((await requestGraphql(CreateRotation, { input })).createRotation);
}

export async function updateRotation(id: string, input: RotationChange): Promise<void> {
  requireSaved((await requestGraphql(UpdateRotation, { id, input })).updateRotation);
}

export async function deleteRotation(id: string): Promise<void> {
  requireSaved((await requestGraphql(DeleteRotation, { id })).deleteRotation);
}

/** Begins a rotation, or continues one that has stopped. */
export async function rotateSecret(id: string): Promise<void> {
  const { rotateSecret: result } = await requestGraphql(RotateSecret, { id });
  requireSaved(result);
}

export async function abortRotation(id: string): Promise<void> {
  const { abortRotation: result } = await requestGraphql(AbortRotation, { id });
  requireSaved(result);
}

/** Lets a rotation continue without instances or pushes. */
export async function dismissFromRotation(
  id: string,
  input: DismissFromRotationMutationVariables['input'],
): Promise<void> {
  const { dismissInstances: result } = await requestGraphql(DismissFromRotation, { id, input });
  requireSaved(result);
}
