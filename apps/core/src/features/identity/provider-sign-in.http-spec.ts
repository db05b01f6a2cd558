import { randomUUID } from 'node:crypto';
import {
  type AuthToken,
  type ExchangedToken,
  type Group,
  type InvitationCreated,
  type Membership,
  type Page,
  type Session,
  type SessionEnd,
  TOKEN_EXCHANGE,
} from '@strata/contract';
import {
  type organization as createOrganization,
  type ProviderClient,
  RawClient,
  type RunningCore,
  sharedCore,
  startIdentityProvider,
  type TestIdentityProvider,
} from '@strata/testkit';
import { type CoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { person } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';
import { until } from '../../testing/until.ts';

const ORGANIZATIONS = 30;
const GROUPS = { 'idp-platform': 'Platform', 'idp-owners': 'Owners' };

let shared: RunningCore;
let core: CoreInProcess;
let provider: TestIdentityProvider;
let client: ProviderClient;
let other: ProviderClient;
type Organization = Awaited<ReturnType<typeof createOrganization>>;
const unused: Organization[] = [];

const domainOf = ({ id }: Organization) => `${id}.example`;

beforeAll(async () => {
  shared = await sharedCore();
  provider = await startIdentityProvider();
  [client, other] = [
    await provider.register('acme', 'https://config.example'),
    await provider.register('other', 'https://config.example'),
  ];
  unused.push(...(await Promise.all(Array.from({ length: ORGANIZATIONS }, () => shared.organization()))));
  const organizations = unused.map((each) => ({ organization: each.id, domains: [domainOf(each)], groups: GROUPS }));
  core = await startSecondCore(shared, {
    STRATA_IDENTITY_PROVIDERS: JSON.stringify([
      { ...client, organizations },
      { ...other, organizations: [] },
    ]),
    STRATA_PRIVATE_ISSUERS: 'true',
  });
});
afterAll(async () => {
  await Promise.all([core?.close(), provider?.close()]);
});

/** Returns an organization whose domain belongs to the provider. */
function organization(): Organization {
  const next = unused.pop();
  if (!next) throw new Error('Raise ORGANIZATIONS.');
  return next;
}

const ownerOf = ({ ownerAuthorization }: Organization) => new RawClient(core.origin, ownerAuthorization);

/** A service account with the role OWNER. */
const keyOf = async (at: Organization) => new RawClient(core.origin, await at.authorization('OWNER'));

const claimsOf = (at: Organization, changed: object = {}) => {
  const sub = randomUUID();
  return { sub, email: `${sub}@${domainOf(at)}`, email_verified: true, name: 'Ada', ...changed };
};

const exchange = (token: string, more: object = {}) =>
  new RawClient(core.origin, null).post<ExchangedToken>('auth/exchange/', {
    grant_type: TOKEN_EXCHANGE,
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    ...more,
  });

const signIn = async (claims: Readonly<Record<string, unknown>>, more: object = {}) =>
  exchange(await provider.idToken(client, claims), more);

async function signedIn(claims: Readonly<Record<string, unknown>>) {
  const { status, body } = await signIn(claims);
  expect(status).toBe(200);
  return new RawClient(core.origin, `Bearer ${body.access_token}`);
}

const memberOf = async (at: Organization, email: string) => {
  const { body } = await ownerOf(at).get<Page<{ email: string; id: string; role: string }>>('users/?page_size=100');
  return body.results.find((each) => each.email === email);
};

describe('the first sign-in with an identity provider', () => {
  it('makes a person with an address of a mapped domain a VIEWER, and starts a session', async () => {
    const at = organization();
    const claims = claimsOf(at);

    const { status, headers, body } = await signIn(claims, { client: 'Firefox' });

    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({ token_type: 'Bearer', organization: at.id, expires_in: 43_200 });
    const ada = new RawClient(core.origin, `Bearer ${body.access_token}`);
    expect((await ada.get('users/current/')).body).toMatchObject({ name: 'Ada', email: claims.email, role: 'VIEWER' });
    const { body: sessions } = await ada.get<Page<Session>>('users/current/sessions/');
    expect(sessions.results).toEqual([
      expect.objectContaining({ method: 'provider', provider: 'acme', client: 'Firefox' }),
    ]);
    const { body: audit } = await ownerOf(at).get<Page<object>>('audit/?object_type=Membership');
    expect(audit.results[0]).toMatchObject({ action: 'create' });
  });

  it('is also possible as a form, as the standard says', async () => {
    const token = await provider.idToken(client, claimsOf(organization()));
    const form = new URLSearchParams({
      grant_type: TOKEN_EXCHANGE,
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    });

    const answer = await fetch(`${core.origin}/api/v1/auth/exchange/`, { method: 'POST', body: form });

    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' }),
    ]);
  });

  it('gives the role of an open invitation to the same address', async () => {
    const at = organization();
    const claims = claimsOf(at);
    await ownerOf(at).post<InvitationCreated>('invitations/', { email: claims.email, role: 'ADMIN' });

    const ada = await signedIn(claims);

    expect((await ada.get('users/current/')).body).toMatchObject({ role: 'ADMIN' });
  });

  it('creates one person, even twice at the same time', async () => {
    const at = organization();
    const claims = claimsOf(at);

    const answers = await Promise.all([1, 2, 3, 4].map((jti) => signIn({ ...claims, jti: String(jti) })));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const rows = await query(shared, 'select 1 from person where email = $1', [claims.email]);
    expect(rows).toHaveLength(1);
  });

  it.each([
    ['an address that the provider has not verified', { email_verified: false }],
    ['the text "true" instead of a verified address', { email_verified: 'true' }],
    ['no address', { email: undefined }],
    ['an address of a domain without a mapping', { email: 'ada@elsewhere.example' }],
    ['an address of a subdomain of a mapped one', { email: undefined, at: 'sub' }],
  ])(
    'with %s is rejected and creates no account',
    async (_, { at: sub, ...changed }: { email?: string; at?: string; email_verified?: unknown }) => {
      const at = organization();
      const claims = { ...claimsOf(at), ...changed, ...(sub && { email: `ada@sub.${domainOf(at)}` }) };

      const refused = await signIn(claims);

      expect([refused.status, refused.headers['x-error-code']]).toEqual([403, 'no_organization']);
      expect(await query(shared, 'select 1 from issuer_subject where subject = $1', [claims.sub])).toEqual([]);
    },
  );

  it('into an organization that was deleted is rejected', async () => {
    const at = organization();
    expect((await ownerOf(at).delete(`organizations/${at.id}/`)).status).toBe(204);

    expect((await signIn(claimsOf(at))).status).toBe(403);
  });
});

