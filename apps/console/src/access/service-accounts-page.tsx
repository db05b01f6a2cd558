import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Trouble } from '../app/trouble.tsx';
import { actorsQuery } from '../history/history.ts';
import { useMay } from '../session/abilities.ts';
import { viewerQuery } from '../session/session.ts';
import button from '../ui/button.module.css';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import page from '../ui/page.module.css';
import { When } from '../ui/when.tsx';
import { AccessPage, PageHead } from './access-page.tsx';
import { NameFilter, useNameFilter } from './name-filter.tsx';
import { nameOf } from './people.ts';
import { RoleDialog } from './role-dialog.tsx';
import { rolesUpTo, roleWord } from './roles.ts';
import { AccountDialog, NewAccountDialog, NewKeyDialog } from './service-account-dialogs.tsx';
import {
  deleteServiceAccount,
  type ListedAccount,
  latestKey,
  memberIn,
  serviceAccountsQuery,
} from './service-accounts.ts';

type Action = 'key' | 'change' | 'role' | 'delete';
type Asked = { readonly kind: 'new' } | { readonly kind: Action; readonly account: ListedAccount };

/** Programs that act under their own name, and their keys. */
export function ServiceAccountsPage() {
  const accounts = useQuery(serviceAccountsQuery);
  const client = useQueryClient();
  const { data: viewer } = useQuery(viewerQuery);
  const { data: people = [] } = useQuery(actorsQuery);
  const mayCreate = useMay('create_service_account');
  const mayManage = useMay('manage_service_accounts');
  const mayChangeRoles = useMay('change_membership');
  const [asked, setAsked] = useState<Asked | null>(null);
  const { words, setWords, fits } = useNameFilter();
  if (accounts.error) return <Trouble error={accounts.error} reset={() => void accounts.refetch()} />;
  const all = accounts.data ?? [];
  const shown = all.filter(({ user, description }) => fits(user.name, description));
  const roles = rolesUpTo(viewer?.role);
  const close = () => setAsked(null);
  const ownerOf = ({ owner }: ListedAccount) => {
    const member = people.find(({ id }) => id === memberIn(owner ?? ''));
    return member ? nameOf(member) : owner;
  };
  const isOwn = ({ owner }: ListedAccount) => viewer !== undefined && memberIn(owner ?? '') === viewer.user.id;
  const actionsOn = (account: ListedAccount): readonly Action[] => {
    if (!roles.includes(account.role)) return [];
    const own: readonly Action[] = mayManage || (mayCreate && isOwn(account)) ? ['key', 'change', 'delete'] : [];
    return mayChangeRoles ? [...own, 'role'] : own;
  };
  const newAccount = (
    <button type="button" className={button.main} onClick={() => setAsked({ kind: 'new' })}>
      <Plus size={14} aria-hidden /> New service account
    </button>
  );
  return (
    <AccessPage>
      {!accounts.data && <p className={page.note}>Reading …</p>}
      {accounts.data && all.length === 0 && (
        <Empty title="No service accounts yet">
          <p>
            A service account is a program with a name, a role and a key of its own: a pipeline, a server, a command
            line on a machine. What it does stands under its name in the history, and its key can end without anybody
            else noticing.
          </p>
          {mayCreate ? newAccount : <p>Who may change configuration makes service accounts.</p>}
        </Empty>
      )}
      {all.length > 0 && (
        <section className={page.part} aria-label="Service accounts">
          <PageHead
            about={
              mayCreate
                ? 'Programs that act under their own name. A key is shown once, when it is made.'
                : 'Programs that act under their own name. Who may change configuration makes service accounts.'
            }
          >
            {mayCreate && newAccount}
          </PageHead>
          <NameFilter words={words} onChange={setWords} of="service accounts" total={all.length} shown={shown.length} />
          <div className={page.scroll}>
            <table className={page.table}>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Role</th>
                  <th scope="col">Key</th>
                  <th scope="col">Last used</th>
                  <th scope="col">Responsible</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {shown.map((account) => (
                  <tr key={account.id}>
                    <th scope="row">
                      {account.user.name}
                      {account.description !== '' && <p className={page.under}>{account.description}</p>}
                    </th>
                    <td>{roleWord(account.role)}</td>
                    <td>
                      <KeyState account={account} />
                    </td>
                    <td>{account.lastUsedAt === null ? 'never' : <When at={account.lastUsedAt} />}</td>
                    <td>{ownerOf(account)}</td>
                    <td>
                      <AccountButtons
                        account={account}
                        actions={actionsOn(account)}
                        onAsk={(kind) => setAsked({ kind, account })}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      {asked?.kind === 'new' && <NewAccountDialog roles={roles} onClose={close} />}
      {asked?.kind === 'key' && <NewKeyDialog account={asked.account} onClose={close} />}
      {asked?.kind === 'change' && <AccountDialog account={asked.account} onClose={close} />}
      {asked?.kind === 'role' && (
        <RoleDialog
          name={nameOf(asked.account.user)}
          membershipId={asked.account.user.membershipId ?? ''}
          present={asked.account.role}
          roles={roles}
          onClose={close}
        />
      )}
      {asked?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete the service account ${nameOf(asked.account.user)}?`}
          verb="Delete"
          busyVerb="Deleting …"
          confirm={async () => {
            await deleteServiceAccount(asked.account.id);
            await client.invalidateQueries({ queryKey: ['service_account'] });
          }}
          onClose={close}
        >
          <p>
            Its key stops working at once, and its grants and open invitations go with it. What it did stays in the
            history.
          </p>
        </ConfirmDialog>
      )}
    </AccessPage>
  );
}

function KeyState({ account }: { readonly account: ListedAccount }) {
  const key = latestKey(account);
  if (key === null) return 'none';
  return (
    <>
      <code>{key.prefix}…</code>{' '}
      {key.revoked || key.hasExpired ? (
        <span className={page.badge} data-danger>
          {key.revoked ? 'revoked' : 'expired'}
        </span>
      ) : (
        <span className={page.under}>
          {key.expiryDate === null ? (
            'does not end'
          ) : (
            <>
              until <When at={key.expiryDate} />
            </>
          )}
        </span>
      )}
    </>
  );
}

interface AccountButtonsProps {
  readonly account: ListedAccount;
  readonly actions: readonly Action[];
  onAsk(action: Action): void;
}

const WORDS: Readonly<Record<Action, string>> = {
  key: 'New key',
  change: 'Describe',
  role: 'Change role',
  delete: 'Delete',
};
const ORDER: readonly Action[] = ['key', 'change', 'role', 'delete'];

function AccountButtons({ account, actions, onAsk }: AccountButtonsProps) {
  return (
    <div className={page.buttons}>
      {ORDER.filter((action) => actions.includes(action)).map((action) => (
        <button key={action} type="button" className={button.quiet} onClick={() => onAsk(action)}>
          {WORDS[action]}
          <span className="heard"> of {account.user.name}</span>
        </button>
      ))}
    </div>
  );
}
