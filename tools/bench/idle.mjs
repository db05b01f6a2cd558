// Measures the memory of an idle `npm start`: its own process, PostgreSQL, the core and the gateway.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../ensure.mjs';
import { memoryOfFamily } from './processes.mjs';

const READY_MS = 60_000;
/** The time until the garbage of the start is collected and connections that only the start used are closed. */
const SETTLE_MS = 12_000;

/**
 * Starts everything on an empty directory, waits, measures and stops it. Returns null if the system does not report
 * memory.
 */
export async function measureIdle({ settleMs = SETTLE_MS, signal } = {}) {
  if (process.platform !== 'linux') return null;
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-idle-'));
  // PostgreSQL may run as another user, who must be able to enter the directory.
  fs.chmodSync(directory, 0o711);
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^STRATA_|^DATABASE_URL$|^NODE_OPTIONS$/.test(name),
  );
  const settings = { STRATA_DATA_DIR: path.join(directory, 'data'), STRATA_PORT: '0', STRATA_GATEWAY_PORT: '0' };
  const child = spawn(process.execPath, [path.join(root, 'tools', 'start.mjs')], {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', stop);
  try {
    await ready(child);
    await sleep(settleMs, undefined, { signal });
    return memoryOfFamily(child.pid);
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
    await ended;
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

function ready(child) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('npm start did not come up.')), READY_MS);
    child.stdout.setEncoding('utf8').on('data', (text) => {
      if (!text.includes('Strata is ready')) return;
      clearTimeout(timer);
      resolve();
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`npm start ended with ${code}.`));
    });
  });
}
