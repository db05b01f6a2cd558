import { randomUUID } from 'node:crypto';
import type { AuthToken, CallerAbilities, Project } from '@strata/contract';
import { type OwnCore, RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { decodeJwt } from 'jose';
import { ListeningClient } from '../../testing/listening-client.ts';
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

const NEW = 'a quite new password';
const anonymous = () => new RawClient(core.origin, null);
const signIn = (body: object) => anonymous().post<AuthToken>('auth/token/', body);

async function tokenFor({ email, password }: Person, organization: string): Promise<string> {
  return (await signIn({ email, password, organization })).body.access_token;
}

/** Returns a function that returns the status of a request with a token. */
const statusAt = (origin: string, token: string) => async () =>
  (await new RawClient(origin, `Bearer ${token}`).get('users/current/')).status;

/** Waits until a core rejects a token that it accepted before. */
const endsAt = (origin: string, token: string) => waitUntil(statusAt(origin, token), (status) => status === 403);

describe("changing one's own password", () => {
  it('requires the current password, and ends all sessions on every core', async () => {
    const { id: organization } = await core.organization();
    const member = await createPerson(core, organization, 'VIEWER');
    const [mine, otherToken] = [await tokenFor(member, organization), await tokenFor(member, organization)];
    expect(await statusAt(otherCore.origin, otherToken)()).toBe(200);

    const changeResponse = await new RawClient(core.origin, `Bearer ${mine}`).post('users/current/password/', {
      old_password: member.password,
      new_password: NEW,
    });

    expect(changeResponse.status).toBe(204);
    expect(await statusAt(core.origin, mine)()).toBe(403);
    await endsAt(otherCore.origin, otherToken);
    expect((await signIn(member)).status).toBe(403);
    expect((await signIn({ email: member.email, password: NEW })).status).toBe(200);
  });

  it.each([
    [{ new_password: NEW }, 'old_password', 'required'],
    [{ old_password: 'x' }, 'new_password', 'required'],
    [{ old_password: 'wrong password', new_password: NEW }, 'old_password', 'wrong_password'],
    [{ old_password: 'x', new_password: 'too short' }, 'new_password', 'invalid'],
  ])('rejects %j and names %s', async (body, field, code) => {
    const person = await createPerson(core, (await core.organization()).id, 'VIEWER');

    const response = await person.client.post('users/current/password/', body);

    expect(response).toMatchObject({ status: 400, body: { [field]: [expect.any(String)] } });
    expect(response.headers['x-error-code']).toBe(code);
    expect((await signIn(person)).status).toBe(200);
  });

  it('rejects the current password as the new one', async () => {
    const { client, password } = await createPerson(core, (await core.organization()).id, 'VIEWER');
    await client.post('users/current/password/', { old_password: password, new_password: NEW });

    const person = await createPerson(core, (await core.organization()).id, 'VIEWER');
    const same = { old_password: person.password, new_password: person.password };

    expect(await person.client.post('users/current/password/', same)).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'same_password' },
    });
  });

  it('counts wrong guesses of the current password as failed sign-ins', async () => {
    const person = await createPerson(core, (await core.organization()).id, 'VIEWER');
    const guess = () => person.client.post('users/current/password/', { old_password: 'guess', new_password: NEW });
    for (let n = 0; n < 10; n += 1) expect((await guess()).status).toBe(400);

    expect(await guess()).toMatchObject({ status: 429, headers: { 'x-error-code': 'too_many_attempts' } });
  });

  it('succeeds once if two requests with the same old password run at the same time', async () => {
    const person = await createPerson(core, (await core.organization()).id, 'VIEWER');
    await person.client.get('users/current/');

    const responses = await Promise.all(
      ['the first new password', 'the second new password'].map((word) =>
        person.client.post('users/current/password/', { old_password: person.password, new_password: word }),
      ),
    );

    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
  });

  it('is not available to service accounts', async () => {
    const organization = await core.organization();

    const response = await organization.as('OWNER').post('users/current/password/', {
      old_password: 'x',
      new_password: NEW,
    });

    expect(response.status).toBe(403);
  });
});

