import { useQuery } from '@tanstack/react-query';
import { actorsQuery } from '../../data/history.ts';
import { nameOf } from '../../data/people.ts';
import { type ListedAccount, latestKey, memberIn } from '../../data/service-accounts.ts';
import { roleWord } from '../../lib/role-word.ts';
import button from '../../ui/button.module.css';
import { Given } from '../../ui/given.tsx';
import page from '../../ui/page.module.css';
import { When } from '../../ui/when.tsx';

const WORDS = { key: 'New key', change: 'Change', role: 'Change role', delete: 'Delete' } as const;
export type AccountAction = keyof typeof WORDS;
const ACTIONS = Object.keys(WORDS) as readonly AccountAction[];

interface ServiceAccountsTableProps {
  readonly accounts: readonly ListedAccount[];
  /** What the person may do with one. */
  actionsOn(account: ListedAccount): readonly AccountAction[];
  onAsk(action: AccountAction, account: ListedAccount): void;
}

export function ServiceAccountsTable({ accounts, actionsOn, onAsk }: ServiceAccountsTableProps) {
  const { data: actors = [] } = useQuery(actorsQuery);
  const ownerOf = ({ owner }: ListedAccount) => {
    const member = actors.find(({ id }) => id === memberIn(owner ?? ''));
    return member ? nameOf(member) : owner;
  };
  return (
    <div className={page.scroll}>
      <table className={page.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className={page.wide}>
              Role
            </th>
            <th scope="col">Key</th>
            <th scope="col">Last used</th>
            <th scope="col" className={page.wide}>
              Responsible
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.id}>
              <th scope="row">
                <Given>{account.user.name}</Given>
                <p className={page.narrow}>{roleWord(account.role)}</p>
                {account.description !== '' && (
                  <p className={page.under}>
                    <Given>{account.description}</Given>
                  </p>
                )}
              </th>
              <td className={page.wide}>{roleWord(account.role)}</td>
              <td>
                <KeyState account={account} />
              </td>
              <td>{account.lastUsedAt === null ? 'never' : <When at={account.lastUsedAt} />}</td>
              <td className={page.wide}>
                <Given>{ownerOf(account)}</Given>
              </td>
              <td>
                <div className={page.actions}>
                  {ACTIONS.filter((action) => actionsOn(account).includes(action)).map((action) => (
                    <button key={action} type="button" className={button.quiet} onClick={() => onAsk(action, account)}>
                      {WORDS[action]}
                      <span className="heard">
                        {' of '}
                        <Given>{account.user.name}</Given>
                      </span>
                    </button>
                  ))}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KeyState({ account }: { readonly account: ListedAccount }) {
  const key = latestKey(account);
  if (key === null) return 'none';
  const ended = key.revoked ? 'revoked' : key.hasExpired ? 'expired' : null;
  return (
    <>
      <code>{key.prefix}…</code>{' '}
      {ended !== null && (
        <span className={page.badge} data-danger>
          {ended}
        </span>
      )}
      {ended === null && (
        <p className={page.under}>
          {key.expiryDate === null ? (
            'does not end'
          ) : (
            <>
              until <When at={key.expiryDate} />
            </>
          )}
        </p>
      )}
    </>
  );
}
