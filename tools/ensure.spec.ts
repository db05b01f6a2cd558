import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

let checkout: string;

/** Creates an installed checkout on a platform for which the packages contain no Node, such as macOS. */
beforeEach(() => {
  checkout = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-checkout-'));
  fs.mkdirSync(path.join(checkout, 'tools'));
  fs.mkdirSync(path.join(checkout, 'node_modules'));
  for (const file of ['tools/ensure.mjs', 'libs/processes/src/lifetime.mjs']) {
    fs.cpSync(path.join(import.meta.dirname, '..', file), path.join(checkout, file));
  }
  for (const file of ['package-lock.json', 'node_modules/.package-lock.json']) {
    fs.writeFileSync(path.join(checkout, file), '{"packages": {}}');
  }
  fs.writeFileSync(
    path.join(checkout, 'tools', 'start.mjs'),
    "import { ensure } from './ensure.mjs';\nawait ensure();\nconsole.log('started');\n",
  );
});
afterEach(() => fs.rmSync(checkout, { recursive: true }));

function startOn(version: string) {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, path.join(checkout, 'tools', 'start.mjs')],
    { encoding: 'utf8', env: {} },
  );
  return { status, stdout, stderr };
}

describe('where the packages bring no Node', () => {
  it.each(['20.19.0', '22.18.0'])('a start on Node %s stops and says which Node to install', (version) => {
    expect(startOn(version)).toEqual({
      status: 1,
      stdout: '',
      stderr: `Strata needs Node 22.19.0 or newer on this platform, and this is Node ${version}. Install a newer Node, then run the command again.\n`,
    });
  });

  it.each(['22.19.0', '24.0.0', '26.10.0'])('a start on Node %s runs', (version) => {
    expect(startOn(version)).toEqual({ status: 0, stdout: 'started\n', stderr: '' });
  });
});

test('a start on a Node that cannot install the packages stops and says which Node to install', () => {
  expect(startOn('20.18.0')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Install Node 20.19.0 or newer'),
  });
});

test('a command installs the packages of its own folder once', () => {
  const log = path.join(checkout, 'npm.log');
  fs.mkdirSync(path.join(checkout, 'tools/docs'));
  fs.writeFileSync(path.join(checkout, 'tools/docs/package-lock.json'), '{"packages": {}}');
  fs.writeFileSync(
    path.join(checkout, 'tools/start.mjs'),
    "import { ensureToolPackages } from './ensure.mjs';\nawait ensureToolPackages('tools/docs');\n",
  );
  const npm = `#!/bin/sh\nmkdir node_modules\necho "$(basename "$PWD") $1" >> ${log}\n`;
  fs.writeFileSync(path.join(checkout, 'npm'), npm, { mode: 0o755 });
  const start = () =>
    spawnSync(process.execPath, [path.join(checkout, 'tools/start.mjs')], {
      env: { PATH: `${checkout}${path.delimiter}${process.env.PATH}` },
    });
  expect([start().status, start().status]).toEqual([0, 0]);
  expect(fs.readFileSync(log, 'utf8')).toBe('docs ci\n');
});
