import type { QueryClient } from '@tanstack/react-query';
import { clearLastGrids } from './drafts/last-grids.ts';

/**
 * Clears what this tab has loaded and remembered for the previous user. Drafts are separate, because they are kept if the session only
 * expires.
 */
export function clearUserData(client: QueryClient): void {
  client.clear();
  clearLastGrids();
}
