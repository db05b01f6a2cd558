import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { isAlive } from '@strata/processes';
import {
  commandLine,
  listDescendantIds,
  processId,
  type Run,
  readPrinted,
  START,
  StartFolder,
  waitUntil,
  waitUntilReady,
} from './testing/start-folder.ts';

const SEED = path.resolve(import.meta.dirname, 'seed/run.mjs');
const PROGRAM = path.resolve(import.meta.dirname, '../apps/cli/dist/main.js');

let place: StartFolder;

/** The files of an earlier start. Creating a database takes long, so most tests start with a copy of the first one. */
interface Earlier {
  readonly place: StartFolder;
  readonly run: Run;
}
let earlier: Earlier | undefined;
afterAll(() => earlier?.place.remove());

/** Writes a module with which a process writes its environment to a file when it receives SIGUSR2. */
function writeReporter(directory: string): string {
  const file = path.join(directory, 'reporter.cjs');
  const report = "const fs = require('node:fs');\nconst path = require('node:path');\n";
  const names = "const [draft, file] = ['.new', '.json'].map((end) => path.join(__dirname, process.pid + end));\n";
  const write = 'fs.writeFileSync(draft, JSON.stringify(process.env)); fs.renameSync(draft, file);';
  fs.writeFileSync(file, `${report}${names}process.on('SIGUSR2', () => { ${write} });\n`);
  return file;
}

