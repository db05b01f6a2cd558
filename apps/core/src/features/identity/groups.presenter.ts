import type { Group } from '@strata/contract';
import type { Links } from '../../platform/http/links.ts';
import type { GroupRow } from './groups.reader.ts';

export function presentGroup(row: GroupRow, links: Links): Group {
  return {
    url: links.group(row.id),
    id: row.id,
    name: row.name,
    description: row.description,
    users: row.users.map(links.user),
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}
