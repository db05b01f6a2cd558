import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../../../platform/postgres/data-source.ts';

/**
 * The pause, in milliseconds, before another attempt to acquire a channel that another process acquired at the same
 * moment.
 */
const RETRY_MS = 20;

const TAKE = `
with paused as (select from chat_lane where key = $1 and next_allowed_at > clock_timestamp()),
     taken as (
       insert into chat_lane as lane (key, next_allowed_at)
       select $2, clock_timestamp() + $3::float8 * interval '1 ms' where not exists (select from paused)
       on conflict (key) do update set next_allowed_at = excluded.next_allowed_at
         where lane.next_allowed_at <= clock_timestamp()
       returning key)
select exists (select from taken) as taken,
       (select extract(epoch from max(next_allowed_at) - clock_timestamp())::float8 * 1000
          from chat_lane where key in ($1, $2)) as wait`;

const PAUSE = `
insert into chat_lane as lane (key, next_allowed_at) values ($1, clock_timestamp() + $2::float8 * interval '1 ms')
on conflict (key) do update set next_allowed_at = greatest(lane.next_allowed_at, excluded.next_allowed_at)`;

/**
 * Limits the rate of requests to the chat service. The database stores the state and provides the clock, so that all
 * processes share one limit.
 */
@Injectable()
export class ChannelRateLimiter {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Acquires the channel for `intervalMs`. Returns 0 on success, or the milliseconds until the next attempt.
   */
  async acquire(token: string, channel: string, intervalMs: number): Promise<number> {
    const { rows } = await poolOf(this.dataSource).query<{ taken: boolean; wait: number | null }>({
      name: 'lane.take',
      text: TAKE,
      values: [channelKey(token), channelKey(token, channel), intervalMs],
    });
    const [limit] = rows;
    return limit?.taken ? 0 : Math.max(Math.ceil(limit?.wait ?? 0), RETRY_MS);
  }

  /** Restarts the interval of the channel: the message arrived after `acquire`, so the interval starts now. */
  async release(token: string, channel: string, intervalMs: number): Promise<void> {
    await poolOf(this.dataSource).query(PAUSE, [channelKey(token, channel), intervalMs]);
  }

  /** Pauses all channels of a token after the chat service has rate-limited it. */
  async pause(token: string, seconds: number): Promise<void> {
    await poolOf(this.dataSource).query(PAUSE, [channelKey(token), seconds * 1_000]);
  }
}

function channelKey(token: string, channel?: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(channel === undefined ? [token] : [token, channel]))
    .digest();
}
