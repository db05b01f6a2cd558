import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** The progress of loading the sample platform. Loading continues while the user opens other pages. */
export interface SampleLoading {
  readonly state: 'idle' | 'loading' | 'done' | 'failed';
  /** The titles of the parts, in order. */
  readonly parts: readonly string[];
  /** The number of loaded parts. */
  readonly done: number;
  readonly error: unknown;
}

const IDLE: SampleLoading = { state: 'idle', parts: [], done: 0, error: null };
let loading = IDLE;
const listeners = new Set<() => void>();

function become(next: SampleLoading): void {
  loading = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSampleLoading = (): SampleLoading => useSyncExternalStore(subscribe, () => loading);

export const clearSampleLoading = (): void => become(IDLE);

/**
 * Loads the missing parts of the sample platform, and returns whether all parts exist now. It does nothing if it is already running. The
 * module with the data is imported only here.
 */
export async function loadSamplePlatform(client: QueryClient, mayManageWebhooks: boolean): Promise<boolean> {
  if (loading.state === 'loading') return false;
  become({ ...IDLE, state: 'loading' });
  try {
    const {
      completePlatform,
      toPlatform: describedSample,
      importClient,
      samplePlatform,
    } = await import('./sample-platform/sample-platform.ts');
    const { webhook, ...rest } = samplePlatform;
    const platform = mayManageWebhooks ? { ...rest, webhook } : rest;
    await completePlatform(importClient, describedSample(platform), {
      message: (part) => `Sample platform: ${part}`,
      onParts: (partNames) => become({ ...loading, parts: partNames }),
      onPart: () => become({ ...loading, done: loading.done + 1 }),
    });
    await client.invalidateQueries();
    become({ ...loading, state: 'done' });
    return true;
  } catch (error) {
    become({ ...loading, state: 'failed', error });
    return false;
  }
}
