// Prepares a fresh clone: installs the packages of package-lock.json if necessary, then continues on the Node that was
// installed with them. It requires only a Node that can read this file.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onEnd } from '../libs/processes/src/lifetime.mjs';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const TO_INSTALL = '20.19.0';
const TO_RUN = '22.19.0';
const modules = path.join(root, 'node_modules');
const bundledNode = path.join(modules, '.bin', 'node');

/**
 * Returns if this process runs on the right Node with everything installed. Otherwise installs and continues in a child
 * process.
 */
export async function ensure() {
  if (!atLeast(process.versions.node, TO_INSTALL)) {
    fail(`Node ${process.versions.node} is too old. Install Node ${TO_INSTALL} or newer, then run the command again.`);
  }
  await ensurePackages('', 'Installing packages (once; about 1.1 GB on disk) …');
  if (runsOnBundledNode()) return;
  if (bundledNodeWorks()) await continueOn(bundledNode);
  if (!atLeast(process.versions.node, TO_RUN)) {
    fail(
      `Strata needs Node ${TO_RUN} or newer on this platform, and this is Node ${process.versions.node}. Install a newer Node, then run the command again.`,
    );
  }
}

/**
 * Installs the packages of `tools/docs`, `tools/release`, `tools/github-api` or `tools/bench/peer`, which only some commands need, if they
 * are not installed yet. Call `ensure` first.
 */
export function ensureToolPackages(folder) {
  return ensurePackages(folder, `Installing the packages of ${folder} (once) …`);
}

async function ensurePackages(folder, notice) {
  const lock = path.join(root, folder, 'package-lock.json');
  const stampFile = path.join(root, folder, 'node_modules', '.strata-lock');
  const stamp = createHash('sha256').update(fs.readFileSync(lock)).digest('hex');
  if (readText(stampFile) === stamp) return;
  if (!isInstalled(folder)) await install(folder, notice);
  fs.writeFileSync(stampFile, stamp);
}

/** Returns whether exactly this lockfile is installed (by npm ci or in an image). Compares it with npm's own record. */
function isInstalled(folder) {
  const record = readText(path.join(root, folder, 'node_modules', '.package-lock.json'));
  if (!record) return false;
  const installed = JSON.parse(record).packages;
  const required = JSON.parse(fs.readFileSync(path.join(root, folder, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(required).every(([at, entry]) => {
    if (!at.includes('node_modules/')) return true;
    if (!installed[at]) return entry.optional && !isForHere(entry);
    return entry.link || installed[at].version === entry.version;
  });
}

function isForHere({ os, cpu, libc }) {
  const fits = (list, here) => !list || [list].flat().includes(here);
  return Boolean(os || cpu) && fits(os, process.platform) && fits(cpu, process.arch) && !libc;
}

async function install(folder, notice) {
  console.log(notice);
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
  const [command, ...first] = npm;
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  // npm shows a spinner on a terminal and nothing elsewhere.
  const tick = process.stderr.isTTY
    ? undefined
    : setInterval(() => console.log(`  still installing, ${seconds()} s`), 5000);
  const child = spawn(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: path.join(root, folder),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await new Promise((resolve) => {
    onEnd((signal) => child.kill(signal));
    child.on('error', (error) => fail(`npm could not be started: ${error.message}`));
    child.on('close', (exit, signal) => resolve(signal ? 1 : exit));
  });
  clearInterval(tick);
  if (code !== 0) {
    const where = folder ? ` in ${folder}` : '';
    fail(`npm ci${where} failed with code ${code}; nothing was started. What npm said is above.`);
  }
  console.log(`Installed in ${seconds()} s.`);
}

function runsOnBundledNode() {
  try {
    return fs.realpathSync(bundledNode) === fs.realpathSync(process.execPath);
  } catch {
    return false;
  }
}

// The bundled Node exists but does not run on systems whose C library is not glibc.
function bundledNodeWorks() {
  return fs.existsSync(bundledNode) && spawnSync(bundledNode, ['--version']).status === 0;
}

/** Runs the same command line on another Node and exits with its result. */
async function continueOn(node) {
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}` };
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit', env });
  onEnd((signal) => child.kill(signal));
  await new Promise(() => {
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code, signal) => process.exit(signal ? 1 : code));
  });
}

function atLeast(version, minimum) {
  const [a, b] = [version, minimum].map((text) => text.split('.').map(Number));
  for (const index of [0, 1, 2]) if (a[index] !== b[index]) return a[index] > b[index];
  return true;
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
