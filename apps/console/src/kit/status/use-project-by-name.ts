import type { ListedProject } from '../../lib/project-forest.ts';
import { useObjectStatus } from './use-object-status.ts';

/** Returns the project with a name. A renamed project is still returned, and the tabs navigate to its new URL. */
export function useProjectByName(
  name: string,
  projects: readonly ListedProject[] | undefined,
): ListedProject | undefined {
  const standing = useObjectStatus(projects, name);
  return standing?.kind === 'here' || standing?.kind === 'renamed' ? standing.row : undefined;
}
