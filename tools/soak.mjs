// npm run soak: journeys in a real browser that wait for long, such as half a minute without a line. Not part of npm test.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './ensure.mjs';
import { onEnd } from './lifetime.mjs';

/** How long lines stay cut. */
const SECONDS = '30';
/** Specs that wait for as long as they are told to. */
const SPECS = ['console-live', 'console-restarts'];

const child = spawn(process.execPath, [path.join(root, 'tools', 'test.mjs'), ...SPECS], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, STRATA_SOAK_SECONDS: SECONDS },
});
onEnd((signal) => child.kill(signal));
child.once('close', (code) => process.exit(code ?? 1));
