// npm run soak: runs all cases of the model and property tests, the complete contract suite, and browser journeys with
// long waits, such as half a minute without a connection. `npm test` runs a fifth of the cases and waits two seconds.
// Without arguments, the specs for AWS run once more, against a second program that serves its APIs.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onEnd } from '../libs/processes/src/lifetime.mjs';
import { root } from './ensure.mjs';

/** The time for which the journeys stay without a connection. */
const SECONDS = '30';
const LONG_WAITS = ['apps/e2e/src/console-live.e2e-spec.ts', 'apps/e2e/src/console-restarts.e2e-spec.ts'];

const specs = process.argv.length > 2 ? process.argv.slice(2) : [...LONG_WAITS, ...specsWithCases()];
const AWS_SPECS = ['libs/providers/src/aws', 'apps/core/src/features/integrations/runs/pushes'];
const code = await run(specs, { STRATA_SOAK_SECONDS: SECONDS, STRATA_TEST_CASES: 'all' });
const awsCode = process.argv.length > 2 ? 0 : await run(AWS_SPECS, { STRATA_TEST_AWS: 'ministack' });
process.exit(code || awsCode);

/** Runs specs, and returns the exit code. */
function run(paths, settings) {
  const child = spawn(process.execPath, [path.join(root, 'tools', 'test.mjs'), ...paths], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...settings },
  });
  onEnd((signal) => child.kill(signal));
  return new Promise((resolve) => child.once('close', (exitCode) => resolve(exitCode ?? 1)));
}

/** Returns the specs that run a part of their cases in `npm test`. */
function specsWithCases() {
  const specs = ['apps', 'libs', 'integrations'].flatMap((directory) =>
    fs
      .readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('spec.ts') && !file.includes('node_modules'))
      .map((file) => path.join(directory, file))
      .filter((file) =>
        /\b(?:countCases|pickSample|runsAllCases)\b/.test(fs.readFileSync(path.join(root, file), 'utf8')),
      ),
  );
  if (specs.length === 0) throw new Error('No spec uses countCases, pickSample or runsAllCases of the testkit.');
  return specs;
}
