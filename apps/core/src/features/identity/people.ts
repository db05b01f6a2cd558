import type { User } from '@strata/contract';
import {
  canGrantRole,
  Failure,
  isLongerThan,
  mayPassOnSecrets,
  type OrganizationId,
  type Role,
  textProblem,
  type UserId,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { type Links, lastSegment } from '../../platform/http/links.ts';
import type { Call } from '../../platform/http/request.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';

export interface UserRow {
  readonly id: UserId;
  readonly type: 'interactive' | 'service';
  readonly name: string | null;
  readonly email: string | null;
  readonly picture_url: string | null;
  readonly organization_name: string;
  readonly membership_id: string;
  readonly role: Role;
  readonly reveals_secrets: boolean;
  readonly created_at: string;
  readonly modified_at: string;
}

/** SQL for the e-mail address. Service accounts have none, so their field is empty (behaviour.md §11.3). */
export const emailColumn = (person: string) => `case when ${person}.type = 'service' then '' else ${person}.email end`;

/** SQL that selects the people of organization $1. */
export const USERS = `(select person.id, person.type, person.name, ${emailColumn('person')} as email, person.picture_url, person.created_at, person.modified_at,
    membership.id as membership_id, membership.role, membership.reveals_secrets, organization.name as organization_name
  from membership join person on person.id = membership.person_id join organization on organization.id = membership.organization_id
  where membership.organization_id = $1)`;

export const USER_COLUMNS = `object.id, object.type, object.name, object.email, object.picture_url, object.organization_name, object.membership_id, object.role,
  object.reveals_secrets,
  ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at`;

const USER_ID_MAX = 256;

/**
 * Returns a text as a user id. Throws 404 for a text that cannot be an id, because it is too long or contains invalid
 * characters.
 */
export function personId(noun: string, id: string): UserId {
  if (isLongerThan(id, USER_ID_MAX) || textProblem(id) !== null) throw Failure.notFound(noun);
  return id;
}

/** Returns the id of the service account in a path. */
export const serviceAccountId = (id: string | undefined): UserId => personId('ServiceAccount', id ?? '');

/**
 * Returns the user id at the end of a link, or the text itself if it is not a link. An impossible id becomes an empty
 * one, which does not exist.
 */
export function userIdOfLink(link: string): UserId {
  const id = lastSegment(link);
  return textProblem(id) === null ? id : '';
}

/** Returns the error for a caller who grants or manages a role above their own (E90). */
export function roleAboveOwnError(): Failure {
  return new Failure({
    kind: 'forbidden',
    code: 'role_above_own',
    message: 'You do not have permission to grant or manage a role above your own. Ask a member with that role.',
  });
}

export function presentUser(row: UserRow, links: Links): User {
  return { url: links.user(row.id), ...row };
}

/** Presents the caller. The role is that of the credential, which can be lower than the stored one. */
export function presentCaller(row: UserRow, { caller, links }: Pick<Call, 'caller' | 'links'>): User {
  return { ...presentUser(row, links), role: caller.role };
}

/**
 * Rejects roles above the caller's (E90). Inside a write, the caller has their current role, and not the one from the
 * start of the request.
 */
export function assertRank(caller: Caller, ...roles: readonly Role[]): void {
  if (!roles.every((requestedRole) => canGrantRole(caller, requestedRole))) throw roleAboveOwnError();
}

/**
 * Returns whether a new person has the ability to reveal secrets unless a request sets it. The organization decides it for
 * VIEWERs; all other roles have it.
 */
export async function revealsByDefault(
  em: EntityManager,
  organizationId: OrganizationId,
  role: Role,
): Promise<boolean> {
  if (role !== 'VIEWER') return true;
  const [organization] = await em.query<{ viewers_reveal_secrets: boolean }[]>(
    'select viewers_reveal_secrets from organization where id = $1',
    [organizationId],
  );
  return organization?.viewers_reveal_secrets ?? false;
}

/**
 * Returns whether a person whom the caller adds or invites has the ability to reveal secrets. Throws if the caller
 * requests it without having it.
 */
export async function revealOfNewPerson(
  em: EntityManager,
  caller: Caller,
  { role, reveals_secrets: requestedReveal }: { readonly role: Role; readonly reveals_secrets?: boolean | undefined },
): Promise<boolean> {
  assertMayGiveReveal(caller, requestedReveal);
  return requestedReveal ?? (mayPassOnSecrets(caller) && (await revealsByDefault(em, caller.organizationId, role)));
}

/**
 * Rejects a caller who gives the ability to reveal secrets without having it. Like `assertRank`, but for the ability,
 * which does not depend on the role.
 */
export function assertMayGiveReveal(caller: Caller, requestedReveal: boolean | undefined, before = false): void {
  if (requestedReveal === true && !before && !mayPassOnSecrets(caller)) {
    throw Failure.forbidden('You may not reveal secrets, so you cannot give others this ability.');
  }
}
