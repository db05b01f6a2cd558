import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { IS_INTERNAL } from '../../../platform/postgres/versioned-table.ts';
import { HAS_RESULT, mayWrite } from '../../syncs/sync-row.ts';

/** The pulls and pushes of the whole installation that need attention, by their latest results. */
export interface SyncState {
  /** Their latest run failed, or is repeated after an error. */
  readonly failing: number;
  /** Another program changed a key. */
  readonly drifted: number;
  /** A person has to approve a plan or to decide about a key. */
  readonly undecided: number;
  /** External values whose text may be older than their content. */
  readonly outdatedValues: number;
}

/** Runs that the provider does not support are left out: existing clients store such pulls, and nothing fixes them. */
const STATE = `
select count(*) filter (where latest.error_code in ('foreign_keys', 'undecided_removals', 'approval_required', 'plan_changed'))::int as undecided,
       count(*) filter (where latest.error_code = 'drifted_keys')::int as drifted,
       count(*) filter (where latest.state in ('failure', 'queued', 'running')
         and latest.error_code not in ('foreign_keys', 'undecided_removals', 'drifted_keys', 'no_cloud_access'))::int as failing,
       (select count(*)::int from value
         where value.source is not null and not ${IS_INTERNAL} and jsonb_typeof(value.source -> 'error') = 'object') as "outdatedValues"
  from exchange cross join lateral (
    select task.state, task.error_code from task
     where task.organization_id = exchange.organization_id and task.exchange_id = exchange.id
       and ${mayWrite('exchange')} and ${HAS_RESULT}
     order by task.created_at desc limit 1) latest`;

/** Reads the state of pulls and pushes for monitoring. */
@Injectable()
export class SyncStates {
  constructor(private readonly dataSource: DataSource) {}

  async read(): Promise<SyncState> {
    const { rows } = await poolOf(this.dataSource).query<SyncState>(STATE);
    return rows[0] as SyncState;
  }
}
