import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { DELIVER } from './jobs.ts';

/** The number of webhooks and destinations with waiting messages in the whole installation. */
export interface QueueState {
  /** Jobs that should run now, and jobs that wait for their time. */
  readonly due: number;
  readonly later: number;
  /** The seconds since the oldest due job should have run; 0 if there is none. */
  readonly oldestSeconds: number;
  /** Webhooks and destinations that wait until a person fixes them. */
  readonly suspended: number;
  /** Active destinations whose messages fail now. */
  readonly failing: number;
}

const STATE = `
select count(*) filter (where run_at <= now())::int as due, count(*) filter (where run_at > now())::int as later,
       coalesce(extract(epoch from now() - min(run_at) filter (where run_at <= now())), 0)::float8 as "oldestSeconds",
       (select count(*)::int from webhook where state = 'suspended')
         + (select count(*)::int from destination where state = 'suspended') as suspended,
       (select count(*)::int from destination where state = 'active' and failing_since is not null) as failing
  from graphile_worker.jobs where task_identifier = any($1)`;

/** Reads the state of the queue for monitoring. */
@Injectable()
export class DeliveryQueueState {
  constructor(private readonly dataSource: DataSource) {}

  async read(): Promise<QueueState> {
    const { rows } = await poolOf(this.dataSource).query<QueueState>(STATE, [Object.values(DELIVER)]);
    return rows[0] as QueueState;
  }
}
