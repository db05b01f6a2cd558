// Starts the server program of the embedded PostgreSQL, and ends it with this process.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { findFreePort } from './ports.ts';
import { postmaster } from './postmaster.ts';

// After a SIGKILL of the postmaster, its workers need a moment to end. Until then they lock the directory.
const STILL_HELD = /lock file .* already exists|shared memory block .* still in use/;
const PORT_TAKEN = /could not bind|could not create any TCP\/IP sockets/;

/** Starts the server and waits until it accepts connections, however long the recovery takes. */
export async function launchServer(
  { dataDir, native, logFile, spawnOptions }: Cluster,
  flags: readonly (readonly [string, string])[],
  port?: number,
) {
  for (let attempt = 1; ; attempt++) {
    const chosenPort = port ?? (await findFreePort());
    const from = fs.existsSync(logFile) ? fs.statSync(logFile).size : 0;
    const out = fs.openSync(logFile, from > 5_000_000 ? 'w' : 'a', 0o600);
    const args = flags.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // A separate process group: Ctrl-C in the terminal must reach the services first and the database last.
    const child = spawn(path.join(native, 'bin', 'postgres'), ['-D', dataDir, '-p', String(chosenPort), ...args], {
      ...spawnOptions,
      stdio: ['ignore', out, out],
      detached: true,
    });
    fs.closeSync(out);
    const failure = await untilReady(child, dataDir);
    if (!failure) return { child, port: chosenPort };
    const output = fs.readFileSync(logFile, 'utf8').slice(from > 5_000_000 ? 0 : from);
    const isTemporary = STILL_HELD.test(output) || PORT_TAKEN.test(output);
    if (!isTemporary || attempt === 50)
      throw new Error(`PostgreSQL did not start (${failure}).\n${output.trim()}\nLog: ${logFile}`);
    await sleep(200);
  }
}

/** Resolves with nothing when the server is ready, or with the reason why it ended. */
function untilReady(child: ChildProcess, dataDir: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const state = postmaster(dataDir);
      if (state && state.pid === child.pid && state.status === 'ready') finish();
    }, 5);
    const finish = (failure?: string) => {
      clearInterval(timer);
      child.off('error', onFailed).off('exit', onExited);
      resolve(failure);
    };
    const onFailed = (error: Error) => finish(error.message);
    const onExited = (code: number | null, signal: string | null) => finish(signal ?? `code ${code}`);
    child.once('error', onFailed).once('exit', onExited);
  });
}

/**
 * Starts a shell that waits for this process to end, however it ends: the shell's input closes even on SIGKILL. Then it
 * stops the database, so that nothing keeps running, and removes the temporary directory.
 */
export function startGuardian(pid: number, isDurable: boolean, removeOnEnd: string | undefined): ChildProcess {
  const script =
    'cat >/dev/null; kill -s "$2" "$1"; while kill -0 "$1"; do sleep 0.1; done; [ -z "$3" ] || rm -rf -- "$3"';
  const child = spawn(
    '/bin/sh',
    ['-c', script, 'guardian', String(pid), isDurable ? 'INT' : 'QUIT', removeOnEnd ?? ''],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    },
  );
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as Socket).unref();
  return child;
}
