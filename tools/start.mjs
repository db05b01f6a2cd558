// npm start: installs packages and builds what has changed, then runs `strata start` of this checkout with the
// checkout's data directory.
import path from 'node:path';
import { wrongSettings } from './early-settings.mjs';
import { ensure, root } from './ensure.mjs';

const started = Date.now();
const wrong = wrongSettings(process.env);
if (wrong.length > 0) {
  console.error(['These settings are invalid:', ...wrong.map((line) => `  ${line}`)].join('\n'));
  process.exit(2);
}
await ensure();
const { buildApps, compiled } = await import('./build-apps.mjs');
(await import('node:module')).enableCompileCache?.(compiled);
process.env.NODE_COMPILE_CACHE ??= compiled;
const apps = ['core', 'gateway', 'cli', ...(process.env.STRATA_CONSOLE === 'off' ? [] : ['console'])];
await buildApps(apps, console.log).catch(({ message }) => {
  console.error(message);
  process.exit(1);
});
process.chdir(root);
const { start } = await import(path.join(root, 'apps/cli/dist/index.js'));
await start(started);
