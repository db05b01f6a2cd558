import type { AuthToken, Effective, Project, ServiceAccountCreated } from '@strata/contract';
import { Metrics, metricsPort, RawClient, type TestOrganization, testCredentials } from '@strata/testkit';
import pg from 'pg';
import { type CapturedLog, captureLog } from '../../testing/captured-log.ts';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { listInstances, listStatuses, readRollout, sendReport, type TestScope } from '../../testing/instances.ts';
import { controlledProject, createMember } from '../../testing/members.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';

let core: CoreInProcess;
let second: CoreInProcess;
let metrics: number;
let organization: TestOrganization;
let project: Project;
let scope: TestScope;
let log: CapturedLog;

beforeAll(async () => {
  log = await captureLog();
  metrics = await metricsPort();
  core = await startCoreInProcess({ STRATA_LOG_LEVEL: 'info', STRATA_METRICS_PORT: String(metrics) });
  second = await startSecondCore(core);
});
afterAll(async () => {
  log.end();
  await second.close();
  await core.close();
});
beforeEach(async () => {
  organization = await core.organization();
  project = await organization.project({ name: 'shop' });
  scope = { project: project.id, environment: 'default' };
  await organization.value({
    parameter: await organization.parameter({ project, name: 'PORT' }),
    internal_value: '80',
  });
});

const effective = async (client = organization.owner) =>
  (await client.get<Effective>(`projects/${project.id}/effective/`)).body;
const stored = (target = organization) =>
  query<{ name: string; credential: string; digest: string | null }>(
    core,
    'select name, credential, digest from instance where organization_id = $1',
    [target.id],
  );
const on = ({ origin }: CoreInProcess, authorization: string) => new RawClient(origin, authorization);

