import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuditTrail, AuthToken, InvitationCreated, Page } from '@strata/contract';
import {
  type OwnCore,
  RawClient,
  type RunningCore,
  sharedCore,
  signTokenWithRsa,
  testCredentials,
} from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { signToken, signTokenWithSecret } from '../../testing/forged-tokens.ts';
import { ListeningClient } from '../../testing/listening-client.ts';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';

const ISSUER = 'https://login.example/';
const AUDIENCE = 'strata-tests';
const SUBJECT = 'auth0|64f0c1';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

interface Issuer {
  readonly url: string;
  requests: number;
  close(): Promise<void>;
}

let issuer: Issuer;
let local: RunningCore;
let external: OwnCore;
let organizationId: string;

beforeAll(async () => {
  issuer = await startIssuer([jwk(rsa, 'rsa-1', 'RS256'), jwk(ec, 'ec-1', 'ES256')]);
  local = await sharedCore();
  external = await startSecondCore(local, settings(issuer));
  organizationId = (await local.organization()).id;
  await createPerson(local, organizationId, 'ADMIN', SUBJECT);
});
afterAll(async () => {
  // On a busy machine the second core may not have started; the issuer must be closed anyway.
  await Promise.all([external?.close(), issuer?.close()]);
});

const settings = ({ url }: Issuer) => ({
  STRATA_JWKS_URL: url,
  STRATA_JWT_ISSUER: ISSUER,
  STRATA_JWT_AUDIENCE: AUDIENCE,
});

const claims = (otherClaims: object = {}) => ({
  iss: ISSUER,
  aud: [AUDIENCE, 'https://login.example/userinfo'],
  sub: SUBJECT,
  exp: Math.floor(Date.now() / 1_000) + 600,
  ...otherClaims,
});
const rs256 = (otherClaims: object = {}) => signTokenWithRsa(rsa, claims(otherClaims), { alg: 'RS256', kid: 'rsa-1' });
const es256 = (otherClaims: object = {}) => signToken(ec, claims(otherClaims), { alg: 'ES256', kid: 'ec-1' });
const readCurrentUser = (core: RunningCore, token: string) =>
  new RawClient(core.origin, `Bearer ${token}`).get('users/current/');

