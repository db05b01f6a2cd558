import type { Grant } from '@strata/contract';
import type { Links } from '../../platform/http/links.ts';
import type { GrantRow } from './grants.reader.ts';

export function presentGrant(row: GrantRow, links: Links): Grant {
  return {
    url: links.grant(row.id),
    id: row.id,
    principal: row.person_id === null ? links.group(row.group_id ?? '') : links.user(row.person_id),
    scope: row.project_id === null ? links.environment(row.environment_id ?? '') : links.project(row.project_id),
    role: row.role,
    created_at: row.created_at,
    modified_at: row.modified_at,
    expires_at: row.expires_at,
  };
}
