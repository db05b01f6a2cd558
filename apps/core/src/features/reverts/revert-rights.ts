import { OPERATIONS, type Operation } from '@strata/contract';
import { assertIfControlled, assertOnScope, type RevertedObject, type RevertibleType } from '@strata/domain';
import { scopeOfRoute } from '../../platform/auth/scope-of-path.ts';
import type { Caller } from '../../platform/caller.ts';
import { routeOf } from '../../platform/http/operation-controller.ts';
import { assertCall } from '../changesets/steps.ts';
import type { RevertRow } from './reverted-rows.ts';

/** How the operations begin that write objects of a type one by one. */
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

function operationOf({ type, before, now }: RevertedObject): Operation {
  const does = !before ? 'destroy' : now ? 'partial_update' : 'create';
  const operation = BY_ID.get(`${PREFIX[type]}_${does}`);
  if (!operation) throw new Error(`The contract has no ${PREFIX[type]}_${does}.`);
  return operation;
}

/** Throws what the single operation that does the same would be refused with before it looks at anything. */
export function assertMayRevert(
  caller: Caller,
  object: RevertedObject,
  row: RevertRow,
  projectId: string | null,
): void {
  const { path, requires } = operationOf(object);
  const places = { id: object.id, ...(projectId !== null && { project_pk: projectId }) };
  assertCall(caller, requires, scopeOfRoute(routeOf(path), places));
  if (object.type === 'Value') assertIfControlled(caller, 'write', row.environment_id ?? '');
  const above = object.before?.parentId;
  const isInScopes = object.type === 'Environment' || object.type === 'Project';
  // what hangs below something shows what that holds
  if (isInScopes && above && above !== object.now?.parentId) assertOnScope(caller, 'read', above);
}