describe('a core with an external issuer', () => {
  it.each([
    ['RS256', rs256],
    ['ES256', es256],
  ])('accepts tokens that the issuer signs with %s', async (_, token) => {
    expect(await readCurrentUser(external, token())).toMatchObject({
      status: 200,
      body: { id: SUBJECT, role: 'ADMIN' },
    });
    expect(await readCurrentUser(external, token({ organization: organizationId }))).toMatchObject({ status: 200 });
  });

  it('fetches the keys of the issuer once for many tokens', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => readCurrentUser(external, rs256({ n }))));

    expect(issuer.requests).toBe(1);
  });

  it('accepts neither tokens of the local issuer nor sign-ins with a password', async () => {
    const { ownerEmail: email, ownerPassword: password } = testCredentials();
    const anonymous = (core: RunningCore) => new RawClient(core.origin, null);
    const { body } = await anonymous(local).post<AuthToken>('auth/token/', { email, password });

    expect((await readCurrentUser(local, body.access_token)).status).toBe(200);
    expect((await readCurrentUser(external, body.access_token)).status).toBe(403);
    const response = await anonymous(external).post('auth/token/', { email, password });
    expect(response).toMatchObject({ status: 403, headers: { 'x-error-code': 'external_issuer' } });
  });

  it('is needed to accept tokens of the issuer: a core with a local issuer rejects them', async () => {
    expect((await readCurrentUser(local, rs256())).status).toBe(403);
    expect((await readCurrentUser(local, es256())).status).toBe(403);
  });

  it('rejects tokens from before the user signed out everywhere', async () => {
    const { id } = await createPerson(local, organizationId, 'VIEWER');
    const now = Math.floor(Date.now() / 1_000);
    const before = rs256({ sub: id, iat: now - 60 });
    expect((await readCurrentUser(external, before)).status).toBe(200);

    const done = await new RawClient(external.origin, `Bearer ${before}`).delete('users/current/tokens/');

    expect(done.status).toBe(204);
    expect((await readCurrentUser(external, before)).status).toBe(403);
    expect((await readCurrentUser(external, rs256({ sub: id }))).status).toBe(403);
    expect((await readCurrentUser(external, rs256({ sub: id, iat: 1e300 }))).status).toBe(403);
    expect((await readCurrentUser(external, rs256({ sub: id, iat: now + 60 }))).status).toBe(200);
  });

  it('still accepts API keys', async () => {
    const withKey = new RawClient(external.origin, `Api-Key ${testCredentials().apiKey}`);

    expect((await withKey.get('users/current/')).status).toBe(200);
  });

  const pem = createPublicKey(rsa).export({ type: 'spki', format: 'pem' }).toString();
  const header = { alg: 'ES256', kid: 'ec-1' };
  it.each([
    ['another issuer', () => rs256({ iss: 'https://login.example' })],
    ['another audience', () => rs256({ aud: 'strata' })],
    ['an expiry that has passed', () => es256({ exp: 1 })],
    ['no expiry', () => es256({ exp: undefined })],
    ['a lifetime of more than a day', () => es256({ exp: Math.floor(Date.now() / 1_000) + 90_000 })],
    ['an unknown critical extension', () => signToken(ec, claims(), { ...header, crit: ['x'], x: 1 })],
    ['another type', () => signToken(ec, claims(), { ...header, typ: 'secevent+jwt' })],
    ['an unknown subject', () => es256({ sub: 'auth0|nobody' })],
    [
      'an organization that the user is not a member of',
      () => es256({ organization: '7d0ff6c2-6ad2-4e43-a1b0-3a8d8b6b3f58' }),
    ],
    ['an unknown kid', () => signToken(ec, claims(), { ...header, kid: 'ec-2' })],
    ['a kid that is a path', () => signToken(ec, claims(), { ...header, kid: '../../etc/passwd' })],
    ['the kid of a key of another kind', () => signToken(ec, claims(), { ...header, kid: 'rsa-1' })],
    ['the public key as a secret', () => signTokenWithSecret(pem, claims(), { alg: 'HS256', kid: 'rsa-1' })],
    ['alg none', () => signToken(ec, claims(), { alg: 'none', kid: 'ec-1' })],
    [
      'a foreign key in the header',
      () => signToken(ownKey, claims(), { ...header, jwk: jwk(ownKey, 'ec-1', 'ES256') }),
    ],
    ['a foreign issuer in the header', () => signToken(ownKey, claims(), { ...header, jku: issuer.url })],
  ])('rejects a token with %s', async (_, token) => {
    expect(await readCurrentUser(external, token())).toMatchObject({
      status: 403,
      body: { detail: 'Incorrect authentication credentials.' },
    });
  });

  it('returns 503 and does not reject the token if it cannot reach the issuer', async () => {
    const stoppedIssuer = await startIssuer([]);
    await stoppedIssuer.close();
    const core = await startSecondCore(local, settings(stoppedIssuer));
    try {
      expect(await readCurrentUser(core, rs256())).toMatchObject({
        status: 503,
        headers: { 'x-error-code': 'issuer_unavailable', 'retry-after': '1' },
      });
    } finally {
      await core.close();
    }
  });

  it('requires both settings', async () => {
    await expect(startSecondCore(local, { STRATA_JWKS_URL: issuer.url })).rejects.toThrow(/STRATA_JWT_ISSUER/);
  });
});

