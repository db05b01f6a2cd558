import pg from 'pg';
import { coreObserver } from '../observer.ts';
import { afterRunning, RunningTime } from '../running-time.ts';
import type { MonitoredConfig } from './monitored-client.ts';
import { bindToTenants } from './tenants.ts';

type OnConnection = Parameters<pg.Pool['connect']>[0];

/** The errors of the pool for a wait of `connectionTimeoutMillis`. No statement was sent. */
const WAIT_ENDED = /timeout exceeded when trying to connect|terminated due to connection timeout/;

/**
 * A pool that reports how long each statement or transaction waits for a connection. A wait does not end while the
 * process gets no processor time, because it cannot receive what the database sent, nor while connections are being
 * opened to a database that responds.
 */
export class ObservedPool extends pg.Pool {
  /** The number of connections that are open. The pool counts those that are being opened, too. */
  private openCount = 0;
  /** Since all connections are open; null if some are not. */
  private exhausted: RunningTime | null = null;

  constructor(options?: pg.PoolConfig) {
    super(options);
    this.on('connect', () => {
      this.openCount += 1;
      if (this.openCount >= this.options.max) this.exhausted = new RunningTime();
    });
    this.on('remove', () => {
      this.openCount -= 1;
      // A connection that replaces it may be open already.
      if (this.openCount < this.options.max) this.exhausted = null;
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnection): void;
  override connect(callback?: OnConnection): unknown {
    const onConnected = coreObserver?.connectionWait();
    if (callback) {
      return this.connectInTime((...result) => {
        onConnected?.();
        callback(...result);
      });
    }
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    this.connectInTime((error, client) => {
      onConnected?.();
      if (client) resolve(client);
      else reject(error);
    });
    return promise;
  }

  private connectInTime(onConnection: OnConnection): void {
    // Otherwise the callback runs in the context of the request that released the connection.
    const callback = bindToTenants(onConnection);
    const time = new RunningTime();
    super.connect((error, client, release) => {
      if (!isWaitEnded(error)) return callback(error, client, release);
      this.waitAgain(time).then(
        (openedClient) =>
          callback(
            openedClient ? undefined : error,
            openedClient ?? undefined,
            openedClient?.release ?? (() => undefined),
          ),
        (failure) => callback(failure, undefined, () => undefined),
      );
    });
  }

  private get waitMs(): number {
    return this.options.connectionTimeoutMillis ?? 0;
  }

  /**
   * Waits for the rest of the time. After a pause, the pool opens all connections again, and a busy machine takes
   * longer for this than the rest of the time. So the wait then continues, up to the limit of a statement, while the
   * database responds on another connection. If all connections have been open during the wait, other requests use
   * them, and the wait ends.
   */
  private async waitAgain(time: RunningTime): Promise<pg.PoolClient | null> {
    const { monitor, responseMsMax = 0 }: MonitoredConfig = this.options;
    for (let limitMs = this.waitMs; ; limitMs += this.waitMs) {
      const client = await this.connectWithin(time, limitMs);
      if (client) return client;
      const isExhausted = this.exhausted?.remainingMs(this.waitMs) === 0;
      if (isExhausted || limitMs >= responseMsMax) return null;
      if (!(await monitor?.isAnswering(performance.now() - this.waitMs))) return null;
    }
  }

  /** Returns null if no connection is available before the process has run for this time. */
  private async connectWithin(time: RunningTime, limitMs: number): Promise<pg.PoolClient | null> {
    for (let ms = time.remainingMs(limitMs); ms > 0; ms = time.remainingMs(limitMs)) {
      const client = await this.connectOnce(ms);
      if (client) return client;
    }
    return null;
  }

  /** Returns null if the pool stops to wait, or the process has run for this time. A connection that opens later is for other requests. */
  private connectOnce(ms: number): Promise<pg.PoolClient | null> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient | null>();
    let isOver = false;
    const cancel = afterRunning(ms, () => {
      isOver = true;
      resolve(null);
    });
    super.connect((error, client, release) => {
      cancel();
      if (isOver) client && release();
      else if (!error || isWaitEnded(error)) resolve(client ?? null);
      else reject(error);
    });
    return promise;
  }
}

const isWaitEnded = (error: Error | undefined): boolean => error !== undefined && WAIT_ENDED.test(error.message);
