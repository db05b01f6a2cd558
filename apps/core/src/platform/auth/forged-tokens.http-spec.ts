import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { AuthToken, User } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, testCredentials } from '@strata/testkit';
import { decodeJwt } from 'jose';
import { type ForgeryKeys, forgedTokens, signToken } from '../../testing/forged-tokens.ts';
import { createPerson, requestToken } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';
import { RootKey, readRootKeys } from '../vault/root-key.ts';
import { requireServiceKeys, ServiceKeys } from '../vault/service-keys.ts';

const outsider = createPrivateKey({ key: ServiceKeys.derive(new RootKey(Buffer.alloc(32))).tokenKey(), format: 'jwk' });
const NAMES = Object.keys(forgedTokens({ key: outsider, claims: {}, foreignOrganization: '', serviceAccount: '' }));

let core: RunningCore;
let key: KeyObject;
let forging: ForgeryKeys;
let forged: Readonly<Record<string, string>>;

beforeAll(async () => {
  core = await sharedCore();
  const rootKeys = readRootKeys({ STRATA_ROOT_KEY: testCredentials().rootKey });
  const serviceKeys = await requireServiceKeys((sql) => query(core, sql), rootKeys);
  key = createPrivateKey({ key: serviceKeys.tokenKey(), format: 'jwk' });
  const [mine, theirs] = [await core.organization(), await core.organization()];
  const { id, email, password } = await createPerson(core, mine.id, 'OWNER');
  const { body } = await anonymous().post<AuthToken>('auth/token/', { email, password });
  const service = await mine.as('OWNER').get<User>('users/current/');
  forging = {
    key,
    claims: { ...decodeJwt(body.access_token), sub: id },
    foreignOrganization: theirs.id,
    serviceAccount: service.body.id,
  };
  forged = forgedTokens(forging);
});

const anonymous = () => new RawClient(core.origin, null);
const readCurrentUser = (token: string) => new RawClient(core.origin, `Bearer ${token}`).get<User>('users/current/');

describe('a token', () => {
  it('is accepted if nothing in it is forged', async () => {
    const response = await readCurrentUser(signToken(key, forging.claims));

    expect(response).toMatchObject({ status: 200, body: { id: forging.claims.sub, role: 'OWNER' } });
  });

  it('is forged in at least thirty ways by these tests', () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(30);
  });

  it.each(NAMES)('is rejected if it has %s', async (name) => {
    const response = await readCurrentUser(forged[name] ?? '');

    expect(response.status).toBe(403);
    expect(response.body).toEqual({ detail: 'Incorrect authentication credentials.' });
  });

  it('is rejected after the token version of its user was increased', async () => {
    const organization = await core.organization();
    const member = await createPerson(core, organization.id, 'VIEWER');
    const token = await requestToken(core, member, organization.id);
    await query(core, 'update person set token_version = token_version + 1 where id = $1', [member.id]);

    expect((await readCurrentUser(token)).status).toBe(403);
  });

  it('is rejected if another installation signed it', async () => {
    expect((await readCurrentUser(signToken(outsider, forging.claims))).status).toBe(403);
  });
});
