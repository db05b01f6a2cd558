import pg from 'pg';
import { observer } from '../observer.ts';
import { RunningTime } from './running-time.ts';

type OnConnection = Parameters<pg.Pool['connect']>[0];

/** The errors of the pool for a wait of `connectionTimeoutMillis`. No statement was sent. */
const WAIT_ENDED = /timeout exceeded when trying to connect|terminated due to connection timeout/;
/** A wait is not repeated for less than this. Timers of the event loop may also fire early by less than this. */
const REPEATED_MS_MIN = 500;

/**
 * A pool that reports how long each statement or transaction waits for a connection. If the wait ends while the process
 * gets no processor time, the pool waits again, because the process could not receive what the database sent.
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
      const remainingMs = time.remainingMs(this.options.connectionTimeoutMillis ?? 0);
      if (error && WAIT_ENDED.test(error.message) && remainingMs > REPEATED_MS_MIN) this.connectInTime(time, callback);
      else callback(error, client, release);
    });
  }
}