describe('a person whose address an external issuer has verified', () => {
  const knownAs = (email: string, otherClaims: object = {}) =>
    rs256({ sub: randomUUID(), email, email_verified: true, name: 'Ada', ...otherClaims });

  it('signs in as the member with that address in any letter case, and remains that member if the address changes', async () => {
    const member = await createPerson(local, organizationId, 'CONTRIB');
    const sub = randomUUID();

    const entered = await readCurrentUser(external, knownAs(member.email.toUpperCase(), { sub }));
    expect(entered).toMatchObject({ status: 200, body: { id: member.id, role: 'CONTRIB' } });
    expect(await readCurrentUser(external, rs256({ sub }))).toMatchObject({ status: 200, body: { id: member.id } });
    expect(await readCurrentUser(external, knownAs(member.email))).toMatchObject({ status: 403 });
    expect(await readCurrentUser(external, knownAs('moved@example.com', { sub }))).toMatchObject({
      body: { id: member.id },
    });
  });

  it('cannot sign in as a person who is bound to another subject', async () => {
    const subject = `auth0|${randomUUID()}`;
    const member = await createPerson(local, organizationId, 'VIEWER', subject);
    expect((await readCurrentUser(external, rs256({ sub: subject }))).status).toBe(200);

    await waitUntil(
      () => query(local, 'select 1 from issuer_subject where subject = $1', [subject]),
      (rows) => rows.length > 0,
    );
    expect(await readCurrentUser(external, knownAs(member.email))).toMatchObject({ status: 403 });
  });

  it('is recorded as a denied sign-in of the member with that address, if another subject is bound to the member', async () => {
    const organization = await local.organization();
    const subject = `auth0|${randomUUID()}`;
    const member = await createPerson(local, organization.id, 'VIEWER', subject);
    expect((await readCurrentUser(external, knownAs(member.email, { sub: subject }))).status).toBe(200);
    expect((await readCurrentUser(external, knownAs(member.email))).headers['x-error-code']).toBe('known_otherwise');
    const records = await waitUntil(
      async () => (await organization.owner.get<Page<AuditTrail>>('audit/?action=sign_in_refused')).body.results,
      (rows) => rows.length > 0,
    );

    expect(records).toMatchObject([
      { object_id: member.membershipId, user: { id: subject }, refusal: { rule: 'known_otherwise' } },
    ]);
  });

  it.each([
    ['is not verified', { email_verified: false }],
    ['is verified as the text "true" only', { email_verified: 'true' }],
    ['is invalid', { email: 'somebody' }],
    ['is missing', { email: undefined }],
    ['is a list', { email: ['a@example.com'] }],
  ])('is rejected if the address %s', async (_, otherClaims) => {
    const member = await createPerson(local, organizationId, 'VIEWER');

    expect(await readCurrentUser(external, knownAs(member.email, otherClaims))).toMatchObject({
      status: 403,
      body: { detail: 'Incorrect authentication credentials.' },
    });
    expect((await readCurrentUser(local, knownAs(member.email, { aud: 'strata' }))).status).toBe(403);
  });

  it('accepts an invitation to the address with the token of the issuer, and no other invitation', async () => {
    const organization = await local.organization();
    const email = `${randomUUID()}@example.com`;
    const invite = async (to: string) =>
      (await organization.owner.post<InvitationCreated>('invitations/', { email: to, role: 'CONTRIB' })).body;
    const [mine, otherInvitation] = [await invite(email), await invite('other@example.com')];
    const token = knownAs(email);
    const client = new RawClient(external.origin, `Bearer ${token}`);

    const before = await client.get('users/current/');
    expect(before).toMatchObject({ status: 403, body: { detail: expect.stringContaining(email) } });
    expect(before.headers['x-error-code']).toBe('no_organization');
    expect((await client.post(`${otherInvitation.url}accept/`)).headers['x-error-code']).toBe('email_mismatch');
    expect(await client.post(`${mine.url}accept/`)).toMatchObject({ status: 200, body: { state: 'accepted' } });
    expect(await client.get('users/current/')).toMatchObject({
      status: 200,
      body: { email, name: 'Ada', role: 'CONTRIB', organization_name: organization.name },
    });
    expect((await client.post(`${mine.url}accept/`)).status).toBe(404);
  });

  it('must be named with an organization in the token if they are a member of several', async () => {
    const organization = await local.organization();
    const member = await createPerson(local, organizationId, 'CONTRIB');
    await query(local, `insert into membership (organization_id, id, person_id, role) values ($1, $2, $3, 'VIEWER')`, [
      organization.id,
      randomUUID(),
      member.id,
    ]);
    const sub = randomUUID();
    const token = (otherClaims: object = {}) => knownAs(member.email, { sub, ...otherClaims });

    // The first token binds the subject to the member by address; the last token contains no address.
    for (const undecided of [token(), token(), rs256({ sub })]) {
      expect(await readCurrentUser(external, undecided)).toMatchObject({
        status: 403,
        headers: { 'x-error-code': 'organization_needed' },
        body: { detail: expect.stringContaining('claim `organization`') },
      });
    }
    expect(await readCurrentUser(external, token({ organization: organization.id }))).toMatchObject({
      body: { role: 'VIEWER' },
    });
    expect(await readCurrentUser(external, token({ organization: randomUUID() }))).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'bad_credential' },
    });
  });

  it.each([
    ['no organization', 2, () => ({})],
    ['the inviting organization', 1, (organization: string) => ({ organization })],
  ])(
    'accepts an invitation to another organization with a token that names %s, and keeps their identity',
    async (_, count, otherClaims) => {
      const organization = await local.organization();
      const member = await createPerson(local, organizationId, 'CONTRIB');
      if (count === 2) {
        await query(
          local,
          `insert into membership (organization_id, id, person_id, role) values ($1, $2, $3, 'VIEWER')`,
          [(await local.organization()).id, randomUUID(), member.id],
        );
      }
      const invitation = { email: member.email, role: 'CONTRIB' };
      const { body } = await organization.owner.post<InvitationCreated>('invitations/', invitation);
      const sub = randomUUID();
      const client = new RawClient(
        external.origin,
        `Bearer ${knownAs(member.email, { sub, ...otherClaims(organization.id) })}`,
      );

      expect(await client.post(`${body.url}accept/`)).toMatchObject({ status: 200, body: { state: 'accepted' } });
      expect(await readCurrentUser(external, rs256({ sub, organization: organization.id }))).toMatchObject({
        body: { id: member.id, name: 'CONTRIB person', role: 'CONTRIB', organization_name: organization.name },
      });
      const { body: audit } = await organization.owner.get<Page<AuditTrail>>(
        'audit/?object_type=Invitation&action=update',
      );
      expect(JSON.stringify(audit)).toContain('CONTRIB person');
    },
  );

  it('receives events until their membership ends', async () => {
    const organization = await local.organization();
    const member = await createPerson(local, organization.id, 'VIEWER');
    const authorization = `Bearer ${knownAs(member.email)}`;
    const stream = await ListeningClient.open(external.origin, { authorization });
    await organization.project({ name: 'heard' });
    await stream.until(() => stream.changes.length === 1);

    await organization.owner.delete(`memberships/${member.membershipId}/`);

    await stream.ended;
    expect(stream.messages.at(-1)).toMatchObject({ event: 'close', data: { code: 'credential_revoked' } });
  });
});

const ownKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

function jwk(key: KeyObject, kid: string, alg: string): object {
  return { ...createPublicKey(key).export({ format: 'jwk' }), kid, alg, use: 'sig' };
}

async function startIssuer(keys: readonly object[]): Promise<Issuer> {
  const server = http.createServer((_, response) => {
    startedIssuer.requests += 1;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const startedIssuer: Issuer = {
    url: `http://127.0.0.1:${port}/keys`,
    requests: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return startedIssuer;
}
