import type { ObjectType } from './object-type.ts';
import { asSentence, type Sentence, sentence } from './sentence.ts';

/** The types that a revert can restore, in the order in which it writes them: containers and dependencies first. */
export const REVERTIBLE_TYPES = [
  'ParameterType',
  'ParameterTypeRule',
  'Environment',
  'Project',
  'Parameter',
  'ParameterRule',
  'Template',
  'Value',
] as const satisfies readonly ObjectType[];
export type RevertibleType = (typeof REVERTIBLE_TYPES)[number];

export function isRevertible(type: string): type is RevertibleType {
  return (REVERTIBLE_TYPES as readonly string[]).includes(type);
}

/** The state of an object at some point in time. */
export interface ObjectState {
  /** Changes with each write of the object. */
  readonly version: string;
  /** The user-defined part of the object; equal for equal objects. */
  readonly content: string;
  /** Unique among the objects of one type. */
  readonly key: string;
  /** The parent, which has the same type; null if there is none. */
  readonly parentId: string | null;
  /** The ids of the objects that it cannot exist without, including its parent. */
  readonly needs: readonly string[];
}

/**
 * An object in three states: the state to restore, the state that the reverted write left, and the current state. A
 * state is null if the object did not exist.
 */
export interface RevertedObject {
  readonly type: RevertibleType;
  readonly id: string;
  readonly before: ObjectState | null;
  readonly after: Pick<ObjectState, 'version'> | null;
  readonly now: ObjectState | null;
  /** Whether an operation that is not reverted wrote it too. */
  readonly isShared?: boolean;
}

/** The current state of everything that the reverted objects depend on. */
export interface RevertContext {
  /** Returns whether an object exists. Never called with one of the reverted objects. */
  isThere(id: string): boolean;
  /** Returns the id of the object that currently has a key. */
  findHolder(type: RevertibleType, key: string): string | null;
  /**
   * Returns what currently depends on an object: its contents, children and dependents, without those that are deleted
   * with it.
   */
  below(id: string): readonly string[];
  /** Returns whether an object was created by the reverted write but is not itself reverted. */
  isLeftOut(id: string): boolean;
  /** Returns the current parent of an object of this type. */
  findParent(type: RevertibleType, id: string): string | null;
}

export const REVERT_CONFLICTS = [
  'changed_since',
  'shared_change',
  'made_below',
  'missing_parent',
  'name_taken',
  'cycle',
  'needs_skipped',
] as const;
/** The reason why an object cannot be restored. */
export type RevertConflictCode = (typeof REVERT_CONFLICTS)[number];

export interface DetectedConflict {
  readonly object: RevertedObject;
  readonly code: RevertConflictCode;
  /** The object that prevents the revert, if there is exactly one. */
  readonly by: string | null;
}

/** The writes of a revert. Each list starts with the objects that others depend on. */
export interface RevertPlan {
  readonly revivals: readonly RevertedObject[];
  readonly updates: readonly RevertedObject[];
  readonly deletions: readonly RevertedObject[];
  readonly conflicts: readonly DetectedConflict[];
}

/**
 * Restores as many of the objects as the current state allows. An object has a conflict if something prevents its
 * revert, or if it depends on an object with a conflict. The result is consistent: every dependency exists, keys are
 * unique and no object is its own ancestor. With `isOverwritten`, later changes are not conflicts. `excluded` holds the
 * ids of objects that were rejected for other reasons.
 */
