// npm run drill -- <drill>: breaks an installation on purpose while clients use it, and prints what they noticed. Drills
// install the programs that they need if this machine allows it; otherwise they are skipped with the reason in their name.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { onEnd } from '../../libs/processes/src/lifetime.mjs';
import { ensure, root } from '../ensure.mjs';

const ENDING = '.drill-spec.ts';
const drills = fs
  .readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(ENDING))
  .map((name) => name.slice(0, -ENDING.length));
const HELP = `Usage: npm run drill -- <drill> … [--full] [--strict]

  Drills: ${drills.join(', ')}

  --full     10,000 writes for each fault of a database machine, and longer faults (about an hour)
  --strict   PostgreSQL under Patroni's synchronous_mode_strict`;
const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean' }, strict: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (options.help || chosen.length === 0 || chosen.some((name) => !drills.includes(name))) {
  console.log(HELP);
  process.exit(options.help ? 0 : 1);
}
await ensure();
const specs = chosen.map((name) => `tools/drill/${name}${ENDING}`);
const child = spawn(process.execPath, [path.join(root, 'tools/test.mjs'), ...specs, '--runInBand', '--verbose'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    STRATA_DRILL: options.strict ? 'strict' : 'on',
    ...(options.full && { STRATA_TEST_CASES: 'all' }),
  },
});
onEnd((signal) => child.kill(signal));
child.once('close', (code) => process.exit(code ?? 1));