describe('a fresh start', () => {
  let run: Run;

  beforeAll(async () => {
    place = await StartFolder.make();
    run = await waitUntilReady(place.start({ NODE_OPTIONS: `--require "${writeReporter(place.directory)}"` }));
  });
  afterAll(async () => {
    earlier = { place, run };
    await place.endAll();
  });

  test('prints addresses and credentials that work', async () => {
    expect(run.text()).not.toContain('STRATA_PUBLIC_URL');
    expect(readPrinted(run, 'REST')).toBe(`${place.origin('STRATA_PORT')}/api/v1/`);
    expect(readPrinted(run, 'OpenAPI page')).toBe(`${place.origin('STRATA_PORT')}/api/docs/`);
    expect(readPrinted(run, 'GraphQL')).toContain(`${place.origin('STRATA_GATEWAY_PORT')}/graphql`);
    expect([await place.isReady('STRATA_PORT'), await place.isReady('STRATA_GATEWAY_PORT')]).toEqual([true, true]);
    expect((await place.rest(run, '/api/v1/projects/')).status).toBe(200);
    for (const page of [readPrinted(run, 'OpenAPI page'), readPrinted(run, 'GraphQL').split(' ')[0] ?? '']) {
      const response = await fetch(page, { headers: { accept: 'text/html' } });
      expect([page, response.status, await response.text()]).toEqual([page, 200, expect.stringMatching(/<html/i)]);
    }

    const console = readPrinted(run, 'Console');
    expect(console).toBe(`${place.origin('STRATA_GATEWAY_PORT')}/`);
    expect(run.text().indexOf('Console ')).toBeLessThan(run.text().indexOf('REST '));
    const page = await fetch(console, { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root"></div>')]);

    const [email, password] = readPrinted(run, 'Owner').split(/\s+/);
    const session = await fetch(`${place.origin('STRATA_GATEWAY_PORT')}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: place.origin('STRATA_GATEWAY_PORT') },
      body: JSON.stringify({ email, password }),
    });
    expect(await session.json()).toMatchObject({ signedIn: true });
    const token = await fetch(`${place.origin('STRATA_PORT')}/api/v1/auth/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(token.status).toBe(200);
  });

  test('stores its secrets in a file that only its owner can read', () => {
    const credentials = path.join(place.settings.STRATA_DATA_DIR, 'credentials.json');
    expect(fs.statSync(credentials).mode & 0o777).toBe(0o600);
    expect(JSON.parse(fs.readFileSync(credentials, 'utf8'))).toMatchObject({ api_key: readPrinted(run, 'API key') });
  });

  test('gives the gateway none of its secrets, and the running core none that only a migration needs', async () => {
    const file = path.join(place.settings.STRATA_DATA_DIR, 'credentials.json');
    const { owner_email: _, ...secrets } = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>;
    const readEnvironment = async (part: string) => {
      const pid = listDescendantIds(processId(run)).find((candidate) => commandLine(candidate).includes(part)) ?? 0;
      process.kill(pid, 'SIGUSR2');
      const report = path.join(place.directory, `${pid}.json`);
      await waitUntil(() => fs.existsSync(report));
      return fs.readFileSync(report, 'utf8');
    };
    const gateway = await readEnvironment('gateway/dist/main.js');
    const core = await readEnvironment('core/dist/main.js');

    expect(JSON.parse(gateway)).toMatchObject({ STRATA_GATEWAY_PORT: place.settings.STRATA_GATEWAY_PORT });
    expect(JSON.parse(core)).toMatchObject({ STRATA_ROOT_KEY: secrets.root_key });
    const { session_key: gatewayKey, ...withheld } = secrets;
    expect(core).not.toContain(gatewayKey);
    for (const secret of Object.values(withheld)) expect(gateway).not.toContain(secret);
    expect(gateway).not.toMatch(/ROOT_KEY|DATABASE_URL|BOOTSTRAP|PASSWORD/);
    expect(core).not.toMatch(/BOOTSTRAP/);
  });

  test('is found by `npm run seed` on any port', async () => {
    const seed = place.type([process.execPath, SEED, '--api-key', 'unknown'], { STRATA_PORT: '' });
    expect(await seed.ended).toBe(1);
    expect(seed.text()).toMatch(`Seeding ${place.origin('STRATA_PORT')}\n`);
    expect(seed.text()).toContain('failed with 403');
  });

  test.each(['keys list', 'audit verify', 'migrate'])('is found by `strata %s` in its data directory', (command) => {
    const { NODE_OPTIONS: _, ...inherited } = process.env;
    const env = { ...inherited, STRATA_DATA_DIR: place.settings.STRATA_DATA_DIR };
    const programArguments = [PROGRAM, ...command.split(' ')];
    expect(() => execFileSync(process.execPath, programArguments, { env, stdio: 'pipe' })).not.toThrow();
  });

  test('rejects a second start on the same data, and the first one keeps running', async () => {
    const second = place.start({ STRATA_PORT: '0', STRATA_GATEWAY_PORT: '0' });
    expect(await second.ended).not.toBe(0);
    expect(second.text()).toContain('already runs');
    expect(await place.isReady('STRATA_PORT')).toBe(true);
  });

  test.each(['core/dist/main.js', 'gateway/dist/main.js', 'bin/postgres'])(
    'restarts %s when it is killed',
    async (part) => {
      const find = (): number => listDescendantIds(processId(run)).find((pid) => commandLine(pid).includes(part)) ?? 0;
      const victim = find();
      process.kill(victim, 'SIGKILL');
      await waitUntil(() => find() !== victim && find() > 0);
      await waitUntil(async () => (await place.isReady('STRATA_PORT')) && (await place.isReady('STRATA_GATEWAY_PORT')));
      await waitUntil(async () => (await place.rest(run, '/api/v1/projects/')).status === 200);
    },
  );

  test('stops all its processes on SIGTERM', async () => {
    const members = listDescendantIds(processId(run));
    const lines = members.map(commandLine);
    for (const part of ['core/dist/main.js', 'gateway/dist/main.js', 'bin/postgres', 'guardian']) {
      expect(lines).toContainEqual(expect.stringContaining(part));
    }
    run.process.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    await waitUntil(() => !members.some(isAlive));
  });
});

describe('from start to end', () => {
  beforeEach(async () => {
    place = await StartFolder.make();
  });
  afterEach(async () => {
    await place.endAll();
    place.remove();
  });

  /** Keeps the owner, who is another user if root runs this. Returns the output of the start that created the files. */
  async function takeEarlier(): Promise<Run> {
    earlier ??= await makeEarlier();
    execFileSync('cp', ['-a', earlier.place.settings.STRATA_DATA_DIR, place.directory]);
    return earlier.run;
  }

  /** Starts Strata once if the tests above did not run. */
  async function makeEarlier(): Promise<Earlier> {
    const started = { place, run: await waitUntilReady(place.start()) };
    await place.endAll();
    place = await StartFolder.make();
    return started;
  }

  test('a later start below a shell, as npm has one, keeps the key that it is given, does not print another password as if it were in force, and ends with the shell', async () => {
    const first = await takeEarlier();
    const apiKey = `second01.${'k'.repeat(43)}`;
    const [email = '', password = ''] = readPrinted(first, 'Owner').split(/\s+/);

    const shell = place.type(['/bin/sh', '-c', `'${process.execPath}' '${START}'; true`], {
      STRATA_BOOTSTRAP_PASSWORD: 'another password',
      STRATA_BOOTSTRAP_API_KEY: apiKey,
    });
    const run = await waitUntilReady(shell);
    const members = listDescendantIds(processId(run));

    expect(readPrinted(run, 'Owner')).toContain('exists already');
    expect(run.text()).not.toContain('another password');
    expect((await place.rest(run, '/api/v1/auth/token/', { email, password })).status).toBe(200);

    const credentials = path.join(place.settings.STRATA_DATA_DIR, 'credentials.json');
    expect(JSON.parse(fs.readFileSync(credentials, 'utf8'))).toMatchObject({ api_key: apiKey, owner_email: email });
    expect(fs.statSync(credentials).mode & 0o777).toBe(0o600);
    expect(readPrinted(run, 'API key')).toBe(apiKey);
    expect((await place.rest(run, '/api/v1/projects/')).status).toBe(200);

    run.process.kill('SIGKILL');
    await waitUntil(() => !members.some(isAlive));
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'a start right after %s runs on the same data, once the Strata before it has stopped',
    async (signal) => {
      await takeEarlier();
      const first = await waitUntilReady(place.start());
      expect((await place.rest(first, '/api/v1/projects/', { name: 'Survivor' })).status).toBe(201);
      first.process.kill(signal);

      const second = await waitUntilReady(place.start());
      expect(await first.ended).toBe(0);
      expect((await place.rest(second, '/api/v1/projects/', { name: 'Survivor' })).status).toBe(400);
    },
  );

  test('leaves no process after kill -9, and the next start has the same data and key', async () => {
    await takeEarlier();
    const first = await waitUntilReady(place.start());
    const members = listDescendantIds(processId(first));
    const createResponse = await place.rest(first, '/api/v1/projects/', { name: 'Survivor' });
    expect(createResponse.status).toBe(201);
    first.process.kill('SIGKILL');

    // Starts immediately, while processes of the killed start may still be ending.
    const second = await waitUntilReady(place.start());
    await waitUntil(() => !members.some(isAlive));
    expect(readPrinted(second, 'API key')).toBe(readPrinted(first, 'API key'));
    const { results } = (await (await place.rest(second, '/api/v1/projects/')).json()) as {
      results: { name: string }[];
    };
    expect(results.map(({ name }) => name)).toContain('Survivor');
  });

  test('a full disk for the logs ends neither it nor its services, and a service that crashes is restarted', async () => {
    await takeEarlier();
    const logs = path.join(place.settings.STRATA_DATA_DIR, 'logs');
    fs.rmSync(logs, { recursive: true, force: true });
    fs.mkdirSync(logs, { mode: 0o700 });
    // A device file: every write to it fails as on a full disk.
    for (const name of ['core', 'gateway']) fs.symlinkSync('/dev/full', path.join(logs, `${name}.log`));
    // Its responses are invalid, so the gateway logs an error.
    const nonsense = http.createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    await once(nonsense, 'listening');
    try {
      const { port } = nonsense.address() as net.AddressInfo;
      const run = await waitUntilReady(
        place.start({ STRATA_LOG_LEVEL: 'debug', STRATA_CORE_URL: `http://127.0.0.1:${port}` }),
      );
      const find = (part: string) =>
        listDescendantIds(processId(run)).find((pid) => commandLine(pid).includes(part)) ?? 0;
      const log = {
        'core/dist/main.js': () => place.rest(run, '/api/v1/projects/'),
        'gateway/dist/main.js': () =>
          fetch(`${place.origin('STRATA_GATEWAY_PORT')}/graphql`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ query: '{ environments { edges { node { id } } } }' }),
          }),
      };
      for (const [part, write] of Object.entries(log)) {
        const victim = find(part);
        for (let lines = 0; lines < 3; lines += 1) expect((await write()).status).toBe(200);
        expect([part, find(part)]).toEqual([part, victim]);
        process.kill(victim, 'SIGKILL');
        await waitUntil(() => find(part) !== victim && find(part) > 0);
        await waitUntil(
          async () => (await place.isReady('STRATA_PORT')) && (await place.isReady('STRATA_GATEWAY_PORT')),
        );
      }
    } finally {
      nonsense.closeAllConnections();
      nonsense.close();
    }
  });

  test('does not open the database with new credentials after the old ones were lost', async () => {
    await takeEarlier();
    fs.rmSync(path.join(place.settings.STRATA_DATA_DIR, 'credentials.json'));
    const run = place.start();
    expect(await run.ended).not.toBe(0);
    expect(run.text()).toContain('made with another credentials file');
  });
});
