import type { AuditAction, EventType, Named, ObjectType } from '@strata/domain';
import type { Change } from './change.ts';

/** Where a change happened, besides the object itself. */
export interface ChangeScope {
  readonly project?: Named;
  readonly environment?: Named;
  readonly parameter?: Named;
}

/** What subscribers hear of a change, by the type of its object. Who follows a parameter hears of its rules as of itself. */
const EVENTS: Partial<Record<ObjectType, (action: AuditAction) => EventType | null>> = {
  Environment: ownEvent('environment'),
  Project: ownEvent('project'),
  Parameter: ownEvent('parameter'),
  Value: ownEvent('value'),
  ParameterRule: () => 'parameter_updated',
};

/** Objects that are a scope themselves. */
const OWN_SCOPES: Partial<Record<ObjectType, keyof ChangeScope>> = {
  Environment: 'environment',
  Project: 'project',
  Parameter: 'parameter',
};

/** A change as the ledger keeps it: which event it raises follows from the type, and nothing but ids and names is taken over. */
export function objectChange(
  action: AuditAction,
  objectType: ObjectType,
  object: Named,
  { project, environment, parameter }: ChangeScope = {},
): Change {
  const scope = { project, environment, parameter };
  const own = OWN_SCOPES[objectType];
  if (own) scope[own] = object;
  return {
    eventType: EVENTS[objectType]?.(action) ?? null,
    action,
    objectType,
    object: named(object),
    ...(scope.project && { project: named(scope.project) }),
    ...(scope.environment && { environment: named(scope.environment) }),
    ...(scope.parameter && { parameter: named(scope.parameter) }),
  };
}

const named = ({ id, name }: Named): Named => ({ id, name });

function ownEvent(noun: 'environment' | 'project' | 'parameter' | 'value') {
  return (action: AuditAction): EventType | null =>
    action === 'create' || action === 'update' || action === 'delete' ? `${noun}_${action}d` : null;
}
