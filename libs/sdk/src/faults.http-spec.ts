import fs from 'node:fs';
import path from 'node:path';
import type { AuthToken, Parameter, Project, ServiceAccountCreated, Value } from '@strata/contract';
import { type RunningCore, sharedCore, startCore, type TestOrganization } from '@strata/testkit';
import type { CacheOptions } from './file-cache.ts';
import { ConfigError, type StrataError } from './strata-error.ts';
import { FaultyProxy } from './testing/faulty-proxy.ts';
import { Programs, waitUntil } from './testing/programs.ts';

const README = fs.readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8');
const HOUR_MS = 3_600_000;

let core: RunningCore;
let org: TestOrganization;
let project: Project;
let parameter: Parameter;
let value: Value;
let credential: string;
let proxy: FaultyProxy;
let programs: Programs;
let errors: StrataError[];

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  org = await core.organization();
  project = await org.project({ name: 'shop' });
  parameter = await org.parameter({ project, name: 'PORT' });
  value = await org.value({ parameter, internal_value: '1' });
  credential = await org.authorization('CONTRIB');
  proxy = await FaultyProxy.before(core.origin);
  programs = new Programs();
  errors = [];
});
afterEach(async () => {
  await programs.end();
  await proxy.goDown();
});

const set = (text: string) => org.owner.patch(value.url, { internal_value: text });
const codes = () => errors.map(({ code }) => code);

type Options = Partial<Parameters<Programs['connect']>[0]>;
const connect = (options: Options = {}, times: NonNullable<Parameters<Programs['connect']>[1]>['times'] = {}) =>
  programs.connect({ url: proxy.url, credential, ...options }, { errors, times });

async function connectionOutcome(connecting: Promise<unknown>): Promise<string> {
  return connecting.then(
    () => 'connected',
    ({ code }: StrataError) => code,
  );
}

/** Creates a service account, and returns its key with a function that deletes it. */
async function account(role: string) {
  const { body } = await org.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'program', role });
  return { credential: `Api-Key ${body.apikey}`, revoke: () => org.owner.delete(`serviceaccounts/${body.id}/`) };
}

/** Runs a program that writes its cache, and then takes Strata down. */
async function cached(options: Options = {}): Promise<CacheOptions> {
  const cache = { file: programs.file('shop.strata') };
  const config = await connect({ cache, ...options });
  await config.close();
  await proxy.goDown();
  return cache;
}

/** Starts a program with the cache while Strata is down, and expects that it does not use it. */
async function expectUnused(cache: CacheOptions, problem: RegExp, options: Options = {}): Promise<void> {
  expect(await connectionOutcome(connect({ cache, timeoutMs: 100, ...options }))).toBe('unavailable');
  expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([
    expect.stringMatching(new RegExp(`^cache_unusable The cache .*shop.strata ${problem.source}`)),
  ]);
}

