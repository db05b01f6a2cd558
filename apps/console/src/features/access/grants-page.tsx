import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import {
  type ControlledScope,
  controlledScopesQuery,
  grantKeys,
  grantsQuery,
  type ListedGrant,
  putGrant,
} from '../../data/grants.ts';
import { viewerKeys, viewerQuery } from '../../data/session.ts';
import { roleWord } from '../../lib/role-word.ts';
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { ListTable } from '../../ui/list-table.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { When } from '../../ui/when.tsx';
import { AccessPage } from './access-page.tsx';
import { GrantDialog } from './grant-dialog.tsx';
import { describePrincipal, type GrantMatrixRow, grantRows } from './grant-matrix.ts';
import styles from './grants-page.module.css';
import { NewGrantDialog } from './new-grant-dialog.tsx';

type Row = GrantMatrixRow<ListedGrant>;
type Asked =
  | { readonly kind: 'new' }
  | { readonly kind: 'end'; readonly grant: ListedGrant }
  | { readonly kind: 'one'; readonly row: Row; readonly scope: ControlledScope };

/** Shows the grants on the projects and environments with access control. */
export function GrantsPage() {
  const grants = useQuery(grantsQuery);
  const scopes = useQuery(controlledScopesQuery);
  const { data: viewer } = useQuery(viewerQuery);
  const [open, setOpen] = useState<Asked | null>(null);
  const combined = {
    data: grants.data && scopes.data,
    error: grants.error ?? scopes.error,
    refetch: () => Promise.all([grants.refetch(), scopes.refetch()]),
  };
  const abilitiesOn = (id: string) => viewer?.abilities.scopes.find(({ scopeId }) => scopeId === id)?.abilities ?? [];
  const listed = grants.data ?? [];
  const grantableScopes = (scopes.data ?? []).filter(({ id }) => abilitiesOn(id).includes('grant'));
  const close = () => setOpen(null);
  return (
    <AccessPage>
      <ListPage
        label="Grants"
        query={combined}
        about={
          <>
            Only restricted projects and environments need grants, which their owners manage. Everyone has access to the
            others by role. Admins and owners of the organization always have access.
          </>
        }
        action={
          grantableScopes.length > 0 && (
            <button type="button" className={button.main} onClick={() => setOpen({ kind: 'new' })}>
              <Plus size={14} aria-hidden /> Grant access
            </button>
          )
        }
        empty={<NothingControlled />}
      >
        {(columns) => (
          <>
            <Matrix
              rows={grantRows(listed)}
              scopes={columns}
              abilitiesOn={abilitiesOn}
              onAsk={(row, scope) => setOpen({ kind: 'one', row, scope })}
            />
            <TemporaryGrants
              grants={listed.filter(({ expiresAt }) => expiresAt !== null)}
              scopes={columns}
              abilitiesOn={abilitiesOn}
              onEnd={(grant) => setOpen({ kind: 'end', grant })}
            />
            <p className={page.note}>
              Restrict access, or remove the restriction, in the settings of a <Way />. If you restrict it, you become
              its first owner.
            </p>
          </>
        )}
      </ListPage>
      {open?.kind === 'new' && <NewGrantDialog scopes={grantableScopes} grants={listed} onClose={close} />}
      {open?.kind === 'end' && <EndDialog grant={open.grant} onClose={close} />}
      {open?.kind === 'one' && (
        <GrantDialog
          principal={open.row}
          scope={open.scope}
          isOnly={
            listed.filter(({ scopeId, expiresAt }) => scopeId === open.scope.id && expiresAt === null).length === 1
          }
          onClose={close}
        />
      )}
    </AccessPage>
  );
}

/** Ends a temporary grant. */
function EndDialog({ grant, onClose }: { readonly grant: ListedGrant; onClose(): void }) {
  return (
    <ConfirmDialog
      title={`End the access of ${principalName(grant)}?`}
      verb="End access"
      busyVerb="Ending …"
      kinds={[grantKeys.all, viewerKeys.all]}
      confirm={() => putGrant({ ...grant, current: grant, role: null })}
      onClose={onClose}
    >
      <p>The grant is removed now, before its end.</p>
    </ConfirmDialog>
  );
}

