import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { buildMissingApps } from './processes.ts';

const root = path.resolve(import.meta.dirname, '../../..');

test('npm run strata runs the command line of the checkout with the Node of the packages', async () => {
  await buildMissingApps('cli');
  const printed = execFileSync('npm', ['run', '--silent', 'strata', '--', '--version'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(printed).toMatch(/^\d+\.\d+\.\d+\s/);
});
