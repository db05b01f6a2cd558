import { createPullPattern, nameProblem, type PulledNames } from '@strata/domain';
import type { CloudProvider, StoreLocation } from '@strata/providers';
import type { StoreConnection } from '../external/external-contents.ts';
import { tooManyKeysError } from '../external/provider-environment.ts';

/** The maximum number of keys that begin like the resource of a pull. */
const KEYS_MAX = 5_000;
/** The maximum length of the location of an external value. */
const FQN_LENGTH_MAX = 1_024;

/** A key whose name contains the names of a value. */
export interface MatchingKey {
  readonly key: string;
  readonly fqn: string;
  readonly names: PulledNames;
}

/** A key that a pull leaves out, with a sentence that says why. */
export interface SkippedKey {
  readonly fqn: string;
  readonly reason: string;
}

/** Where a pull reads, and how it reads names from keys. */
interface PatternSource {
  readonly provider: CloudProvider;
  /** The location of the integration. */
  readonly fqn: string;
  readonly location: StoreLocation;
  /** A resource for which `pullPatternProblem` returns null. */
  readonly resource: string;
}

/** Lists the keys of a store that begin like a resource, and reads names from those that match it. */
export async function listPatternKeys(
  connection: StoreConnection,
  { provider, fqn: root, location, resource }: PatternSource,
): Promise<{ readonly matching: readonly MatchingKey[]; readonly skipped: readonly SkippedKey[] }> {
  const { toKey } = await connection.storeAt(location);
  // A name can be written in several ways, such as one of the Parameter Store without its first slash.
  const toStoredKey = (text: string) => {
    const key = toKey(text);
    return provider.locate(provider.toPath({ location, key }))?.key ?? key;
  };
  const pattern = createPullPattern(resource, toStoredKey);
  // Filters of some stores also match other keys.
  const keys = (await connection.list(location, pattern.prefix)).filter((key) => key.startsWith(pattern.prefix));
  if (keys.length > KEYS_MAX) throw tooManyKeysError(`More than ${KEYS_MAX} keys begin like the resource.`);
  const matchingKeys: MatchingKey[] = [];
  const skippedKeys: SkippedKey[] = [];
  for (const key of keys.toSorted()) {
    const fqn = `${root}/${provider.toPath({ location, key })}`;
    const names = pattern.match(key);
    const reason = names === null ? 'The key does not match the resource.' : namesProblem(names, fqn);
    if (names === null || reason !== null) skippedKeys.push({ fqn, reason: reason ?? '' });
    else matchingKeys.push({ key, fqn, names });
  }
  return { matching: matchingKeys, skipped: skippedKeys };
}

function namesProblem(names: PulledNames, fqn: string): string | null {
  if (fqn.length > FQN_LENGTH_MAX) return `The location is longer than ${FQN_LENGTH_MAX} characters.`;
  for (const name of Object.values(names)) {
    const problem = nameProblem(name);
    if (problem) return `${name} cannot be a name: ${problem.message}`;
  }
  return null;
}
