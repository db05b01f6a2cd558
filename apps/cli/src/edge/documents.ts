import { hash } from 'node:crypto';
import { digestedText } from '@strata/domain';

/** The forms of a configuration that callers are confirmed for. */
export type DocumentName = 'masked' | 'clear' | 'flags';

/** The project and the environment of a configuration. */
export interface ScopeIdentity {
  readonly project_id: string;
  readonly project_name: string;
  readonly environment_id: string;
  readonly environment_name: string;
}

/** The effective values of a project in an environment, in one of two forms. */
export interface Configuration {
  readonly revision: number;
  /** The digest of the core for all names. */
  readonly digest: string;
  /** An explicit null is null. In the masked form, secrets are `*****`. */
  readonly texts: Readonly<Record<string, string | null>>;
  /** The names of the secrets. An explicit null is none. */
  readonly secrets: readonly string[];
  /** Whether any of the values is secret, explicit nulls included. */
  readonly hasSecret: boolean;
  readonly isMasked: boolean;
}

/** All flags, as the core sends them. */
export interface FlagDocument {
  readonly revision: number;
  readonly etag: string;
  readonly body: string;
}

/** The part of a configuration that a request selects, in the form of its response. */
export interface ValueSelection {
  readonly configuration: Configuration;
  /** It is null if the request selects all names. */
  readonly names: readonly string[] | null;
  readonly digest: string;
  readonly texts: ReadonlyMap<string, string | null>;
  readonly masked: readonly string[];
  readonly hasSecret: boolean;
  /** Whether the texts contain a secret in clear. */
  readonly isClear: boolean;
  readonly body: Buffer;
  readonly etag: string;
}

/** A change of one name between two selections, as in a delta of a stream. */
export interface TextDifference {
  readonly name: string;
  readonly kind: 'set' | 'changed' | 'unset';
  readonly value: string | null;
  readonly masked: boolean;
}

type Entry = readonly [name: string, text: string | null];

/** The core sorts names by code units. An object would sort names such as `10` first. */
const sortedEntries = (texts: Configuration['texts']): readonly Entry[] =>
  Object.entries(texts).sort(([left], [right]) => (left < right ? -1 : 1));

const hashEntries = (entries: readonly Entry[]): string => `sha256:${hash('sha256', digestedText(entries))}`;

/** Returns whether the digest of the core is the one that this module computes, so that it can compute those of parts. */
export const isReproducible = ({ texts, digest }: Configuration): boolean =>
  hashEntries(sortedEntries(texts)) === digest;

/** Selects names from a configuration, and writes them as the core does. `tag` computes entity tags. */
export function select(
  identity: ScopeIdentity,
  configuration: Configuration,
  names: readonly string[] | null,
  tag: (text: string) => string,
): ValueSelection {
  const { texts: allTexts, isMasked, revision } = configuration;
  const requestedNames = names && new Set(names);
  const entries = sortedEntries(allTexts).filter(([name]) => requestedNames?.has(name) ?? true);
  const secretNames = new Set(configuration.secrets);
  const secrets = entries.flatMap(([name]) => (secretNames.has(name) ? [name] : []));
  const digest = names === null ? configuration.digest : hashEntries(entries);
  const hasSecret = names === null ? configuration.hasSecret : secrets.length > 0;
  const members = { ...identity, revision, digest, has_secret: hasSecret, ...(isMasked && { masked: secrets }) };
  const prefix = JSON.stringify(members).slice(0, -1);
  const values = entries.map(([name, text]) => `${JSON.stringify(name)}:${JSON.stringify(text)}`);
  return {
    ...{ configuration, names, digest, hasSecret },
    texts: new Map(entries),
    masked: isMasked ? secrets : [],
    isClear: secrets.length > 0 && !isMasked,
    body: Buffer.from(`${prefix},"values":{${values.join()}}}`),
    etag: `"${tag(prefix)}"`,
  };
}

/** Returns the changes from one selection of the same names to a later one, sorted by name. */
export function differenceBetween(before: ValueSelection, after: ValueSelection): readonly TextDifference[] {
  const maskedNames = new Set(after.masked);
  const names = [...new Set([...before.texts.keys(), ...after.texts.keys()])].sort();
  return names.flatMap((name): TextDifference[] => {
    if (!after.texts.has(name)) return [{ name, kind: 'unset', value: null, masked: false }];
    const value = after.texts.get(name) ?? null;
    const isMasked = maskedNames.has(name);
    if (!before.texts.has(name)) return [{ name, kind: 'set', value, masked: isMasked }];
    const isEqual = before.texts.get(name) === value && before.masked.includes(name) === isMasked;
    return isEqual ? [] : [{ name, kind: 'changed', value, masked: isMasked }];
  });
}