describe('a report', () => {
  it('counts for the credential that sends it; another credential cannot speak for it', async () => {
    const { revision, digest } = await effective();
    const clients = [organization.as('VIEWER'), organization.as('CONTRIB'), organization.owner];
    for (const client of clients) await sendReport(client, scope, 'web-1', { revision, digest });
    await sendReport(organization.as('CONTRIB'), scope, 'web-1', { revision, digest, reason: 'no' });
    const instances = await listInstances(organization.owner, scope);

    expect(instances.map(({ status }) => status)).toEqual(['refused', 'current', 'current']);
    expect(new Set(instances.map(({ account }) => account.id)).size).toBe(3);
    expect(new Set((await stored()).map(({ credential }) => credential.split(':')[0]))).toEqual(
      new Set(['key', 'token']),
    );
  });

  it('of a session counts for the key that started it; two sessions of one person are two instances', async () => {
    const { revision, digest } = await effective();
    const key = organization.as('VIEWER');
    const { ownerEmail: email, ownerPassword: password } = testCredentials();
    const signIn = async (client: RawClient, body = {}) => {
      const { access_token: token } = (await client.post<AuthToken>('auth/session/', body)).body;
      return new RawClient(core.origin, `Bearer ${token}`);
    };
    const anonymous = new RawClient(core.origin, null);
    const person = { email, password, organization: organization.id };
    await sendReport(key, scope, 'web-1', { revision, digest });
    await sendReport(await signIn(key), scope, 'web-1', { revision, digest, reason: 'of the key' });
    await sendReport(await signIn(anonymous, person), scope, 'web-1', { revision, digest, reason: 'of a session' });
    await sendReport(await signIn(anonymous, person), scope, 'web-1', { revision, digest });
    const instances = await listInstances(organization.owner, scope);

    expect(instances.map(({ reason }) => reason).sort()).toEqual([null, 'of a session', 'of the key']);
    expect((await stored()).map(({ credential }) => credential.split(':')[0]).sort()).toEqual([
      'key',
      'session',
      'session',
    ]);
  });

  it('is stored without the digest and without the key', async () => {
    const { revision, digest } = await effective();
    const authorization = await organization.authorization('VIEWER');
    await sendReport(organization.as('VIEWER'), scope, 'web-1', { revision, digest });
    const rows = JSON.stringify(await stored());

    expect(rows).not.toContain(digest.slice('sha256:'.length));
    expect(rows).not.toContain(authorization.split('.').at(-1));
    expect((await readRollout(organization.owner, scope)).text).not.toContain(digest.slice('sha256:'.length));
  });

  it('of a revision that does not exist yet returns 400', async () => {
    const { revision, digest } = await effective();
    expect(await sendReport(organization.owner, scope, 'web-1', { revision: revision + 1, digest })).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'unknown_revision' },
      body: { revision: [`Revision ${revision + 1} does not exist; the latest is ${revision}.`] },
    });
    expect(await stored()).toEqual([]);
  });

  it.each`
    input                                                                                                             | field
    ${{ revision: 1 }}                                                                                                | ${'digest'}
    ${{ revision: 1, reason: '' }}                                                                                    | ${'reason'}
    ${{ revision: 1, reason: 'x'.repeat(501) }}                                                                       | ${'reason'}
    ${{ revision: 1, digest: 'x'.repeat(81) }}                                                                        | ${'digest'}
    ${{ revision: -1, digest: 'x' }}                                                                                  | ${'revision'}
    ${{ revision: 1, digest: 'x', names: ['\0'] }}                                                                    | ${'names'}
    ${{ revision: 1, digest: 'x', names: Array.from({ length: 100 }, (_, index) => String(index).padEnd(200, 'x')) }} | ${'names'}
    ${{ revision: 1, digest: 'x', instance: 'x'.repeat(129) }}                                                        | ${'instance'}
    ${{ revision: 1, digest: 'x', instance: ' ' }}                                                                    | ${'instance'}
  `('with an invalid $field returns 400', async ({ input, field }) => {
    const { status, body } = await sendReport(organization.owner, scope, 'web-1', input);
    expect([status, Object.keys(body as object)]).toEqual([400, [field]]);
  });

  it.each([['web\u202e1'], ['web\u200b1'], ['\u2066web-1']])(
    'with the name %j of an instance returns 400',
    async (instance) => {
      const { revision, digest } = await effective();
      expect(await sendReport(organization.owner, scope, instance, { revision, digest })).toMatchObject({
        status: 400,
        headers: { 'x-error-code': 'invisible_character' },
        body: { instance: [expect.stringMatching(/U\+20[026][0-9A-F]/)] },
      });
      expect(await stored()).toEqual([]);
      expect((await sendReport(organization.owner, scope, 'café 👩‍💻', { revision, digest })).status).toBeLessThan(300);
    },
  );

  it('of another organization, or of a forbidden project or environment, returns what reads return', async () => {
    const { revision, digest } = await effective();
    const otherOrganization = await core.organization();
    const closed = await controlledProject(organization);
    const environment = await organization.environment();
    await organization.owner.patch(environment.url, { access_controlled: true });
    const { client } = await createMember(core, organization);
    const attempts = [
      [otherOrganization.owner, scope, 404],
      [client, { project: closed.name, environment: 'default' }, 403],
      [client, { project: closed.id, environment: 'nothing' }, 403],
      [client, { project: project.name, environment: environment.name }, 403],
      [client, { project: project.name, environment: 'nothing' }, 404],
    ] as const;
    for (const [caller, at, status] of attempts) {
      expect((await sendReport(caller, at, 'web-1', { revision, digest })).status).toBe(status);
      expect((await readRollout(caller, at)).status).toBe(status);
    }
    expect(await stored()).toEqual([]);
    expect(await stored(otherOrganization)).toEqual([]);
  });

  it('of an instance that receives secrets is in the access log, because its status shows whether the digest is right', async () => {
    const { revision, digest } = await effective();
    const records = async () =>
      (await organization.owner.get<{ results: { user: { role: string } }[] }>('audit/?action=reveal')).body.results;
    await sendReport(organization.as('CONTRIB'), scope, 'web-1', { revision, digest });
    await sendReport(organization.as('VIEWER'), scope, 'web-2', { revision, digest, reveal: true });

    expect(await waitUntil(records, ({ length }) => length > 0)).toMatchObject([{ user: { role: 'VIEWER' } }]);
  });

  it('of an instance that receives secrets requires the ability to reveal them', async () => {
    const { revision, digest } = await effective();
    const account = { name: 'masked', role: 'CONTRIB', reveals_secrets: false };
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', account);
    const client = new RawClient(core.origin, `Api-Key ${body.apikey}`);

    expect(await sendReport(client, scope, 'web-1', { revision, digest, reveal: true })).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'reveal_forbidden' },
    });
    expect(await sendReport(client, scope, 'web-1', { revision, digest })).toMatchObject({ status: 204 });
  });

  it('is not compared with secrets after its account has lost the ability, and nacks do not keep it alive', async () => {
    const { revision, digest } = await effective();
    const account = { name: 'former', role: 'CONTRIB' };
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', account);
    const client = new RawClient(core.origin, `Api-Key ${body.apikey}`);
    await sendReport(client, scope, 'web-1', { revision, digest, reveal: true });
    const before = await listStatuses(organization.owner, scope);
    await organization.owner.patch(`serviceaccounts/${body.id}/`, { reveals_secrets: false });
    await organization.value();

    expect(before).toEqual({ 'web-1': 'current' });
    expect(await listStatuses(organization.owner, scope)).toEqual({ 'web-1': 'lagging' });
    expect((await sendReport(client, scope, 'web-1', { revision, reason: 'again', reveal: true })).status).toBe(403);
  });

  it('that guesses a digest gets another keyed digest than the account that knows it', async () => {
    const { revision, digest } = await effective();
    await sendReport(organization.owner, scope, 'knows', { revision, digest, reveal: true });
    await sendReport(organization.as('VIEWER'), scope, 'guesses', { revision, digest, reveal: true });
    await sendReport(organization.owner, scope, 'masked', { revision, digest });
    const digests = (await listInstances(organization.owner, scope)).map((instance) => instance.digest);

    expect(new Set(digests).size).toBe(3);
  });
});

