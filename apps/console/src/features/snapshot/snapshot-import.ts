// The module that the browser imports when the user chooses a snapshot.
import { applyImport, type ImportItem, type ImportResult, type Platform, planFor, readSnapshot } from '@strata/import';
import { importClient } from '../../data/import-client.ts';

export { needsConfirmation } from '@strata/import';
export { readSnapshot };

export const planSnapshot = (platform: Platform): Promise<readonly ImportItem[]> => planFor(importClient, platform);

/** Applies planned items. Calls `onProgress` after each changeset with the number of applied items. */
export function applySnapshot(
  items: readonly ImportItem[],
  onProgress: (part: string, count: number) => void,
): Promise<ImportResult> {
  return applyImport(importClient, items, {
    message: (part) => `Import of a snapshot: ${part}`,
    onApplied: ({ part, keys }) => onProgress(part, keys.length),
  });
}
