// The embedded PostgreSQL during a start: started, and started again on the same port when it falls over.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../pg.mjs';

const RESTARTS = 5;

/** Resolves when it accepts connections. */
export async function startDatabase(dataDir, password, { say, gaveUp }) {
  const options = { dataDir: path.join(dataDir, 'postgres'), password, log: say };
  let postgres = await startPostgres(options);
  let stopping = false;

  const watch = async () => {
    for (let failures = 1; ; failures++) {
      const { code, signal } = await postgres.exited;
      if (stopping) return;
      if (failures > RESTARTS)
        return gaveUp(`PostgreSQL ended ${failures} times; giving up. Its log: ${postgres.logFile}`);
      say(
        `PostgreSQL ended unexpectedly (${signal ?? `code ${code}`}); starting it again. Its log: ${postgres.logFile}`,
      );
      await sleep(100 * 2 ** failures);
      if (stopping) return;
      try {
        // The services know it by its address.
        postgres = await startPostgres({ ...options, port: postgres.port });
      } catch (error) {
        return gaveUp(error.message);
      }
      say('PostgreSQL runs again');
    }
  };
  void watch();

  return {
    url: postgres.url(),
    created: postgres.created,
    stop: async () => {
      stopping = true;
      await postgres.stop();
    },
  };
}
