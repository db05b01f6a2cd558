import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type GrantOnScope, grantsOnQuery } from '../../data/grants.ts';
import { roleWord } from '../../lib/role-word.ts';
import { Given } from '../../ui/given.tsx';
import styles from '../../ui/page.module.css';
import { Trouble } from '../../ui/trouble.tsx';
import { Leave } from '../../ui/verbs.tsx';
import { type ChangesetOperations, PlannedChange } from '../planned/planned-change.tsx';

/** A project or an environment, as what access is given to. */
export interface AccessScope {
  readonly kind: 'environment' | 'project';
  readonly id: string;
  readonly name: string;
  readonly accessControlled: boolean;
}

/** Who has access to a project or an environment. */
export function ScopeAccess({ scope, isOpenToMe }: { readonly scope: AccessScope; readonly isOpenToMe: boolean }) {
  const { accessControlled, kind, name } = scope;
  return (
    <section className={styles.part} aria-labelledby="access">
      <h2 id="access">Access</h2>
      {!accessControlled && (
        <p className={styles.note}>
          Everybody in the organization has access to this {kind}, as far as their role goes. Under control it is open
          only to those with a grant on it.
        </p>
      )}
      {accessControlled && !isOpenToMe && (
        <p className={styles.note}>
          Access to <Given>{name}</Given> is controlled, and you have no grant on it. Whoever owns it can give you one.
        </p>
      )}
      {accessControlled && isOpenToMe && <Grants scopeId={scope.id} kind={kind} />}
    </section>
  );
}

function Grants({ scopeId, kind }: { readonly scopeId: string; readonly kind: AccessScope['kind'] }) {
  const { data: grants, error, refetch } = useQuery(grantsOnQuery(scopeId));
  if (error) return <Trouble error={error} reset={() => void refetch()} />;
  if (!grants) return <p className={styles.note}>Reading …</p>;
  return (
    <>
      <p className={styles.note}>
        Only these have access to this {kind}, and always admins and owners of the organization.
      </p>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">Role here</th>
            </tr>
          </thead>
          <tbody>
            {grants.map((grant) => (
              <tr key={grant.id}>
                <th scope="row">
                  <Given>{whoWords(grant)}</Given>
                </th>
                <td>{roleWord(grant.role)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Link to="/access/grants" className={styles.link}>
        Give or take grants
      </Link>
    </>
  );
}

function whoWords({ principal }: GrantOnScope): string {
  if (principal === null) return 'somebody who is gone';
  if (principal.__typename === 'Group') return `${principal.title} (group)`;
  const name = principal.name || principal.email || principal.id;
  return principal.kind === 'service' ? `${name} (service account)` : name;
}

interface SwitchAccessProps {
  readonly scope: AccessScope;
  onApplied(revision: number): void | Promise<void>;
}

/** Puts a project or an environment under control, or opens it. */
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
            All grants on <Given>{name}</Given> are removed, and everybody in the organization has access to it again,
            as far as their role goes.
          </>
        ) : (
          <>
            Only who has a grant on <Given>{name}</Given> sees what lies in it. You become its owner, and give the
            others theirs.
          </>
        )}
        {kind === 'project' && ' The same holds for projects that depend on it.'}
      </p>
      <PlannedChange
        operations={operations}
        verb={accessControlled ? 'Open it to everybody' : 'Put it under control'}
        busyVerb={accessControlled ? 'Opening it …' : 'Putting it under control …'}
        message={accessControlled ? `Open ${name} to everybody` : `Control access to ${name}`}
        aside={<Leave />}
        onApplied={onApplied}
      />
    </>
  );
}