describe('signing out everywhere', () => {
  it("ends the person's tokens in all organizations and processes, but no other tokens", async () => {
    const [first, second] = [await core.organization(), await core.organization()];
    const person = await createPerson(core, first.id, 'CONTRIB');
    await query(
      core,
      `insert into membership (organization_id, id, person_id, role) values ($1, $2, $3, 'VIEWER') returning id`,
      [second.id, randomUUID(), person.id],
    );
    const colleague = await createPerson(core, first.id, 'CONTRIB');
    const tokens = [await tokenFor(person, first.id), await tokenFor(person, second.id)];
    for (const token of tokens) expect(await statusAt(otherCore.origin, token)()).toBe(200);

    const done = await person.client.delete('users/current/tokens/');

    expect(done.status).toBe(204);
    for (const token of tokens) {
      expect(await statusAt(core.origin, token)()).toBe(403);
      await endsAt(otherCore.origin, token);
    }
    expect((await colleague.client.get('users/current/')).status).toBe(200);
    expect((await new RawClient(core.origin, `Bearer ${await tokenFor(person, first.id)}`).get('users/')).status).toBe(
      200,
    );
  });

  it('ends event streams that are connected to another core', async () => {
    const { id: organization } = await core.organization();
    const person = await createPerson(core, organization, 'VIEWER');
    const authorization = `Bearer ${await tokenFor(person, organization)}`;
    const stream = await ListeningClient.open(otherCore.origin, { authorization });
    await stream.until(() => stream.messages.length > 0);

    await person.client.delete('users/current/tokens/');

    await stream.ended;
    expect(stream.messages.at(-1)).toMatchObject({ event: 'close', data: { code: 'credential_revoked' } });
  });

  it('is not available to service accounts, whose keys can be revoked instead', async () => {
    const organization = await core.organization();

    expect((await organization.as('OWNER').delete('users/current/tokens/')).status).toBe(403);
  });
});

describe('a token with a longer lifetime', () => {
  it('is valid as long as requested, but at most one working day', async () => {
    const { id: organization } = await core.organization();
    const { email, password } = await createPerson(core, organization, 'VIEWER');

    const long = await signIn({ email, password, organization, expires_in: 43_200 });
    const { exp = 0, iat = 0 } = decodeJwt(long.body.access_token);

    expect(long.body.expires_in).toBe(43_200);
    expect(exp - iat).toBe(43_200);
    expect(await signIn({ email, password, organization, expires_in: 43_201 })).toMatchObject({
      status: 400,
      body: { expires_in: [expect.any(String)] },
    });
  });
});

describe("the caller's abilities", () => {
  const readAbilities = async (client: RawClient) =>
    (await client.get<CallerAbilities>('users/current/abilities/')).body;

  it('depend on the role', async () => {
    const organization = await core.organization();

    expect(await readAbilities(organization.as('VIEWER'))).toEqual({
      role: 'VIEWER',
      abilities: ['read'],
      reveals_secrets: true,
      scopes: [],
    });
    expect((await readAbilities(organization.as('CONTRIB'))).abilities).toEqual([
      'read',
      'write_content',
      'create_service_account',
    ]);
    expect((await readAbilities(organization.owner)).abilities).toContain('change_organization');
  });

  it('depend on grants in a controlled scope', async () => {
    const organization = await core.organization();
    const [forbidden, granted] = [await organization.project(), await organization.project()];
    for (const { url } of [forbidden, granted]) {
      await organization.owner.patch<Project>(url, { access_controlled: true });
    }
    const person = await createPerson(core, organization.id, 'CONTRIB');
    await organization.owner.post('grants/', { principal: person.id, scope: granted.url, role: 'VIEWER' });

    const { abilities, scopes } = await readAbilities(person.client);

    expect(abilities).toContain('write_content');
    expect(new Map(scopes.map((scope) => [scope.scope, scope.abilities]))).toEqual(
      new Map([
        [forbidden.id, []],
        [granted.id, ['read']],
      ]),
    );
  });
});
