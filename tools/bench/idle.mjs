// Measures `npm start`: the memory of its own process, PostgreSQL, the core and the gateway when idle, and the time until
// it is ready.
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
 * Starts everything on an empty directory, waits, and measures the memory. Then starts it again on the same directory
 * `starts` times, and measures the milliseconds until it is ready. Returns null if the system does not report memory.
 */
export async function measureIdle({ starts, settleMs = SETTLE_MS, signal }) {
  if (process.platform !== 'linux') return null;
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-idle-'));
  // PostgreSQL may run as another user, who must be able to enter the directory.
  fs.chmodSync(directory, 0o711);
  const measureStart = (measure) => runOnce(path.join(directory, 'data'), signal, measure);
  try {
    const memory = await measureStart(async (pid) => {
      await sleep(settleMs, undefined, { signal });
      return memoryOfFamily(pid);
    });
    const readyMs = [];
    while (readyMs.length < starts) readyMs.push(await measureStart((_pid, ms) => ms));
    return { ...memory, readyMs: readyMs.toSorted((a, b) => a - b) };
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

/** Starts everything, resolves with what `measure` returns for its process id and the time until ready, and stops it. */
async function runOnce(dataDir, signal, measure) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^STRATA_|^DATABASE_URL$|^NODE_OPTIONS$/.test(name),
  );
  const settings = { STRATA_DATA_DIR: dataDir, STRATA_PORT: '0', STRATA_GATEWAY_PORT: '0' };
  const started = performance.now();
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
    return await measure(child.pid, performance.now() - started);
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
    await ended;
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
