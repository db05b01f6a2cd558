import { randomUUID } from 'node:crypto';
import type { AuthToken, Organization, Page, User } from '@strata/contract';
import { RawClient, testCredentials } from '@strata/testkit';
import { decodeJwt } from 'jose';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { createPerson, requestToken } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

const anonymous = () => new RawClient(core.origin, null);
const signIn = (body: object) => anonymous().post<AuthToken>('auth/token/', body);
const bearer = (token: string) => new RawClient(core.origin, `Bearer ${token}`);

describe('signing in', () => {
  it('returns a token for the organization of the person', async () => {
    const organization = await core.organization();
    const { id, email, password } = await createPerson(core, organization.id, 'CONTRIB');

    const response = await signIn({ email: ` ${email.toUpperCase()}`, password });
    const currentResponse = await bearer(response.body.access_token).get<User>('users/current/');

    expect(response).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', expires_in: 900, organization: organization.id },
    });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(currentResponse.body).toMatchObject({
      id,
      email,
      type: 'interactive',
      role: 'CONTRIB',
      organization_name: organization.name,
    });
  });

  it('can name one of several organizations, by id or link', async () => {
    const [first, second] = [await core.organization(), await core.organization()];
    const { ownerEmail: email, ownerPassword: password } = testCredentials();

    expect(await signIn({ email, password, organization: first.id })).toMatchObject({
      body: { organization: first.id },
    });
    expect(
      await signIn({ email, password, organization: `https://x/api/v1/organizations/${second.id}/` }),
    ).toMatchObject({
      body: { organization: second.id },
    });
  });

  it('rejects an organization of other people like one that does not exist', async () => {
    const [mine, otherOrganization] = [await core.organization(), await core.organization()];
    const { email, password } = await createPerson(core, mine.id, 'OWNER');

    const foreign = await signIn({ email, password, organization: otherOrganization.id });
    const missing = await signIn({ email, password, organization: '7d0ff6c2-6ad2-4e43-a1b0-3a8d8b6b3f58' });

    expect(foreign).toMatchObject({ status: 400, body: { organization: [expect.any(String)] } });
    expect(foreign.text).toBe(missing.text);
  });

  it('returns the same response for a wrong password and for an unknown address', async () => {
    const organization = await core.organization();
    const { email, password } = await createPerson(core, organization.id, 'OWNER');

    const responses = [
      await signIn({ email, password: `${password}x` }),
      await signIn({ email, password: password.toUpperCase() }),
      await signIn({ email: 'nobody@example.com', password }),
      await signIn({ email: `%${email.slice(1)}`, password }),
      await signIn({ email: `${email}' or '1'='1`, password }),
    ];

    for (const { status, text, headers } of responses) {
      expect({ status, text, code: headers['x-error-code'] }).toEqual({
        status: 403,
        text: '{"detail":"Incorrect authentication credentials."}',
        code: 'bad_credential',
      });
    }
  });

  it('is not available to service accounts', async () => {
    const organization = await core.organization();
    const { body } = await organization.as('OWNER').get<User>('users/current/');

    expect(body.email).toBe('');
    expect((await signIn({ email: `${body.id}@service.strata.local`, password: 'x' })).status).toBe(403);
  });

  it('returns 429 after ten failures in a minute, but only for that address', async () => {
    const organization = await core.organization();
    const { email, password } = await createPerson(core, organization.id, 'OWNER');
    const another = await createPerson(core, organization.id, 'OWNER');
    // Sends the requests one after the other, because too many at once return 503.
    const failures = [];
    for (let attempt = 0; attempt < 10; attempt += 1) failures.push(await signIn({ email, password: 'wrong' }));

    const right = await signIn({ email: email.toUpperCase(), password });

    expect(failures.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 403));
    expect(right).toMatchObject({ status: 429, headers: { 'x-error-code': 'too_many_attempts' } });
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(right.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await signIn(another)).status).toBe(200);
  });

  it('does not count successful attempts', async () => {
    const organization = await core.organization();
    const member = await createPerson(core, organization.id, 'OWNER');

    for (let n = 0; n < 12; n += 1) expect((await signIn(member)).status).toBe(200);
  });

  it.each([
    [{}, { email: ['This field is required.'] }],
    [{ email: 'a@b.c' }, { password: ['This field is required.'] }],
    [{ password: 'x' }, { email: ['This field is required.'] }],
    [{ organization: 'x' }, { email: ['This field is required.'] }],
    [{ email: '', password: 'x' }, { email: ['This field may not be blank.'] }],
    [{ email: 'a@b.c', password: ['x'] }, { password: ['Not a valid string.'] }],
    [{ email: 'a@b.c', password: 'a\u0000' }, { password: [expect.any(String)] }],
    [{ email: 'a@b.c', password: 'x'.repeat(1_025) }, { password: [expect.any(String)] }],
  ])('requires e-mail and password: %j', async (body, problems) => {
    expect(await signIn(body)).toMatchObject({ status: 400, body: problems });
  });

  it('stores passwords and keys only as hashes', async () => {
    const { apiKey, ownerPassword } = testCredentials();
    const organization = await core.organization();
    await organization.as('VIEWER').get('users/current/');
    const [, ownSecret = ''] = (await organization.authorization('VIEWER')).split('.');
    const tables = await query<{ name: string }>(
      core,
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );

    for (const { name } of tables) {
      const rows = await query<{ text: string }>(core, `select stored::text as text from "${name}" stored`);
      const all = rows.map(({ text }) => text).join('\n');
      for (const secret of [ownerPassword, apiKey.split('.')[1] ?? '', ownSecret]) {
        expect(all).not.toContain(secret);
        expect(all).not.toContain(Buffer.from(secret).toString('hex'));
        expect(all).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
      }
    }
    expect(await query(core, 'select 1 from api_key where length(secret_hmac) <> 32')).toEqual([]);
    const hashes = await query<{ hash: string }>(
      core,
      'select password_hash as hash from person where password_hash is not null',
    );
    for (const { hash } of hashes) expect(hash).toMatch(/^scrypt\$\d+\$[\w-]{22}\$[\w-]{43}$/);
  });

  it('salts each password, so that equal passwords of two people have different hashes', async () => {
    const { owner } = await core.organization();
    const emails = ['a', 'b'].map((name) => `${name}-${randomUUID()}@example.org`);
    for (const email of emails) {
      const { body } = await owner.post<{ url: string; token: string }>('invitations/', { email, role: 'VIEWER' });
      const input = { token: body.token, password: 'the same for both', name: email };
      expect((await new RawClient(core.origin, null).post(`${body.url}accept/`, input)).status).toBe(200);
    }

    const stored = await query<{ hash: string }>(
      core,
      `select password_hash as hash from person where email in ('${emails.join(`','`)}')`,
    );

    expect(new Set(stored.map(({ hash }) => hash)).size).toBe(2);
  });
});

