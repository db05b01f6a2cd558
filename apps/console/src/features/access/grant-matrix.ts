/** A grant without its position in the matrix. */
export interface MatrixGrant {
  readonly id: string;
  readonly role: string;
  /** When a temporary grant ends; null for a grant without an end. */
  readonly expiresAt: string | null;
  readonly principalId: string;
  /** The user, group or service account that holds the grant; null if it was deleted. */
  readonly principal:
    | { readonly __typename: 'Group'; readonly groupName: string }
    | {
        readonly __typename: 'User';
        readonly type: string;
        readonly name: string | null;
        readonly email: string | null;
      }
    | null;
  readonly scopeId: string;
}

export type PrincipalKind = 'group' | 'person' | 'service account';

export interface GrantMatrixRow<Grant extends MatrixGrant> {
  readonly id: string;
  readonly name: string;
  readonly kind: PrincipalKind;
  /** The grants by scope id. */
  readonly grants: ReadonlyMap<string, Grant>;
}

const KINDS: readonly PrincipalKind[] = ['group', 'person', 'service account'];

/** Returns a row for each principal with grants without an end: groups, then users, then service accounts, each sorted by name. */
export function grantRows<Grant extends MatrixGrant>(grants: readonly Grant[]): readonly GrantMatrixRow<Grant>[] {
  const lastingGrants = grants.filter(({ expiresAt }) => expiresAt === null);
  const byPrincipal = Map.groupBy(lastingGrants, ({ principalId }) => principalId);
  const rows = [...byPrincipal].flatMap(([id, principalGrants]) => {
    const principal = principalGrants[0]?.principal;
    if (!principal) return [];
    return [
      { id, ...describePrincipal(principal), grants: new Map(principalGrants.map((grant) => [grant.scopeId, grant])) },
    ];
  });
  return rows.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.name.localeCompare(b.name));
}

export function describePrincipal(principal: NonNullable<MatrixGrant['principal']>): {
  name: string;
  kind: PrincipalKind;
} {
  if (principal.__typename === 'Group') return { name: principal.groupName, kind: 'group' };
  const kind = principal.type === 'service' ? 'service account' : 'person';
  return { name: principal.name || principal.email || 'Unnamed person', kind };
}
