import { once } from 'node:events';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import type { StartCredentials } from './credentials.ts';
import { checkPorts, type ProcessEnvironment, type StartSettings, serviceEnvironment } from './settings.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const logLevel = async (environment: ProcessEnvironment) =>
  (await serviceEnvironment(environment, {} as StartCredentials, 'postgres://strata@127.0.0.1/strata'))
    .STRATA_LOG_LEVEL;

test('a start gives the services the log level of docs/reference/settings.md, unless it is set', async () => {
  const section =
    fs.readFileSync(path.join(root, 'docs/reference/settings.md'), 'utf8').split('### `strata start`')[1] ?? '';
  const [, documented] = /^\| `STRATA_LOG_LEVEL` \| `(\w+)` \|/m.exec(section) ?? [];
  expect(await logLevel({})).toBe(documented);
  expect(await logLevel({ STRATA_LOG_LEVEL: 'info' })).toBe('info');
});

test('a start that cannot serve its metrics names the setting', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const environment = { STRATA_HOST: '127.0.0.1', STRATA_METRICS_PORT: String(port) } as unknown as StartSettings;
  try {
    const setting = 'STRATA_METRICS_PORT';
    expect(await checkPorts(environment)).toEqual([
      `Port ${port} is taken by another program. Set ${setting} to a free one, such as ${setting}=${port + 10}.`,
    ]);
  } finally {
    server.close();
  }
});
