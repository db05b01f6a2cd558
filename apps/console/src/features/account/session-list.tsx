import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endSession, type OwnSession, ownSessionKeys, ownSessionsQuery } from '../../data/own-sessions.ts';
import { useDrafts } from '../../kit/drafts/drafts.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { programName } from './program-name.ts';

const COLUMNS: readonly ListColumn<OwnSession>[] = [
  { title: 'Program', cell: (session) => <Program session={session} /> },
  { title: 'Signed in with', isWide: true, cell: (session) => <UserText>{describeMethod(session)}</UserText> },
  { title: 'Since', isWide: true, cell: ({ createdAt }) => <When at={createdAt} as="date" /> },
  { title: 'Last used', cell: ({ lastUsedAt, createdAt }) => <When at={lastUsedAt ?? createdAt} /> },
];

/** Lists the sessions of the user. `leave` ends the session of this browser. */
export function SessionList({ leave }: { leave(): Promise<void> }) {
  const { data, error, refetch } = useQuery(ownSessionsQuery);
  const { drafts } = useDrafts();
  const client = useQueryClient();
  const {
    mutate: end,
    error: endError,
    isPending,
  } = useMutation({
    mutationFn: endSession,
    onSettled: () => client.invalidateQueries({ queryKey: ownSessionKeys.all }),
  });
  const [isLeaving, setIsLeaving] = useState(false);
  if (error) {
    return (
      <ActionError error={error}>
        <button type="button" className={button.plain} onClick={() => void refetch()}>
          Try again
        </button>
      </ActionError>
    );
  }
  if (!data) return <p>Loading …</p>;
  const { sessions } = data;
  if (sessions.length === 0) {
    return <p className={page.note}>No sessions. This browser uses a token that belongs to no session.</p>;
  }
  const actionsOn = ({ id, isCurrent }: OwnSession) => [
    {
      title: 'End this session',
      isDestructive: true,
      onChoose: () => {
        if (isCurrent) setIsLeaving(true);
        // A second mutation would hide the error of the first.
        else if (!isPending) end(id);
      },
    },
  ];
  return (
    <>
      <ListTable rows={sessions} columns={COLUMNS} nameOf={({ client }) => programName(client)} actionsOn={actionsOn} />
      {endError !== null && <ActionError error={endError} />}
      {isLeaving && (
        <ConfirmDialog
          title="End this session?"
          verb="End this session"
          busyVerb="Ending …"
          kinds={[]}
          confirm={leave}
          onClose={() => setIsLeaving(false)}
        >
          <p>You are signed out of this browser.{drafts.size > 0 && ' Unapplied changes are discarded.'}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Program({ session }: { readonly session: OwnSession }) {
  const { client, address, isCurrent } = session;
  return (
    <>
      <UserText>{programName(client)}</UserText> {isCurrent && <span className={page.badge}>This browser</span>}
      <p className={page.under}>{address}</p>
      <p className={page.narrow}>
        <UserText>{describeMethod(session)}</UserText>, since <When at={session.createdAt} as="date" />
      </p>
    </>
  );
}

function describeMethod({ method, provider }: OwnSession): string {
  if (method === 'provider') return provider ?? 'Identity provider';
  return { password: 'Password', api_key: 'API key', workload: 'Workload token' }[method];
}
