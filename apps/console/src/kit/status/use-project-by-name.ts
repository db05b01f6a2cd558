import type { ListedProject } from '../../lib/project-forest.ts';
import { useObjectStatus } from './use-object-status.ts';

/** The project of that name; where somebody renames it meanwhile, the same one: the tabs lead to its new address. */
export function useProjectByName(
  name: string,
  projects: readonly ListedProject[] | undefined,
): ListedProject | undefined {
  const standing = useObjectStatus(projects, name);
  return standing?.kind === 'here' || standing?.kind === 'renamed' ? standing.row : undefined;
}
