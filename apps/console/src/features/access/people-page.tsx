import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../data/abilities.ts';
import { type ListedPerson, nameOf, peopleQuery } from '../../data/people.ts';
import { viewerQuery } from '../../data/session.ts';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import { Trouble } from '../../ui/trouble.tsx';
import { AccessPage, PageHead } from './access-page.tsx';
import { EndMembershipDialog } from './end-membership-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { NameFilter, useNameFilter } from './name-filter.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { PeopleTable, type PersonAction } from './people-table.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { rolesUpTo } from './roles.ts';

type Asked = { readonly kind: 'invite' } | { readonly kind: PersonAction; readonly person: ListedPerson };

/** Who belongs to the organization, in which role, and who was invited. */
export function PeoplePage() {
  const people = useQuery(peopleQuery);
  const { data: viewer } = useQuery(viewerQuery);
  const [mayInvite, mayChange] = [useMay('invite'), useMay('change_membership')];
  const [asked, setAsked] = useState<Asked | null>(null);
  const { words, setWords, fits } = useNameFilter();
  if (people.error) return <Trouble error={people.error} reset={() => void people.refetch()} />;
  const all = people.data ?? [];
  const shown = all.filter((person) => fits(person.name, person.email));
  const given = rolesUpTo(viewer?.role);
  const ownId = viewer?.user.id ?? null;
  const close = () => setAsked(null);
  return (
    <AccessPage>
      <section className={page.part} aria-label="People">
        <PageHead
          about={
            mayChange
              ? 'Everybody in the organization. Where access to a project or an environment is controlled, grants decide instead of these roles.'
              : 'Everybody in the organization. Admins and owners invite people and change their roles.'
          }
        >
          {mayInvite && (
            <button type="button" className={button.main} onClick={() => setAsked({ kind: 'invite' })}>
              <UserPlus size={14} aria-hidden /> Invite somebody
            </button>
          )}
        </PageHead>
        <NameFilter words={words} onChange={setWords} of="people" total={all.length} shown={shown.length} />
        {!people.data && <p className={page.note}>Reading …</p>}
        {shown.length > 0 && (
          <PeopleTable
            people={shown}
            ownId={ownId}
            managed={mayChange ? given : []}
            onAsk={(kind, person) => setAsked({ kind, person })}
          />
        )}
      </section>
      <OpenInvitations mayInvite={mayInvite} given={given} onInvite={() => setAsked({ kind: 'invite' })} />
      {asked?.kind === 'invite' && <InviteDialog roles={given} onClose={close} />}
      {asked?.kind === 'role' && asked.person.membership && (
        <RoleDialog name={nameOf(asked.person)} membership={asked.person.membership} roles={given} onClose={close} />
      )}
      {asked?.kind === 'end' && (
        <EndMembershipDialog person={asked.person} isSelf={asked.person.id === ownId} onClose={close} />
      )}
    </AccessPage>
  );
}
