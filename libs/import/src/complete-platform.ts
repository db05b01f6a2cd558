import { applyImport } from './apply-import.ts';
import type { ImportItem } from './import-item.ts';
import { planImport } from './plan-import.ts';
import type { Platform } from './platform.ts';
import { type ImportClient, readExistingState } from './present.ts';

const TRIES = 3;

/** Reads what an organization contains, and plans what a platform adds and changes. */
export async function planFor(client: ImportClient, platform: Platform): Promise<readonly ImportItem[]> {
  return planImport(platform, await readExistingState(client, platform));
}

interface CompleteOptions {
  message(part: string): string;
  /** Called with the titles of all parts, before anything is created. */
  onParts?(partNames: readonly string[]): void;
  /** Called after each part with the number of objects that were created. */
  onPart?(part: string, createdCount: number): void;
}

/**
 * Creates what is missing, and keeps existing objects as they are. A second run changes nothing, and an interrupted run can be continued.
 * If another run creates the same objects at the same time, the state is read again. Returns the number of created objects.
 */
export async function completePlatform(
  client: ImportClient,
  platform: Platform,
  { message, onParts, onPart }: CompleteOptions,
): Promise<number> {
  const createdIn = new Map<string, number>();
  const partNames: string[] = [];
  const finish = (count: number) => {
    for (const part of partNames.splice(0, count)) onPart?.(part, createdIn.get(part) ?? 0);
  };
  for (let attempt = 1; ; attempt += 1) {
    const plan = await planFor(client, platform);
    if (attempt === 1) {
      partNames.push(...new Set(plan.map(({ part }) => part)));
      onParts?.([...partNames]);
    }
    const missingItems = plan.filter(({ effect }) => effect === 'created');
    const { rejected } = await applyImport(client, missingItems, {
      message,
      onApplied: ({ part, keys }) => createdIn.set(part, (createdIn.get(part) ?? 0) + keys.length),
      onPart: (part) => finish(partNames.indexOf(part) + 1),
    });
    const [first] = rejected;
    if (!first) {
      finish(partNames.length);
      return [...createdIn.values()].reduce((sum, createdCount) => sum + createdCount, 0);
    }
    if (attempt === TRIES) throw new Error(`${first.item.kind} ${first.item.name}: ${first.message}`);
  }
}
