import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../../platform/postgres/data-source.ts';

/** The rotations of the whole installation that are not idle. */
interface RotationState {
  readonly running: number;
  readonly waiting: number;
  readonly undecided: number;
  readonly stopped: number;
  /** The seconds since the oldest of them has begun its step; 0 if there is none. */
  readonly oldestSeconds: number;
}

const COUNTS = `
select count(*) filter (where stop_code is null and wait_code is null)::int as running,
       count(*) filter (where stop_code is null and wait_code is not null and wait_code not in ('silent_instances', 'undecided_pushes'))::int as waiting,
       count(*) filter (where stop_code is null and wait_code in ('silent_instances', 'undecided_pushes'))::int as undecided,
       count(*) filter (where stop_code is not null)::int as stopped,
       coalesce(extract(epoch from clock_timestamp() - min(stage_since)), 0)::float8 as "oldestSeconds"
  from rotation where held_because is null and (stage <> 'idle' or stop_code is not null)`;

/** Counts rotations for monitoring. */
@Injectable()
export class RotationCounts {
  constructor(private readonly dataSource: DataSource) {}

  async read(): Promise<RotationState> {
    return (await poolOf(this.dataSource).query<RotationState>(COUNTS)).rows[0] as RotationState;
  }
}
