import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createEmptyDatabase } from '../libs/testkit/src/database.ts';
import { commandLine, listDescendantIds, processId, StartFolder, waitUntilReady } from './testing/start-folder.ts';

let place: StartFolder;

beforeEach(async () => {
  place = await StartFolder.make();
});
afterEach(async () => {
  await place.endAll();
  place.remove();
});

test('reports a port that is in use with the setting that changes it, and starts nothing', async () => {
  const otherServer = net.createServer().listen(Number(place.settings.STRATA_GATEWAY_PORT), '127.0.0.1');
  await once(otherServer, 'listening');
  try {
    const run = place.start();
    expect(await run.ended).toBe(2);
    expect(run.text()).toContain(`Port ${place.settings.STRATA_GATEWAY_PORT} is taken`);
    expect(run.text()).toContain('STRATA_GATEWAY_PORT=');
    expect(fs.existsSync(path.join(place.settings.STRATA_DATA_DIR, 'postgres'))).toBe(false);
  } finally {
    otherServer.close();
  }
});

test('reports all invalid settings together and starts nothing', async () => {
  const run = place.start({
    STRATA_PORT: 'many',
    STRATA_GATEWAY_PORT: '99999',
    STRATA_PUBLIC_URL: 'here',
    STRATA_ROOT_KEY: 'short',
  });
  expect(await run.ended).toBe(2);
  const named = [...run.text().matchAll(/^ {2}(STRATA_\w+):/gm)].map((match) => match[1]);
  expect(named.sort()).toEqual(['STRATA_GATEWAY_PORT', 'STRATA_PORT', 'STRATA_PUBLIC_URL', 'STRATA_ROOT_KEY']);
  expect(fs.existsSync(path.join(place.settings.STRATA_DATA_DIR, 'postgres'))).toBe(false);
});

test('uses DATABASE_URL instead of the embedded PostgreSQL, and warns if other machines choose the links', async () => {
  const database = await createEmptyDatabase();
  try {
    // the database of the tests does not flush to disk, which a core otherwise rejects
    const settings = { DATABASE_URL: database.url, STRATA_UNSAFE_DATABASE: 'true', STRATA_HOST: '0.0.0.0' };
    const run = await waitUntilReady(place.start(settings));
    expect(run.text()).toMatch(/^STRATA_PUBLIC_URL is not set, and STRATA_HOST is 0\.0\.0\.0\. .*\n/m);
    expect((await place.rest(run, '/api/v1/projects/', { name: 'Elsewhere' })).status).toBe(201);
    expect(listDescendantIds(processId(run)).map(commandLine)).not.toContainEqual(
      expect.stringContaining('bin/postgres'),
    );
    // the signal of Ctrl-C
    run.process.kill('SIGINT');
    expect(await run.ended).toBe(0);
  } finally {
    await database.drop();
  }
});
