import {
  canCall,
  deniedCallError,
  effectivePermissions,
  Failure,
  haveEnded,
  type OrganizationId,
  type Revision,
} from '@strata/domain';
import type { Caller, VerifiedCredential } from '../caller.ts';
import type { Statement } from '../postgres/prepared-client.ts';
import { badCredentialError } from './bad-credential.ts';
import { type KeyLimitRow, keyLimitColumns } from './key-limits.ts';
import { RIGHTS, type RightsRow, toStoredPermissions } from './scope-rows.ts';
import { permittedBySsoRuleSql } from './sso-rule.ts';

/** A caller whose credential and membership are still valid. */
interface PermissionRow extends RightsRow, Pick<KeyLimitRow, 'key_locations'> {
  /** The caller's position among the queried ones, from 1. */
  readonly n: number;
}

export type AuthorizedCaller = Caller & { readonly authorization: NonNullable<Caller['authorization']> };

/**
 * SQL that selects the callers whose credentials and memberships are valid now, by the clock of the database. $1 is the
 * organization, and `credentialColumns` are the parameters from `first` on.
 */
const validRequesters = (first: number) => `
  from unnest($${first}::uuid[], $${first + 1}::text[], $${first + 2}::int[], $${first + 3}::uuid[], $${first + 4}::boolean[])
         with ordinality as requester(membership_id, prefix, token_version, session_id, satisfies_sso, n)
  join membership on membership.organization_id = $1 and membership.id = requester.membership_id
  join person on person.id = membership.person_id
  left join api_key on api_key.organization_id = $1 and api_key.prefix = requester.prefix and api_key.person_id = person.id
   and not api_key.revoked and (api_key.expires_at is null or api_key.expires_at > clock_timestamp())
 where (requester.token_version is null or person.token_version = requester.token_version)
   and ${permittedBySsoRuleSql('requester.satisfies_sso')}
   and (requester.session_id is null or exists (
     select from session where session.id = requester.session_id and session.person_id = person.id and session.expires_at > clock_timestamp()))
   and (requester.prefix is null or api_key.prefix is not null)`;

const PERMISSIONS = `
select requester.n::int, ${RIGHTS}, ${keyLimitColumns('$1::uuid')} ${validRequesters(2)}`;

/** Returns a SQL condition: the credentials and memberships of all callers are valid now. See `credentialColumns`. */
export const areValid = (first: number): string =>
  `(select count(*) ${validRequesters(first)}) = cardinality($${first}::uuid[])`;

/** Returns the parameters of statements about the credentials of callers. */
export function credentialColumns(callers: readonly AuthorizedCaller[]): readonly (readonly unknown[])[] {
  const credentials = callers.map(({ authorization }) => authorization.credential);
  return [
    callers.map(({ membershipId }) => membershipId),
    credentials.map(({ keyPrefix }) => keyPrefix),
    credentials.map(({ tokenVersion }) => tokenVersion),
    credentials.map(({ sessionId }) => sessionId),
    credentials.map(({ satisfiesSso }) => satisfiesSso),
  ];
}

/** The clock of this process may be behind that of the database by this much. */
const CLOCK_DIFFERENCE_MS = 1_000;

/**
 * Returns whether the permissions of the caller may have changed at revision `people`, or have ended, or the credential
 * has expired by the clock of this process. Only the caller knows when a token of an external issuer expires.
 */
export function isOutdated(caller: Caller, people: Revision): boolean {
  const { authorization, revision } = caller;
  if (authorization === null) return false;
  const now = Date.now();
  return revision < people || authorization.credential.expiresAt <= now || haveEnded(caller, now + CLOCK_DIFFERENCE_MS);
}

/** Sessions, tokens of people, and keys that expire end without a revision. */
function endsWithoutRevision({ tokenVersion, expiresAt }: VerifiedCredential): boolean {
  return tokenVersion !== null || Number.isFinite(expiresAt);
}

