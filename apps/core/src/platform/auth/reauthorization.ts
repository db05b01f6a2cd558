import { canCall, Failure, isRole, type OrganizationId, type Revision, type ScopeRow, scopesOf } from '@strata/domain';
import type { Caller } from '../caller.ts';
import type { Statement } from '../postgres/prepared-client.ts';
import { badCredential } from './bad-credential.ts';
import { SCOPE_ROWS } from './scope-rows.ts';

/** A caller whose credential and membership still hold. */
interface PermissionRow {
  /** Their place among those that were asked for, from 1. */
  readonly n: number;
  readonly role: string;
  /** Null in an organization without any grant. */
  readonly scopes: readonly ScopeRow[] | null;
}

type AuthorizedCaller = Caller & { readonly authorization: NonNullable<Caller['authorization']> };

const PERMISSIONS = `
select a.n::int, m.role, ${SCOPE_ROWS} as scopes
  from unnest($2::uuid[], $3::text[], $4::int[]) with ordinality as a(membership_id, prefix, token_version, n)
  join membership m on m.organization_id = $1 and m.id = a.membership_id
  join person p on p.id = m.person_id
 where (a.token_version is null or p.token_version = a.token_version)
   and (a.prefix is null or exists (
     select from api_key k
      where k.organization_id = $1 and k.prefix = a.prefix and k.person_id = p.id and not k.revoked
        and (k.expires_at is null or k.expires_at > clock_timestamp())))`;

/**
 * Whether anything may have ended since somebody was let in: what was changed about people last, at revision `people`, is
 * newer than what their permissions take account of, or their credential expires.
 */
export function needsReauthorization(caller: Caller, people: Revision): caller is AuthorizedCaller {
  const { authorization, revision } = caller;
  return authorization !== null && (revision < people || authorization.credential.expiresAt <= Date.now());
}

/** Asks for credentials, memberships, roles and scopes of callers of one organization, whatever their number. */
export function currentPermissions(organizationId: OrganizationId, callers: readonly AuthorizedCaller[]): Statement {
  const credentials = callers.map(({ authorization }) => authorization.credential);
  return {
    text: PERMISSIONS,
    values: [
      organizationId,
      callers.map(({ membershipId }) => membershipId),
      credentials.map(({ keyPrefix }) => keyPrefix),
      credentials.map(({ tokenVersion }) => tokenVersion),
    ],
  };
}

/**
 * Renews what the callers may do, given the rows of `admittedNow`. Who would not be let in any more has a refusal, the one
 * that a new request would get.
 */
export function renewPermissions(
  callers: readonly AuthorizedCaller[],
  rows: readonly object[],
  revision: Revision,
): ReadonlyMap<Caller, Failure> {
  const found = new Map((rows as readonly PermissionRow[]).map((row) => [row.n - 1, row]));
  const refusals = new Map<Caller, Failure>();
  for (const [index, caller] of callers.entries()) {
    const refusal = renew(caller, found.get(index), revision);
    if (refusal) refusals.set(caller, refusal);
  }
  return refusals;
}

function renew(caller: AuthorizedCaller, row: PermissionRow | undefined, revision: Revision): Failure | null {
  const { credential, ability, scope } = caller.authorization;
  // until when a key is good the database has said; of a token it knows nothing
  const isOver = credential.keyPrefix === null && credential.expiresAt <= Date.now();
  if (!row || isOver || !isRole(row.role)) return badCredential();
  Object.assign(caller, { role: row.role, scopes: scopesOf(row.scopes ?? []), revision });
  return ability === null || canCall(caller, ability, scope) ? null : Failure.forbidden();
}
