import { type RunningCore, sharedCore, testCredentials } from '@strata/testkit';
import { malformedAuthorizations } from '../../testing/malformed-authorization.ts';
import { requestToken } from '../../testing/people.ts';
import { rawRequest } from '../../testing/raw-request.ts';

const PATH = '/api/v1/users/current/';
const NAMES = Object.keys(malformedAuthorizations('', ''));

let core: RunningCore;
let malformed: Readonly<Record<string, readonly string[]>>;
let key: string;

beforeAll(async () => {
  core = await sharedCore();
  const { apiKey, ownerEmail, ownerPassword } = testCredentials();
  key = apiKey;
  const organization = await core.organization();
  malformed = malformedAuthorizations(
    key,
    await requestToken(core, { email: ownerEmail, password: ownerPassword }, organization.id),
  );
});

const request = (...lines: string[]) => rawRequest(core.origin, { path: PATH, lines });

describe('the Authorization header', () => {
  it('authenticates a caller with a valid API key, in any letter case of header and scheme', async () => {
    expect((await request(`Authorization: Api-Key ${key}`)).status).toBe(200);
    expect((await request(`aUtHoRiZaTiOn: aPI-kEY ${key}`)).status).toBe(200);
  });

  it.each(NAMES)('is rejected if it contains %s', async (name) => {
    const response = await request(...(malformed[name] ?? []).map((value) => `Authorization: ${value}`));

    expect(response.status).toBe(403);
    expect(response.text).toBe('{"detail":"Incorrect authentication credentials."}');
    expect(response.headers['x-error-code']).toBe('bad_credential');
  });

  it.each([
    ['no header', []],
    ['X-Strata-Api-Key', ['X-Strata-Api-Key: KEY']],
    ['X-Api-Key', ['X-Api-Key: KEY']],
    ['Proxy-Authorization', ['Proxy-Authorization: Api-Key KEY']],
    ['a cookie', ['Cookie: Authorization=Api-Key KEY; sessionid=KEY']],
    ['a header whose name only begins with Authorization', ['Authorization2: Api-Key KEY']],
  ])('is required: a request with %s returns 401', async (_, lines: string[]) => {
    const response = await request(...lines.map((line) => line.replaceAll('KEY', key)));

    expect(response).toMatchObject({
      status: 401,
      text: '{"detail":"Authentication credentials were not provided."}',
    });
  });

  it.each([['api_key'], ['access_token'], ['token'], ['authorization']])(
    'cannot be replaced by the query parameter %s',
    async (name) => {
      expect((await rawRequest(core.origin, { path: `${PATH}?${name}=${key}` })).status).toBe(401);
    },
  );

  it.each([
    ['a known prefix with a wrong secret', (good: string) => `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`],
    ['the secret in the opposite letter case', (good: string) => good.replace(/\..*/, (secret) => swapCase(secret))],
    ['an unknown prefix', (good: string) => good.replace(/^.{8}/, 'zzzzzzzz')],
    ['a secret that is one character too long', (good: string) => `${good}A`],
    ['a secret that is one character too short', (good: string) => good.slice(0, -1)],
  ])('is rejected if it contains %s', async (_, corrupt) => {
    expect((await request(`Authorization: Api-Key ${corrupt(key)}`)).status).toBe(403);
  });
});

function swapCase(text: string): string {
  return [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');
}
