import { type ResourceNames, renderResource } from './push.ts';

/** The texts that the keys of a push consist of. */
export interface PushKeySource {
  readonly resource: string;
  /** The name of the push. */
  readonly push: string;
  readonly scopes: readonly PushScope[];
}

/** A project at a tag of an environment, with the names of the parameters that the push can write. */
export interface PushScope extends Omit<ResourceNames, 'parameter' | 'push'> {
  readonly parameters: readonly string[];
}

/** Returns the key under which the store keeps a name. */
type ToKey = (name: string) => string;

/** The place of the parameter in the start of a key. No name contains this character. */
const PARAMETER = '\u0000';

/**
 * Returns a key that two pushes to the same store can both write; null if there is none. A parameter counts even if it
 * has no value now.
 */
export function findSharedKey(left: PushKeySource, right: PushKeySource, toKey: ToKey): string | null {
  const starts = left.scopes.map((scope) => startOfKeys(left, scope, toKey));
  // Most pushes differ in the start of their keys, so that no key has to be created.
  const close = right.scopes.filter((scope) => {
    const start = startOfKeys(right, scope, toKey);
    return starts.some((leftStart) => leftStart.startsWith(start) || start.startsWith(leftStart));
  });
  if (close.length === 0) return null;
  const keys = new Set(left.scopes.flatMap((scope) => listKeys(left, scope, toKey)));
  return close.flatMap((scope) => listKeys(right, scope, toKey)).find((key) => keys.has(key)) ?? null;
}

function listKeys({ resource, push }: PushKeySource, { parameters, ...names }: PushScope, toKey: ToKey): string[] {
  return parameters.map((parameter) => toKey(renderResource(resource, { ...names, push, parameter })));
}

function startOfKeys({ resource, push }: PushKeySource, { parameters: _, ...names }: PushScope, toKey: ToKey): string {
  const [start = ''] = renderResource(resource, { ...names, push, parameter: PARAMETER }).split(PARAMETER);
  return toKey(start);
}
