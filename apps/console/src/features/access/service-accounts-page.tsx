import { KEY_SCOPES } from '@strata/domain';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import { actorsQuery } from '../../data/history.ts';
import { displayName } from '../../data/people.ts';
import { projectsQuery } from '../../data/projects.ts';
import {
  deleteServiceAccount,
  type ListedAccount,
  type ListedApiKey,
  parseMemberId,
  serviceAccountKeys,
  serviceAccountsQuery,
  shownKeys,
} from '../../data/service-accounts.ts';
import { viewerQuery } from '../../data/session.ts';
import { formatCount } from '../../lib/format-count.ts';
import { roleWord } from '../../lib/role-word.ts';
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import page from '../../ui/page.module.css';
import { useNow } from '../../ui/use-now.ts';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { AccessPage } from './access-page.tsx';
import { WithoutReveal } from './permission-fields.tsx';
import { describeLimit } from './projects-field.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { rolesUpTo } from './roles.ts';
import { AccountDialog, AccountProjectsDialog, NewAccountDialog, NewKeyDialog } from './service-account-dialogs.tsx';
import { TrustRulesDialog } from './trust-rules-dialog.tsx';

const ACTIONS = {
  key: 'Create key',
  trust: 'Trust rules',
  change: 'Change',
  projects: 'Projects',
  role: 'Change role',
  delete: 'Delete',
} as const;
type AccountAction = keyof typeof ACTIONS;
const ORDER = Object.keys(ACTIONS) as readonly AccountAction[];
type Asked = { readonly kind: 'new' } | { readonly kind: AccountAction; readonly account: ListedAccount };

const columnsFor = (describeOwner: (account: ListedAccount) => string | null): readonly ListColumn<ListedAccount>[] => [
  { title: 'Name', cell: (account) => <AccountName account={account} /> },
  { title: 'Role', isWide: true, cell: (account) => <AccountRole account={account} /> },
  { title: 'Key', cell: (account) => <KeyStates account={account} /> },
  {
    title: 'Last used',
    isWide: true,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <When at={lastUsedAt} />),
  },
  { title: 'Owner', isWide: true, cell: (account) => <UserText>{describeOwner(account)}</UserText> },
];

/** Lists the service accounts with their keys. */
export function ServiceAccountsPage() {
  const accounts = useQuery(serviceAccountsQuery);
  const { data: actors = [] } = useQuery(actorsQuery);
  const mayCreate = useAbility('create_service_account');
  const allowedOn = useAllowedActions();
  const [openRequest, setOpenRequest] = useState<Asked | null>(null);
  const newAccount = mayCreate && (
    <button type="button" className={button.main} onClick={() => setOpenRequest({ kind: 'new' })}>
      <Plus size={14} aria-hidden /> Create service account
    </button>
  );
  const actionsOn = (account: ListedAccount) =>
    allowedOn(account).map((kind) => ({
      title: ACTIONS[kind],
      isDestructive: kind === 'delete',
      onChoose: () => setOpenRequest({ kind, account }),
    }));
  const describeOwner = ({ owner }: ListedAccount) => {
    const member = actors.find(({ id }) => id === parseMemberId(owner ?? ''));
    return member ? displayName(member) : owner;
  };
  return (
    <AccessPage>
      <ListPage
        label="Service accounts"
        query={accounts}
        about="Programs that act under their own name. A key is shown once, when it is created."
        action={newAccount}
        empty={<NoAccounts>{newAccount}</NoAccounts>}
        textsOf={({ user, description }) => [user.name, description]}
      >
        {(rows) => (
          <ListTable
            rows={rows}
            columns={columnsFor(describeOwner)}
            nameOf={({ user }) => user.name ?? ''}
            actionsOn={actionsOn}
          />
        )}
      </ListPage>
      {openRequest && <RequestedDialog requested={openRequest} onClose={() => setOpenRequest(null)} />}
    </AccessPage>
  );
}

function NoAccounts({ children }: { readonly children: ReactNode }) {
  return (
    <Empty title="No service accounts yet">
      <p>
        A service account is a program with its own name, role and key: a pipeline, a server, a command-line tool. The
        history shows its changes under its name, and you can revoke its key without affecting others.
      </p>
      {children}
    </Empty>
  );
}

function AccountRole({ account: { role, user, onlyProjectIds } }: { readonly account: ListedAccount }) {
  const { data: projects = [] } = useQuery(projectsQuery());
  return (
    <>
      {roleWord(role)}
      {onlyProjectIds !== null && (
        <p className={page.under}>
          <UserText>{describeLimit(onlyProjectIds, projects)}</UserText>
        </p>
      )}
      {user.membership?.revealsSecrets === false && <WithoutReveal />}
    </>
  );
}

function AccountName({ account }: { readonly account: ListedAccount }) {
  const { user, description } = account;
  return (
    <>
      <UserText>{user.name}</UserText>
      <div className={page.narrow}>
        <AccountRole account={account} />
      </div>
      {description !== '' && (
        <p className={page.under}>
          <UserText>{description}</UserText>
        </p>
      )}
    </>
  );
}

