import { OPERATIONS, type Operation } from '@strata/contract';
import {
  assertAbilityOnScope,
  assertIfControlled,
  can,
  canOnScope,
  Failure,
  type RevertedObject,
  type RevertibleType,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { scopeOfRoute } from '../../platform/auth/scope-of-path.ts';
import { toRoute } from '../../platform/http/operation-controller.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { Writer } from '../../platform/ledger/command.ts';
import { assertAccess } from '../../platform/ledger/write-rules.ts';
import { assertCall } from '../changesets/steps.ts';
import { assertControl } from '../projects/projects.service.ts';
import type { LoadedObjects } from './loaded-objects.ts';
import type { RestoredScopes, RevertWrites } from './revert-writer.ts';
import type { RevertRow } from './reverted-rows.ts';
import { collectError, type ObjectErrors } from './written-objects.ts';

/** The prefix of the ids of the operations that write one object of the type. */
const PREFIX: Readonly<Record<RevertibleType, string>> = {
  ParameterType: 'types',
  ParameterTypeRule: 'types_rules',
  Environment: 'environments',
  Project: 'projects',
  Parameter: 'projects_parameters',
  ParameterRule: 'projects_parameters_rules',
  Template: 'projects_templates',
  Value: 'projects_parameters_values',
};

const BY_ID = new Map<string, Operation>(OPERATIONS.map((operation) => [operation.id, operation]));

/** Returns the objects that the caller may not revert, according to the permissions before the write. */
export async function forbiddenBefore(
  em: EntityManager,
  caller: Writer,
  loadedObjects: LoadedObjects,
): Promise<ObjectErrors> {
  const errors: ObjectErrors = new Map();
  const restoredIds = new Set(loadedObjects.objects.filter(({ now, before }) => before && !now).map(({ id }) => id));
  const forest = loadedObjects.objects.some(isMoved) ? await projectForest(em, caller) : [];
  for (const object of loadedObjects.objects) {
    if (object.before?.content === object.now?.content || isWithin(loadedObjects, object, restoredIds)) continue;
    await collectError(errors, [object.id], async () => {
      // Permissions on a deleted scope with grants are checked after it has been restored with these grants.
      if (!restoredIds.has(object.id) || !caller.scopes.has(object.id)) assertMayRevert(caller, loadedObjects, object);
      if (isMoved(object)) await assertMayMove(em, caller, forest, object);
    });
  }
  return errors;
}

/** Returns the objects that the caller may not revert, according to the permissions after the write. */
export async function forbiddenAfter(
  caller: Writer,
  work: RevertWrites & LoadedObjects,
  changes: readonly Change[],
  scopes: RestoredScopes,
): Promise<ObjectErrors> {
  const errors: ObjectErrors = new Map();
  const isOwner = can(caller, 'enter_every_scope');
  for (const id of scopes.controlled) {
    const isUnknown = scopes.unknown.includes(id);
    if (isUnknown ? !isOwner : !canOnScope(caller, 'manage', id)) errors.set(id, Failure.forbidden());
  }
  const restoredIds = collectIds(work.plan.revivals);
  for (const object of work.plan.revivals) {
    if (errors.has(object.id) || !isWithin(work, object, restoredIds)) continue;
    await collectError(errors, [object.id], async () => assertMayRevert(caller, work, object));
  }
  const ids = collectIds(work.objects);
  for (const change of changes) {
    if (ids.has(change.object.id))
      await collectError(errors, [change.object.id], async () => assertAccess(caller, change));
  }
  return errors;
}

/** Throws the error that the operation on the single object would return before it reads anything. */
function assertMayRevert(caller: Writer, { before, now, names }: LoadedObjects, object: RevertedObject): void {
  const row = (before.get(object.id) ?? now.get(object.id)) as RevertRow;
  const projectId = object.type === 'Project' ? null : (row.project_id ?? names.projectOf(row.parameter_id));
  const { path, requires } = chooseOperation(object);
  const pathIds = { id: object.id, ...(projectId !== null && { project_pk: projectId }) };
  assertCall(caller, requires, scopeOfRoute(toRoute(path), pathIds));
  if (object.type === 'Value') assertIfControlled(caller, 'write', row.environment_id ?? '');
  const parentId = object.before?.parentId;
  const isInTree = object.type === 'Environment' || object.type === 'Project';
  // An object shows the contents of its parent, so the caller must be able to read the parent.
  if (isInTree && parentId && parentId !== object.now?.parentId) assertAbilityOnScope(caller, 'read', parentId);
}

function chooseOperation({ type, before, now }: RevertedObject): Operation {
  const action = !before ? 'destroy' : now ? 'partial_update' : 'create';
  const operation = BY_ID.get(`${PREFIX[type]}_${action}`);
  if (!operation) throw new Error(`The contract has no ${PREFIX[type]}_${action}.`);
  return operation;
}

/** Returns whether an object belongs to one of the given projects or environments. */
function isWithin({ before, now, names }: LoadedObjects, { id }: RevertedObject, scopes: ReadonlySet<string>): boolean {
  const row = before.get(id) ?? now.get(id);
  const projectId = row?.project_id ?? names.projectOf(row?.parameter_id);
  return [projectId, row?.environment_id].some((scope) => scope && scopes.has(scope));
}

/** Returns whether the revert changes the dependency of an existing project. */
function isMoved({ type, before, now }: RevertedObject): boolean {
  return type === 'Project' && before !== null && now !== null && before.parentId !== now.parentId;
}

interface ForestRow {
  readonly id: string;
  readonly dependsOnId: string | null;
}

function projectForest(em: EntityManager, { organizationId }: Writer): Promise<readonly ForestRow[]> {
  return em.query<ForestRow[]>('select id, depends_on_id as "dependsOnId" from project where organization_id = $1', [
    organizationId,
  ]);
}

/** Throws if the revert would take a project out of the control of another project, which only an OWNER may do. */
function assertMayMove(
  em: EntityManager,
  caller: Writer,
  forest: readonly ForestRow[],
  { id, before, now }: RevertedObject,
): Promise<void> {
  return assertControl(em, caller, forest, { id, from: now?.parentId ?? null, to: before?.parentId ?? null });
}

export const collectIds = (objects: readonly RevertedObject[]) => new Set(objects.map(({ id }) => id));