describe('an account', () => {
  it('belongs to its subject, whatever the address is later', async () => {
    const at = organization();
    const claims = claimsOf(at);
    const before = (await (await signedIn(claims)).get<{ id: string }>('users/current/')).body.id;

    const ada = await signedIn({ ...claims, email: `new-${claims.email}` });

    expect((await ada.get('users/current/')).body).toMatchObject({ id: before });
  });

  it('is not given to another subject with the same address, and the audit has a record of it', async () => {
    const at = organization();
    const claims = claimsOf(at);
    await signedIn(claims);

    const refused = await signIn({ ...claims, sub: randomUUID() });

    expect([refused.status, refused.headers['x-error-code']]).toEqual([403, 'known_otherwise']);
    const records = await until(
      async () => (await ownerOf(at).get<Page<object>>('audit/?action=sign_in_refused')).body.results,
      ({ length }) => length > 0,
    );
    expect(records[0]).toMatchObject({ refusal: { rule: 'known_otherwise', requests: 1 } });
  });

  it('of a member with the same address is linked, and keeps its role and password', async () => {
    const at = organization();
    const ada = await person(shared, at.id, 'ADMIN');
    const email = `${randomUUID()}@${domainOf(at)}`;
    await query(shared, 'update person set email = $2 where id = $1', [ada.id, email]);

    const client = await signedIn(claimsOf(at, { email }));

    expect((await client.get('users/current/')).body).toMatchObject({ id: ada.id, role: 'ADMIN' });
    const { password } = ada;
    expect((await new RawClient(core.origin, null).post('auth/session/', { email, password })).status).toBe(200);
  });

  it('that another person has created for an address loses its password and its sessions', async () => {
    const [at, foreign] = [organization(), await shared.organization()];
    const stranger = await person(shared, foreign.id, 'OWNER');
    const email = `ceo@${domainOf(at)}`;
    await query(shared, 'update person set email = $2, email_is_proven = false where id = $1', [stranger.id, email]);
    const withPassword = () =>
      new RawClient(core.origin, null).post<AuthToken>('auth/session/', { email, password: stranger.password });
    const hijacked = new RawClient(core.origin, `Bearer ${(await withPassword()).body.access_token}`);
    expect((await hijacked.get('users/current/')).status).toBe(200);

    await signedIn(claimsOf(at, { email }));

    expect((await withPassword()).status).toBe(403);
    await until(
      async () => (await hijacked.get('users/current/')).status,
      (status) => status === 403,
    );
  });
});