interface MatrixProps {
  readonly rows: readonly Row[];
  readonly scopes: readonly ControlledScope[];
  /** Returns the abilities of the user on a scope; none if the scope is forbidden. */
  abilitiesOn(scopeId: string): readonly string[];
  onAsk(row: Row, scope: ControlledScope): void;
}

function Matrix({ rows, scopes, abilitiesOn, onAsk }: MatrixProps) {
  return (
    <div className={page.scroll}>
      <table className={`${page.table} ${styles.matrix}`}>
        <thead>
          <tr>
            <td />
            {scopes.map(({ id, name, kind }) => (
              <th key={id} scope="col">
                <UserText>{name}</UserText>
                <span className={styles.kind}>{abilitiesOn(id).length === 0 ? 'no access' : kind}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <UserText>{row.name}</UserText>
                <span className={styles.kind}>{row.kind}</span>
              </th>
              {scopes.map((scope) => (
                <td key={scope.id}>
                  <Cell
                    role={row.grants.get(scope.id)?.role}
                    label={withVisibleCharacters(`${row.name} in ${scope.name}`)}
                    {...(abilitiesOn(scope.id).includes('grant') && { onAsk: () => onAsk(row, scope) })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TemporaryGrantsProps {
  readonly grants: readonly ListedGrant[];
  readonly scopes: readonly ControlledScope[];
  abilitiesOn(scopeId: string): readonly string[];
  onEnd(grant: ListedGrant): void;
}

function TemporaryGrants({ grants, scopes, abilitiesOn, onEnd }: TemporaryGrantsProps) {
  if (grants.length === 0) return null;
  const scopeName = ({ scopeId }: ListedGrant) => scopes.find(({ id }) => id === scopeId)?.name ?? '';
  return (
    <>
      <h2>Temporary grants</h2>
      <ListTable
        rows={grants}
        columns={[
          { title: 'Name', cell: (grant) => <UserText>{principalName(grant)}</UserText> },
          { title: 'In', cell: (grant) => <UserText>{scopeName(grant)}</UserText> },
          { title: 'Role', cell: ({ role }) => roleWord(role) },
          { title: 'Until', cell: ({ expiresAt }) => expiresAt && <When at={expiresAt} as="date" /> },
        ]}
        nameOf={(grant) => `${principalName(grant)} in ${scopeName(grant)}`}
        label="Temporary grants"
        actionsOn={(grant) =>
          abilitiesOn(grant.scopeId).includes('grant')
            ? [{ title: 'End', joint: ' ', onChoose: () => onEnd(grant) }]
            : []
        }
      />
    </>
  );
}

const principalName = ({ principal }: ListedGrant): string =>
  principal ? describePrincipal(principal).name : 'deleted';

interface CellProps {
  readonly role: string | undefined;
  readonly label: string;
  /** Opens the dialog to change the grant; absent if the user may not grant access. */
  onAsk?(): void;
}

function Cell({ role, label, onAsk }: CellProps) {
  const roleLabel = role === undefined ? '–' : roleWord(role);
  if (!onAsk) return roleLabel;
  return (
    <button
      type="button"
      className={styles.cell}
      aria-label={`${label}: ${role === undefined ? 'no grant' : roleLabel}`}
      onClick={onAsk}
    >
      {roleLabel}
    </button>
  );
}

function NothingControlled() {
  return (
    <Empty title="No restrictions yet">
      <p>
        No project or environment is restricted, so everyone reads and writes everywhere by role. To limit access, for
        example to production, restrict it in the settings of a <Way />. Then only people with a grant have access, and
        this page lists them.
      </p>
    </Empty>
  );
}

function Way() {
  return (
    <>
      <Link to="/projects" className={page.link}>
        project
      </Link>{' '}
      or an{' '}
      <Link to="/environments" className={page.link}>
        environment
      </Link>
    </>
  );
}
