import type { Group, Page, SessionEnd } from '@strata/contract';
import { TOKEN_EXCHANGE_GRANT_TYPE } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { createClaims, ProviderFixture } from '../../testing/provider-fixture.ts';
import { query } from '../../testing/query.ts';

let idp: ProviderFixture;
/** An organization that no rejected token gets into. */
let protectedOrganization: TestOrganization;

beforeAll(async () => {
  idp = await ProviderFixture.open(12);
  protectedOrganization = idp.organization();
});
afterAll(() => idp?.close());

describe('an id token', () => {
  it('is exchanged only once, however its signature is written, and also after its session has ended', async () => {
    const token = await idp.provider.idToken(idp.client, createClaims(idp.organization()));

    const responses = await Promise.all([idp.exchange(token), idp.exchange(token)]);
    const started = responses.find(({ status }) => status === 200);

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect((await idp.exchange(`${token}=`)).status).toBe(403);
    expect((await idp.as(started?.body.access_token ?? '').delete('auth/session/')).status).toBe(200);
    expect((await idp.exchange(token)).status).toBe(403);
  });

  it('that cannot open an organization is not used up, so that the sign-in can be repeated', async () => {
    const token = await idp.provider.idToken(idp.client, createClaims(idp.organization()));
    const { id: organization } = await idp.shared.organization();

    expect((await idp.exchange(token, { organization })).status).toBe(400);
    expect((await idp.exchange(token)).status).toBe(200);
  });

  it('that was exchanged before changes no groups', async () => {
    const at = idp.organization();
    await idp.ownerAt(at).post('groups/', { name: 'Platform', users: [] });
    const claims = createClaims(at);
    const before = await idp.provider.idToken(idp.client, { ...claims, groups: ['idp-platform'] });
    expect((await idp.exchange(before)).status).toBe(200);
    await idp.signedIn({ ...claims, jti: 'later' });

    expect((await idp.exchange(before)).status).toBe(403);

    const { body } = await idp.ownerAt(at).get<Page<Group>>('groups/?name=Platform');
    expect(body.results[0]?.users).toEqual([]);
  });

  const now = () => Math.floor(Date.now() / 1_000);
  it.each([
    ['for another client of the provider', () => ({ aud: `${idp.otherClient.client_id}x` })],
    [
      'for several audiences that does not say which client it was issued to',
      () => ({ aud: [idp.client.client_id, 'x'] }),
    ],
    ['that was issued to another client', () => ({ aud: [idp.client.client_id, 'x'], azp: 'x' })],
    ['of another issuer', () => ({ iss: 'https://login.example' })],
    ['that has expired', () => ({ iat: now() - 900, exp: now() - 300 })],
    ['that was issued eleven minutes ago', () => ({ iat: now() - 660, exp: now() + 600 })],
    ['without an expiry', () => ({ exp: undefined })],
    ['without a subject', () => ({ sub: undefined })],
    ['with a number as the subject', () => ({ sub: 1 })],
  ])('%s is rejected', async (_, otherClaims) => {
    const token = await idp.provider.idToken(idp.client, { ...createClaims(protectedOrganization), ...otherClaims() });

    const response = await idp.exchange(token);

    expect([response.status, response.headers['x-error-code']]).toEqual([403, 'bad_credential']);
  });

  it('with another signature is rejected', async () => {
    const [header, payload] = (await idp.provider.idToken(idp.client, createClaims(protectedOrganization))).split('.');
    const [, , signature] = (await idp.provider.idToken(idp.client, createClaims(protectedOrganization))).split('.');

    expect((await idp.exchange([header, payload, signature].join('.'))).status).toBe(403);
  });

  it('is kept for signing out at the provider, and only its own session returns it', async () => {
    const token = await idp.provider.idToken(idp.client, createClaims(idp.organization()));
    const ada = idp.as((await idp.exchange(token)).body.access_token);

    const endResponse = await ada.delete<SessionEnd>('auth/session/');

    expect(endResponse).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(endResponse.body).toEqual({ provider: 'acme', id_token: token });
    const rows = await query<{ id_token: Buffer }>(
      idp.shared,
      'select id_token from session where id_token is not null',
    );
    expect(rows.some(({ id_token: sealed }) => sealed.includes(token))).toBe(false);
  });

  it('is needed: other requests are rejected with what to send', async () => {
    const response = await idp.anonymous.post('auth/exchange/', { grant_type: 'password' });

    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      grant_type: [expect.stringContaining(TOKEN_EXCHANGE_GRANT_TYPE)],
      subject_token: ['This field is required.'],
    });
    expect((await idp.exchange('no token')).status).toBe(403);
  });
});

describe('groups', () => {
  async function withGroups() {
    const at = idp.organization();
    const owner = idp.ownerAt(at);
    for (const name of ['Platform', 'Owners', 'Finance']) await owner.post('groups/', { name, users: [] });
    const names = async (email: string) => {
      const user = await idp.findMember(at, email);
      const { body } = await owner.get<Page<Group>>('groups/');
      return body.results
        .filter(({ users }) => users.some((url) => url.includes(user?.id ?? '-')))
        .map(({ name }) => name);
    };
    return { at, owner, names };
  }

  it('follow the claim of the provider as far as they are mapped', async () => {
    const { at, names } = await withGroups();
    const claims = createClaims(at);

    await idp.signedIn({ ...claims, groups: ['idp-platform', 'Finance', 'idp-unknown'] });
    expect(await names(claims.email)).toEqual(['Platform']);

    await idp.signedIn({ ...claims, groups: ['idp-owners'] });
    expect(await names(claims.email)).toEqual(['Owners']);

    await idp.signedIn({ ...claims, groups: 'idp-platform' });
    expect(await names(claims.email)).toEqual([]);
  });

  it('that were mapped before and are not any more lose their members by claim', async () => {
    const { at, owner, names } = await withGroups();
    const claims = createClaims(at);
    await idp.signedIn({ ...claims, groups: ['idp-platform'] });
    const { body } = await owner.get<Page<Group>>('groups/?name=Platform');
    await owner.patch(`groups/${body.results[0]?.id}/`, { name: 'Renamed' });

    await idp.signedIn({ ...claims, groups: ['idp-platform'] });

    expect(await names(claims.email)).toEqual([]);
  });

  it('that a member was added to by hand do not follow the claim', async () => {
    const { at, owner, names } = await withGroups();
    const claims = createClaims(at);
    await idp.signedIn(claims);
    const user = await idp.findMember(at, claims.email);
    const { body } = await owner.get<Page<Group>>('groups/?name=Platform');
    await owner.patch(`groups/${body.results[0]?.id}/`, { users: [user?.id] });

    await idp.signedIn(claims);

    expect(await names(claims.email)).toEqual(['Platform']);
  });

  it('never make a member the OWNER of a project', async () => {
    const { at, owner } = await withGroups();
    const { body: groups } = await owner.get<Page<Group>>('groups/?name=Owners');
    const project = await at.project();
    const granted = await owner.post('grants/', {
      scope: project.url,
      principal: groups.results[0]?.url,
      role: 'OWNER',
    });
    expect(granted.status).toBe(201);

    const ada = await idp.signedIn({ ...createClaims(at), groups: ['idp-owners'] });

    const { body } = await ada.get<{ scopes: unknown[] }>('users/current/abilities/');
    expect(body.scopes).toEqual([{ scope: project.id, abilities: ['read', 'write', 'manage'] }]);
  });
});
