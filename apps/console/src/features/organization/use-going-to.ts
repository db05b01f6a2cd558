import { useState } from 'react';
import { switchOrganization } from '../../data/session.ts';

/** Goes to another organization of who is signed in: `there` is where one is going, until it is refused. */
export function useGoingTo(href?: string) {
  const [there, setThere] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const goTo = async (id: string) => {
    setThere(id);
    try {
      await switchOrganization(id, href);
    } catch (caught) {
      setRefusal(caught);
      setThere(null);
    }
  };
  return { there, refusal, goTo };
}
