import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import { displayName, type ListedPerson, peopleQuery } from '../../data/people.ts';
import { viewerQuery } from '../../data/session.ts';
import { roleWord } from '../../lib/role-word.ts';
import button from '../../ui/button.module.css';
import { ListPage } from '../../ui/list-page.tsx';
import { type ListAction, type ListColumn, ListTable } from '../../ui/list-table.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { AccessPage } from './access-page.tsx';
import { EndMembershipDialog } from './end-membership-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { WithoutReveal } from './permission-fields.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { rolesUpTo } from './roles.ts';

type Asked = { readonly kind: 'invite' } | { readonly kind: 'role' | 'end'; readonly person: ListedPerson };

const columnsFor = (ownId: string | undefined): readonly ListColumn<ListedPerson>[] => [
  { title: 'Name', cell: (person) => <PersonName person={person} isSelf={person.id === ownId} /> },
  {
    title: 'Role',
    cell: ({ role, membership }) => (
      <>
        {roleWord(role ?? '')}
        {membership?.revealsSecrets === false && <WithoutReveal />}
      </>
    ),
  },
  {
    title: 'Member since',
    isWide: true,
    cell: ({ membership }) => membership && <When at={membership.createdAt} as="date" />,
  },
];

/** Lists the members of the organization with their roles, and the open invitations. */
export function PeoplePage() {
  const people = useQuery(peopleQuery);
  const { data: viewer } = useQuery(viewerQuery);
  const [mayInvite, mayChange] = [useAbility('invite'), useAbility('change_membership')];
  const [openRequest, setOpenRequest] = useState<Asked | null>(null);
  const assignableRoles = rolesUpTo(viewer?.role);
  const ownId = viewer?.user.id;
  const actionsOn = (person: ListedPerson): readonly ListAction[] => {
    const isManaged = mayChange && person.role !== null && assignableRoles.includes(person.role);
    const end = { isDestructive: true, onChoose: () => setOpenRequest({ kind: 'end', person }) };
    return [
      ...(isManaged ? [{ title: 'Change role', onChoose: () => setOpenRequest({ kind: 'role', person }) }] : []),
      ...(person.id === ownId ? [{ ...end, title: 'Leave', joint: null }] : []),
      ...(person.id !== ownId && isManaged ? [{ ...end, title: 'Remove', joint: ' ' }] : []),
    ];
  };
  const close = () => setOpenRequest(null);
  return (
    <AccessPage>
      <ListPage
        label="People"
        query={people}
        about="Everyone in the organization. In restricted projects and environments, grants decide instead of these roles."
        action={
          mayInvite && (
            <button type="button" className={button.main} onClick={() => setOpenRequest({ kind: 'invite' })}>
              <UserPlus size={14} aria-hidden /> Invite
            </button>
          )
        }
        textsOf={({ name, email }) => [name, email]}
      >
        {(rows) => <ListTable rows={rows} columns={columnsFor(ownId)} nameOf={displayName} actionsOn={actionsOn} />}
      </ListPage>
      <OpenInvitations
        mayInvite={mayInvite}
        assignableRoles={assignableRoles}
        onInvite={() => setOpenRequest({ kind: 'invite' })}
      />
      {openRequest?.kind === 'invite' && <InviteDialog roles={assignableRoles} onClose={close} />}
      {openRequest?.kind === 'role' && openRequest.person.membership && (
        <RoleDialog
          name={displayName(openRequest.person)}
          membership={openRequest.person.membership}
          roles={assignableRoles}
          onClose={close}
        />
      )}
      {openRequest?.kind === 'end' && (
        <EndMembershipDialog person={openRequest.person} isSelf={openRequest.person.id === ownId} onClose={close} />
      )}
    </AccessPage>
  );
}

function PersonName({ person, isSelf }: { readonly person: ListedPerson; readonly isSelf: boolean }) {
  return (
    <>
      <UserText>{displayName(person)}</UserText> {isSelf && <span className={page.badge}>you</span>}
      {person.name && (
        <p className={page.under}>
          <UserText>{person.email}</UserText>
        </p>
      )}
    </>
  );
}
