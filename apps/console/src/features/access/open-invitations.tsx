import type { Role } from '@strata/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readAnew, saveSeen } from '../../data/merge.ts';
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
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Given } from '../../ui/given.tsx';
import page from '../../ui/page.module.css';
import { Trouble } from '../../ui/trouble.tsx';
import { When } from '../../ui/when.tsx';
import { InvitationLinkShown } from './invitation-link-shown.tsx';
import { RoleField, roleIn, roleText, seenRole } from './role-field.tsx';

interface OpenInvitationsProps {
  readonly mayInvite: boolean;
  /** Roles that the person may give. */
  readonly given: readonly Role[];
  onInvite(): void;
}

interface Asked {
  readonly kind: 'renew' | 'withdraw';
  readonly invitation: OpenInvitation;
}

/** Who was invited and has not come yet. */
export function OpenInvitations({ mayInvite, given, onInvite }: OpenInvitationsProps) {
  const invitations = useQuery(invitationsQuery);
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  if (invitations.error) return <Trouble error={invitations.error} reset={() => void invitations.refetch()} />;
  const rows = invitations.data ?? [];
  return (
    <section className={page.part} aria-labelledby="open-invitations">
      <h2 id="open-invitations">Open invitations</h2>
      {invitations.data && rows.length === 0 && (
        <p className={page.note}>
          Nobody is invited at present.{' '}
          {mayInvite && (
            <>
              <button type="button" className={page.textButton} onClick={onInvite}>
                Invite somebody
              </button>{' '}
              by a link that you hand over: who opens it chooses a password and is in.
            </>
          )}
        </p>
      )}
      {rows.length > 0 && (
        <InvitationsTable
          invitations={rows}
          managed={mayInvite ? given : []}
          onAsk={(kind, invitation) => setAsked({ kind, invitation })}
        />
      )}
      {asked?.kind === 'renew' && <RenewDialog invitation={asked.invitation} roles={given} onClose={close} />}
      {asked?.kind === 'withdraw' && (
        <ConfirmDialog
          title={`Withdraw the invitation of ${asked.invitation.email}?`}
          verb="Withdraw it"
          busyVerb="Withdrawing …"
          kind={invitationKeys.all}
          confirm={async () => {
            await withdrawInvitation(asked.invitation);
            await client.invalidateQueries({ queryKey: invitationKeys.all });
          }}
          onClose={close}
        >
          <p>The link stops working at once. You can invite the same address again.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

interface InvitationsTableProps {
  readonly invitations: readonly OpenInvitation[];
  /** Roles to which the person may invite. */
  readonly managed: readonly Role[];
  onAsk(kind: Asked['kind'], invitation: OpenInvitation): void;
}

function InvitationsTable({ invitations, managed, onAsk }: InvitationsTableProps) {
  return (
    <div className={page.scroll}>
      <table className={page.table}>
        <thead>
          <tr>
            <th scope="col">E-mail address</th>
            <th scope="col">Role</th>
            <th scope="col" className={page.wide}>
              Invited by
            </th>
            <th scope="col">Link</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {invitations.map((invitation) => (
            <tr key={invitation.id}>
              <th scope="row">
                <Given>{invitation.email}</Given>
              </th>
              <td>{roleWord(invitation.role)}</td>
              <td className={page.wide}>
                <Given>{invitation.inviterName}</Given>
              </td>
              <td>
                <LinkState expiresAt={invitation.tokenExpiresAt} />
              </td>
              <td>
                {managed.includes(invitation.role) && (
                  <div className={page.actions}>
                    <button type="button" className={button.quiet} onClick={() => onAsk('renew', invitation)}>
                      New link
                      <span className="heard">
                        {' '}
                        for <Given>{invitation.email}</Given>
                      </span>
                    </button>
                    <button type="button" className={button.quiet} onClick={() => onAsk('withdraw', invitation)}>
                      Withdraw
                      <span className="heard">
                        {' '}
                        the invitation of <Given>{invitation.email}</Given>
                      </span>
                    </button>
                  </div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
      good until <When at={expiresAt} />
    </>
  );
}

interface RenewDialogProps {
  readonly invitation: OpenInvitation;
  readonly roles: readonly Role[];
  onClose(): void;
}

/** Another link in place of the one before, for the same role or another one. */
function RenewDialog({ invitation, roles, onClose }: RenewDialogProps) {
  const { id, email } = invitation;
  const client = useQueryClient();
  const [seen, setSeen] = useState(seenRole(invitation));
  const [made, setMade] = useState<InvitationLink | null>(null);
  const submit = async (given: FormData) => {
    const role = roleIn(given);
    await saveSeen(seen, {
      typed: { role },
      write: (_, expectedLedgerId) => changeInvitation({ id, role, expectedLedgerId }),
      read: async () => (await readAnew(client, invitationsQuery)).filter((one) => one.id === id).map(seenRole)[0],
      wordsOf: roleText,
      onSeen: setSeen,
    });
    setMade(await renewInvitation(id));
    void client.invalidateQueries({ queryKey: invitationKeys.all });
  };
  return (
    <Dialog title={made ? 'Hand over this link' : `A new link for ${email}`} closesLightly={!made} onClose={onClose}>
      {made ? (
        <InvitationLinkShown made={made} onDone={onClose} />
      ) : (
        <Form verb="Make a new link" busyVerb="Making it …" submit={submit}>
          <p>The link before stops working, and the new one is good for seven days.</p>
          <RoleField roles={roles} present={invitation.role} />
        </Form>
      )}
    </Dialog>
  );
}
