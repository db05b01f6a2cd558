import type { Environment } from '@strata/contract';
import type { Links } from '../../platform/http/links.ts';
import type { EnvironmentRow } from './environments.reader.ts';

export function presentEnvironment(row: EnvironmentRow, links: Links): Environment {
  return {
    url: links.environment(row.id),
    id: row.id,
    ledger_id: row.ledger_id,
    name: row.name,
    description: row.description,
    parent: row.parent_id === null ? null : links.environment(row.parent_id),
    children: row.children.map(links.environment),
    access_controlled: row.access_controlled,
    role: row.role,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}
