import pg from 'pg';
import { observer } from '../observer.ts';

type OnConnection = Parameters<pg.Pool['connect']>[0];

/** A pool that reports how long each statement or transaction waits for a connection. */
export class ObservedPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnection): void;
  override connect(callback?: OnConnection): unknown {
    const ended = observer?.connectionWait();
    if (!callback) {
      const connected = super.connect();
      if (ended) connected.then(ended, ended);
      return connected;
    }
    if (!ended) return super.connect(callback);
    return super.connect((...result) => {
      ended();
      callback(...result);
    });
  }
}
