import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ListedProject } from './project-forest.ts';

/** The project of that name; where somebody renames it meanwhile, the same one, and the address follows. */
export function useProjectCalled(
  name: string,
  projects: readonly ListedProject[] | undefined,
): ListedProject | undefined {
  const navigate = useNavigate();
  const [shown, setShown] = useState<{ readonly name: string; readonly id: string } | null>(null);
  const called = projects?.find((one) => one.name === name);
  const renamed = !called && shown?.name === name ? projects?.find((one) => one.id === shown.id) : undefined;
  const project = called ?? renamed;
  if (called && (called.id !== shown?.id || name !== shown.name)) setShown({ name, id: called.id });
  const nextName = renamed?.name;
  useEffect(() => {
    if (nextName === undefined) return;
    // Nobody leaves the page by it, so what is being written there is not asked about.
    void navigate({
      to: '.',
      params: (params) => ({ ...params, name: nextName }),
      search: true,
      replace: true,
      ignoreBlocker: true,
    });
  }, [nextName, navigate]);
  return project;
}
