// npm run soak: runs all cases of the model and property tests, the complete contract suite, and browser journeys with
// long waits, such as half a minute without a connection. `npm test` runs a fifth of the cases and waits two seconds.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onEnd } from '../libs/processes/src/lifetime.mjs';
import { root } from './ensure.mjs';

/** The time for which the journeys stay without a connection. */
const SECONDS = '30';
const LONG_WAITS = ['apps/e2e/src/console-live.e2e-spec.ts', 'apps/e2e/src/console-restarts.e2e-spec.ts'];

const specs = process.argv.length > 2 ? process.argv.slice(2) : [...LONG_WAITS, ...specsWithCases()];
const child = spawn(process.execPath, [path.join(root, 'tools', 'test.mjs'), ...specs], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, STRATA_SOAK_SECONDS: SECONDS, STRATA_TEST_CASES: 'all' },
});
onEnd((signal) => child.kill(signal));
child.once('close', (code) => process.exit(code ?? 1));

/** Returns the specs that call `cases` of the testkit. */
function specsWithCases() {
  return ['apps', 'libs', 'integrations'].flatMap((directory) =>
    fs
      .readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('spec.ts') && !file.includes('node_modules'))
      .map((file) => path.join(directory, file))
      .filter((file) => /\b(?:cases|sample)\(/.test(fs.readFileSync(path.join(root, file), 'utf8'))),
  );
}
