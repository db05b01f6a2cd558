// npm run acceptance: runs the tests that need tools from outside npm (Buildah, Helm, promtool, …). They install these
// tools if this machine allows it; tests whose tool is missing are skipped with the reason in their name.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { onEnd } from '../../libs/processes/src/lifetime.mjs';
import { ensure, ensureToolPackages, root } from '../ensure.mjs';

await ensure();
await ensureToolPackages('tools/release');
const specs = process.argv.length > 2 ? process.argv.slice(2) : ['acceptance-spec'];
// 400 MB, so it is installed only for the spec that uses it.
if (specs.some((spec) => 'github-api.acceptance-spec'.includes(spec))) await ensureToolPackages('tools/github-api');
// One file at a time, because an image, a build and a restore each need the whole machine.
const child = spawn(process.execPath, [path.join(root, 'tools', 'test.mjs'), ...specs, '--runInBand', '--verbose'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, STRATA_ACCEPTANCE: 'on' },
});
onEnd((signal) => child.kill(signal));
child.once('close', (code) => process.exit(code ?? 1));
