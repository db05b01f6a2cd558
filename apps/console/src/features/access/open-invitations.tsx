import type { Role } from '@strata/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchUncached } from '../../data/merge.ts';
import {
  changeInvitation,
  type InvitationLink,
  invitationKeys,
  invitationsQuery,
  type OpenInvitation,
  renewInvitation,
  withdrawInvitation,
} from '../../data/people.ts';
import { roleWord } from '../../lib/role-word.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { Form } from '../../ui/form.tsx';
import { type ListAction, type ListColumn, ListTable } from '../../ui/list-table.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { InvitationLinkShown } from './invitation-link-shown.tsx';
import { PermissionFields, WithoutReveal } from './permission-fields.tsx';
import { useSavePermissions } from './use-save-permissions.ts';

interface OpenInvitationsProps {
  readonly mayInvite: boolean;
  /** The roles that the user may assign. */
  readonly assignableRoles: readonly Role[];
  onInvite(): void;
}

interface Asked {
  readonly kind: 'renew' | 'withdraw';
  readonly invitation: OpenInvitation;
}

const COLUMNS: readonly ListColumn<OpenInvitation>[] = [
  { title: 'E-mail address', cell: ({ email }) => <UserText>{email}</UserText> },
  {
    title: 'Role',
    cell: ({ role, revealsSecrets }) => (
      <>
        {roleWord(role)}
        {!revealsSecrets && <WithoutReveal />}
      </>
    ),
  },
  { title: 'Invited by', isWide: true, cell: ({ inviterName }) => <UserText>{inviterName}</UserText> },
  { title: 'Link', cell: ({ tokenExpiresAt }) => <LinkState expiresAt={tokenExpiresAt} /> },
];

/** Lists the open invitations. */
export function OpenInvitations({ mayInvite, assignableRoles, onInvite }: OpenInvitationsProps) {
  const invitations = useQuery(invitationsQuery);
  const [open, setOpen] = useState<Asked | null>(null);
  const close = () => setOpen(null);
  if (invitations.error) return <ErrorMessage error={invitations.error} reset={() => void invitations.refetch()} />;
  const rows = invitations.data ?? [];
  const actionsOn = (invitation: OpenInvitation): readonly ListAction[] =>
    mayInvite && assignableRoles.includes(invitation.role)
      ? [
          { title: 'Create link', joint: ' for ', onChoose: () => setOpen({ kind: 'renew', invitation }) },
          {
            title: 'Withdraw',
            joint: ' the invitation of ',
            isDestructive: true,
            onChoose: () => setOpen({ kind: 'withdraw', invitation }),
          },
        ]
      : [];
  return (
    <section className={page.part} aria-labelledby="open-invitations">
      <h2 id="open-invitations">Open invitations</h2>
      {invitations.data && rows.length === 0 && (
        <p className={page.note}>
          No open invitations.{' '}
          {mayInvite && (
            <>
              <button type="button" className={page.textButton} onClick={onInvite}>
                Invite
              </button>{' '}
              with a link that you share. The person who opens it chooses a password and joins.
            </>
          )}
        </p>
      )}
      {rows.length > 0 && (
        <ListTable rows={rows} columns={COLUMNS} nameOf={({ email }) => email} actionsOn={actionsOn} />
      )}
      {open?.kind === 'renew' && <RenewDialog invitation={open.invitation} roles={assignableRoles} onClose={close} />}
      {open?.kind === 'withdraw' && (
        <ConfirmDialog
          title={`Withdraw the invitation of ${open.invitation.email}?`}
          verb="Withdraw"
          busyVerb="Withdrawing …"
          kinds={[invitationKeys.all]}
          confirm={() => withdrawInvitation(open.invitation)}
          onClose={close}
        >
          <p>The link stops working immediately. You can invite the same address again.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function LinkState({ expiresAt }: { readonly expiresAt: string | null }) {
  if (expiresAt === null) return <span className={page.badge}>needs a new link</span>;
  if (Date.parse(expiresAt) <= Date.now()) {
    return (
      <span className={page.badge} data-danger>
        expired
      </span>
    );
  }
  return (
    <>
      valid until <When at={expiresAt} as="date" />
    </>
  );
}

interface RenewDialogProps {
  readonly invitation: OpenInvitation;
  readonly roles: readonly Role[];
  onClose(): void;
}

/** Replaces the link of an invitation, optionally with other permissions. */
function RenewDialog({ invitation, roles, onClose }: RenewDialogProps) {
  const { id, email } = invitation;
  const client = useQueryClient();
  const save = useSavePermissions(invitation, {
    write: (input, expectedLedgerId) => changeInvitation({ id, input, expectedLedgerId }),
    read: async () => (await fetchUncached(client, invitationsQuery)).find((invitation) => invitation.id === id),
  });
  const [link, setLink] = useState<InvitationLink | null>(null);
  const submit = async (form: FormData) => {
    await save(form);
    setLink(await renewInvitation(id));
    void client.invalidateQueries({ queryKey: invitationKeys.all });
  };
  return (
    <Dialog title={link ? 'Share this link' : `A new link for ${email}`} closesLightly={!link} onClose={onClose}>
      {link ? (
        <InvitationLinkShown link={link} onDone={onClose} />
      ) : (
        <Form verb="Create link" busyVerb="Creating …" submit={submit}>
          <p>The previous link stops working. The new one is valid for seven days.</p>
          <PermissionFields roles={roles} current={invitation} />
        </Form>
      )}
    </Dialog>
  );
}
