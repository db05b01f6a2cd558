import type { User } from '@strata/contract';
import { canGrantRole, Failure, isLongerThan, type Role, textProblem, type UserId } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { type Links, lastSegment } from '../../platform/http/links.ts';
import { wireTime } from '../../platform/postgres/versioned-table.ts';

export interface UserRow {
  readonly id: UserId;
  readonly type: 'interactive' | 'service';
  readonly name: string | null;
  readonly email: string | null;
  readonly picture_url: string | null;
  readonly organization_name: string;
  readonly membership_id: string;
  readonly role: Role;
  readonly created_at: string;
  readonly modified_at: string;
}

/** A service account has no address, so the field is empty (behaviour.md §11.3). */
export const emailOf = (person: string) => `case when ${person}.type = 'service' then '' else ${person}.email end`;

/** Selects the people of organization $1. */
export const USERS = `(select p.id, p.type, p.name, ${emailOf('p')} as email, p.picture_url, p.created_at, p.modified_at,
    m.id as membership_id, m.role, g.name as organization_name
  from membership m join person p on p.id = m.person_id join organization g on g.id = m.organization_id
  where m.organization_id = $1)`;

export const USER_COLUMNS = `o.id, o.type, o.name, o.email, o.picture_url, o.organization_name, o.membership_id, o.role,
  ${wireTime('o.created_at')} as created_at, ${wireTime('o.modified_at')} as modified_at`;

const USER_ID_MAX = 256;

/** Ids of people are opaque, but not every text is a possible id. */
export function personId(thing: string, id: string): UserId {
  if (isLongerThan(id, USER_ID_MAX) || textProblem(id) !== null) throw Failure.notFound(thing);
  return id;
}

/** Returns the id in a link to a user, or the text itself. An impossible id becomes one that does not exist. */
export function userIdOfLink(link: string): UserId {
  const id = lastSegment(link);
  return textProblem(id) === null ? id : '';
}

/** Rejects a caller who grants or manages a role above their own (E90). */
export function roleAboveOwnError(): Failure {
  return new Failure({
    kind: 'forbidden',
    code: 'role_above_own',
    message: 'You do not have permission to give or manage a role above your own. Ask somebody who has that role.',
  });
}

export function presentUser(row: UserRow, links: Links): User {
  return { url: links.user(row.id), ...row };
}

/**
 * Rejects a role above the caller's (E90). Inside a write, the caller's role is the current one, not that at the start
 * of the request.
 */
export function assertRank({ role }: Caller, ...roles: readonly Role[]): void {
  if (!roles.every((requested) => canGrantRole(role, requested))) throw roleAboveOwnError();
}
