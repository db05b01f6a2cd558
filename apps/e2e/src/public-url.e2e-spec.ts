import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { findFreePort } from '@strata/processes';
import {
  createTestDatabase,
  organization,
  type TestDatabase,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import { buildMissingApps, type ProcessSettings, startService } from './processes.ts';

const PUBLIC_URL = 'https://config.example.com';
const FOREIGN_HOST = 'attacker.example.net';

let database: TestDatabase;
beforeAll(async () => {
  await buildMissingApps('core', 'gateway');
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const settingsFor = (app: 'core' | 'gateway'): ProcessSettings =>
  app === 'core' ? { DATABASE_URL: database.url, STRATA_ROOT_KEY: testCredentials().rootKey } : {};

describe.each(['core', 'gateway'] as const)('the %s, when it starts', (app) => {
  it.each<readonly [name: string, settings: ProcessSettings, warnings: number]>([
    ['is silent on the loopback interface', {}, 0],
    ['warns if it listens on all interfaces without a public URL', { STRATA_HOST: '0.0.0.0' }, 1],
    ['warns behind a proxy without a public URL', { STRATA_TRUST_PROXY: '1' }, 1],
    [
      'is silent with a public URL',
      { STRATA_HOST: '0.0.0.0', STRATA_TRUST_PROXY: '1', STRATA_PUBLIC_URL: PUBLIC_URL },
      0,
    ],
  ])('%s', async (_, settings, warnings) => {
    const service = await startService(app, await findFreePort(), { ...settingsFor(app), ...settings });
    await service.end('SIGTERM');
    const lines = service
      .log()
      .split('\n')
      .filter((line) => line.includes('STRATA_PUBLIC_URL'));
    expect(lines).toHaveLength(warnings);
  });
});

/** Sends a request with another Host header, which fetch does not allow, and returns the body of the response. */
async function send(
  { origin, ownerAuthorization: authorization }: TestOrganization & { readonly origin: string },
  path: string,
  body?: object,
): Promise<string> {
  const request = http.request(`${origin}/api/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    agent: false,
    headers: { host: FOREIGN_HOST, authorization, 'content-type': 'application/json' },
  });
  request.end(body && JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return text(response);
}

it('links of objects, pages, invitations and the sign-in start with the public URL under a foreign Host', async () => {
  const settings = { ...settingsFor('core'), STRATA_PUBLIC_URL: PUBLIC_URL, STRATA_CONSOLE_URL: PUBLIC_URL };
  const core = await startService('core', await findFreePort(), settings);
  try {
    const tenant = Object.assign(await organization({ origin: core.origin, ...testCredentials() }), {
      origin: core.origin,
    });
    await tenant.project();
    await tenant.project();
    const responses = [
      await send(tenant, 'projects/?page_size=1'),
      await send(tenant, 'invitations/', { email: 'guest@example.com', role: 'CONTRIB' }),
      await send(tenant, 'features/'),
    ];
    const links = responses.map((response) => response.match(/https?:\/\/[^/"]+/g) ?? []);

    expect(responses[0]).toContain(`"next":"${PUBLIC_URL}/api/v1/projects/`);
    expect(links.map((origins) => [...new Set(origins)])).toEqual([[PUBLIC_URL], [PUBLIC_URL], [PUBLIC_URL]]);
    expect(responses.join('')).not.toContain(FOREIGN_HOST);
  } finally {
    await core.end('SIGTERM');
  }
});