describe('an id token', () => {
  it('is exchanged only once', async () => {
    const token = await provider.idToken(client, claimsOf(organization()));

    const answers = await Promise.all([exchange(token), exchange(token)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect((await exchange(token)).status).toBe(403);
  });

  const now = () => Math.floor(Date.now() / 1_000);
  it.each([
    ['for another client of the provider', () => ({ aud: `${other.client_id}x` })],
    ['for several audiences that does not say which client it was issued to', () => ({ aud: [client.client_id, 'x'] })],
    ['that was issued to another client', () => ({ aud: [client.client_id, 'x'], azp: 'x' })],
    ['of another issuer', () => ({ iss: 'https://login.example' })],
    ['that has expired', () => ({ iat: now() - 900, exp: now() - 300 })],
    ['that was issued eleven minutes ago', () => ({ iat: now() - 660, exp: now() + 600 })],
    ['without an expiry', () => ({ exp: undefined })],
    ['without a subject', () => ({ sub: undefined })],
    ['with a number as the subject', () => ({ sub: 1 })],
  ])('%s is rejected', async (_, changed) => {
    const token = await provider.idToken(client, { ...claimsOf(unused[0] as Organization), ...changed() });

    const refused = await exchange(token);

    expect([refused.status, refused.headers['x-error-code']]).toEqual([403, 'bad_credential']);
  });

  it('with another signature is rejected', async () => {
    const [header, payload] = (await provider.idToken(client, claimsOf(unused[0] as Organization))).split('.');
    const [, , signature] = (await provider.idToken(client, claimsOf(unused[0] as Organization))).split('.');

    expect((await exchange([header, payload, signature].join('.'))).status).toBe(403);
  });

  it('is kept for signing out at the provider, and only its own session returns it', async () => {
    const token = await provider.idToken(client, claimsOf(organization()));
    const ada = new RawClient(core.origin, `Bearer ${(await exchange(token)).body.access_token}`);

    const ended = await ada.delete<SessionEnd>('auth/session/');

    expect(ended).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(ended.body).toEqual({ provider: 'acme', id_token: token });
    const rows = await query<{ id_token: Buffer }>(shared, 'select id_token from session where id_token is not null');
    expect(rows.some(({ id_token: sealed }) => sealed.includes(token))).toBe(false);
  });

  it('is needed: other requests are rejected with what to send', async () => {
    const refused = await new RawClient(core.origin, null).post('auth/exchange/', { grant_type: 'password' });

    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      grant_type: [expect.stringContaining(TOKEN_EXCHANGE)],
      subject_token: ['This field is required.'],
    });
    expect((await exchange('no token')).status).toBe(403);
  });
});

describe('groups', () => {
  async function withGroups() {
    const at = organization();
    const owner = ownerOf(at);
    for (const name of ['Platform', 'Owners', 'Finance']) await owner.post('groups/', { name, users: [] });
    const names = async (email: string) => {
      const user = await memberOf(at, email);
      const { body } = await owner.get<Page<Group>>('groups/');
      return body.results
        .filter(({ users }) => users.some((url) => url.includes(user?.id ?? '-')))
        .map(({ name }) => name);
    };
    return { at, owner, names };
  }

  it('follow the claim of the provider as far as they are mapped', async () => {
    const { at, names } = await withGroups();
    const claims = claimsOf(at);

    await signedIn({ ...claims, groups: ['idp-platform', 'Finance', 'idp-unknown'] });
    expect(await names(claims.email)).toEqual(['Platform']);

    await signedIn({ ...claims, groups: ['idp-owners'] });
    expect(await names(claims.email)).toEqual(['Owners']);

    await signedIn({ ...claims, groups: 'idp-platform' });
    expect(await names(claims.email)).toEqual([]);
  });

  it('that a member was added to by hand do not follow the claim', async () => {
    const { at, owner, names } = await withGroups();
    const claims = claimsOf(at);
    await signedIn(claims);
    const user = await memberOf(at, claims.email);
    const { body } = await owner.get<Page<Group>>('groups/?name=Platform');
    await owner.patch(`groups/${body.results[0]?.id}/`, { users: [user?.id] });

    await signedIn(claims);

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

    const ada = await signedIn({ ...claimsOf(at), groups: ['idp-owners'] });

    const { body } = await ada.get<{ scopes: unknown[] }>('users/current/abilities/');
    expect(body.scopes).toEqual([{ scope: project.id, abilities: ['read', 'write', 'manage'] }]);
  });
});

