import { useMutation } from '@tanstack/react-query';
import { switchOrganization } from '../../data/session.ts';

/** Switches to another organization of the user, and opens `href` there. `switchingTo` is its id until the switch fails. */
export function useSwitchOrganization(href?: string) {
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (id: string) => switchOrganization(id, href),
  });
  return { switchingTo: isPending ? variables : null, error, switchTo: mutate };
}
