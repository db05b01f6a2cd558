import type { ProviderName } from '@strata/contract';
import type { Change } from '../../platform/ledger/change.ts';
import type { RunStatement } from '../syncs/find-integration.ts';

/** A push that has not written the values of one of its tags yet. */
export interface MovedPush {
  readonly id: string;
  readonly name: string;
  readonly integration_id: string;
  readonly integration_name: string;
  readonly provider: ProviderName;
  readonly pushes_secrets: boolean;
}

/**
 * Returns the pushes that run because the changes move one of their tags. `run` must see the changes. `at` is the time
 * of the write if it may have queued the runs already.
 */
export async function findMovedPushes(
  run: RunStatement,
  organizationId: string,
  changes: readonly Change[],
  at: string | null = null,
): Promise<readonly MovedPush[]> {
  const moved = changes.filter(({ objectType, action }) => objectType === 'Tag' && action === 'update');
  if (moved.length === 0) return [];
  return run<MovedPush>(
    `select distinct exchange.id, exchange.name, integration.id as integration_id, integration.name as integration_name,
            integration.provider, coalesce((exchange.options ->> 'include_secrets')::boolean, false) as pushes_secrets
       from exchange_tag
       join exchange on exchange.organization_id = exchange_tag.organization_id and exchange.id = exchange_tag.exchange_id
       join integration on integration.organization_id = exchange.organization_id and integration.id = exchange.integration_id
       join tag on tag.organization_id = exchange_tag.organization_id and tag.id = exchange_tag.tag_id
      where exchange_tag.organization_id = $1 and exchange_tag.tag_id = any($2::uuid[])
        and (exchange_tag.pushed <> tag."timestamp"
          or exists (select from task where task.organization_id = $1 and task.exchange_id = exchange.id and task.created_at = $3::timestamptz))
      order by exchange.name, exchange.id`,
    [organizationId, moved.map(({ object }) => object.id), at],
  );
}
