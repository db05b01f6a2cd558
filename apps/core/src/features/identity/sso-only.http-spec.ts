import { hash, randomUUID } from 'node:crypto';
import type { AuthToken, Membership, SignInCode } from '@strata/contract';
import { RawClient } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';
import { createClaims, emailDomain, ProviderFixture } from '../../testing/provider-fixture.ts';
import { query } from '../../testing/query.ts';

let idp: ProviderFixture;

beforeAll(async () => {
  idp = await ProviderFixture.open(9);
});
afterAll(() => idp?.close());

describe('an organization that requires single sign-on', () => {
  async function withSsoOnly() {
    const at = idp.organization();
    const [owner, ada] = await Promise.all([
      createPerson(idp.shared, at.id, 'OWNER'),
      createPerson(idp.shared, at.id, 'ADMIN'),
    ]);
    const client = idp.as(await requestToken(owner));
    const require = () =>
      client.put(`organizations/${at.id}/sign-in/`, { sso_only: true, break_glass_owner: owner.id });
    return {
      at,
      owner,
      ada,
      client,
      program: new RawClient(idp.core.origin, await at.authorization('OWNER')),
      require,
    };
  }

  const pickCredentials = ({ email, password }: { email: string; password: string }) => ({ email, password });
  const requestToken = async ({ email, password }: { email: string; password: string }, more: object = {}) =>
    (await idp.anonymous.post<AuthToken>('auth/session/', { email, password, ...more })).body.access_token;
  const legacyToken = ({ email, password }: { email: string; password: string }) =>
    idp.anonymous.post<AuthToken>('auth/token/', { email, password });
  const status = async (token: string) => (await idp.as(token).get('users/current/')).status;

  it('rejects passwords and ends sessions that started with one, except for the break-glass owner', async () => {
    const { at, owner, ada, program, require } = await withSsoOnly();
    const session = await requestToken(ada);
    const token = (await legacyToken(ada)).body.access_token;
    expect([await status(session), await status(token)]).toEqual([200, 200]);

    expect(await require()).toMatchObject({ status: 200, body: { sso_only: true, break_glass_owner: owner.id } });

    expect([await status(session), await status(token)]).toEqual([403, 403]);
    const response = await idp.anonymous.post('auth/session/', pickCredentials(ada));
    expect(await legacyToken(ada)).toMatchObject({ status: 403, headers: { 'x-error-code': 'sso_required' } });
    expect(response).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'sso_required' },
      body: { detail: 'This organization requires single sign-on. Sign in with Provider acme.' },
    });
    const accept = { accept: 'application/problem+json' };
    const asData = await idp.anonymous.post('auth/session/', pickCredentials(ada), accept);
    expect(asData.body).toMatchObject({ code: 'sso_required', params: { names: ['Provider acme'] } });
    expect(await status(await requestToken(owner))).toBe(200);
    expect((await (await idp.signedIn(createClaims(at))).get('users/current/')).status).toBe(200);
    expect((await program.get('users/current/')).status).toBe(200);
  });

  it('rejects the sign-in with a provider that is not its own', async () => {
    const { at, ada, require } = await withSsoOnly();
    await query(idp.shared, 'insert into issuer_subject (issuer, subject, person_id) values ($1, $2, $2)', [
      idp.provider.issuer,
      ada.id,
    ]);
    await require();

    const response = await idp.exchange(await idp.provider.idToken(idp.otherClient, { sub: ada.id }));

    expect([response.status, response.headers['x-error-code']]).toEqual([403, 'sso_required']);
    expect((await idp.signIn(createClaims(at, { sub: ada.id, email: ada.email }))).status).toBe(200);
  });

  it('accepts sign-in codes of sessions with its provider, and no others', async () => {
    const { at, ada, require } = await withSsoOnly();
    const verifier = randomUUID();
    const requestCode = async (client: RawClient) => {
      const body = { code_challenge: hash('sha256', verifier, 'base64url') };
      return (await client.post<SignInCode>('auth/code/', body)).body.code;
    };
    const redeem = (code: string) => idp.anonymous.post<AuthToken>('auth/session/', { code, code_verifier: verifier });
    const byPassword = await requestCode(idp.as(await requestToken(ada)));
    await require();

    const response = await redeem(byPassword);
    expect([response.status, response.headers['x-error-code']]).toEqual([403, 'sso_required']);
    const { body } = await redeem(await requestCode(await idp.signedIn(createClaims(at))));
    expect(await status(body.access_token)).toBe(200);
  });

  it('keeps the password of its break-glass owner, whose address stays unproven, when the provider signs them in', async () => {
    const { at, owner, require } = await withSsoOnly();
    await require();
    const email = `${randomUUID()}@${emailDomain(at)}`;
    await query(idp.shared, 'update person set email = $2, email_is_proven = false where id = $1', [owner.id, email]);

    await idp.signedIn(createClaims(at, { email }));

    expect((await idp.anonymous.post('auth/session/', { email, password: owner.password })).status).toBe(200);
    expect(await query(idp.shared, 'select email_is_proven from person where id = $1', [owner.id])).toEqual([
      { email_is_proven: false },
    ]);
  });

  it('keeps its break-glass owner as long as it requires single sign-on', async () => {
    const { at, owner, client, program, require } = await withSsoOnly();
    await require();

    const responses = [
      await program.delete(`memberships/${owner.membershipId}/`),
      await program.patch<Membership>(`memberships/${owner.membershipId}/`, { role: 'ADMIN' }),
    ];
    expect(responses.map(({ headers }) => headers['x-error-code'])).toEqual(['break_glass_owner', 'break_glass_owner']);

    const off = await client.put(`organizations/${at.id}/sign-in/`, { sso_only: false });
    expect(off).toMatchObject({ status: 200, body: { sso_only: false, break_glass_owner: null } });
    expect((await program.delete(`memberships/${owner.membershipId}/`)).status).toBe(204);
  });

  it('needs a provider and an owner with a password', async () => {
    const { at, owner, ada, client } = await withSsoOnly();
    const without = await idp.shared.organization();
    const put = (body: object) => client.put(`organizations/${at.id}/sign-in/`, body);

    const responses = [
      await idp.ownerAt(without).put(`organizations/${without.id}/sign-in/`, {
        sso_only: true,
        break_glass_owner: owner.id,
      }),
      await put({ sso_only: true }),
      await put({ sso_only: true, break_glass_owner: ada.id }),
      await put({ sso_only: true, break_glass_owner: randomUUID() }),
      await put({ sso_only: 'yes' }),
    ];

    expect(responses.map(({ status, headers }) => [status, headers['x-error-code']])).toEqual([
      [400, 'no_provider'],
      [400, 'required'],
      [400, 'invalid'],
      [400, 'invalid'],
      [400, 'invalid'],
    ]);
  });

  it('is set only by an OWNER of the organization, and shows its providers', async () => {
    const { at, owner, ada } = await withSsoOnly();
    const admin = idp.as(await requestToken(ada));
    const foreign = idp.ownerAt(await idp.shared.organization());
    const path = `organizations/${at.id}/sign-in/`;

    expect(await admin.get(path)).toMatchObject({
      status: 200,
      body: { sso_only: false, providers: [{ id: 'acme', name: 'Provider acme', domains: [emailDomain(at)] }] },
    });
    expect((await admin.put(path, { sso_only: true, break_glass_owner: owner.id })).status).toBe(403);
    expect((await foreign.get(path)).status).toBe(404);
    expect((await foreign.put(path, { sso_only: false })).status).toBe(404);
  });

  it('can be deleted', async () => {
    const { at, client, require } = await withSsoOnly();
    await require();

    expect((await client.delete(`organizations/${at.id}/`)).status).toBe(204);
  });
});
