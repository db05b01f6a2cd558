import { type ResourceNames, renderResource } from './push.ts';

/** The texts that the keys of a push consist of. */
export interface PushKeySource<Scope extends ScopeNames = PushScope> {
  readonly resource: string;
  /** The name of the push. */
  readonly push: string;
  readonly scopes: readonly Scope[];
}

type ScopeNames = Omit<ResourceNames, 'parameter' | 'push'>;

/** A project at a tag of an environment, with the names of the parameters that the push can write. */
export interface PushScope extends ScopeNames {
  readonly parameters: readonly string[];
}

/** Returns the key under which the store keeps a name. */
type ToKey = (name: string) => string;

/** The place of the parameter in a key. No name contains this character. */
const PARAMETER = '\u0000';

/**
 * Returns a function that leaves out the scopes of another push whose keys start in another way than all keys of this
 * push. Most pushes differ in the start of their keys, so that no parameter has to be read.
 */
export function closeScopes(
  push: PushKeySource<ScopeNames>,
  toKey: ToKey,
): <Scope extends ScopeNames>(otherPush: PushKeySource<Scope>) => readonly Scope[] {
  const starts = new Set(push.scopes.map((scope) => startOfKeys(push, scope, toKey)));
  const shorterStarts = new Set([...starts].flatMap(listStarts));
  return (otherPush) =>
    otherPush.scopes.filter((scope) => {
      const start = startOfKeys(otherPush, scope, toKey);
      return shorterStarts.has(start) || listStarts(start).some((shorterStart) => starts.has(shorterStart));
    });
}

/**
 * Returns a function that returns a key that another push to the same store can write, too; null if there is none. A
 * parameter counts even if it has no value now. All calls together compare at most `keysMax` keys of other pushes with
 * the first `keysMax` ones of this push.
 */
export function sharedKeys(
  push: PushKeySource,
  toKey: ToKey,
  keysMax: number,
): (otherPush: PushKeySource) => string | null {
  const keys = new Set<string>();
  for (const key of listKeys(push, toKey)) {
    if (keys.size === keysMax) break;
    keys.add(key);
  }
  let remaining = keysMax;
  return (otherPush) => {
    for (const key of listKeys(otherPush, toKey)) {
      if (remaining === 0) return null;
      remaining -= 1;
      if (keys.has(key)) return key;
    }
    return null;
  };
}

function* listKeys({ resource, push, scopes }: PushKeySource, toKey: ToKey): Generator<string, void> {
  for (const { parameters, ...names } of scopes) {
    const parts = renderResource(resource, { ...names, push, parameter: PARAMETER }).split(PARAMETER);
    for (const parameter of parameters) yield toKey(parts.join(parameter));
  }
}

/** Returns all starts of a text, also the empty one and the text itself. */
const listStarts = (text: string): string[] => Array.from({ length: text.length + 1 }, (_, end) => text.slice(0, end));

function startOfKeys({ resource, push }: PushKeySource<ScopeNames>, names: ScopeNames, toKey: ToKey): string {
  const [start = ''] = renderResource(resource, { ...names, push, parameter: PARAMETER }).split(PARAMETER);
  return toKey(start);
}
