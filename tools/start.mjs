// npm start: installs packages and builds what has changed, then runs `strata start` of this checkout with the
// checkout's data directory.
import path from 'node:path';
import { ensure, root } from './ensure.mjs';

const started = Date.now();
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