describe('an instance that no longer reports', () => {
  it('is removed after 15 minutes, and a wait ends without it', async () => {
    const { revision } = await effective();
    await sendReport(organization.owner, scope, 'gone', { revision, digest: 'other' });
    const waiting = readRollout(organization.owner, scope, 'wait=60');
    const expire = (minutes: string) =>
      query(core, `update instance set seen_at = now() - $2::interval where organization_id = $1 and name = 'gone'`, [
        organization.id,
        minutes,
      ]);
    await expire('14 minutes');
    expect(await listStatuses(organization.owner, scope)).toEqual({ gone: 'lagging' });
    await expire('16 minutes');

    expect((await waiting).body).toMatchObject({ converged: true, total: 0 });
    expect(await stored()).toHaveLength(1);
    await sendReport(organization.owner, scope, 'web-1', { revision, digest: 'other' });
    expect(await stored()).toMatchObject([{ name: 'web-1' }]);
  });
});

describe('the limits', () => {
  const fill = (credential: string, person: string, count: number) =>
    query(
      core,
      `insert into instance (organization_id, person_id, credential, project_id, environment_id, name, reveal,
                             confirmed_revision, digest, since, seen_at)
       select $1, $2, $3, $4, (select id from environment where organization_id = $1 and name = 'default'), 'old-' || number, false, 1, 'x', now(), now()
         from generate_series(1, $5) number`,
      [organization.id, person, credential, project.id, count],
    );
  const ofViewer = async () => {
    const { revision, digest } = await effective();
    const authorization = await organization.authorization('VIEWER');
    await sendReport(organization.as('VIEWER'), scope, 'first', { revision, digest });
    const [row] = await query<{ credential: string; person: string }>(
      core,
      'select credential, person_id as person from instance where organization_id = $1',
      [organization.id],
    );
    const { credential, person } = row as { credential: string; person: string };
    return { revision, digest, authorization, credential, person };
  };

  it('allow 1,000 instances of a credential on all cores together; known ones still report', async () => {
    const { revision, digest, authorization, credential, person } = await ofViewer();
    await fill(credential, person, 994);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        sendReport(on(index % 2 ? core : second, authorization), scope, `new-${index}`, { revision, digest }),
      ),
    );
    const failed = responses.filter(({ status }) => status !== 204);

    expect(failed).toHaveLength(15);
    expect(failed[0]).toMatchObject({
      status: 429,
      headers: { 'x-error-code': 'too_many_instances', 'retry-after': '60' },
      body: { detail: expect.stringContaining('At most 1000 instances of a credential') },
    });
    expect(await stored()).toHaveLength(1_000);
    expect((await sendReport(organization.as('VIEWER'), scope, 'old-1', { revision, digest })).status).toBe(204);
    expect((await sendReport(organization.owner, scope, 'another', { revision, digest })).status).toBe(204);
  });

  it('allow 10,000 instances of an organization', async () => {
    const { revision, digest, person } = await ofViewer();
    await fill('key:other', person, 9_998);
    const responses = [];
    for (const client of [organization.owner, organization.as('CONTRIB')]) {
      responses.push((await sendReport(client, scope, 'new', { revision, digest })).status);
    }

    expect(responses).toEqual([204, 429]);
    expect((await readRollout(organization.owner, scope)).body.total).toBe(10_000);
    expect((await sendReport(await (await core.organization()).owner, scope, 'x', { revision, digest })).status).toBe(
      404,
    );
  });

  it('bound a flood of names, of which none is lost that was answered', async () => {
    const { revision, digest, credential, person } = await ofViewer();
    await fill(credential, person, 900);
    const flood = await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        sendReport(organization.as('VIEWER'), scope, `flood-${index}`, { revision, digest }),
      ),
    );
    const accepted = flood.filter(({ status }) => status === 204);

    expect(accepted).toHaveLength(99);
    expect(flood.filter(({ status }) => status === 429)).toHaveLength(301);
    expect(await stored()).toHaveLength(1_000);
  });
});