describe('an organization that requires single sign-on', () => {
  async function withSsoOnly() {
    const at = organization();
    const [owner, ada] = await Promise.all([person(shared, at.id, 'OWNER'), person(shared, at.id, 'ADMIN')]);
    const client = new RawClient(core.origin, `Bearer ${await tokenOf(owner)}`);
    const require = () =>
      client.put(`organizations/${at.id}/sign-in/`, { sso_only: true, break_glass_owner: owner.id });
    return { at, owner, ada, client, program: await keyOf(at), require };
  }

  const credentialsOf = ({ email, password }: { email: string; password: string }) => ({ email, password });
  const tokenOf = async ({ email, password }: { email: string; password: string }, more: object = {}) =>
    (await new RawClient(core.origin, null).post<AuthToken>('auth/session/', { email, password, ...more })).body
      .access_token;
  const legacyToken = ({ email, password }: { email: string; password: string }) =>
    new RawClient(core.origin, null).post<AuthToken>('auth/token/', { email, password });
  const status = async (token: string) =>
    (await new RawClient(core.origin, `Bearer ${token}`).get('users/current/')).status;

  it('rejects passwords and ends sessions that started with one, except for the break-glass owner', async () => {
    const { at, owner, ada, program, require } = await withSsoOnly();
    const session = await tokenOf(ada);
    const token = (await legacyToken(ada)).body.access_token;
    expect([await status(session), await status(token)]).toEqual([200, 200]);

    expect(await require()).toMatchObject({ status: 200, body: { sso_only: true, break_glass_owner: owner.id } });

    expect([await status(session), await status(token)]).toEqual([403, 403]);
    const refused = await new RawClient(core.origin, null).post('auth/session/', credentialsOf(ada));
    expect(await legacyToken(ada)).toMatchObject({ status: 403, headers: { 'x-error-code': 'sso_required' } });
    expect(refused).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'sso_required' },
      body: { detail: 'This organization requires single sign-on. Sign in with Provider acme.' },
    });
    expect(await status(await tokenOf(owner))).toBe(200);
    expect((await (await signedIn(claimsOf(at))).get('users/current/')).status).toBe(200);
    expect((await program.get('users/current/')).status).toBe(200);
  });

  it('rejects the sign-in with a provider that is not its own', async () => {
    const { at, ada, require } = await withSsoOnly();
    await query(shared, 'insert into issuer_subject (issuer, subject, person_id) values ($1, $2, $2)', [
      provider.issuer,
      ada.id,
    ]);
    await require();

    const refused = await exchange(await provider.idToken(other, { sub: ada.id }));

    expect([refused.status, refused.headers['x-error-code']]).toEqual([403, 'sso_required']);
    expect((await signIn(claimsOf(at, { sub: ada.id, email: ada.email }))).status).toBe(200);
  });

  it('keeps its break-glass owner as long as it requires single sign-on', async () => {
    const { at, owner, client, program, require } = await withSsoOnly();
    await require();

    const refused = [
      await program.delete(`memberships/${owner.membershipId}/`),
      await program.patch<Membership>(`memberships/${owner.membershipId}/`, { role: 'ADMIN' }),
    ];
    expect(refused.map(({ headers }) => headers['x-error-code'])).toEqual(['break_glass_owner', 'break_glass_owner']);

    const off = await client.put(`organizations/${at.id}/sign-in/`, { sso_only: false });
    expect(off).toMatchObject({ status: 200, body: { sso_only: false, break_glass_owner: null } });
    expect((await program.delete(`memberships/${owner.membershipId}/`)).status).toBe(204);
  });

  it('needs a provider and an owner with a password', async () => {
    const { at, owner, ada, client } = await withSsoOnly();
    const without = await shared.organization();
    const put = (body: object) => client.put(`organizations/${at.id}/sign-in/`, body);

    const refused = [
      await ownerOf(without).put(`organizations/${without.id}/sign-in/`, {
        sso_only: true,
        break_glass_owner: owner.id,
      }),
      await put({ sso_only: true }),
      await put({ sso_only: true, break_glass_owner: ada.id }),
      await put({ sso_only: true, break_glass_owner: randomUUID() }),
      await put({ sso_only: 'yes' }),
    ];

    expect(refused.map(({ status, headers }) => [status, headers['x-error-code']])).toEqual([
      [400, 'no_provider'],
      [400, 'required'],
      [400, 'invalid'],
      [400, 'invalid'],
      [400, 'invalid'],
    ]);
  });

  it('is set only by an OWNER of the organization, and shows its providers', async () => {
    const { at, owner, ada } = await withSsoOnly();
    const admin = new RawClient(core.origin, `Bearer ${await tokenOf(ada)}`);
    const foreign = ownerOf(await shared.organization());
    const path = `organizations/${at.id}/sign-in/`;

    expect(await admin.get(path)).toMatchObject({
      status: 200,
      body: { sso_only: false, providers: [{ id: 'acme', name: 'Provider acme', domains: [domainOf(at)] }] },
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
