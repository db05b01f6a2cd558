import { type AuditAction, eventOf, type Named, type ObjectType, type ScopeKind, scopeKindOf } from '@strata/domain';
import type { Change } from './change.ts';

/** Where a change happened, besides the object itself. */
export type ChangeScope = { readonly [Kind in ScopeKind]?: Named };

/** A change as the ledger keeps it: which event it raises follows from the type, and nothing but ids and names is taken over. */
export function objectChange(
  action: AuditAction,
  objectType: ObjectType,
  object: Named,
  { project, environment, parameter }: ChangeScope = {},
): Change {
  const scope: Partial<Record<ScopeKind, Named | undefined>> = { project, environment, parameter };
  const own = scopeKindOf(objectType);
  if (own) scope[own] = object;
  return {
    eventType: eventOf(objectType, action),
    action,
    objectType,
    object: named(object),
    ...(scope.project && { project: named(scope.project) }),
    ...(scope.environment && { environment: named(scope.environment) }),
    ...(scope.parameter && { parameter: named(scope.parameter) }),
  };
}

const named = ({ id, name }: Named): Named => ({ id, name });
