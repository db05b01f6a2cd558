import type { ListedProject } from '../../lib/project-forest.ts';
import { useStanding } from './use-standing.ts';

/** The project of that name; where somebody renames it meanwhile, the same one: the tabs lead to its new address. */
export function useProjectCalled(
  name: string,
  projects: readonly ListedProject[] | undefined,
): ListedProject | undefined {
  const standing = useStanding(projects, name);
  return standing?.kind === 'here' || standing?.kind === 'renamed' ? standing.row : undefined;
}
