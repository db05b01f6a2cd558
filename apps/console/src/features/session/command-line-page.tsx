import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { CardMessage } from '../../ui/card-message.tsx';
import card from '../../ui/card-page.module.css';
import { CommandLineApproval } from './command-line-approval.tsx';
import { readRequest } from './command-line-search.ts';

const route = getRouteApi('/command-line');

const RESULTS = {
  done: { title: 'You are signed in', about: 'Continue in the terminal. You can close this tab.' },
  cancelled: { title: 'Sign-in cancelled', about: 'The command line has no access. You can close this tab.' },
  failed: { title: 'Sign-in failed', about: 'The terminal shows the reason. You can close this tab.' },
};

/** Lets the user approve the sign-in of a command line, or shows how it has ended. */
export function CommandLinePage() {
  const { result, ...search } = route.useSearch();
  const request = readRequest(search);
  useEffect(() => {
    document.title = 'Command line · Strata';
  }, []);
  return (
    <main className={card.page}>
      <div className={card.card}>
        <img src="/strata.svg" alt="" width={40} height={40} />
        {result !== undefined && <CardMessage title={RESULTS[result].title}>{RESULTS[result].about}</CardMessage>}
        {result === undefined && request !== null && <CommandLineApproval request={request} />}
        {result === undefined && request === null && (
          <CardMessage title="Incomplete link">
            Run <code>strata login</code> again, and open the complete address that it prints.
          </CardMessage>
        )}
      </div>
    </main>
  );
}
