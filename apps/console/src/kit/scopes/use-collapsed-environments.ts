import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type OwnPreferences, preferencesQuery, setCollapsed } from '../../data/preferences.ts';

export interface CollapsedEnvironments {
  /** The ids of the environments whose descendants are hidden; null if they could not be loaded. */
  readonly ids: ReadonlySet<string> | null;
  /** The error of the last change. */
  readonly error: Error | null;
  set(id: string, isCollapsed: boolean): void;
}

interface Change {
  readonly id: string;
  readonly isCollapsed: boolean;
}

const KEY = ['collapse_environment'];

const listIds = ({ collapsedEnvironmentIds }: OwnPreferences) => collapsedEnvironmentIds;

/** Returns the environments that the user has collapsed. A change is shown at once and stored afterwards. */
export function useCollapsedEnvironments(): CollapsedEnvironments {
  const client = useQueryClient();
  const { queryKey } = preferencesQuery;
  const { data } = useQuery({ ...preferencesQuery, select: listIds });
  const { mutate, error } = useMutation({
    mutationKey: KEY,
    // Changes are stored in their order.
    scope: { id: KEY.join() },
    mutationFn: ({ id, isCollapsed }: Change) => setCollapsed(id, isCollapsed),
    onMutate: async ({ id, isCollapsed }) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (preferences) => {
        const otherIds = preferences?.collapsedEnvironmentIds.filter((otherId) => otherId !== id) ?? [];
        return preferences && { ...preferences, collapsedEnvironmentIds: isCollapsed ? [id, ...otherIds] : otherIds };
      });
    },
    onSettled: () =>
      client.isMutating({ mutationKey: KEY }) === 1 ? client.invalidateQueries({ queryKey }) : undefined,
  });
  const ids = useMemo(() => (data ? new Set(data) : null), [data]);
  return useMemo(() => ({ ids, error, set: (id, isCollapsed) => mutate({ id, isCollapsed }) }), [ids, error, mutate]);
}