function KeyStates({ account }: { readonly account: ListedAccount }) {
  const keys = shownKeys(account);
  return keys.length === 0 ? 'none' : keys.map((key) => <KeyState key={key.prefix} accountKey={key} />);
}

const SOON_MS = 14 * 86_400_000;

function KeyState({ accountKey }: { readonly accountKey: ListedApiKey }) {
  const { prefix, revoked, hasExpired, expiryDate } = accountKey;
  const lastUse = findLastUse(accountKey);
  const now = useNow();
  const endReason = revoked ? 'revoked' : hasExpired ? 'expired' : null;
  const expiresSoon = endReason === null && expiryDate !== null && Date.parse(expiryDate) - now < SOON_MS;
  const limits = describeKeyLimits(accountKey);
  return (
    <div>
      <code>{prefix}…</code>{' '}
      {(endReason !== null || expiresSoon) && (
        <span className={page.badge} data-danger>
          {endReason ?? 'expires soon'}
        </span>
      )}
      {endReason === null && (
        <p className={page.under}>
          {expiryDate === null ? (
            'no expiry'
          ) : (
            <>
              until <When at={expiryDate} as="date" />
            </>
          )}
        </p>
      )}
      {limits !== null && <p className={page.under}>{limits}</p>}
      {lastUse && (
        <p className={page.under}>
          last used to {lastUse.scope} <When at={lastUse.at} />
        </p>
      )}
    </div>
  );
}

/** Returns the scope that a key used last. */
function findLastUse({ lastReadAt: read, lastWriteAt: write, lastRevealAt: reveal }: ListedApiKey) {
  const uses = Object.entries({ read, write, reveal }).flatMap(([scope, at]) => (at === null ? [] : { scope, at }));
  return uses.toSorted((left, right) => (left.at < right.at ? 1 : -1))[0];
}

/** Describes what a key is limited to; null if it permits everything that its account may do. */
function describeKeyLimits({ scopes, projectIds, environmentIds }: ListedApiKey): string | null {
  const parts = [
    ...(scopes.length === KEY_SCOPES.length ? [] : [`only ${scopes.join(' and ')}`]),
    ...(projectIds === null ? [] : [`in ${formatCount(projectIds.length, 'project')}`]),
    ...(environmentIds === null ? [] : [`in ${formatCount(environmentIds.length, 'environment')}`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/**
 * Returns a function that determines the allowed actions on an account. Its owner has the permissions of a manager. A member may not manage
 * an account whose role is higher than their own.
 */
function useAllowedActions(): (account: ListedAccount) => readonly AccountAction[] {
  const { data: viewer } = useQuery(viewerQuery);
  const mayCreate = useAbility('create_service_account');
  const mayManage = useAbility('manage_service_accounts');
  const mayChangeRoles = useAbility('change_membership');
  return ({ role, owner }) => {
    if (!rolesUpTo(viewer?.role).includes(role)) return [];
    const isOwn = viewer !== undefined && parseMemberId(owner ?? '') === viewer.user.id;
    const actions: readonly AccountAction[] =
      mayManage || (mayCreate && isOwn)
        ? ['key', 'trust', 'change', ...(role === 'VIEWER' ? (['projects'] as const) : []), 'delete']
        : [];
    const all: readonly AccountAction[] = mayChangeRoles ? [...actions, 'role'] : actions;
    return ORDER.filter((action) => all.includes(action));
  };
}

interface AskedDialogProps {
  readonly requested: Asked;
  onClose(): void;
}

function RequestedDialog({ requested, onClose }: AskedDialogProps) {
  const { data: viewer } = useQuery(viewerQuery);
  const roles = rolesUpTo(viewer?.role);
  if (requested.kind === 'new') return <NewAccountDialog roles={roles} onClose={onClose} />;
  const { kind, account } = requested;
  const { user } = account;
  switch (kind) {
    case 'key':
      return <NewKeyDialog account={account} onClose={onClose} />;
    case 'trust':
      return <TrustRulesDialog account={account} onClose={onClose} />;
    case 'change':
      return <AccountDialog account={account} onClose={onClose} />;
    case 'projects':
      return <AccountProjectsDialog account={account} onClose={onClose} />;
    case 'role':
      return (
        user.membership && (
          <RoleDialog name={displayName(user)} membership={user.membership} roles={roles} onClose={onClose} />
        )
      );
    case 'delete':
      return (
        <ConfirmDialog
          title={`Delete the service account ${displayName(user)}?`}
          verb="Delete"
          busyVerb="Deleting …"
          kinds={[serviceAccountKeys.all]}
          confirm={() => deleteServiceAccount(account)}
          onClose={onClose}
        >
          <p>
            Its key stops working immediately. Its grants and open invitations are deleted. Its changes stay in the
            history.
          </p>
        </ConfirmDialog>
      );
  }
}
