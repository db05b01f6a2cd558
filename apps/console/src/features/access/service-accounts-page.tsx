import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../data/abilities.ts';
import { nameOf } from '../../data/people.ts';
import {
  deleteServiceAccount,
  type ListedAccount,
  memberIn,
  serviceAccountKeys,
  serviceAccountsQuery,
} from '../../data/service-accounts.ts';
import { viewerQuery } from '../../data/session.ts';
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import page from '../../ui/page.module.css';
import { Trouble } from '../../ui/trouble.tsx';
import { AccessPage, PageHead } from './access-page.tsx';
import { NameFilter, useNameFilter } from './name-filter.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { rolesUpTo } from './roles.ts';
import { AccountDialog, NewAccountDialog, NewKeyDialog } from './service-account-dialogs.tsx';
import { type AccountAction, ServiceAccountsTable } from './service-accounts-table.tsx';

type Asked = { readonly kind: 'new' } | { readonly kind: AccountAction; readonly account: ListedAccount };

/** Programs that act under their own name, and their keys. */
export function ServiceAccountsPage() {
  const accounts = useQuery(serviceAccountsQuery);
  const mayCreate = useMay('create_service_account');
  const actionsOn = useActionsOn();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { words, setWords, fits } = useNameFilter();
  if (accounts.error) return <Trouble error={accounts.error} reset={() => void accounts.refetch()} />;
  const all = accounts.data ?? [];
  const shown = all.filter(({ user, description }) => fits(user.name, description));
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
          {mayCreate ? newAccount : <p>Contributors, admins and owners make service accounts.</p>}
        </Empty>
      )}
      {all.length > 0 && (
        <section className={page.part} aria-label="Service accounts">
          <PageHead
            about={
              mayCreate
                ? 'Programs that act under their own name. A key is shown once, when it is made.'
                : 'Programs that act under their own name. Contributors, admins and owners make service accounts.'
            }
          >
            {mayCreate && newAccount}
          </PageHead>
          <NameFilter words={words} onChange={setWords} of="service accounts" total={all.length} shown={shown.length} />
          <ServiceAccountsTable
            accounts={shown}
            actionsOn={actionsOn}
            onAsk={(kind, account) => setAsked({ kind, account })}
          />
        </section>
      )}
      {asked && <AskedDialog asked={asked} onClose={() => setAsked(null)} />}
    </AccessPage>
  );
}

/** Who answers for an account may do with it what managers may; nobody with one of a higher role than their own. */
function useActionsOn(): (account: ListedAccount) => readonly AccountAction[] {
  const { data: viewer } = useQuery(viewerQuery);
  const mayCreate = useMay('create_service_account');
  const mayManage = useMay('manage_service_accounts');
  const mayChangeRoles = useMay('change_membership');
  return ({ role, owner }) => {
    if (!rolesUpTo(viewer?.role).includes(role)) return [];
    const isOwn = viewer !== undefined && memberIn(owner ?? '') === viewer.user.id;
    const actions: readonly AccountAction[] = mayManage || (mayCreate && isOwn) ? ['key', 'change', 'delete'] : [];
    return mayChangeRoles ? [...actions, 'role'] : actions;
  };
}

interface AskedDialogProps {
  readonly asked: Asked;
  onClose(): void;
}

function AskedDialog({ asked, onClose }: AskedDialogProps) {
  const client = useQueryClient();
  const { data: viewer } = useQuery(viewerQuery);
  const roles = rolesUpTo(viewer?.role);
  if (asked.kind === 'new') return <NewAccountDialog roles={roles} onClose={onClose} />;
  const { kind, account } = asked;
  const { user } = account;
  switch (kind) {
    case 'key':
      return <NewKeyDialog account={account} onClose={onClose} />;
    case 'change':
      return <AccountDialog account={account} onClose={onClose} />;
    case 'role':
      return (
        user.membership && (
          <RoleDialog name={nameOf(user)} membership={user.membership} roles={roles} onClose={onClose} />
        )
      );
    case 'delete':
      return (
        <ConfirmDialog
          title={`Delete the service account ${nameOf(user)}?`}
          verb="Delete"
          busyVerb="Deleting …"
          kind={serviceAccountKeys.all}
          confirm={async () => {
            await deleteServiceAccount(account);
            await client.invalidateQueries({ queryKey: serviceAccountKeys.all });
          }}
          onClose={onClose}
        >
          <p>
            Its key stops working at once, and its grants and open invitations go with it. What it did stays in the
            history.
          </p>
        </ConfirmDialog>
      );
  }
}
