// npm run drill -- <drill>: breaks an installation on purpose while clients use it, and prints what they noticed. Drills
// install the programs that they need if this machine allows it; otherwise they are skipped with the reason in their name.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onEnd } from '../../libs/processes/src/lifetime.mjs';
import { ensure, root } from '../ensure.mjs';

const ENDING = '.drill-spec.ts';
const drills = fs
  .readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(ENDING))
  .map((name) => name.slice(0, -ENDING.length));
const chosen = process.argv.slice(2);
if (chosen.length === 0 || chosen.some((name) => !drills.includes(name))) {
  console.log(`Usage: npm run drill -- <drill> …\n\n  Drills: ${drills.join(', ')}`);
  process.exit(chosen.includes('--help') ? 0 : 1);
}
await ensure();
const specs = chosen.map((name) => `tools/drill/${name}${ENDING}`);
const child = spawn(process.execPath, [path.join(root, 'tools/test.mjs'), ...specs, '--runInBand', '--verbose'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, STRATA_DRILL: 'on' },
});
onEnd((signal) => child.kill(signal));
child.once('close', (code) => process.exit(code ?? 1));
