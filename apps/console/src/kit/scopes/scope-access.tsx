import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type GrantOnScope, grantsOnQuery } from '../../data/grants.ts';
import { roleWord } from '../../lib/role-word.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import styles from '../../ui/page.module.css';
import { CancelLink } from '../../ui/page-actions.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { type ChangesetOperations, PlannedChange } from '../planned/planned-change.tsx';

/** A project or an environment with its access control. */
export interface AccessScope {
  readonly kind: 'environment' | 'project';
  readonly id: string;
  readonly name: string;
  readonly accessControlled: boolean;
}

/** Lists the members who have access to a project or an environment. */
export function ScopeAccess({ scope, isOpenToMe }: { readonly scope: AccessScope; readonly isOpenToMe: boolean }) {
  const { accessControlled, kind, name } = scope;
  return (
    <section className={styles.part} aria-labelledby="access">
      <h2 id="access">Access</h2>
      {!accessControlled && (
        <p className={styles.note}>
          Everyone in the organization has access to this {kind} by role. If you restrict it, only people with a grant
          have access.
        </p>
      )}
      {accessControlled && !isOpenToMe && (
        <p className={styles.note}>
          Access to <UserText>{name}</UserText> is restricted, and you don’t have a grant.{' '}
          <Link to="/access/requests" className={styles.link}>
            Request access
          </Link>
        </p>
      )}
      {accessControlled && isOpenToMe && <Grants scopeId={scope.id} kind={kind} />}
    </section>
  );
}

function Grants({ scopeId, kind }: { readonly scopeId: string; readonly kind: AccessScope['kind'] }) {
  const { data: grants, error, refetch } = useQuery(grantsOnQuery(scopeId));
  if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  if (!grants) return <p className={styles.note}>Loading …</p>;
  return (
    <>
      <p className={styles.note}>
        Restricted: only these have access to this {kind}, and admins and owners of the organization.
      </p>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Member</th>
              <th scope="col">Role</th>
            </tr>
          </thead>
          <tbody>
            {grants.map((grant) => (
              <tr key={grant.id}>
                <th scope="row">
                  <UserText>{describePrincipal(grant)}</UserText>
                </th>
                <td>
                  {roleWord(grant.role)}
                  {grant.expiresAt && (
                    <>
                      {' until '}
                      <When at={grant.expiresAt} as="date" />
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Link to="/access/grants" className={styles.link}>
        Manage grants
      </Link>
    </>
  );
}

function describePrincipal({ principal }: GrantOnScope): string {
  if (principal === null) return 'former member';
  if (principal.__typename === 'Group') return `${principal.title} (group)`;
  const name = principal.name || principal.email || principal.id;
  return principal.kind === 'service' ? `${name} (service account)` : name;
}

interface SwitchAccessProps {
  readonly scope: AccessScope;
  onApplied(revision: number): void | Promise<void>;
}

/** A form that turns access control of a project or an environment on or off. */
export function SwitchAccess({ scope, onApplied }: SwitchAccessProps) {
  const { kind, id, name, accessControlled } = scope;
  const operations = useMemo<ChangesetOperations>(
    () => [{ operation: `${kind}s_partial_update`, path: { id }, body: { access_controlled: !accessControlled } }],
    [kind, id, accessControlled],
  );
  return (
    <>
      <p className={styles.note}>
        {accessControlled ? (
          <>
            All grants on <UserText>{name}</UserText> are removed. Everyone in the organization has access to it again
            by role.
          </>
        ) : (
          <>
            Only people with a grant on <UserText>{name}</UserText> have access to it. You become its owner and can give
            grants to others.
          </>
        )}
        {kind === 'project' && ' The same applies to projects that depend on it.'}
      </p>
      <PlannedChange
        operations={operations}
        verb={accessControlled ? 'Remove restriction' : 'Restrict access'}
        busyVerb={accessControlled ? 'Removing restriction …' : 'Restricting …'}
        isDestructive={accessControlled}
        message={accessControlled ? `Remove restriction of ${name}` : `Restrict access to ${name}`}
        aside={<CancelLink />}
        onApplied={onApplied}
      />
    </>
  );
}
