import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import { grantKeys } from '../../data/grants.ts';
import { deleteGroup, groupKeys, groupsQuery, type MemberGroup } from '../../data/groups.ts';
import { displayName } from '../../data/people.ts';
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { NamesInSentence } from '../../ui/linked-names.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { AccessPage } from './access-page.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { MembersDialog } from './members-dialog.tsx';

type Asked = { readonly kind: 'new' } | { readonly kind: 'change' | 'members' | 'delete'; readonly group: MemberGroup };

const COLUMNS: readonly ListColumn<MemberGroup>[] = [
  { title: 'Name', cell: ({ name }) => <UserText>{name}</UserText> },
  { title: 'Description', cell: ({ description }) => <UserText>{description}</UserText> },
  { title: 'Members', cell: ({ users }) => <Members users={users} /> },
];

/** Lists the groups of users and service accounts. */
export function GroupsPage() {
  const groups = useQuery(groupsQuery);
  const mayManage = useAbility('manage_groups');
  const [openRequest, setOpenRequest] = useState<Asked | null>(null);
  const newGroup = mayManage && (
    <button type="button" className={button.main} onClick={() => setOpenRequest({ kind: 'new' })}>
      <Plus size={14} aria-hidden /> Create group
    </button>
  );
  const actionsOn = (group: MemberGroup) => [
    { title: 'Members', onChoose: () => setOpenRequest({ kind: 'members', group }) },
    { title: 'Rename', joint: ' ', onChoose: () => setOpenRequest({ kind: 'change', group }) },
    { title: 'Delete', joint: ' ', isDestructive: true, onChoose: () => setOpenRequest({ kind: 'delete', group }) },
  ];
  return (
    <AccessPage>
      <ListPage
        label="Groups"
        query={groups}
        about="Give a grant to a group instead of to each of its members."
        action={newGroup}
        empty={
          <Empty title="No groups yet">
            <p>
              A group is a set of people and service accounts. Grant a project or an environment to a group instead of
              to each of its members: access follows the membership.
            </p>
            {newGroup}
          </Empty>
        }
        textsOf={({ name, description }) => [name, description]}
      >
        {(rows) => (
          <ListTable
            rows={rows}
            columns={COLUMNS}
            nameOf={({ name }) => name}
            actionsOn={mayManage ? actionsOn : undefined}
          />
        )}
      </ListPage>
      {openRequest && <RequestedDialog requested={openRequest} onClose={() => setOpenRequest(null)} />}
    </AccessPage>
  );
}

function Members({ users }: Pick<MemberGroup, 'users'>) {
  if (users.length === 0) return 'nobody';
  return (
    <NamesInSentence rows={users.map((user) => ({ id: user.id, name: displayName(user) }))}>
      {(name) => <UserText>{name}</UserText>}
    </NamesInSentence>
  );
}

function RequestedDialog({ requested, onClose }: { readonly requested: Asked; onClose(): void }) {
  if (requested.kind === 'new') return <GroupDialog onClose={onClose} />;
  const { kind, group } = requested;
  if (kind === 'change') return <GroupDialog group={group} onClose={onClose} />;
  if (kind === 'members') return <MembersDialog groupId={group.id} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Delete the group ${group.name}?`}
      verb="Delete"
      busyVerb="Deleting …"
      kinds={[groupKeys.all, grantKeys.all]}
      confirm={() => deleteGroup(group)}
      onClose={onClose}
    >
      <p>Its grants are deleted too, so its members lose that access. The members stay in the organization.</p>
    </ConfirmDialog>
  );
}