export function revertPlan(
  objects: readonly RevertedObject[],
  surroundings: RevertContext,
  { isOverwritten, excluded }: { readonly isOverwritten: boolean; readonly excluded: ReadonlySet<string> },
): RevertPlan {
  const conflicts = new Map<string, DetectedConflict>();
  const remaining = new Map<string, RevertedObject>();
  for (const object of objects) {
    if (object.before?.content === object.now?.content) continue;
    const code = isOverwritten ? null : disturbance(object);
    if (code) conflicts.set(object.id, { object, code, by: null });
    else if (!excluded.has(object.id)) remaining.set(object.id, object);
  }
  const outcome = new Outcome(objects, remaining, surroundings);
  for (let candidates: Iterable<RevertedObject> = remaining.values(); ; ) {
    const detectedConflicts = outcome.conflicts(candidates);
    if (detectedConflicts.length === 0) break;
    for (const conflict of detectedConflicts) {
      conflicts.set(conflict.object.id, conflict);
      remaining.delete(conflict.object.id);
    }
    candidates = outcome.concernedBy(detectedConflicts);
  }
  const typeIndex = (object: RevertedObject) => REVERTIBLE_TYPES.indexOf(object.type);
  const orderedObjects = [...remaining.values()].sort((left, right) => typeIndex(left) - typeIndex(right));
  return {
    revivals: orderedObjects.filter(({ before, now }) => before && !now),
    updates: orderedObjects.filter(({ before, now }) => before && now),
    deletions: orderedObjects.filter(({ before }) => !before),
    conflicts: objects.flatMap(({ id }) => conflicts.get(id) ?? []),
  };
}

/** Returns a conflict if another operation also wrote the object. */
function disturbance({ after, now, isShared }: RevertedObject): RevertConflictCode | null {
  if (after?.version !== now?.version) return 'changed_since';
  return isShared ? 'shared_change' : null;
}

/** The state after the revert, in which the requested objects are restored and all others are unchanged. */
class Outcome {
  private readonly objectsById: ReadonlyMap<string, RevertedObject>;
  /**
   * The requested objects by what they depend on: ids of dependencies and contents, keys, and the types whose tree they
   * are part of.
   */
  private readonly asking = new Map<string, RevertedObject[]>();

  constructor(
    objects: readonly RevertedObject[],
    private readonly requestedObjects: ReadonlyMap<string, RevertedObject>,
    private readonly surroundings: RevertContext,
  ) {
    this.objectsById = new Map(objects.map((object) => [object.id, object]));
    for (const object of requestedObjects.values())
      for (const dependencyId of this.listDependencies(object)) this.note(dependencyId, object);
  }

  /** Checks some of the requested objects. */
  conflicts(candidates: Iterable<RevertedObject>): readonly DetectedConflict[] {
    return [...candidates].flatMap((object) => {
      const conflict = object.before ? this.againstBeing(object, object.before) : this.againstGoing(object);
      return conflict ? [{ object, ...conflict }] : [];
    });
  }

  /** Returns the requested objects whose result may change because the given ones are no longer requested. */
  concernedBy(clashes: readonly DetectedConflict[]): ReadonlySet<RevertedObject> {
    const places = clashes.flatMap(({ object: { id, type, before, now } }) => [
      id,
      ...(now ? [keyPlace(type, now.key)] : []),
      ...((before?.parentId ?? null) === (now?.parentId ?? null) ? [] : [type]),
    ]);
    const askingObjects = [...new Set(places)].flatMap((location) => this.asking.get(location) ?? []);
    return new Set(askingObjects.filter(({ id }) => this.requestedObjects.has(id)));
  }

  private listDependencies({ id, type, before }: RevertedObject): readonly string[] {
    if (!before) return this.surroundings.below(id);
    return [...before.needs, keyPlace(type, before.key), ...(before.parentId === null ? [] : [type])];
  }

  private note(dependencyId: string, object: RevertedObject): void {
    const askingObjects = this.asking.get(dependencyId);
    if (askingObjects) askingObjects.push(object);
    else this.asking.set(dependencyId, [object]);
  }

  private againstBeing(object: RevertedObject, state: ObjectState): Omit<DetectedConflict, 'object'> | null {
    const missingId = state.needs.find((id) => !this.isThere(id));
    if (missingId !== undefined) return this.because('missing_parent', missingId);
    const holder = this.surroundings.findHolder(object.type, state.key);
    if (holder !== null && holder !== object.id && this.keeps(holder, state.key))
      return this.because('name_taken', holder);
    return state.parentId !== null && this.isBelowItself(object) ? { code: 'cycle', by: state.parentId } : null;
  }