describe('a report while something else happens', () => {
  it('waits while another transaction may delete its project, and does not hold up other reports', async () => {
    const { revision, digest } = await effective();
    const deleting = new pg.Client({ connectionString: core.database.url });
    await deleting.connect();
    await deleting.query('begin');
    await deleting.query('select from project where id = $1 for update', [project.id]);
    let isOver = false;
    const pending = sendReport(organization.owner, scope, 'web-1', { revision, digest });
    void pending.then(() => (isOver = true));
    const otherProject = await controlledProject(organization);
    const otherToken = { project: otherProject.id, environment: 'default' };
    expect((await sendReport(organization.owner, otherToken, 'web-2', { revision, digest })).status).toBe(204);
    expect(isOver).toBe(false);
    await deleting.query('rollback');
    await deleting.end();

    expect((await pending).status).toBe(204);
  });

  it('that was answered with 204 is stored, although connections to the database are lost', async () => {
    const { revision, digest } = await effective();
    const answered: string[] = [];
    const statuses = new Set<number>();
    let isOver = false;
    const killing = (async () => {
      while (!isOver) {
        await query(
          core,
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and query like '%instance%'`,
        );
      }
    })();
    const reporting = Array.from({ length: 10 }, async (_, worker) => {
      for (let n = 0; n < 15; n += 1) {
        const { status } = await sendReport(organization.owner, scope, `${worker}-${n}`, { revision, digest });
        statuses.add(status);
        if (status === 204) answered.push(`${worker}-${n}`);
      }
    });
    await Promise.all(reporting).finally(() => {
      isOver = true;
    });
    await killing;
    const names = new Set((await stored()).map(({ name }) => name));

    expect(statuses).toEqual(new Set([204, 503]));
    expect(answered.filter((name) => !names.has(name))).toEqual([]);
  });

  it('leaves no name and no reason in the log and in the metrics', async () => {
    const { revision } = await effective();
    await sendReport(organization.owner, scope, 'canary-name', { revision, reason: 'canary-reason' });
    await sendReport(organization.owner, scope, 'canary-name', { revision: revision + 9, reason: 'canary-reason' });
    await organization.owner.get(`projects/${project.id}/effective/`, { 'x-strata-instance': 'canary-poll' });
    await waitUntil(
      async () => log.text,
      (text) => text.includes('/api/v1/rollouts'),
    );
    const { text } = await Metrics.read(metrics);

    expect(text).toContain('/api/v1/rollouts');
    expect(log.text + text).not.toContain('canary');
  });
});
