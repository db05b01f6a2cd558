import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './lifetime.mjs';

/** Reads the file in which a running PostgreSQL records its pid, start time, port and status. */
export function postmaster(dataDir: string): { pid: number; port: number; status: string | undefined } | undefined {
  let lines: string[];
  try {
    lines = fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() };
}

/** Stops a PostgreSQL that outlived its supervisor. Ignores a pid that now belongs to another program. */
export async function stopOrphan(dataDir: string, log: (line: string) => void): Promise<void> {
  const orphan = postmaster(dataDir);
  if (!orphan || !isAlive(orphan.pid)) return;
  if (!isPostgres(orphan.pid)) {
    fs.rmSync(path.join(dataDir, 'postmaster.pid'), { force: true });
    return;
  }
  log('Recovering the database of a run that was killed …');
  for (const [signal, patience] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    process.kill(orphan.pid, signal);
    for (const until = Date.now() + patience; Date.now() < until; await sleep(20)) if (!isAlive(orphan.pid)) return;
  }
  throw new Error(`A PostgreSQL (process ${orphan.pid}) holds ${dataDir} and cannot be stopped`);
}

function isPostgres(pid: number): boolean {
  try {
    if (process.platform === 'linux') return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)])
      .toString()
      .includes('postgres');
  } catch {
    return true;
  }
}
