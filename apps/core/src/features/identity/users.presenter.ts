import type { User } from '@strata/contract';
import type { Links } from '../../platform/http/links.ts';
import type { UserRow } from './people.ts';

export function presentUser(row: UserRow, links: Links): User {
  return { url: links.user(row.id), ...row };
}
