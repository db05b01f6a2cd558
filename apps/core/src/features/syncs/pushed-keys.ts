import type { ExplainedPush } from '@strata/contract';
import { forbiddenScopes, type OrganizationId, type Permissions } from '@strata/domain';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';

/** A name of a project in an environment. */
export interface PushedCell {
  readonly organizationId: OrganizationId;
  readonly projectId: string;
  readonly environmentId: string;
  readonly name: string;
}

const KEYS = `
select exchange.id as push_id, exchange.name as push_name, integration.id as integration_id, integration.name as integration_name,
       integration.provider, key.key, key.state, key.reason, key.detail, tag.name as tag_name,
       ${wireTimeSql('key.written_at')} as written_at, ${wireTimeSql('key.changed_at')} as changed_at,
       (select ${wireTimeSql('min(task.next_attempt_at)')} from task
         where task.organization_id = $1 and task.exchange_id = exchange.id and task.state = 'queued') as next_attempt_at,
       count(*) over ()::int as count
  from exchange_project pushed
  join exchange on exchange.organization_id = $1 and exchange.id = pushed.exchange_id
  join integration on integration.organization_id = $1 and integration.id = exchange.integration_id
  join sync_key key on key.organization_id = $1 and key.exchange_id = exchange.id
                   and (exchange.store is null or exchange.store = key.store)
  join parameter on parameter.organization_id = $1 and parameter.id = key.parameter_id
  left join tag on tag.organization_id = $1 and tag.id = key.tag_id
 where pushed.organization_id = $1 and pushed.project_id = $2 and key.project_id = $2 and key.environment_id = $3
   and parameter.name = $4 and key.is_desired and parameter.project_id <> all($5::uuid[])
 order by exchange.name collate human, key.key
 limit $6`;

/**
 * Lists the keys that pushes write for one name, with their states at the stores, and counts all of them. A push writes
 * the value at its tag, so the name may have none now.
 */
export async function listPushedKeys(
  reader: SnapshotReader,
  permissions: Permissions,
  { organizationId, projectId, environmentId, name }: PushedCell,
  limit: number,
): Promise<{ readonly rows: readonly ExplainedPush[]; readonly count: number }> {
  const values = [organizationId, projectId, environmentId, name, forbiddenScopes(permissions), limit];
  const rows = await reader.query<ExplainedPush & { readonly count: number }>(KEYS, values);
  return { rows: rows.map(({ count: _, ...row }) => row), count: rows[0]?.count ?? 0 };
}
