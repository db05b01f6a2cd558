import fs from 'node:fs';
import path from 'node:path';
import type { StartCredentials } from './credentials.ts';
import { type ProcessEnvironment, serviceEnvironment } from './settings.ts';

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
