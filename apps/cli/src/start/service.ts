// One service as a child process: starts it, watches it, restarts it if it ends unexpectedly, and stops it.
import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nodeArguments } from '@strata/processes';
import { type App, programFile } from '../folders.ts';
import type { Reporter } from './database.ts';
import { countRestarts } from './restarts.ts';
import { environmentForLoading, type ProcessEnvironment } from './settings.ts';

const GRACE_MS = 10_000;
/** The number of bytes at the end of a log that are read when a start fails. */
const TAIL_BYTES = 64 * 1024;

interface ServiceOptions {
  readonly env: ProcessEnvironment;
  readonly logDir: string;
}

/** A process and whether it has ended. */
interface Watched {
  readonly process: ChildProcess;
  over: boolean;
  /** Resolves with the signal or the exit code. */
  readonly ended: Promise<string>;
}

/** A service that is starting or running. */
export interface StartedService {
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

interface State {
  readonly name: App;
  child: Watched | undefined;
  isStopping: boolean;
}

/**
 * Starts a service. `name` is its folder under apps/. The process starts immediately, without the settings in `env`; the
 * service runs once `go` resolves with those that it gets. `ready` resolves when the service listens, and rejects if its first
 * start fails.
 */
export function startService(
  name: App,
  { env, go, logDir, say, gaveUp }: ServiceOptions & Reporter & { readonly go: Promise<ProcessEnvironment> },
): StartedService {
  const logFile = path.join(logDir, `${name}.log`);
  const service: State = { name, child: undefined, isStopping: false };
  const launch = () => run(service, logFile, env, go);

  const watch = async () => {
    const restarts = countRestarts({ firstPauseMs: 500 });
    while (!service.isStopping) {
      const exitDescription = await service.child?.ended;
      if (service.isStopping) return;
      const pause = restarts.fell();
      if (pause === null)
        return gaveUp(`${name} ended ${restarts.falls} times (${exitDescription}); giving up. Its log: ${logFile}`);
      say(
        `${name} ended unexpectedly (${exitDescription}); starting it again in ${pause / 1000} s. Its log: ${logFile}`,
      );
      await sleep(pause);
      if (service.isStopping) return;
      restarts.started();
      await launch().then(
        () => say(`${name} runs again`),
        () => undefined,
      );
    }
  };

  const stop = async () => {
    service.isStopping = true;
    const { child } = service;
    if (!child || child.over) return;
    child.process.kill('SIGTERM');
    const timer = setTimeout(() => child.process.kill('SIGKILL'), GRACE_MS);
    await child.ended;
    clearTimeout(timer);
  };
  // Stopping everything must include a service that is still starting.
  return { ready: launch().then(() => void watch()), stop };
}

async function run(
  service: State,
  logFile: string,
  env: ProcessEnvironment,
  go: Promise<ProcessEnvironment>,
): Promise<void> {
  const { child, from } = launched(service.name, [], logFile, environmentForLoading(env), nodeArguments(env));
  go.then(
    (message) => child.connected && child.send(message as Serializable),
    () => undefined, // the code that created the promise reports the error and then stops this service
  );
  const whenEnded = Promise.withResolvers<string>();
  const state: Watched = { process: child, over: false, ended: whenEnded.promise };
  service.child = state;
  const onExit = (exitDescription: string) => {
    state.over = true;
    whenEnded.resolve(exitDescription);
  };
  child.once('exit', (code, signal) => onExit(signal ?? `code ${code}`));
  // A process that could not be started does not emit an exit event.
  child.on('error', (error) => child.pid === undefined && onExit(error.message));
  return new Promise((resolve, reject) => {
    let isReady = false;
    child.once('message', () => {
      isReady = true;
      resolve();
    });
    child.on('error', reject);
    child.once('exit', (code, signal) => {
      if (isReady) return;
      const error = new Error(`${service.name} did not start (${signal ?? `code ${code}`}):\n${tail(logFile, from)}`);
      reject(Object.assign(error, { exitCode: code || 1 }));
    });
  });
}

/** Runs a one-shot command of a service, such as migrate. Rejects with its output. */
export function runOnce(name: App, args: readonly string[], { env, logDir }: ServiceOptions): Promise<void> {
  const logFile = path.join(logDir, `${name}.log`);
  const { child, from } = launched(name, args, logFile, env, nodeArguments(env));
  child.send({});
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) return resolve();
      const error = new Error(
        `${name} ${args.join(' ')} failed (${signal ?? `code ${code}`}):\n${tail(logFile, from)}`,
      );
      reject(Object.assign(error, { exitCode: code || 1 }));
    });
  });
}

/**
 * Starts a process that loads the modules of a service and waits for a message. Also returns the position in the log
 * where its output begins.
 */
function launched(name: App, args: readonly string[], logFile: string, env: ProcessEnvironment, execArgv: string[]) {
  const { log, from } = openLog(logFile);
  const launch = fileURLToPath(new URL('./launch.js', import.meta.url));
  const child = fork(launch, [programFile(name, 'main.js'), ...args], {
    env,
    execArgv,
    stdio: ['ignore', log, log, 'ipc'],
  });
  if (log !== 'ignore') fs.closeSync(log);
  return { child, from };
}

/** If the log cannot be opened, for instance on a full disk, the service runs without one. */
function openLog(logFile: string): { log: number | 'ignore'; from: number } {
  try {
    const log = fs.openSync(logFile, 'a', 0o600);
    return { log, from: fs.fstatSync(log).size };
  } catch {
    return { log: 'ignore', from: 0 };
  }
}

/** Returns the last lines of a log after a position. */
function tail(file: string, from: number): string {
  const lines = lastBytes(file, from).toString().trim().split('\n');
  return [...lines.slice(-30), `Log: ${file}`].join('\n');
}

function lastBytes(file: string, from: number): Buffer {
  try {
    const log = fs.openSync(file, 'r');
    const { size } = fs.fstatSync(log);
    const bytes = Buffer.alloc(Math.max(0, Math.min(size - from, TAIL_BYTES)));
    fs.readSync(log, bytes, 0, bytes.length, size - bytes.length);
    fs.closeSync(log);
    return bytes;
  } catch (error) {
    return Buffer.from(`(its log cannot be read: ${(error as Error).message})`);
  }
}
