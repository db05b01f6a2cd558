import type { AuditTrail, Page, Parameter, Project, RecordedChangeset } from '@strata/contract';
import {
  countCases,
  createReplicatedDatabase,
  Metrics,
  metricsPort,
  RawClient,
  type ReplicatedDatabase,
  type Reply,
  type TestOrganization,
} from '@strata/testkit';
import fc from 'fast-check';
import { type CoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { serviceAccount } from '../../testing/service-accounts.ts';
import { SilentProxy } from '../../testing/silent-proxy.ts';
import { waitUntil } from '../../testing/until.ts';
import { CLASSIFIED_TABLES } from './standby-rows.ts';

let database: ReplicatedDatabase;
let proxy: SilentProxy;
let port: number;
/** Two cores with the standby, and one without. */
let core: CoreInProcess;
let second: CoreInProcess;
let plain: CoreInProcess;
let organization: TestOrganization;
beforeAll(async () => {
  database = await createReplicatedDatabase();
  proxy = await SilentProxy.before(database.standbyUrl);
  port = await metricsPort();
  const settings = { STRATA_READ_DATABASE_URLS: proxy.url, STRATA_DATABASE_TIMEOUT_SECONDS: '3' };
  plain = await startSecondCore({ database });
  second = await startSecondCore({ database }, settings);
  core = await startSecondCore({ database }, { ...settings, STRATA_METRICS_PORT: String(port) });
});
afterAll(async () => {
  for (const runningCore of [core, second, plain]) await runningCore.close();
  await proxy.close();
  await database.close();
});
beforeEach(async () => {
  organization = await core.organization();
});

const onStandby = (statement: string) => query({ database: { url: database.standbyUrl } }, statement);
const client = ({ origin }: CoreInProcess, authorization = organization.ownerAuthorization) =>
  new RawClient(origin, authorization);

/** Pauses the replay while a function runs. The pause begins after the change that the standby replays then. */
async function whilePaused(run: () => Promise<void>): Promise<void> {
  await onStandby('select pg_wal_replay_pause()');
  await waitUntil(
    () => onStandby(`select pg_get_wal_replay_pause_state() as state`),
    ([row]) => (row as { state: string }).state === 'paused',
  );
  await run().finally(() => onStandby('select pg_wal_replay_resume()'));
}

const countReads = async (labels: Readonly<Record<string, string>>) =>
  (await Metrics.read(port)).sum('strata_reads_total', labels);

/** Returns how many reads with these labels a function caused. */
async function readsDuring(labels: Readonly<Record<string, string>>, run: () => Promise<unknown>): Promise<number> {
  const before = await countReads(labels);
  await run();
  return (await countReads(labels)) - before;
}

const FROM_STANDBY = { strata_origin: 'standby' };

/**
 * Repeats a read until the standby answers it, because the standby may be behind or have been skipped. Each request differs, unless
 * it names a revision: responses about the present are stored.
 */
async function readFromStandby(path: string) {
  const responses: { url: string; reply: Reply }[] = [];
  const read = async () => {
    const page = path.includes('revision=') ? '' : `${path.includes('?') ? '&' : '?'}page_size=${responses.length + 1}`;
    responses.push({ url: path + page, reply: await client(core).get(path + page) });
  };
  await waitUntil(
    () => readsDuring(FROM_STANDBY, read),
    (count) => count > 0,
  );
  return responses.at(-1) as (typeof responses)[number];
}

interface SeenState {
  readonly description: string | undefined;
  readonly revision: number;
}

/** The writes of one project. Their texts are 1, 2, 3 … */
class History {
  private reads = 0;

  private constructor(
    private readonly owner: RawClient,
    private readonly project: Project,
    /** The state after the last acknowledged write. */
    public acknowledged: SeenState,
  ) {}

  static async begin(testOrganization: TestOrganization): Promise<History> {
    const project = await testOrganization.project({ description: '0' });
    const { headers } = await testOrganization.owner.get(project.url);
    const state = { description: '0', revision: Number(headers['x-revision']) };
    return new History(testOrganization.owner, project, state);
  }

  async write(): Promise<void> {
    const description = String(Number(this.acknowledged.description) + 1);
    const { status, headers } = await this.owner.patch(this.project.url, { description });
    expect(status).toBe(200);
    this.acknowledged = { description, revision: Number(headers['x-revision']) };
  }

  /**
   * Reads two lists, one after the other. The first needs only the revision, and the second the whole log, so a standby that is behind
   * is first found by its revision. Fails if the second list shows an earlier revision.
   */
  async read(reader: RawClient): Promise<SeenState> {
    this.reads += 1;
    const page = `page_size=${this.reads % 900}`;
    const changesets = await reader.get<Page<RecordedChangeset>>(`changesets/?${page}`);
    const projects = await reader.get<Page<Project>>(`projects/?name=${this.project.name}&${page}`);
    const revision = changesets.body.results[0]?.revision ?? 0;
    expect(Number(projects.headers['x-revision'])).toBeGreaterThanOrEqual(revision);
    return { description: projects.body.results[0]?.description, revision };
  }
}

const withoutOrigin = (text: string) => text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');

describe('a standby', () => {
  it('answers lists, time travel, audit, exports, search and lint as the primary server does', async () => {
    const value = await organization.value({ internal_value: 'first' });
    await organization.owner.patch(value.url, { internal_value: 'second' });
    const parameter = (await organization.owner.get<Parameter>(value.url.replace(/values\/.*/, ''))).body;
    const projectUrl = parameter.project;
    const revision = Number((await organization.owner.get('environments/')).headers['x-revision']);
    for (const path of [
      'projects/',
      'environments/',
      'users/',
      `${projectUrl}parameters/?revision=${revision - 1}`,
      'audit/',
      'changesets/',
      `${projectUrl}parameter-export/?output=dotenv&environment=default&revision=${revision}`,
      `search/?q=${parameter.name}&revision=${revision}`,
      `lint/?revision=${revision}`,
    ]) {
      const { reply, url } = await readFromStandby(path);
      const expected = await client(plain).get(url);
      expect([url, reply.status, withoutOrigin(reply.text)]).toEqual([url, 200, withoutOrigin(expected.text)]);
      expect([url, reply.headers['x-revision']]).toEqual([url, expected.headers['x-revision']]);
    }
  });

  it('answers the export of a backup', async () => {
    await organization.value();
    await waitUntil(
      () => readsDuring(FROM_STANDBY, () => organization.owner.post('backup/snapshot/', {})),
      (count) => count > 0,
    );
  });

  it('that is behind answers no read: an acknowledged write is visible to the next read', async () => {
    const history = await History.begin(organization);
    await onStandby(`alter system set recovery_min_apply_delay = '400ms'`);
    await onStandby('select pg_reload_conf()');
    try {
      for (let n = 1; n <= 8; n += 1) {
        await history.write();
        expect(await history.read(client(core))).toEqual(history.acknowledged);
      }
    } finally {
      await onStandby('alter system reset recovery_min_apply_delay');
      await onStandby('select pg_reload_conf()');
    }
  });

  it('whose replay is paused answers no read', async () => {
    const history = await History.begin(organization);
    await whilePaused(async () => {
      await history.write();
      const fromStandby = await readsDuring(FROM_STANDBY, async () => {
        for (let n = 1; n <= 3; n += 1) expect(await history.read(client(core))).toEqual(history.acknowledged);
      });
      expect(fromStandby).toBe(0);
    });
    await readFromStandby('projects/');
  });

  it('does not delay the end of a key', async () => {
    const account = await serviceAccount(organization);
    const program = client(core, `Api-Key ${account.apikey}`);
    await organization.value();
    expect((await program.get('projects/')).status).toBe(200);
    await whilePaused(async () => {
      expect((await organization.owner.delete(account.url)).status).toBe(204);
      expect((await program.get('projects/')).status).toBe(403);
      expect((await program.get('projects/?page_size=3')).status).toBe(403);
    });
    expect((await program.get('projects/?page_size=4')).status).toBe(403);
  });

  it('keeps secrets masked, lists reveals, and hides other organizations', async () => {
    const parameter = await organization.parameter({ secret: true });
    const value = await organization.value({ parameter, internal_value: 'hunter2' });
    const { headers } = await client(core).get('environments/');
    const listUrl = `${parameter.url}values/?revision=${headers['x-revision']}`;
    expect((await readFromStandby(`${listUrl}&mask_secrets=true`)).reply.text).not.toContain('hunter2');
    const { url } = await readFromStandby(listUrl);
    expect((await client(core).get(url)).text).toContain('hunter2');
    const log = () => client(core).get<Page<AuditTrail>>('audit/?access_log=true&action=reveal');
    await waitUntil(log, ({ body }) => body.results.length > 0);

    const stranger = await core.organization();
    for (const path of [value.url, parameter.url, listUrl]) {
      const reply = await client(core, stranger.ownerAuthorization).get(path);
      const expected = await client(plain, stranger.ownerAuthorization).get(path);
      expect([reply.status, withoutOrigin(reply.text)]).toEqual([404, withoutOrigin(expected.text)]);
    }
  });
});

describe('two readers and a standby that is paused and resumed', () => {
  const step = fc.constantFrom('write', 'write', 'read', 'read', 'read', 'race', 'pause', 'resume');

  it('never see an earlier state, and always the last acknowledged one', async () => {
    const fromStandby = await readsDuring(FROM_STANDBY, () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
          const history = await History.begin(organization);
          const readers = [client(core), client(second)];
          const readBoth = () => Promise.all(readers.map((reader) => history.read(reader)));
          for (const action of steps) {
            if (action === 'write') await history.write();
            else if (action === 'race') {
              const before = history.acknowledged;
              const [, seen] = await Promise.all([history.write(), readBoth()]);
              for (const { description, revision } of seen) {
                expect([before.revision, history.acknowledged.revision]).toContain(revision);
                expect([before.description, history.acknowledged.description]).toContain(description);
              }
            } else if (action !== 'read') await onStandby(`select pg_wal_replay_${action}()`);
            if (action === 'race' || action === 'read')
              for (const state of await readBoth()) expect(state).toEqual(history.acknowledged);
          }
          await onStandby('select pg_wal_replay_resume()');
        }),
        { numRuns: countCases(30), endOnFailure: true },
      ),
    );
    expect(fromStandby).toBeGreaterThan(0);
  });
});

