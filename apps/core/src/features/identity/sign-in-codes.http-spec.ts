import { hash, randomBytes } from 'node:crypto';
import type { AuthToken, Page, Session, SignInCode } from '@strata/contract';
import { type OwnCore, RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import pg from 'pg';
import { createPerson, type Person } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
let otherCore: OwnCore;
beforeAll(async () => {
  core = await sharedCore();
  otherCore = await core.another();
});
afterAll(() => otherCore?.close());

/** The program that requests a code: only it knows the verifier. */
interface Program {
  readonly verifier: string;
  readonly challenge: string;
}

function program(): Program {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: hash('sha256', verifier, 'base64url') };
}

const as = (token: string) => new RawClient(core.origin, `Bearer ${token}`);
const anonymous = (at: { readonly origin: string } = core) => new RawClient(at.origin, null);

async function browserSession({ email, password }: Person): Promise<string> {
  return (await anonymous().post<AuthToken>('auth/session/', { email, password, client: 'Firefox' })).body.access_token;
}

async function codeFor(token: string, { challenge }: Program): Promise<string> {
  const body = { code_challenge: challenge, client: 'strata on laptop' };
  const { status, body: createdObject } = await as(token).post<SignInCode>('auth/code/', body);
  expect([status, createdObject.expires_in]).toEqual([201, 60]);
  return createdObject.code;
}

const redeem = (code: string, { verifier }: Program, at?: { readonly origin: string }) =>
  anonymous(at).post<AuthToken & { readonly detail: string }>('auth/session/', { code, code_verifier: verifier });

async function listSessions(token: string): Promise<readonly Session[]> {
  return (await as(token).get<Page<Session>>('users/current/sessions/')).body.results;
}

/** A person with a session of a browser, and a program for which this session has created a code. */
async function approved() {
  const organization = await core.organization();
  const ada = await createPerson(core, organization.id, 'VIEWER');
  const browser = await browserSession(ada);
  const strata = program();
  return { organization, ada, browser, strata, code: await codeFor(browser, strata) };
}

const WRONG_CREDENTIALS = { status: 403, body: { detail: 'Incorrect authentication credentials.' } };

