import type { ObjectType } from './object-type.ts';

/** What can be taken back, in the order in which it is made: what others lie in or need comes first. */
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

/** What an object was at some moment. */
export interface ObjectState {
  /** Another one with each write of it. */
  readonly version: string;
  /** What people wrote: the same where it is the same. */
  readonly content: string;
  /** No two of one type have the same. */
  readonly key: string;
  /** What it hangs below, of its own type; null for what hangs below nothing. */
  readonly parentId: string | null;
  /** The ids of what it cannot be without, its parent included. */
  readonly needs: readonly string[];
}

/** One object, as it shall be again, as it was left, and as it is. Null where it is not there. */
export interface ObjectToRevert {
  readonly type: RevertibleType;
  readonly id: string;
  readonly before: ObjectState | null;
  readonly after: Pick<ObjectState, 'version'> | null;
  readonly now: ObjectState | null;
  /** An operation that is not taken back wrote it, too. */
  readonly isShared?: boolean;
}

/** What the objects meet as things are now. */
export interface Surroundings {
  /** Whether something is there. Asked only of what is none of the objects. */
  isThere(id: string): boolean;
  /** Who has a key now: an id. */
  holderOf(type: RevertibleType, key: string): string | null;
  /** What lies in something now, or hangs below it, or needs it; without what goes along when that goes. */
  below(id: string): readonly string[];
  /** Whether something was made along with the objects, and is not taken back. */
  isLeftOut(id: string): boolean;
  /** What hangs below what now, by type. */
  parentOf(type: RevertibleType, id: string): string | null;
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
/** Why something cannot be what it was. */
export type RevertConflictCode = (typeof REVERT_CONFLICTS)[number];

export interface RevertClash {
  readonly object: ObjectToRevert;
  readonly code: RevertConflictCode;
  /** What stands against it, where that is one thing. */
  readonly by: string | null;
}

/** What is to be written: of the objects of each list those come first that others need. */
export interface RevertPlan {
  readonly revivals: readonly ObjectToRevert[];
  readonly updates: readonly ObjectToRevert[];
  readonly deletions: readonly ObjectToRevert[];
  readonly conflicts: readonly RevertClash[];
}

/**
 * What makes objects what they were, against what is there today, as far as it can be. Whatever stands against an object is a
 * conflict, and so is what cannot be without one that has a conflict. What is left comes to a state in which everything has
 * what it needs, no two have one key, and nothing hangs below itself. `isOverwritten`: what was changed since is no
 * conflict. `refused`: objects that something else speaks against.
 */
export function revertPlan(
  objects: readonly ObjectToRevert[],
  surroundings: Surroundings,
  { isOverwritten, refused }: { readonly isOverwritten: boolean; readonly refused: ReadonlySet<string> },
): RevertPlan {
  const conflicts = new Map<string, RevertClash>();
  const wanted = new Map<string, ObjectToRevert>();
  for (const object of objects) {
    if (object.before?.content === object.now?.content) continue;
    const code = isOverwritten ? null : disturbance(object);
    if (code) conflicts.set(object.id, { object, code, by: null });
    else if (!refused.has(object.id)) wanted.set(object.id, object);
  }
  const outcome = new Outcome(objects, wanted, surroundings);
  for (let asked: Iterable<ObjectToRevert> = wanted.values(); ; ) {
    const found = outcome.conflicts(asked);
    if (found.length === 0) break;
    for (const conflict of found) {
      conflicts.set(conflict.object.id, conflict);
      wanted.delete(conflict.object.id);
    }
    asked = outcome.concernedBy(found);
  }
  const place = (object: ObjectToRevert) => REVERTIBLE_TYPES.indexOf(object.type);
  const ordered = [...wanted.values()].sort((one, other) => place(one) - place(other));
  return {
    revivals: ordered.filter(({ before, now }) => before && !now),
    updates: ordered.filter(({ before, now }) => before && now),
    deletions: ordered.filter(({ before }) => !before),
    conflicts: objects.flatMap(({ id }) => conflicts.get(id) ?? []),
  };
}

/** Somebody else has had a hand in it. */
function disturbance({ after, now, isShared }: ObjectToRevert): RevertConflictCode | null {
  if (after?.version !== now?.version) return 'changed_since';
  return isShared ? 'shared_change' : null;
}

/** What things come to when the wanted objects are what they were, and all others what they are. */
class Outcome {
  private readonly known: ReadonlyMap<string, ObjectToRevert>;
  /** By what they ask of: ids of what they need or what lies in them, keys, and types of which they hang below one. */
  private readonly asking = new Map<string, ObjectToRevert[]>();

  constructor(
    objects: readonly ObjectToRevert[],
    private readonly wanted: ReadonlyMap<string, ObjectToRevert>,
    private readonly surroundings: Surroundings,
  ) {
    this.known = new Map(objects.map((object) => [object.id, object]));
    for (const object of wanted.values()) for (const of of this.asksOf(object)) this.note(of, object);
  }

