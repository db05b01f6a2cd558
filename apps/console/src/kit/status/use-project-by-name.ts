import type { ListedProject } from '../../lib/project-forest.ts';
import { useObjectStatus } from './use-object-status.ts';

/** Returns the project with a name, and follows it if it is renamed: the tabs then use its new address. */
export function useProjectByName(
  name: string,
  projects: readonly ListedProject[] | undefined,
): ListedProject | undefined {
  const standing = useObjectStatus(projects, name);
  return standing?.kind === 'here' || standing?.kind === 'renamed' ? standing.row : undefined;
}
