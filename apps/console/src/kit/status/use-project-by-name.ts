import type { ListedProject } from '../../lib/project-forest.ts';
import { useObjectStatus } from './use-object-status.ts';

/** Returns the project with a name. A renamed project is still returned, and the tabs navigate to its new URL. */
export function useProjectByName(
  name: string,
  projects: readonly ListedProject[] | undefined,
): ListedProject | undefined {
  const status = useObjectStatus(projects, name);
  return status?.kind === 'here' || status?.kind === 'renamed' ? status.row : undefined;
}
