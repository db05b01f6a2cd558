import { type NamedObject, scopeKindOf } from '@strata/domain';
import type { Change } from './change.ts';

/**
 * Combines a list of changes into one change per object, at the position of its first change. An object that was
 * created and deleted again is left out, and one that was created and changed counts as created. Scopes have their
 * final names.
 */
export function reduceToNetChanges(changes: readonly Change[]): readonly Change[] {
  const byObject = new Map<string, Change | null>();
  for (const change of changes) {
    const key = `${change.objectType} ${change.object.id}`;
    const before = byObject.get(key);
    byObject.set(key, before ? withOperations(merged(before, change), before, change) : change);
  }
  const names = latestNames(changes);
  return [...byObject.values()].flatMap((change) => (change ? withNames(change, names) : []));
}

function merged(before: Change, after: Change): Change | null {
  if (before.action === 'create') {
    if (after.action === 'delete') return null;
    return { ...after, action: before.action, eventType: before.eventType };
  }
  // an object that was deleted and created again with its id counts as updated
  if (before.action === 'delete' && after.action === 'create') {
    return { ...after, action: 'update', eventType: updated(after) };
  }
  // of two updates, the one with an event counts
  return { ...after, eventType: after.eventType ?? (after.action === before.action ? before.eventType : null) };
}

/** Returns the operations of both changes. */
function withOperations(change: Change | null, before: Change, after: Change): Change | null {
  if (!change || !before.operations || !after.operations) return change;
  return { ...change, operations: [...new Set([...before.operations, ...after.operations])] };
}

function updated({ eventType }: Change): Change['eventType'] {
  return (eventType?.replace(/_created$/, '_updated') ?? null) as Change['eventType'];
}

function latestNames(changes: readonly Change[]): ReadonlyMap<string, string> {
  return new Map(
    changes.flatMap(({ objectType, object: { id, name } }) => (scopeKindOf(objectType) ? [[id, name] as const] : [])),
  );
}

function withNames(change: Change, names: ReadonlyMap<string, string>): Change {
  const withCurrentName = ({ id, name }: NamedObject): NamedObject => ({ id, name: names.get(id) ?? name });
  const { object, project, environment, parameter, objectType } = change;
  return {
    ...change,
    // a value has the name of its parameter
    object: objectType === 'Value' && parameter ? { ...object, name: withCurrentName(parameter).name } : object,
    ...(project && { project: withCurrentName(project) }),
    ...(environment && { environment: withCurrentName(environment) }),
    ...(parameter && { parameter: withCurrentName(parameter) }),
  };
}