describe('a sign-in code', () => {
  it('starts a session of its person in its organization on any core, which the list shows with its program', async () => {
    const { organization, ada, browser, strata, code } = await approved();

    const { status, body } = await redeem(code, strata, otherCore);

    expect([status, body.organization]).toEqual([200, organization.id]);
    const user = await as(body.access_token).get('users/current/');
    expect(user.body).toMatchObject({ email: ada.email, role: 'VIEWER' });
    const [mine, ...others] = await listSessions(body.access_token);
    expect(mine).toMatchObject({ client: 'strata on laptop', method: 'password', is_current: true });
    expect(others).toEqual([expect.objectContaining({ client: 'Firefox' })]);
    expect((await as(browser).delete(`users/current/sessions/${mine?.id}/`)).status).toBe(204);
    await waitUntil(
      async () => (await as(body.access_token).get('users/current/')).status,
      (answer) => answer === 403,
    );
  });

  it('starts a session in the organization of its page, and not in another one of the same person', async () => {
    const { organization, ada, browser, strata } = await approved();
    const second = await core.organization();
    await query(
      core,
      `insert into membership (organization_id, id, person_id, role) values ($1, gen_random_uuid(), $2, 'CONTRIB')`,
      [second.id, ada.id],
    );
    const { body: switched } = await as(browser).post<AuthToken>('auth/token/', { organization: second.id });

    const inSecond = await redeem(await codeFor(switched.access_token, strata), strata);
    const inFirst = await redeem(await codeFor(browser, strata), strata);

    expect([inFirst.body.organization, inSecond.body.organization]).toEqual([organization.id, second.id]);
    expect((await as(inFirst.body.access_token).get('users/current/')).body).toMatchObject({ role: 'VIEWER' });
    expect((await as(inSecond.body.access_token).get('users/current/')).body).toMatchObject({ role: 'CONTRIB' });
  });

  it('starts a session that expires with the session that created the code', async () => {
    const { ada, browser, strata } = await approved();
    await query(core, `update session set expires_at = now() + interval '10 minutes' where person_id = $1`, [ada.id]);

    const { body } = await redeem(await codeFor(browser, strata), strata);

    expect(body.expires_in).toBeLessThanOrEqual(600);
    expect(body.expires_in).toBeGreaterThan(500);
  });

  it('starts one session only', async () => {
    const { browser, strata, code } = await approved();

    const responses = await Promise.all([core, otherCore, core, otherCore].map((at) => redeem(code, strata, at)));

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
    expect(await redeem(code, strata)).toMatchObject(WRONG_CREDENTIALS);
    expect(await listSessions(browser)).toHaveLength(2);
  });

  it('is useless without the verifier of its program, and the attempt uses it up and is recorded', async () => {
    const { organization, ada, strata, code } = await approved();

    expect(await redeem(code, program())).toMatchObject(WRONG_CREDENTIALS);

    expect(await redeem(code, strata)).toMatchObject(WRONG_CREDENTIALS);
    const path = 'audit/?access_log=true&action=sign_in_refused';
    const { results } = await waitUntil(
      async () => (await organization.owner.get<Page<{ readonly user: { readonly id: string } }>>(path)).body,
      (page) => page.results.length > 0,
    );
    expect(results).toEqual([
      expect.objectContaining({
        user: expect.objectContaining({ id: ada.id }),
        refusal: expect.objectContaining({ rule: 'wrong_code_verifier' }),
      }),
    ]);
  });

  it('is rejected like an unknown one after a minute, and when the session creates another one', async () => {
    const { ada, browser, strata, code: replaced } = await approved();
    const code = await codeFor(browser, strata);
    expect(await redeem(replaced, strata)).toMatchObject(WRONG_CREDENTIALS);
    await query(
      core,
      `update sign_in_code set expires_at = expires_at - interval '60 seconds'
        where session_id in (select id from session where person_id = $1)`,
      [ada.id],
    );

    expect(await redeem(code, strata)).toMatchObject(WRONG_CREDENTIALS);
    expect(await redeem('unknown', strata)).toMatchObject(WRONG_CREDENTIALS);
  });

  it.each([
    ['ends the session', ({ browser }) => as(browser).delete('auth/session/')],
    ['signs out everywhere', ({ browser }) => as(browser).delete('users/current/tokens/')],
    [
      'leaves the organization',
      ({ organization, ada }) => organization.owner.delete(`memberships/${ada.membershipId}/`),
    ],
    ['loses the organization', ({ organization }) => organization.owner.delete(`organizations/${organization.id}/`)],
  ] satisfies [string, (approvedCode: Awaited<ReturnType<typeof approved>>) => Promise<{ status: number }>][])(
    'is rejected if its person %s',
    async (_, act) => {
      const approvedCode = await approved();
      expect((await act(approvedCode)).status).toBeLessThan(300);

      expect(await redeem(approvedCode.code, approvedCode.strata)).toMatchObject(WRONG_CREDENTIALS);
    },
  );

  it('is rejected if its session is deleted while it is created', async () => {
    const { ada, strata } = await approved();
    const browser = await browserSession(ada);
    const deleter = new pg.Client({ connectionString: core.database.url });
    await deleter.connect();
    try {
      await deleter.query('begin');
      await deleter.query('delete from session where person_id = $1', [ada.id]);
      const whenCreated = as(browser).post('auth/code/', { code_challenge: strata.challenge });
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                        and query like '%sign_in_code%'`;
      await waitUntil(
        () => query(core, waiting),
        (rows) => rows.length > 0,
      );
      await deleter.query('commit');

      expect(await whenCreated).toMatchObject(WRONG_CREDENTIALS);
    } finally {
      await deleter.end();
    }
  });

  it('works while the organization is in maintenance', async () => {
    const { organization, browser, strata } = await approved();
    await query(core, 'update organization set maintenance = true where id = $1', [organization.id]);

    expect((await redeem(await codeFor(browser, strata), strata)).status).toBe(200);
  });

  it('is not stored', async () => {
    const { code } = await approved();
    const rows = await query(core, 'select row_to_json(sign_in_code)::text as text from sign_in_code');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(code).toString('hex'));
  });

  it('cannot be created by a service account, nor with a token that belongs to no session', async () => {
    const organization = await core.organization();
    const body = { code_challenge: program().challenge };
    const key = new RawClient(core.origin, await organization.authorization('OWNER'));
    const { body: session } = await key.post<AuthToken>('auth/session/', {});
    const { client } = await createPerson(core, organization.id, 'OWNER');

    expect((await key.post('auth/code/', body)).status).toBe(403);
    expect((await as(session.access_token).post('auth/code/', body)).status).toBe(403);
    const { status, headers } = await client.post('auth/code/', body);
    expect([status, headers['x-error-code']]).toEqual([409, 'no_session']);
  });

  it('requires a verifier, and a challenge that is a SHA-256 hash', async () => {
    const { browser, code } = await approved();

    expect(await anonymous().post('auth/session/', { code })).toMatchObject({
      status: 400,
      body: { code_verifier: ['This field is required.'] },
    });
    const plain = { code_challenge: 'plain-text-verifier' };
    expect(await as(browser).post('auth/code/', plain)).toMatchObject({
      status: 400,
      body: { code_challenge: [expect.any(String)] },
    });
  });
});