it('each table is classified by what a standby must have to return its rows', async () => {
  const tables = await query<{ name: string }>(
    { database },
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  expect(tables.map(({ name }) => name).toSorted()).toEqual([...CLASSIFIED_TABLES].toSorted());
});

describe('no request fails, and readiness does not change, if a standby', () => {
  const readAll = async () => {
    for (let n = 1; n <= 20; n += 1) {
      expect((await client(core).get(`projects/?page_size=${n}`)).status).toBe(200);
      expect((await client(core).get(`audit/?page_size=${n}`)).status).toBe(200);
    }
    expect((await fetch(`${core.origin}/readyz`)).status).toBe(200);
  };
  const primary = (reason: string) => ({ strata_origin: 'primary', strata_reason: reason });

  it('stops to respond, and it is used again when it responds', async () => {
    await readFromStandby('projects/');
    proxy.silence();
    expect(await readsDuring(primary('slow'), readAll)).toBeGreaterThan(0);
    proxy.resume();
    await readFromStandby('projects/');
  });

  it('stops to respond during a read', async () => {
    await readFromStandby('projects/');
    proxy.silenceAt('strata_revision_at', { passes: true });
    expect(await readsDuring(primary('unreachable'), readAll)).toBeGreaterThan(0);
    await readFromStandby('projects/');
  });

  it('is promoted, and then stops', async () => {
    await readFromStandby('projects/');
    await onStandby('select pg_promote()');
    expect(await readsDuring(primary('promoted'), readAll)).toBeGreaterThan(0);
    await database.stopStandby();
    expect(await readsDuring(FROM_STANDBY, readAll)).toBe(0);
    await waitUntil(
      () => readsDuring(primary('unreachable'), readAll),
      (count) => count > 0,
    );
  });
});