  private againstGoing({ id }: RevertedObject): Omit<DetectedConflict, 'object'> | null {
    const left = this.surroundings.below(id).find((childId) => {
      const object = this.requestedObjects.get(childId);
      return !object || (object.before?.needs.includes(id) ?? false);
    });
    return left === undefined ? null : this.because('made_below', left);
  }

  /** If the reverted object itself is in the way, it has a conflict of its own, so this one is only skipped. */
  private because(code: RevertConflictCode, causeId: string): Omit<DetectedConflict, 'object'> {
    const causingObject = this.objectsById.get(causeId);
    const isSkipped = causingObject !== undefined && causingObject.before?.content !== causingObject.now?.content;
    return { code: isSkipped || this.surroundings.isLeftOut(causeId) ? 'needs_skipped' : code, by: causeId };
  }

  private stateAfter(object: RevertedObject): ObjectState | null {
    return this.requestedObjects.has(object.id) ? object.before : object.now;
  }

  private isThere(id: string): boolean {
    const object = this.objectsById.get(id);
    return object ? this.stateAfter(object) !== null : this.surroundings.isThere(id);
  }

  private keeps(id: string, key: string): boolean {
    const object = this.objectsById.get(id);
    return object ? this.stateAfter(object)?.key === key : true;
  }

  private isBelowItself({ type, id: start }: RevertedObject): boolean {
    const seenIds = new Set<string>([start]);
    for (let id = this.findParent(type, start); id !== null; id = this.findParent(type, id)) {
      if (id === start) return true;
      // The chain leads into a cycle that does not contain the object.
      if (seenIds.has(id)) return false;
      seenIds.add(id);
    }
    return false;
  }

  private findParent(type: RevertibleType, id: string): string | null {
    const object = this.objectsById.get(id);
    return object ? (this.stateAfter(object)?.parentId ?? null) : this.surroundings.findParent(type, id);
  }
}

/** Builds the map key of an object key. The blank keeps it distinct from types and ids. */
const keyPlace = (type: RevertibleType, key: string) => `${type} ${key}`;

/** Describes how to resolve a conflict. `by` names the object that prevents the revert, if the reader may know it. */
export function describeRevertConflict(
  { code, object }: DetectedConflict,
  causeTitle: string | null,
): Sentence<'other'> {
  const nameOther = (title: string | null, fallback: string) =>
    title === null ? asSentence(fallback) : sentence`${{ other: title }}`;
  const something = nameOther(causeTitle, 'Something that you have no access to');
  const describeInside = (fallback: string) => nameOther(causeTitle?.replace(/^The /, 'the ') ?? null, fallback);
  switch (code) {
    case 'changed_since':
      return asSentence(
        `It was ${changeSince(object)} since. Check its current state; overwrite it if that state can be lost.`,
      );
    case 'shared_change':
      return asSentence(
        'Other operations of the changeset also changed it. Revert them together with this one, or overwrite it.',
      );
    case 'made_below':
      return sentence`${something} now depends on it. Delete or move that first.`;
    case 'missing_parent':
      return sentence`It requires ${describeInside('something')}, which no longer exists. Restore that first.`;
    case 'name_taken':
      return sentence`${something} has taken its name or cell. Rename or delete that first.`;
    case 'cycle':
      return sentence`It would hang below itself, since ${describeInside('what it hung below')} lies below it now. Move that first.`;
    case 'needs_skipped':
      return sentence`It depends on ${describeInside('something')}, which is not reverted. Revert that as well.`;
  }
}

function changeSince({ after, now }: RevertedObject): string {
  if (!now) return 'deleted';
  return after ? 'changed' : 'made again';
}
