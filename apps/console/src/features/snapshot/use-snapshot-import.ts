import type { ImportItem, ImportResult, Platform } from '@strata/import';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChosenFile } from '../../kit/env-file/file-input.tsx';
import { RequestError } from '../../lib/request-error.ts';

/** The file contains secrets, so it is only in the memory of this page. */
type ImportStep =
  | { readonly kind: 'choose'; readonly error?: unknown }
  | { readonly kind: 'reading' }
  | { readonly kind: 'planned'; readonly platform: Platform; readonly items: readonly ImportItem[] }
  | { readonly kind: 'applying'; readonly part: string; readonly done: number; readonly total: number }
  | {
      readonly kind: 'applied';
      readonly platform: Platform;
      readonly result: ImportResult;
      readonly projects: readonly string[];
    }
  | { readonly kind: 'failed'; readonly platform: Platform; readonly error: unknown };

/** Returns the step of an import, and the actions that lead to the next one. */
export function useSnapshotImport() {
  const client = useQueryClient();
  const [step, setStep] = useState<ImportStep>({ kind: 'choose' });
  const plan = async (platform: Platform) => {
    setStep({ kind: 'reading' });
    try {
      const { planSnapshot } = await import('./snapshot-import.ts');
      setStep({ kind: 'planned', platform, items: await planSnapshot(platform) });
    } catch (error) {
      setStep({ kind: 'failed', platform, error });
    }
  };
  const take = async ([file]: readonly ChosenFile[]) => {
    if (!file) return;
    setStep({ kind: 'reading' });
    try {
      const { readSnapshot } = await import('./snapshot-import.ts');
      const { platform, problem } = readSnapshot(file.text);
      if (platform === undefined) throw new RequestError('not_a_snapshot', problem, null);
      await plan(platform);
    } catch (error) {
      setStep({ kind: 'choose', error });
    }
  };
  const apply = async (platform: Platform, items: readonly ImportItem[]) => {
    let doneCount = 0;
    const show = (part: string) => setStep({ kind: 'applying', part, done: doneCount, total: items.length });
    show(items[0]?.part ?? '');
    try {
      const { applySnapshot } = await import('./snapshot-import.ts');
      const result = await applySnapshot(items, (part, count) => {
        doneCount += count;
        show(part);
      });
      setStep({ kind: 'applied', platform, result, projects: listImportedProjects(items, result) });
    } catch (error) {
      setStep({ kind: 'failed', platform, error });
    } finally {
      await client.invalidateQueries();
    }
  };
  return { step, take, plan, apply, restart: () => setStep({ kind: 'choose' }) };
}

/** Returns the names of the projects in which something was imported. */
function listImportedProjects(items: readonly ImportItem[], { applied }: ImportResult): readonly string[] {
  const keys = new Set(applied);
  const imported = items.filter(({ key }) => keys.has(key));
  return [...new Set(imported.flatMap(({ kind, name, project }) => (kind === 'project' ? name : (project ?? []))))];
}
