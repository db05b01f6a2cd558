import type { NonContractNoun } from '@strata/domain';
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** The changes that make queries stale. Queries with an empty rule are refetched only after a lost connection. */
interface RefreshRule {
  /** The kinds of objects, as in events, whose changes make the queries stale. */
  readonly on?: readonly (NonContractNoun | 'environment' | 'parameter' | 'project')[];
  /** Whether other queries depend on the result, so that it is fetched before them. */
  readonly isFirst?: true;
  /** Whether every change makes the queries stale. */
  readonly onAnyChange?: true;
  /** Whether other code refreshes the queries. Neither events nor a reconnect refresh them here. */
  readonly isSeparate?: true;
}

const rules = new Map<unknown, RefreshRule>();

/** Returns the query keys of one noun, which all begin with `root`, and registers their refresh rule. */
export function queryKeys<const Root extends string, Keys extends object>(
  root: Root,
  rule: RefreshRule,
  keysBelow: (all: readonly [Root]) => Keys,
): Keys & { readonly all: readonly [Root] } {
  rules.set(root, rule);
  const all = [root] as const;
  return { ...keysBelow(all), all };
}

/** Returns whether a key belongs to one of the nouns. */
export const isKeyOf = (key: QueryKey, ...nouns: readonly { readonly all: QueryKey }[]): boolean =>
  nouns.some(({ all }) => all[0] === key[0]);

const ruleOf = ([root]: QueryKey): RefreshRule => rules.get(root) ?? {};

/** Refreshes the queries on which other queries depend, after changes of objects of these kinds. */
export const refreshDependencies = (client: QueryClient, kinds: ReadonlySet<string>): Promise<void> =>
  refresh(client, (rule) => rule.isFirst === true && isOn(rule, kinds));

/** Refreshes the other queries after changes of objects of these kinds. */
export const refreshDependents = (client: QueryClient, kinds: ReadonlySet<string>): Promise<void> =>
  refresh(client, (rule) => rule.isFirst !== true && isOn(rule, kinds));

/** Refreshes the queries that every change makes stale. */
export const refreshAfterAnyChange = (client: QueryClient): Promise<void> =>
  refresh(client, (rule) => rule.onAnyChange === true);

/** Refreshes all queries after events may have been missed. */
export const refreshAll = (client: QueryClient): Promise<void> => refresh(client, (rule) => rule.isSeparate !== true);

const isOn = ({ on = [] }: RefreshRule, kinds: ReadonlySet<string>): boolean => on.some((kind) => kinds.has(kind));

async function refresh(client: QueryClient, isMeant: (rule: RefreshRule) => boolean): Promise<void> {
  const queries = client.getQueryCache().findAll({ predicate: ({ queryKey }) => isMeant(ruleOf(queryKey)) });
  await Promise.all(queries.map((query) => refreshQuery(client, query)));
}

/** A refresh of a query that runs now. */
interface RunningRefresh {
  /** Whether the query must be refreshed again afterwards. */
  isStale: boolean;
  done: Promise<void>;
}

/** A query of the cache. */
interface Refreshable {
  readonly queryKey: QueryKey;
  readonly state: { readonly fetchStatus: string; readonly data: unknown };
  /** The request that is running now. */
  readonly promise: Promise<unknown> | undefined;
}

const running = new WeakMap<object, RunningRefresh>();

/**
 * Refreshes a query. If it is being refreshed, the response is shown, and the query is refreshed once more afterwards, however many changes
 * arrive meanwhile. If each change cancelled the request, constant changes would delay the response forever.
 */
export function refreshQuery(client: QueryClient, query: Refreshable): Promise<void> {
  const runningRefresh = running.get(query);
  if (runningRefresh) {
    runningRefresh.isStale = true;
    return runningRefresh.done;
  }
  const refreshed: RunningRefresh = { isStale: false, done: Promise.resolve() };
  const run = async () => {
    do {
      // The first request of a query is not cancelled, and may return the state before the change.
      if (query.state.fetchStatus === 'fetching' && query.state.data === undefined) {
        await query.promise?.catch(() => undefined);
      }
      refreshed.isStale = false;
      await client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    } while (refreshed.isStale);
    running.delete(query);
  };
  running.set(query, refreshed);
  refreshed.done = run();
  return refreshed.done;
}
