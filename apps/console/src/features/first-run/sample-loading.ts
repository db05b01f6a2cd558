import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** How far the loading of the sample platform is. It goes on whatever page is shown meanwhile. */
export interface SampleLoading {
  readonly state: 'idle' | 'loading' | 'done' | 'failed';
  /** Titles of the parts, in their order. */
  readonly parts: readonly string[];
  /** How many of them are there. */
  readonly done: number;
  readonly error: unknown;
}

const IDLE: SampleLoading = { state: 'idle', parts: [], done: 0, error: null };
let current = IDLE;
const listeners = new Set<() => void>();

function become(next: SampleLoading): void {
  current = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSampleLoading = (): SampleLoading => useSyncExternalStore(subscribe, () => current);

export const clearSampleLoading = (): void => become(IDLE);

/** Loads what is missing, once at a time, and answers whether all is there. The description comes only when somebody wants it. */
export async function loadSamplePlatform(client: QueryClient, mayManageWebhooks: boolean): Promise<boolean> {
  if (current.state === 'loading') return false;
  become({ ...IDLE, state: 'loading' });
  try {
    const { graphqlClient, loadPlatform, partsOf, samplePlatform } = await import(
      './sample-platform/sample-platform.ts'
    );
    const { webhook, ...rest } = samplePlatform;
    const platform = mayManageWebhooks ? { ...rest, webhook } : rest;
    become({ ...current, parts: partsOf(platform) });
    await loadPlatform(graphqlClient, platform, () => become({ ...current, done: current.done + 1 }));
    await client.invalidateQueries();
    become({ ...current, state: 'done' });
    return true;
  } catch (error) {
    become({ ...current, state: 'failed', error });
    return false;
  }
}