  /** Among some of the wanted. */
  conflicts(asked: Iterable<ObjectToRevert>): readonly RevertClash[] {
    return [...asked].flatMap((object) => {
      const found = object.before ? this.againstBeing(object, object.before) : this.againstGoing(object);
      return found ? [{ object, ...found }] : [];
    });
  }

  /** The wanted ones about which something else may be said since these are not wanted any more. */
  concernedBy(clashes: readonly RevertClash[]): ReadonlySet<ObjectToRevert> {
    const places = clashes.flatMap(({ object: { id, type, before, now } }) => [
      id,
      ...(now ? [keyPlace(type, now.key)] : []),
      ...((before?.parentId ?? null) === (now?.parentId ?? null) ? [] : [type]),
    ]);
    const asking = [...new Set(places)].flatMap((place) => this.asking.get(place) ?? []);
    return new Set(asking.filter(({ id }) => this.wanted.has(id)));
  }

  private asksOf({ id, type, before }: ObjectToRevert): readonly string[] {
    if (!before) return this.surroundings.below(id);
    return [...before.needs, keyPlace(type, before.key), ...(before.parentId === null ? [] : [type])];
  }

  private note(of: string, object: ObjectToRevert): void {
    const asking = this.asking.get(of);
    if (asking) asking.push(object);
    else this.asking.set(of, [object]);
  }

  private againstBeing(object: ObjectToRevert, state: ObjectState): Omit<RevertClash, 'object'> | null {
    const missing = state.needs.find((id) => !this.isThere(id));
    if (missing !== undefined) return this.because('missing_parent', missing);
    const holder = this.surroundings.holderOf(object.type, state.key);
    if (holder !== null && holder !== object.id && this.keeps(holder, state.key))
      return this.because('name_taken', holder);
    return state.parentId !== null && this.isBelowItself(object) ? { code: 'cycle', by: state.parentId } : null;
  }

  private againstGoing({ id }: ObjectToRevert): Omit<RevertClash, 'object'> | null {
    const left = this.surroundings.below(id).find((each) => {
      const object = this.wanted.get(each);
      return !object || (object.before?.needs.includes(id) ?? false);
    });
    return left === undefined ? null : this.because('made_below', left);
  }

  /** Where it is one of the objects that stands against another, that one has a conflict itself. */
  private because(code: RevertConflictCode, by: string): Omit<RevertClash, 'object'> {
    const other = this.known.get(by);
    const isSkipped = other !== undefined && other.before?.content !== other.now?.content;
    return { code: isSkipped || this.surroundings.isLeftOut(by) ? 'needs_skipped' : code, by };
  }

  private stateOf(object: ObjectToRevert): ObjectState | null {
    return this.wanted.has(object.id) ? object.before : object.now;
  }

  private isThere(id: string): boolean {
    const object = this.known.get(id);
    return object ? this.stateOf(object) !== null : this.surroundings.isThere(id);
  }

  private keeps(id: string, key: string): boolean {
    const object = this.known.get(id);
    return object ? this.stateOf(object)?.key === key : true;
  }

  private isBelowItself({ type, id: start }: ObjectToRevert): boolean {
    const seen = new Set<string>([start]);
    for (let id = this.parentOf(type, start); id !== null; id = this.parentOf(type, id)) {
      if (id === start) return true;
      // it leads into a circle that it is no part of
      if (seen.has(id)) return false;
      seen.add(id);
    }
    return false;
  }

  private parentOf(type: RevertibleType, id: string): string | null {
    const object = this.known.get(id);
    return object ? (this.stateOf(object)?.parentId ?? null) : this.surroundings.parentOf(type, id);
  }
}

/** Names a key among other places; no type or id has a blank in it. */
const keyPlace = (type: RevertibleType, key: string) => `${type} ${key}`;

/** What to do about a conflict. `by` names what stands against it, if the reader may know. */
export function revertConflictInWords({ code, object }: RevertClash, by: string | null): string {
  const something = by ?? 'Something that you have no access to';
  const inside = by?.replace(/^The /, 'the ');
  switch (code) {
    case 'changed_since':
      return `It was ${changeSince(object)} since. Look at what it is now; overwrite it if that may be lost.`;
    case 'shared_change':
      return 'Other operations of the changeset wrote it as well. Revert those together with this one, or overwrite it.';
    case 'made_below':
      return `${something} needs it by now. Delete or move that first.`;
    case 'missing_parent':
      return `It cannot be without ${inside ?? 'something'} that is not there any more. Bring that back first.`;
    case 'name_taken':
      return `${something} has its place now. Rename or delete that first.`;
    case 'cycle':
      return `It would hang below itself, since ${inside ?? 'what it hung below'} lies below it now. Move that first.`;
    case 'needs_skipped':
      return `It depends on ${inside ?? 'something'} that stays as it is now. Revert that too.`;
  }
}

function changeSince({ after, now }: ObjectToRevert): string {
  if (!now) return 'deleted';
  return after ? 'changed' : 'made again';
}
