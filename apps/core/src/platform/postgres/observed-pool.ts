import pg from 'pg';
import { observer } from '../observer.ts';
import { afterRunning, RunningTime } from './running-time.ts';

type OnConnection = Parameters<pg.Pool['connect']>[0];

/** The errors of the pool for a wait of `connectionTimeoutMillis`. No statement was sent. */
const WAIT_ENDED = /timeout exceeded when trying to connect|terminated due to connection timeout/;

/**
 * A pool that reports how long each statement or transaction waits for a connection. If the process got no
 * processor time during the wait, the pool waits again for as long, because it could not receive what the database sent.
 */
export class ObservedPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnection): void;
  override connect(callback?: OnConnection): unknown {
    const ended = observer?.connectionWait();
    const time = new RunningTime();
    if (callback) {
      return this.connectInTime(time, (...result) => {
        ended?.();
        callback(...result);
      });
    }
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    this.connectInTime(time, (error, client) => {
      ended?.();
      if (client) resolve(client);
      else reject(error);
    });
    return promise;
  }

  private connectInTime(time: RunningTime, callback: OnConnection): void {
    super.connect((error, client, release) => {
      if (error && WAIT_ENDED.test(error.message) && this.remainingMs(time) > 0) this.waitAgain(time, error, callback);
      else callback(error, client, release);
    });
  }

  private remainingMs(time: RunningTime): number {
    return time.remainingMs(this.options.connectionTimeoutMillis ?? 0);
  }

  /** Waits for the rest of the time, then ends with the error. A connection that opens later is for other requests. */
  private waitAgain(time: RunningTime, error: Error, callback: OnConnection): void {
    let isOver = false;
    const cancel = afterRunning(this.remainingMs(time), () => {
      isOver = true;
      callback(error, undefined, () => undefined);
    });
    this.connectInTime(time, (...result) => {
      const [, client, release] = result;
      cancel();
      if (!isOver) callback(...result);
      else if (client) release();
    });
  }
}
