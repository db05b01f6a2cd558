// The embedded PostgreSQL of a start. If it ends unexpectedly, it is restarted on the same port.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '@strata/processes';
import { countRestarts } from './restarts.ts';

/**
 * While the disk is full, nothing can be started. It is not an error of the service, and the operator may be freeing
 * space.
 */
const FULL_DISK = /No space left on device|ENOSPC/;
const ROOM_PAUSE_MS = 5_000;

export interface Reporter {
  /** Receives a line for each step that takes time. */
  readonly say: (line: string) => void;
  /** Receives the reason why a process that kept ending is not started again. */
  readonly gaveUp: (message: string) => void;
}

/** Resolves when PostgreSQL accepts connections. If it runs for `longEnoughMs`, its earlier ends no longer count. */
export async function startDatabase(
  dataDir: string,
  password: string,
  {
    say,
    gaveUp,
    longEnoughMs,
    settings = {},
  }: Reporter & { readonly longEnoughMs?: number; readonly settings?: Readonly<Record<string, string>> },
) {
  const options = { dataDir: path.join(dataDir, 'postgres'), password, log: say, settings };
  let postgres = await startPostgres(options);
  let isStopping = false;

  const startAgain = async () => {
    for (;;) {
      try {
        // The services connect to this address, so the port must stay the same.
        postgres = await startPostgres({ ...options, port: postgres.port });
        if (isStopping) await postgres.stop();
        return !isStopping;
      } catch (error) {
        if (isStopping) return false;
        const { message } = error as Error;
        if (!FULL_DISK.test(message)) {
          gaveUp(message);
          return false;
        }
        say('PostgreSQL cannot be started: the disk is full. Trying again …');
        await sleep(ROOM_PAUSE_MS);
      }
    }
  };

  const watch = async () => {
    const restarts = countRestarts({ firstPauseMs: 200, longEnoughMs });
    for (;;) {
      const { code, signal } = await postgres.exited;
      if (isStopping) return;
      const pause = restarts.fell();
      if (pause === null)
        return gaveUp(`PostgreSQL ended ${restarts.falls} times; giving up. Its log: ${postgres.logFile}`);
      say(
        `PostgreSQL ended unexpectedly (${signal ?? `code ${code}`}); starting it again. Its log: ${postgres.logFile}`,
      );
      await sleep(pause);
      if (isStopping || !(await startAgain())) return;
      restarts.started();
      say('PostgreSQL runs again');
    }
  };
  void watch();

  return {
    url: postgres.url(),
    created: postgres.created,
    pid: () => postgres.pid,
    stop: async () => {
      isStopping = true;
      await postgres.stop();
    },
  };
}
