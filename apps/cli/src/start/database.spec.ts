import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabase } from './database.ts';

let directory: string;

beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata database-'));
  fs.chmodSync(directory, 0o711);
});
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

test('a database that ran for long enough is restarted however often it ends', async () => {
  const [lines, failures]: [string[], string[]] = [[], []];
  const database = await startDatabase(directory, 'secret', {
    say: (line) => lines.push(line),
    gaveUp: (message) => failures.push(message),
    // Any run counts as long enough.
    longEnoughMs: 0,
  });
  const restarted = () => lines.filter((line) => line.includes('runs again')).length;
  for (let ends = 1; ends <= 7; ends += 1) {
    process.kill(database.pid(), 'SIGKILL');
    while (restarted() < ends && failures.length === 0) await sleep(20);
  }
  await database.stop();

  expect([restarted(), failures]).toEqual([7, []]);
});
