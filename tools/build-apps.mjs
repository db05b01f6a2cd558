// Builds applications if their sources are newer than the last build. Otherwise it prints nothing. Nx builds, but does not
// decide: reading its graph takes a second, and the comparison of fingerprints a tenth of that. Every start and every run
// of tests begins with it.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, onEnd } from '../libs/processes/src/lifetime.mjs';
import { helpFiles } from './console/help-files.mjs';
import { root } from './ensure.mjs';

/** The files that exist once an application has been built. */
const ENTRY = {
  core: 'apps/core/dist/main.js',
  gateway: 'apps/gateway/dist/main.js',
  cli: 'apps/cli/dist/main.js',
  console: 'apps/console/dist/index.html',
  'github-action': 'integrations/github-action/dist/plan.js',
};
const stamps = path.join(root, 'node_modules', '.cache', 'strata');

/** The folders that are not part of the programs: the console has a separate build, and the others contain only tests. */
const NOT_SHIPPED = new Set(
  [
    ['apps', 'console'],
    ['apps', 'e2e'],
    ['libs', 'testkit'],
  ].map((names) => path.join(...names, 'src')),
);

/** The directory of Node's compile cache for the modules that a start loads. */
export const compiled = path.join(stamps, 'compiled');

/** Builds the applications that have changed. Throws with the output of the build if it fails. */
export async function buildApps(apps, log = () => {}) {
  if (findStale(apps).stale.length === 0) return;
  const release = await lock();
  try {
    await build(apps, log);
  } finally {
    release();
  }
}

async function build(apps, log) {
  // Checks again, because another process may have built while this one waited.
  const { stale, fingerprintOf } = findStale(apps);
  if (stale.length === 0) return;
  log(`Building ${stale.join(' and ')} …`);
  await nx(['run-many', '-t', 'build', '-p', stale.map((app) => `@strata/${app}`).join(',')]);
  // Node would keep every version of every module forever.
  fs.rmSync(compiled, { recursive: true, force: true });
  for (const app of stale) fs.writeFileSync(path.join(stamps, app), fingerprintOf(app));
}

/** Builds all projects, even unchanged ones. */
export async function buildAll() {
  const release = await lock();
  try {
    const { fingerprintOf } = findStale([]);
    await nx(['run-many', '-t', 'build']);
    fs.rmSync(compiled, { recursive: true, force: true });
    for (const app of Object.keys(ENTRY)) fs.writeFileSync(path.join(stamps, app), fingerprintOf(app));
  } finally {
    release();
  }
}

/** Runs nx without its daemon, its terminal screens and its cloud; resolves with its output, rejects with it on failure. */
export function nx(args) {
  const child = spawn(
    process.execPath,
    [path.join(root, 'node_modules/nx/dist/bin/nx.js'), ...args, '--outputStyle=static'],
    {
      cwd: root,
      env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true', NX_SKIP_LOG_GROUPING: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const output = [];
  child.stdout.on('data', (data) => output.push(data));
  child.stderr.on('data', (data) => output.push(data));
  onEnd((signal) => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const text = Buffer.concat(output).toString().trim();
      if (code === 0) resolve(text);
      else reject(new Error(text || `nx ended with ${code}`));
    });
  });
}

function findStale(apps) {
  const services = fingerprintOfServices();
  const fingerprints = { console: fingerprintOfConsole(), 'github-action': services + fingerprintOfAction() };
  const fingerprintOf = (app) => fingerprints[app] ?? services;
  return { fingerprintOf, stale: apps.filter((app) => !isBuilt(app, fingerprintOf(app))) };
}

/** Allows one build at a time: a start and a test run in the same clone would delete each other's output. */
async function lock() {
  fs.mkdirSync(stamps, { recursive: true });
  const file = path.join(stamps, 'building.pid');
  for (;;) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
      const release = () => fs.rmSync(file, { force: true });
      process.once('exit', release);
      return () => {
        process.off('exit', release);
        release();
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(file)) fs.rmSync(file, { force: true });
    else await sleep(100);
  }
}

function isAbandoned(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat) return false;
  const pid = Number(fs.readFileSync(file, 'utf8'));
  return Date.now() - stat.mtimeMs > 120_000 || (pid > 0 && !isAlive(pid));
}

const isBuilt = (app, fingerprint) => {
  if (!fs.existsSync(path.join(root, ENTRY[app]))) return false;
  const stamp = path.join(stamps, app);
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === fingerprint;
};

function fingerprintOfServices() {
  const projects = ['apps', 'libs'].flatMap((group) =>
    fs.readdirSync(path.join(root, group)).map((project) => path.join(group, project, 'src')),
  );
  const sources = projects.filter((folder) => !NOT_SHIPPED.has(folder)).flatMap(filesBelow);
  const shipped = sources.filter((file) => /(?<!spec)\.(ts|mjs|sql|html)$/.test(file));
  return computeFingerprint([
    'package-lock.json',
    'tools/build.mjs',
    'tools/bundle.mjs',
    'tools/swc-options.mjs',
    ...shipped,
  ]);
}

/** Returns the fingerprint of the sources that only the action for GitHub has. It also contains the command line. */
const fingerprintOfAction = () =>
  computeFingerprint(filesBelow('integrations/github-action/src').filter((file) => /(?<!spec)\.ts$/.test(file)));

/**
 * Returns the fingerprint of the console. It is separate, so that a change of the console does not rebuild the
 * services, and vice versa.
 */
function fingerprintOfConsole() {
  const folders = ['apps/console/src', 'apps/console/public', 'libs/import/src'];
  const sources = folders.flatMap(filesBelow).filter((file) => !/\.(spec|graphql)\.ts$/.test(file));
  const tools = filesBelow(path.join('tools', 'console')).filter((file) => file.endsWith('.mjs'));
  // The packages of the website are not part of the console.
  const pages = filesBelow(path.join('tools', 'docs')).filter((file) => !file.includes('node_modules'));
  const help = [...pages, ...helpFiles()];
  const others = [
    'package-lock.json',
    'docs/schema.graphql',
    'apps/console/index.html',
    'libs/contract/src/snapshot-file.ts',
  ];
  return computeFingerprint([...others, ...tools, ...help, ...sources]);
}

/** Returns a text that changes whenever one of these files is added, removed or saved. */
function computeFingerprint(files) {
  const hash = createHash('sha256');
  for (const file of [...files].sort()) {
    const { size, mtimeMs } = fs.statSync(path.join(root, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesBelow(folder) {
  if (!fs.existsSync(path.join(root, folder))) return [];
  const entries = fs.readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}