const FAULTS: Readonly<Record<string, () => Promise<void>>> = {
  'Strata is down at the start, with `fail`': async () => {
    await proxy.goDown();
    expect(await connectionOutcome(connect({ timeoutMs: 300 }))).toBe('unavailable');
    const late = connect({ timeoutMs: 60_000 });
    await proxy.comeUp();
    expect((await late).number('PORT')).toBe(1);
  },

  'Strata is down at the start, with `wait`': async () => {
    await proxy.goDown();
    const waiting = connect({ whenUnavailable: 'wait', timeoutMs: 1 });
    await waitUntil(() => codes().includes('unavailable'));
    await proxy.comeUp();
    const config = await waiting;
    expect([config.number('PORT'), config.status]).toEqual([1, 'live']);
  },

  'Strata is down at the start, with `cached`': async () => {
    const cache = await cached();
    await set('2');
    const config = await connect({ cache });
    expect([config.number('PORT'), config.status, codes()]).toEqual([1, 'stale', ['unavailable']]);
    const changes: unknown[] = [];
    config.onChange((names) => changes.push(...names));
    await proxy.comeUp();
    await waitUntil(() => config.status === 'live');
    expect([config.number('PORT'), changes]).toEqual([2, [{ name: 'PORT', kind: 'changed' }]]);
    const none = { file: programs.file('none') };
    await config.close();
    await proxy.goDown();
    expect(await connectionOutcome(connect({ cache: none, timeoutMs: 100 }))).toBe('unavailable');
  },

  'The stream is cut': async () => {
    const config = await connect({}, { steadyMs: 0 });
    const seen: number[] = [];
    config.onChange(() => seen.push(config.number('PORT')));
    for (const next of [2, 3, 4]) {
      proxy.cut();
      await set(String(next));
      await waitUntil(() => config.number('PORT') === next);
    }
    expect(seen).toEqual([2, 3, 4]);
    await waitUntil(() => config.status === 'live');
    expect(proxy.count(/stream\/.*after=/)).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  },

  'The stream is silent': async () => {
    const config = await connect({}, { silenceMs: 500, steadyMs: 0 });
    proxy.mute();
    await set('2');
    await waitUntil(() => config.number('PORT') === 2);
    expect(proxy.count(/stream\/.*after=/)).toBeGreaterThan(0);
  },

  'The stream is blocked by a proxy': async () => {
    proxy.isBuffering = true;
    const config = await connect(
      { timeoutMs: 60_000 },
      { openMs: 300, pollingMs: { first: 2_000, most: 2_000 }, pollWaitMs: 2_000 },
    );
    expect([config.number('PORT'), config.status]).toEqual([1, 'polling']);
    await set('2');
    await waitUntil(() => config.number('PORT') === 2);
    proxy.isBuffering = false;
    await waitUntil(() => proxy.count(/effective\/\?.*wait=2/) > 0);
    await set('3');
    await waitUntil(() => config.status === 'live');
    expect(config.number('PORT')).toBe(3);
    proxy.intercept = ({ url = '' }, response) => {
      if (!url.includes('/stream/')) return false;
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Not here</p>');
      return true;
    };
    proxy.cut();
    await waitUntil(() => config.status === 'polling');
  },

  'The stream delivers something that does not fit': async () => {
    const config = await connect();
    let hasLied = false;
    proxy.intercept = ({ url = '' }, response) => {
      if (hasLied || !url.includes('/stream/')) return false;
      hasLied = true;
      const bookmark = { cursor: 'x', revision: 1, digest: 'sha256:other' };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`event: bookmark\ndata: ${JSON.stringify(bookmark)}\n\n`);
      return true;
    };
    proxy.cut();
    await waitUntil(() => hasLied && config.status === 'live');
    expect(config.number('PORT')).toBe(1);
    await set('2');
    await waitUntil(() => config.number('PORT') === 2);
    expect(proxy.requests.at(-1)).not.toMatch(/after=/);
  },

  'Strata restarts': async () => {
    const restartedCore = await startCore();
    let running = await restartedCore.another();
    const ownOrg = await restartedCore.organization();
    const shop = await ownOrg.project({ name: 'shop' });
    const port = await ownOrg.parameter({ project: shop, name: 'PORT' });
    const value = await ownOrg.value({ parameter: port, internal_value: '1' });
    const balancer = await FaultyProxy.before(running.origin);
    const config = await connect({ url: balancer.url, credential: await ownOrg.authorization('VIEWER') });
    await running.close();
    await ownOrg.owner.patch(value.url, { internal_value: '2' });
    running = await restartedCore.another();
    balancer.origin = running.origin;
    await waitUntil(() => config.number('PORT') === 2);
    await waitUntil(() => config.status === 'live');
    await config.close();
    await balancer.goDown();
    await running.close();
    await restartedCore.close();
  },

  'The API key is revoked': async () => {
    const program = await account('VIEWER');
    const cache = { file: programs.file('shop.strata') };
    const config = await connect({ credential: program.credential, cache });
    await waitUntil(() => fs.existsSync(cache.file));
    await program.revoke();
    await waitUntil(() => config.status === 'stopped');
    await waitUntil(() => !fs.existsSync(cache.file));
    expect([config.number('PORT'), codes()]).toEqual([1, ['credential_rejected']]);
    expect(await connectionOutcome(connect({ credential: program.credential, cache }))).toBe('credential_rejected');
  },

  'The token expires': async () => {
    const { body } = await org.owner.post<AuthToken>('auth/token/', { organization: org.id });
    let calls = 0;
    const token = () => {
      calls += 1;
      return calls === 1 ? body.access_token : org.ownerAuthorization.replace('Bearer ', '');
    };
    const config = await connect({ credential: { token } });
    proxy.intercept = ({ headers }, response) => {
      if (headers.authorization !== `Bearer ${body.access_token}`) return false;
      response.writeHead(403, { 'x-error-code': 'bad_credential' }).end('{"detail":"The token has expired."}');
      return true;
    };
    proxy.cut();
    await set('2');
    await waitUntil(() => config.number('PORT') === 2);
    expect([calls, errors]).toEqual([2, []]);
    proxy.intercept = (_, response) => {
      response.writeHead(403, { 'x-error-code': 'bad_credential' }).end('{"detail":"The token has expired."}');
      return true;
    };
    proxy.cut();
    await waitUntil(() => config.status === 'stopped');
    expect([calls, codes()]).toEqual([3, ['credential_rejected']]);
  },

  'The program loses its permission': async () => {
    const environment = await org.environment();
    const cache = { file: programs.file('shop.strata') };
    const config = await connect({
      credential: await org.authorization('VIEWER'),
      environment: environment.name,
      cache,
    });
    await waitUntil(() => fs.existsSync(cache.file));
    await org.owner.patch(environment.url, { access_controlled: true });
    await waitUntil(() => config.status === 'stopped');
    await waitUntil(() => !fs.existsSync(cache.file));
    expect([config.has('PORT'), codes()]).toEqual([true, ['forbidden']]);
  },

  'The project or the environment is deleted': async () => {
    const environment = await org.environment();
    const [first, second] = [await connect({ environment: environment.name }), await connect()];
    await org.owner.delete(environment.url);
    await waitUntil(() => first.status === 'stopped');
    expect([first.number('PORT'), codes(), second.status]).toEqual([1, ['not_found'], 'live']);
    await org.owner.delete(project.url);
    await waitUntil(() => second.status === 'stopped');
    expect([second.number('PORT'), codes()]).toEqual([1, ['not_found', 'not_found']]);
    expect(await connectionOutcome(connect())).toBe('not_found');
  },

  'Strata returns 429 or 503': async () => {
    const config = await connect();
    for (const status of [429, 503]) {
      const times: number[] = [];
      proxy.intercept = (_, response) => {
        times.push(performance.now());
        if (times.length > 1) return false;
        response.writeHead(status, { 'retry-after': '2' }).end();
        return true;
      };
      proxy.cut();
      await waitUntil(() => times.length > 1 && config.status === 'live');
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_990);
      expect(config.number('PORT')).toBe(1);
    }
    await set('2');
    await waitUntil(() => config.number('PORT') === 2);
    expect(new Set(codes())).toEqual(new Set(['unavailable']));
  },

  'A proxy returns an error': async () => {
    const cache = { file: programs.file('shop.strata') };
    const config = await connect(
      { cache },
      { pollingMs: { first: 100, most: 100 }, steadyMs: 1_000, pollWaitMs: 1_000 },
    );
    for (const status of [401, 403, 404, 302, 502]) {
      let answered = 0;
      proxy.intercept = (_, response) => {
        answered += 1;
        response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No</h1>');
        return true;
      };
      proxy.cut();
      await waitUntil(() => answered >= 3);
      expect([config.status, config.number('PORT')]).toEqual(['stale', 1]);
      proxy.intercept = () => false;
      await waitUntil(() => config.status !== 'stale');
      // The next round cuts a stream.
      await waitUntil(() => config.status === 'live');
    }
    expect(fs.existsSync(cache.file)).toBe(true);
  },

  'The configuration cannot be evaluated': async () => {
    const cache = { file: programs.file('shop.strata') };
    const config = await connect({ cache });
    await waitUntil(() => fs.existsSync(cache.file));
    const links = await org.parameter({ project, name: 'LINKS' });
    await org.value({ parameter: links, internal_value: '{{ PORT }}'.repeat(17), interpolated: true });
    await waitUntil(() => config.has('LINKS'));
    await set('x'.repeat(65_000));
    await waitUntil(() => codes().includes('evaluation_failed'));
    expect([config.number('PORT'), config.status]).toEqual([1, 'live']);
    await config.close();
    errors.length = 0;
    expect(await connectionOutcome(connect())).toBe('evaluation_failed');
    const reconnected = await connect({ cache });
    expect([reconnected.number('PORT'), codes()]).toEqual([1, ['evaluation_failed']]);
    expect(errors[0]?.message).toMatch(/\bLINKS\b/);
    await set('2');
    await waitUntil(() => reconnected.string('LINKS') === '2'.repeat(17));
    proxy.isBuffering = true;
    const polling = await connect({}, { openMs: 300 });
    await set('x'.repeat(65_000));
    await waitUntil(() => codes().length === 3);
    expect([polling.number('PORT'), polling.status]).toEqual([2, 'polling']);
    await set('3');
    await waitUntil(() => polling.number('PORT') === 3);
  },

  'The program rejects a change': async () => {
    const validate: Options['validate'] = (next) => {
      if (next.number('PORT') > 9) throw new ConfigError('PORT must be at most 9');
    };
    const config = await connect({ validate });
    await set('10');
    await waitUntil(() => codes().includes('rejected'));
    expect([config.number('PORT'), errors[0]?.message]).toEqual([1, expect.stringContaining('PORT must be at most 9')]);
    await set('2');
    await waitUntil(() => config.number('PORT') === 2);
    await set('many');
    await waitUntil(() => errors.length === 2);
    expect([config.number('PORT'), errors[1]?.message]).toEqual([2, expect.not.stringContaining('many')]);
    await config.close();
    expect(await connectionOutcome(connect({ validate }))).toBe('rejected');
  },

  'The clock of the machine is wrong': async () => {
    const now = () => Date.now() + 24 * HOUR_MS;
    const config = await connect({ cache: { file: programs.file('other') }, now });
    await set('2');
    await waitUntil(() => config.number('PORT') === 2);
    await config.close();
    const cache = await cached({ now: () => Date.now() + 6 * 60_000 });
    await expectUnused(cache, /is from the future/);
    await proxy.comeUp();
    const near = await cached({ now: () => Date.now() + 4 * 60_000 });
    expect((await connect({ cache: near })).number('PORT')).toBe(2);
  },

  'The cache is damaged': async () => {
    const cache = await cached();
    const bytes = fs.readFileSync(cache.file);
    for (const at of [bytes.length - 1, bytes.length - 20, bytes.indexOf('\n') + 1, 5]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      fs.writeFileSync(cache.file, damaged);
      errors.length = 0;
      await expectUnused(cache, /is damaged|was written by another version/);
    }
    for (const end of [0, 10, bytes.indexOf('\n') + 1, bytes.length - 1]) {
      fs.writeFileSync(cache.file, bytes.subarray(0, end));
      errors.length = 0;
      await expectUnused(cache, /is damaged|was written by another version/);
    }
    const text = bytes.toString('latin1').replace(/"confirmedAt":\d+/, `"confirmedAt":${Date.now()}`);
    fs.writeFileSync(cache.file, text, 'latin1');
    errors.length = 0;
    await expectUnused(cache, /is damaged/);
  },

  'The cache belongs to another credential or selection': async () => {
    const cache = await cached();
    const others: readonly Options[] = [
      { credential: await org.authorization('VIEWER') },
      { project: 'other' },
      { environment: 'production' },
      { names: ['PORT'] },
      { reveal: true },
      { url: `${proxy.url}/other` },
    ];
    for (const foreignOptions of others) {
      errors.length = 0;
      await expectUnused(cache, /is damaged, or belongs to another credential/, foreignOptions);
    }
    expect((await connect({ cache })).number('PORT')).toBe(1);
  },

  'The cache can be read by other users': async () => {
    const cache = await cached();
    expect(fs.statSync(cache.file).mode & 0o777).toBe(0o600);
    fs.chmodSync(cache.file, 0o640);
    await expectUnused(cache, /can be read or written by other users/);
    fs.chmodSync(cache.file, 0o600);
    fs.renameSync(cache.file, `${cache.file}.real`);
    fs.symlinkSync(`${cache.file}.real`, cache.file);
    errors.length = 0;
    await expectUnused(cache, /is a symbolic link/);
    if (process.getuid?.() !== 0) return;
    fs.rmSync(cache.file);
    fs.renameSync(`${cache.file}.real`, cache.file);
    fs.chownSync(cache.file, 1, 1);
    errors.length = 0;
    await expectUnused(cache, /belongs to another user/);
  },

  'The cache is too old': async () => {
    const cache = await cached();
    await expectUnused(cache, /is older than 1440 minutes/, { now: () => Date.now() + 25 * HOUR_MS });
    const config = await connect({ cache, now: () => Date.now() + 23 * HOUR_MS });
    expect([config.number('PORT'), Math.round(config.ageMs / HOUR_MS)]).toEqual([1, 23]);
    expect(fs.readFileSync(cache.file, 'latin1')).not.toMatch(/PORT/);
  },
};

const rows = [...(README.split('## Behaviour under faults')[1] ?? '').matchAll(/^\| (?!Fault|---)(.+?) \|/gm)];

test.each(rows.map(([, title = '']) => title))('%s', async (title) => {
  await FAULTS[title]?.();
  expect(Object.keys(FAULTS)).toContain(title);
});

test('the table of the README has a row for each of these tests', () => {
  expect(rows.map(([, title]) => title)).toEqual(expect.arrayContaining(Object.keys(FAULTS)));
});
