import { comparisonNumber } from '@strata/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { approveCommandLine, type CommandLineCode } from '../../data/command-line.ts';
import { ownOrganizationsQuery } from '../../data/organizations.ts';
import { assertStillSignedIn, type SignedInViewer, sessionQuery, viewerQuery } from '../../data/session.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { CardMessage } from '../../ui/card-message.tsx';
import card from '../../ui/card-page.module.css';
import { Facts } from '../../ui/facts.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import styles from './command-line.module.css';
import { CommandLineCodePanel } from './command-line-code.tsx';
import { answerAddress, type CommandLineRequest } from './command-line-search.ts';

/** Shows who would sign in where, and sends the answer of the user to the command line. */
export function CommandLineApproval({ request }: { readonly request: CommandLineRequest }) {
  const { data: viewer } = useQuery(viewerQuery);
  const { phase, error, isPending, allow, cancel } = useAnswer(request, viewer);
  const number = comparisonNumber(request.challenge);
  if (!viewer) return <p>Loading …</p>;
  if (phase === 'cancelled')
    return <CardMessage title="Sign-in cancelled">The command line has no access. You can close this tab.</CardMessage>;
  if (phase === 'sent')
    return <CardMessage title="Continue in the terminal">The command line is signing in.</CardMessage>;
  if (phase !== 'waiting') return <CommandLineCodePanel created={phase} number={number} error={error} renew={allow} />;
  if (viewer.user.type !== 'interactive')
    return (
      <>
        <CardMessage title="Sign in as a person">
          This browser uses the API key of a service account, which cannot approve the sign-in of a command line.
        </CardMessage>
        <SwitchAccountLinks />
      </>
    );
  return (
    <>
      <h1 className={card.title}>Allow the command line to sign in?</h1>
      <div className={styles.facts}>
        <RequestFacts request={request} viewer={viewer} />
      </div>
      <p className={card.about}>
        Allow it only if you have just run <code>strata login</code>, and your terminal shows this number. The command
        line can then do everything that you can do
        <SessionDurationNote />.
      </p>
      {error !== null && <ActionError error={error} />}
      <div className={styles.buttons}>
        <button type="button" className={button.main} disabled={isPending} onClick={allow}>
          {isPending ? 'Signing in …' : 'Allow sign-in'}
        </button>
        <button type="button" className={button.plain} disabled={isPending} onClick={cancel}>
          Cancel
        </button>
      </div>
      <SwitchAccountLinks />
    </>
  );
}

type Phase = 'waiting' | 'sent' | 'cancelled' | CommandLineCode;

/** Creates the code, and gives it to the command line of this machine, or to the user for one elsewhere. */
function useAnswer({ listener, ...waiting }: CommandLineRequest, viewer: SignedInViewer | undefined) {
  const [phase, setPhase] = useState<Phase>('waiting');
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      // Another tab may have signed in as another user, whom this page does not show.
      if (viewer) await assertStillSignedIn(viewer);
      const code = await approveCommandLine(waiting);
      setPhase(listener === null ? code : 'sent');
      // Replaces the page, so that the browser's history does not contain the code.
      if (listener !== null) location.replace(answerAddress(listener, { code: code.code }));
    },
  });
  const cancel = () => {
    setPhase('cancelled');
    if (listener !== null) location.replace(answerAddress(listener, { error: 'access_denied' }));
  };
  return { phase, error, isPending, allow: () => mutate(), cancel };
}

function RequestFacts({ request, viewer }: { readonly request: CommandLineRequest; readonly viewer: SignedInViewer }) {
  const { user, organization } = viewer;
  return (
    <Facts
      facts={{
        Number: <span className={styles.number}>{comparisonNumber(request.challenge)}</span>,
        Machine: <UserText>{request.machine}</UserText>,
        Account: (
          <>
            <UserText>{user.name}</UserText>
            {user.email !== user.name && (
              <span className={styles.under}>
                <UserText>{user.email ?? ''}</UserText>
              </span>
            )}
          </>
        ),
        Organization: organization && <UserText>{organization.name}</UserText>,
      }}
    />
  );
}

/** The session of the command line ends with that of the browser. */
function SessionDurationNote() {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  if (!session?.endsAt) return null;
  return (
    <>
      , until <When at={session.endsAt} as="clock" />
    </>
  );
}

function SwitchAccountLinks() {
  const back = useLocation({ select: ({ href }) => href });
  const { data: organizations = [] } = useQuery(ownOrganizationsQuery);
  return (
    <p className={styles.links}>
      <Link to="/sign-in" search={{ back }}>
        Use another account
      </Link>
      {organizations.length > 1 && (
        <Link to="/sign-in/organization" search={{ back }}>
          Use another organization
        </Link>
      )}
    </p>
  );
}
