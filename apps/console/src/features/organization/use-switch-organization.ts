import { useState } from 'react';
import { switchOrganization } from '../../data/session.ts';

/** Switches to another organization of the user. `there` is its id until the switch fails. */
export function useSwitchOrganization(href?: string) {
  const [requestedId, setThere] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const goTo = async (id: string) => {
    setThere(id);
    try {
      await switchOrganization(id, href);
    } catch (caught) {
      setError(caught);
      setThere(null);
    }
  };
  return { there: requestedId, error, goTo };
}
