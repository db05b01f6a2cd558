import { randomUUID } from 'node:crypto';
import {
  type AuthToken,
  type InvitationCreated,
  type Page,
  type Session,
  TOKEN_EXCHANGE_GRANT_TYPE,
} from '@strata/contract';
import { createPerson } from '../../testing/people.ts';
import { createClaims, emailDomain, ProviderFixture } from '../../testing/provider-fixture.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';

let idp: ProviderFixture;

beforeAll(async () => {
  idp = await ProviderFixture.open(18);
});
afterAll(() => idp?.close());

describe('the first sign-in with an identity provider', () => {
  it('makes a person with an address of a mapped domain a VIEWER, and starts a session', async () => {
    const at = idp.organization();
    const claims = createClaims(at);

    const { status, headers, body } = await idp.signIn(claims, { client: 'Firefox' });

    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({ token_type: 'Bearer', organization: at.id, expires_in: 43_200 });
    const ada = idp.as(body.access_token);
    const self = { name: 'Ada', email: claims.email, role: 'VIEWER', reveals_secrets: false };
    expect((await ada.get('users/current/')).body).toMatchObject(self);
    expect((await ada.get('users/current/sign-in/')).body).toMatchObject({
      has_password: false,
      providers: expect.arrayContaining([{ id: 'acme', name: expect.any(String) }]),
    });
    const { body: sessions } = await ada.get<Page<Session>>('users/current/sessions/');
    expect(sessions.results).toEqual([
      expect.objectContaining({ method: 'provider', provider: 'acme', client: 'Firefox' }),
    ]);
    const { body: audit } = await idp.ownerAt(at).get<Page<object>>('audit/?object_type=Membership');
    expect(audit.results[0]).toMatchObject({ action: 'create' });
  });

  it('is also possible as a form, as the standard says', async () => {
    const token = await idp.provider.idToken(idp.client, createClaims(idp.organization()));
    const form = new URLSearchParams({
      grant_type: TOKEN_EXCHANGE_GRANT_TYPE,
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    });

    const response = await fetch(`${idp.core.origin}/api/v1/auth/exchange/`, { method: 'POST', body: form });

    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' }),
    ]);
  });

  it('gives the role of an open invitation to the same address', async () => {
    const at = idp.organization();
    const claims = createClaims(at);
    await idp.ownerAt(at).post<InvitationCreated>('invitations/', { email: claims.email, role: 'ADMIN' });

    const ada = await idp.signedIn(claims);

    expect((await ada.get('users/current/')).body).toMatchObject({ role: 'ADMIN' });
  });

  it('creates one person, even twice at the same time', async () => {
    const at = idp.organization();
    const claims = createClaims(at);

    const responses = await Promise.all([1, 2, 3, 4].map((jti) => idp.signIn({ ...claims, jti: String(jti) })));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const rows = await query(idp.shared, 'select 1 from person where email = $1', [claims.email]);
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
      const at = idp.organization();
      const claims = { ...createClaims(at), ...changed, ...(sub && { email: `ada@sub.${emailDomain(at)}` }) };

      const response = await idp.signIn(claims);

      expect([response.status, response.headers['x-error-code']]).toEqual([403, 'no_organization']);
      expect(await query(idp.shared, 'select 1 from issuer_subject where subject = $1', [claims.sub])).toEqual([]);
    },
  );

  it('into an organization that was deleted is rejected', async () => {
    const at = idp.organization();
    expect((await idp.ownerAt(at).delete(`organizations/${at.id}/`)).status).toBe(204);

    expect((await idp.signIn(createClaims(at))).status).toBe(403);
  });
});

describe('an account', () => {
  it('belongs to its subject, whatever the address is later', async () => {
    const at = idp.organization();
    const claims = createClaims(at);
    const before = (await (await idp.signedIn(claims)).get<{ id: string }>('users/current/')).body.id;

    const ada = await idp.signedIn({ ...claims, email: `new-${claims.email}` });

    expect((await ada.get('users/current/')).body).toMatchObject({ id: before });
  });

  it('is not given to another subject with the same address, and the audit has a record of it', async () => {
    const at = idp.organization();
    const claims = createClaims(at);
    await idp.signedIn(claims);

    const response = await idp.signIn({ ...claims, sub: randomUUID() });

    expect([response.status, response.headers['x-error-code']]).toEqual([403, 'known_otherwise']);
    const records = await waitUntil(
      async () => (await idp.ownerAt(at).get<Page<object>>('audit/?action=sign_in_refused')).body.results,
      ({ length }) => length > 0,
    );
    expect(records[0]).toMatchObject({ refusal: { rule: 'known_otherwise', requests: 1 } });
  });

  it('of a member with the same address is linked, and keeps its role and password', async () => {
    const at = idp.organization();
    const ada = await createPerson(idp.shared, at.id, 'ADMIN');
    const email = `${randomUUID()}@${emailDomain(at)}`;
    await query(idp.shared, 'update person set email = $2 where id = $1', [ada.id, email]);

    const client = await idp.signedIn(createClaims(at, { email }));

    expect((await client.get('users/current/')).body).toMatchObject({ id: ada.id, role: 'ADMIN' });
    const { password } = ada;
    expect((await idp.anonymous.post('auth/session/', { email, password })).status).toBe(200);
  });

  it('of a member whose address was never proven loses its password, which the inviter may know', async () => {
    const at = idp.organization();
    const ada = await createPerson(idp.shared, at.id, 'ADMIN');
    const email = `${randomUUID()}@${emailDomain(at)}`;
    await query(idp.shared, 'update person set email = $2, email_is_proven = false where id = $1', [ada.id, email]);

    const client = await idp.signedIn(createClaims(at, { email }));

    expect((await client.get('users/current/')).body).toMatchObject({ id: ada.id, role: 'ADMIN' });
    expect((await idp.anonymous.post('auth/session/', { email, password: ada.password })).status).toBe(403);
  });

  it('that another person has created for an address loses its password and its sessions', async () => {
    const [at, foreign] = [idp.organization(), await idp.shared.organization()];
    const stranger = await createPerson(idp.shared, foreign.id, 'OWNER');
    const email = `ceo@${emailDomain(at)}`;
    await query(idp.shared, 'update person set email = $2, email_is_proven = false where id = $1', [
      stranger.id,
      email,
    ]);
    const withPassword = () => idp.anonymous.post<AuthToken>('auth/session/', { email, password: stranger.password });
    const hijacked = idp.as((await withPassword()).body.access_token);
    expect((await hijacked.get('users/current/')).status).toBe(200);

    await idp.signedIn(createClaims(at, { email }));

    expect((await withPassword()).status).toBe(403);
    await waitUntil(
      async () => (await hijacked.get('users/current/')).status,
      (status) => status === 403,
    );
  });
});