/** Returns the callers whose credentials can end without a revision, one for each credential. */
export function listCallersToProve(callers: readonly Caller[]): readonly AuthorizedCaller[] {
  const callerByCredential = new Map<VerifiedCredential, AuthorizedCaller>();
  for (const caller of callers) {
    if (!isAuthorized(caller)) continue;
    const { credential } = caller.authorization;
    if (endsWithoutRevision(credential)) callerByCredential.set(credential, caller);
  }
  return [...callerByCredential.values()];
}

function isAuthorized<C extends Caller>(caller: C): caller is C & AuthorizedCaller {
  return caller.authorization !== null;
}

/**
 * Returns whether the authorization of a caller may have ended: accounts or permissions changed at revision `people`,
 * which is newer than the caller's permissions, or the credential or a grant ends without a revision.
 */
function needsReauthorization<C extends Caller>(caller: C, people: Revision): caller is C & AuthorizedCaller {
  if (!isAuthorized(caller)) return false;
  if (caller.revision < people || caller.validUntil !== undefined) return true;
  return endsWithoutRevision(caller.authorization.credential);
}

/** Reads the credentials, memberships, roles and scopes of any number of callers of one organization. */
function currentPermissions(organizationId: OrganizationId, callers: readonly AuthorizedCaller[]): Statement {
  return { text: PERMISSIONS, values: [organizationId, ...credentialColumns(callers)] };
}

/** A caller with the permissions that hold now, and the error that a new request of theirs would get. */
export interface ReauthorizationResult<C extends Caller> {
  readonly caller: C;
  readonly failure: Failure | null;
}

/**
 * Returns the callers with the permissions that apply now, because those of the request may have ended while it waited.
 * They cannot change until the transaction of `read` ends, because such a change would need the lock of the head row.
 * Runs no statement unless accounts or permissions may have changed after the request was authenticated. `people` is the
 * last revision that may have changed them; null if it is unknown.
 */
export async function reauthorize<C extends Caller>(
  organizationId: OrganizationId,
  callers: readonly C[],
  people: Revision | null,
  read: (statement: Statement) => Promise<readonly object[]>,
): Promise<readonly ReauthorizationResult<C>[]> {
  const outdatedCallers = callers.filter((caller) => needsReauthorization(caller, people ?? Number.POSITIVE_INFINITY));
  if (outdatedCallers.length === 0) return callers.map((caller) => ({ caller, failure: null }));
  const rows = (await read(currentPermissions(organizationId, outdatedCallers))) as readonly PermissionRow[];
  const rowByIndex = new Map(rows.map((row) => [row.n - 1, row]));
  const reauthorizedCallers = new Map<C, ReauthorizationResult<C>>(
    outdatedCallers.map((caller, index) => [
      caller,
      withPermissions(caller, rowByIndex.get(index), people ?? caller.revision),
    ]),
  );
  return callers.map((caller) => reauthorizedCallers.get(caller) ?? { caller, failure: null });
}

function withPermissions<C extends Caller>(
  caller: C & AuthorizedCaller,
  row: PermissionRow | undefined,
  revision: Revision,
): ReauthorizationResult<C> {
  const { credential, ability, scope } = caller.authorization;
  // The query checks when an API key or a session expires. Only the caller knows when another token does.
  const { keyPrefix, sessionId, expiresAt } = credential;
  const isExpired = keyPrefix === null && sessionId === null && expiresAt <= Date.now();
  const permissions = row && effectivePermissions(toStoredPermissions(row), credential);
  if (!permissions || isExpired) return { caller, failure: badCredentialError() };
  const { validUntil: _, isRevealTemporary: __, ...lasting } = caller;
  const currentCaller = { ...(lasting as C), ...permissions, revision };
  return {
    caller: currentCaller,
    failure:
      ability === null || canCall(currentCaller, ability, scope)
        ? null
        : deniedCallError(currentCaller, ability, scope),
  };
}