describe('exchanging a token', () => {
  it('switches to another organization of the same person', async () => {
    const [first, second] = [await core.organization(), await core.organization()];

    const response = await first.owner.post<AuthToken>('auth/token/', { organization: second.id });
    const list = await bearer(response.body.access_token).get<Page<Organization>>('organizations/');

    expect(response).toMatchObject({ status: 200, body: { organization: second.id } });
    expect(list.body.results.filter(({ current }) => current).map(({ id }) => id)).toEqual([second.id]);
  });

  it('does not extend the session', async () => {
    const [first, second] = [await core.organization(), await core.organization()];
    const { body } = await first.owner.post<AuthToken>('auth/token/', { organization: second.id });

    const before = decodeJwt(first.ownerAuthorization.split(' ')[1] ?? '').auth_time;
    expect(decodeJwt(body.access_token).auth_time).toBe(before);
  });

  it('does not give access to organizations of other people', async () => {
    const [mine, otherOrganization] = [await core.organization(), await core.organization()];
    const { client } = await createPerson(core, mine.id, 'OWNER');

    const foreign = await client.post('auth/token/', { organization: otherOrganization.id });
    const missing = await client.post('auth/token/', { organization: '7d0ff6c2-6ad2-4e43-a1b0-3a8d8b6b3f58' });

    expect(foreign).toMatchObject({ status: 400, body: { organization: [expect.any(String)] } });
    expect(foreign.text).toBe(missing.text);
  });

  it('is not available to API keys', async () => {
    const organization = await core.organization();

    const response = await organization.as('OWNER').post('auth/token/', { organization: organization.id });

    expect(response).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
  });

  it('requires a valid credential, although the route is public', async () => {
    const organization = await core.organization();
    const { email, password } = await createPerson(core, organization.id, 'OWNER');
    const token = await requestToken(core, { email, password }, organization.id);

    for (const authorization of [`Bearer ${token}x`, 'Api-Key x', `Basic ${token}`]) {
      const client = new RawClient(core.origin, authorization);
      expect((await client.post('auth/token/', { organization: organization.id })).status).toBe(403);
      expect((await client.post('auth/token/', { email, password })).status).toBe(403);
    }
    expect(await bearer(token).post('auth/token/', {})).toMatchObject({
      status: 400,
      body: { organization: ['This field is required.'] },
    });
  });
});
