import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { findFreePort } from '@strata/processes';
import { buildMissingApps, startService } from './processes.ts';

const MAIN = path.resolve(import.meta.dirname, '../../gateway/dist/main.js');

beforeAll(() => buildMissingApps('gateway'));

describe('a process that Strata’s start command runs', () => {
  it.each([
    ['by default', {}, '320'],
    ['from the setting', { STRATA_HEAP_MB: '512' }, '512'],
  ])('has its heap limit %s, and logs no advice', async (_, settings: Readonly<Record<string, string>>, size) => {
    const gateway = await startService('gateway', await findFreePort(), settings);
    const started = fs.readFileSync(`/proc/${gateway.process.pid}/cmdline`, 'utf8').split('\0');
    await gateway.end('SIGTERM');

    expect(started).toContain(`--max-old-space-size=${size}`);
    expect(gateway.log()).not.toContain('STRATA_HEAP_MB');
  });
});

it('a process that is started without a heap limit logs how to start it', async () => {
  const child = fork(MAIN, [], {
    env: { PATH: process.env.PATH, STRATA_GATEWAY_PORT: '0', STRATA_GRACE_SECONDS: '0' },
    execArgv: ['--max-old-space-size=2048'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let log = '';
  child.stderr?.on('data', (data) => (log += data));
  await once(child, 'message');
  child.kill('SIGTERM');
  await once(child, 'close');

  expect(log).toMatch(/Start it with: node --max-old-space-size=320 \(STRATA_HEAP_MB\)/);
});
