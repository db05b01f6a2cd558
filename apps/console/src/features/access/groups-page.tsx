import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../data/abilities.ts';
import { grantKeys } from '../../data/grants.ts';
import { deleteGroup, groupKeys, groupsQuery, type MemberGroup } from '../../data/groups.ts';
import { nameOf } from '../../data/people.ts';
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Given } from '../../ui/given.tsx';
import { NamesInSentence } from '../../ui/linked-names.tsx';
import page from '../../ui/page.module.css';
import { Trouble } from '../../ui/trouble.tsx';
import { AccessPage, PageHead } from './access-page.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { MembersDialog } from './members-dialog.tsx';
import { NameFilter, useNameFilter } from './name-filter.tsx';

type Asked = { readonly kind: 'new' } | { readonly kind: GroupAction; readonly group: MemberGroup };

/** People and service accounts under one name, for grants. */
export function GroupsPage() {
  const groups = useQuery(groupsQuery);
  const client = useQueryClient();
  const mayManage = useMay('manage_groups');
  const [asked, setAsked] = useState<Asked | null>(null);
  const { words, setWords, fits } = useNameFilter();
  if (groups.error) return <Trouble error={groups.error} reset={() => void groups.refetch()} />;
  const all = groups.data ?? [];
  const shown = all.filter(({ name, description }) => fits(name, description));
  const close = () => setAsked(null);
  const newGroup = (
    <button type="button" className={button.main} onClick={() => setAsked({ kind: 'new' })}>
      <Plus size={14} aria-hidden /> New group
    </button>
  );
  return (
    <AccessPage>
      {!groups.data && <p className={page.note}>Reading …</p>}
      {groups.data && all.length === 0 && (
        <Empty title="No groups yet">
          <p>
            A group is people and service accounts under one name. Give a project or an environment to a group instead
            of to each of its members: who joins the group has access, and who leaves it has none.
          </p>
          {mayManage ? newGroup : <p>Admins and owners make groups.</p>}
        </Empty>
      )}
      {all.length > 0 && (
        <section className={page.part} aria-label="Groups">
          <PageHead
            about={
              mayManage
                ? 'Grants can be given to a group instead of to each of its members.'
                : 'Grants can be given to a group instead of to each of its members. Admins and owners manage groups.'
            }
          >
            {mayManage && newGroup}
          </PageHead>
          <NameFilter words={words} onChange={setWords} of="groups" total={all.length} shown={shown.length} />
          <GroupsTable groups={shown} isManaged={mayManage} onAsk={(kind, group) => setAsked({ kind, group })} />
        </section>
      )}
      {asked?.kind === 'new' && <GroupDialog onClose={close} />}
      {asked?.kind === 'change' && <GroupDialog group={asked.group} onClose={close} />}
      {asked?.kind === 'members' && <MembersDialog groupId={asked.group.id} onClose={close} />}
      {asked?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete the group ${asked.group.name}?`}
          verb="Delete"
          busyVerb="Deleting …"
          kind={groupKeys.all}
          confirm={async () => {
            await deleteGroup(asked.group);
            await client.invalidateQueries({ queryKey: groupKeys.all });
            void client.invalidateQueries({ queryKey: grantKeys.all });
          }}
          onClose={close}
        >
          <p>Its grants go with it, so its members lose the access that they had by them. The members stay.</p>
        </ConfirmDialog>
      )}
    </AccessPage>
  );
}

type GroupAction = 'change' | 'members' | 'delete';

interface GroupsTableProps {
  readonly groups: readonly MemberGroup[];
  readonly isManaged: boolean;
  onAsk(action: GroupAction, group: MemberGroup): void;
}

function GroupsTable({ groups, isManaged, onAsk }: GroupsTableProps) {
  return (
    <div className={page.scroll}>
      <table className={page.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Description</th>
            <th scope="col">Members</th>
            {isManaged && <td />}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.id}>
              <th scope="row">
                <Given>{group.name}</Given>
              </th>
              <td>
                <Given>{group.description}</Given>
              </td>
              <td>
                {group.users.length === 0 ? (
                  'nobody'
                ) : (
                  <NamesInSentence rows={group.users.map((user) => ({ id: user.id, name: nameOf(user) }))}>
                    {(name) => <Given>{name}</Given>}
                  </NamesInSentence>
                )}
              </td>
              {isManaged && (
                <td>
                  <GroupButtons group={group} onAsk={(kind) => onAsk(kind, group)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface GroupButtonsProps {
  readonly group: MemberGroup;
  onAsk(action: GroupAction): void;
}

function GroupButtons({ group: { name }, onAsk }: GroupButtonsProps) {
  return (
    <div className={page.actions}>
      <button type="button" className={button.quiet} onClick={() => onAsk('members')}>
        Members
        <span className="heard">
          {' of '}
          <Given>{name}</Given>
        </span>
      </button>
      <button type="button" className={button.quiet} onClick={() => onAsk('change')}>
        Rename
        <span className="heard">
          {' '}
          <Given>{name}</Given>
        </span>
      </button>
      <button type="button" className={button.quiet} onClick={() => onAsk('delete')}>
        Delete
        <span className="heard">
          {' '}
          <Given>{name}</Given>
        </span>
      </button>
    </div>
  );
}
