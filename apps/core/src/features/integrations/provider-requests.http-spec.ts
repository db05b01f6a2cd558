import { AWS_CREDENTIALS, AZURE_APPLICATION, type CloudCall, LocalServers } from '@strata/testkit';
import { type CapturedLog, captureLog } from '../../testing/captured-log.ts';
import { forEachStore } from '../../testing/store-fixtures.ts';

const servers = new LocalServers();
let received = 0;
let target: string;
let log: CapturedLog;
beforeAll(async () => {
  target = await servers.serve((_, response) => {
    received += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  log = await captureLog();
});
afterAll(() => {
  log.end();
  servers.close();
});

forEachStore('a push does not follow redirects of its provider', async ({ cloud, ...fixture }) => {
  const shop = await fixture.shop();
  await shop.set('HOST', 'db.example');
  cloud.clear();
  cloud.interfere(() => ({ kind: 'redirect', location: `${target}/` }));

  const push = await shop.push();

  expect(await push.latest()).toMatchObject({ state: 'failure', error_code: expect.stringContaining('provider_') });
  expect(cloud.calls().length).toBeGreaterThan(0);
  expect(received).toBe(0);
});

const WRITES = /^(CreateSecret|PutParameter|SetSecret)$|create-or-update/;
const SECRETS = ['canary-7e1d', AWS_CREDENTIALS.secretAccessKey, AZURE_APPLICATION.clientSecret, 'PRIVATE KEY'];

forEachStore(
  'no text and no credential of a push is in the log, also if the provider rejects a write',
  async ({ cloud, ...fixture }) => {
    const shop = await fixture.shop();
    await shop.set('HOST', 'canary-7e1d');
    await shop.set('REJECTED', 'canary-7e1d');
    const isRejected = ({ operation, input }: CloudCall) =>
      WRITES.test(operation) && /rejected/i.test(JSON.stringify(input));
    cloud.interfere((call) => (isRejected(call) ? { kind: 'error', code: 'invalid', status: 400 } : null));

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({ state: 'failure', error_code: 'provider_invalid' });
    expect(await push.states()).toHaveLength(2);
    expect(log.text).toContain('/pushes');
    for (const secret of SECRETS) expect(log.text).not.toContain(secret);
  },
  { STRATA_LOG_LEVEL: 'debug' },
);
