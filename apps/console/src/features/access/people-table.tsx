import type { Role } from '@strata/domain';
import { type ListedPerson, nameOf } from '../../data/people.ts';
import { roleWord } from '../../lib/role-word.ts';
import button from '../../ui/button.module.css';
import { Given } from '../../ui/given.tsx';
import page from '../../ui/page.module.css';
import { When } from '../../ui/when.tsx';

/** Another role, or none any more. */
export type PersonAction = 'role' | 'end';

interface PeopleTableProps {
  readonly people: readonly ListedPerson[];
  /** Of who is signed in, who may always leave. */
  readonly ownId: string | null;
  /** Roles whose holders may be changed and removed. */
  readonly managed: readonly Role[];
  onAsk(action: PersonAction, person: ListedPerson): void;
}

export function PeopleTable({ people, ownId, managed, onAsk }: PeopleTableProps) {
  return (
    <div className={page.scroll}>
      <table className={page.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col" className={page.wide}>
              Member since
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              <th scope="row">
                <Given>{nameOf(person)}</Given> {person.id === ownId && <span className={page.badge}>you</span>}
                {person.name && (
                  <p className={page.under}>
                    <Given>{person.email}</Given>
                  </p>
                )}
              </th>
              <td>{roleWord(person.role ?? '')}</td>
              <td className={page.wide}>{person.membership && <When at={person.membership.createdAt} />}</td>
              <td>
                <PersonButtons
                  name={nameOf(person)}
                  isSelf={person.id === ownId}
                  isManaged={person.role !== null && managed.includes(person.role)}
                  onAsk={(action) => onAsk(action, person)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PersonButtonsProps {
  readonly name: string;
  readonly isSelf: boolean;
  readonly isManaged: boolean;
  onAsk(action: PersonAction): void;
}

function PersonButtons({ name, isSelf, isManaged, onAsk }: PersonButtonsProps) {
  return (
    <div className={page.actions}>
      {isManaged && (
        <button type="button" className={button.quiet} onClick={() => onAsk('role')}>
          Change role
          <span className="heard">
            {' of '}
            <Given>{name}</Given>
          </span>
        </button>
      )}
      {(isSelf || isManaged) && (
        <button type="button" className={button.quiet} onClick={() => onAsk('end')}>
          {isSelf ? (
            'Leave'
          ) : (
            <>
              Remove
              <span className="heard">
                {' '}
                <Given>{name}</Given>
              </span>
            </>
          )}
        </button>
      )}
    </div>
  );
}
