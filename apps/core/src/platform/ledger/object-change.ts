import {
  type AuditAction,
  contractEventType,
  type NamedObject,
  type ObjectType,
  type ScopeKind,
  scopeKindOf,
} from '@strata/domain';
import type { Change } from './change.ts';

/** The scopes of a change, besides the object itself. */
export type ChangeScope = { readonly [Kind in ScopeKind]?: NamedObject };

/** Builds a change for the ledger. Its type determines the event. Only ids and names are copied. */
export function objectChange(
  action: AuditAction,
  objectType: ObjectType,
  object: NamedObject,
  { project, environment, parameter }: ChangeScope = {},
): Change {
  const scope: Partial<Record<ScopeKind, NamedObject | undefined>> = { project, environment, parameter };
  const ownKind = scopeKindOf(objectType);
  if (ownKind) scope[ownKind] = object;
  return {
    eventType: contractEventType(objectType, action),
    action,
    objectType,
    object: named(object),
    ...(scope.project && { project: named(scope.project) }),
    ...(scope.environment && { environment: named(scope.environment) }),
    ...(scope.parameter && { parameter: named(scope.parameter) }),
  };
}

const named = ({ id, name }: NamedObject): NamedObject => ({ id, name });
