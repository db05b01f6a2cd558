import type { NonContractNoun } from '@strata/domain';
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** When queries become stale because of a change in the organization. Queries with an empty rule are read again only after a lost connection. */
interface RefreshRule {
  /** Kinds of objects, as events name them: a change of one makes the queries stale. */
  readonly on?: readonly (NonContractNoun | 'environment' | 'parameter' | 'project')[];
  /** Other queries depend on the result, so it is read before them. */
  readonly isFirst?: true;
  /** Any change can make the queries stale. */
  readonly onAnyChange?: true;
  /** Events do not touch these queries here, also not after a lost connection: other code refreshes them. */
  readonly isSeparate?: true;
}

const rules = new Map<unknown, RefreshRule>();

/** The query keys of one noun, which all begin with `root`, and the rule by which events refresh them. */
export function queryKeys<const Root extends string, Keys extends object>(
  root: Root,
  rule: RefreshRule,
  keysBelow: (all: readonly [Root]) => Keys,
): Keys & { readonly all: readonly [Root] } {
  rules.set(root, rule);
  const all = [root] as const;
  return { ...keysBelow(all), all };
}

/** Whether a key belongs to one of these nouns. */
export const isKeyOf = (key: QueryKey, ...nouns: readonly { readonly all: QueryKey }[]): boolean =>
  nouns.some(({ all }) => all[0] === key[0]);

const ruleOf = ([root]: QueryKey): RefreshRule => rules.get(root) ?? {};

/** Refreshes the queries that the others depend on, after changes of objects of these kinds. */
export const refreshFirst = (client: QueryClient, kinds: ReadonlySet<string>): Promise<void> =>
  refresh(client, (rule) => rule.isFirst === true && isOn(rule, kinds));

/** Refreshes the other queries after changes of objects of these kinds. */
export const refreshAfter = (client: QueryClient, kinds: ReadonlySet<string>): Promise<void> =>
  refresh(client, (rule) => rule.isFirst !== true && isOn(rule, kinds));

/** Refreshes the queries that any change can make stale. */
export const refreshAfterAnyChange = (client: QueryClient): Promise<void> =>
  refresh(client, (rule) => rule.onAnyChange === true);

/** Refreshes everything, after changes that were not reported. */
export const refreshAll = (client: QueryClient): Promise<void> => refresh(client, (rule) => rule.isSeparate !== true);

const isOn = ({ on = [] }: RefreshRule, kinds: ReadonlySet<string>): boolean => on.some((kind) => kinds.has(kind));

const refresh = (client: QueryClient, isMeant: (rule: RefreshRule) => boolean): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey }) => isMeant(ruleOf(queryKey)) });
