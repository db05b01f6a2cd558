// One service as a child process: started, watched, restarted when it falls over, stopped.
import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiled } from '../build-apps.mjs';
import { root } from '../ensure.mjs';

const RESTARTS = 5;
const LONG_ENOUGH_MS = 60_000;
const GRACE_MS = 10_000;

/**
 * `name` is the folder under apps/. The process comes up at once; it runs when `go` resolves with what `env` lacks.
 * `ready` resolves when it listens, and rejects when its first start fails.
 */
export function startService(name, { env, go, logDir, say, gaveUp }) {
  const logFile = path.join(logDir, `${name}.log`);
  const service = { name, child: undefined, stopping: false };
  const launch = () => run(service, logFile, env, go);

  const watch = async () => {
    for (let failures = 0; !service.stopping; ) {
      const started = Date.now();
      const how = await service.child.ended;
      if (service.stopping) return;
      if (Date.now() - started > LONG_ENOUGH_MS) failures = 0;
      if (++failures > RESTARTS)
        return gaveUp(`${name} ended ${failures} times (${how}); giving up. Its log: ${logFile}`);
      const pause = 250 * 2 ** failures;
      say(`${name} ended unexpectedly (${how}); starting it again in ${pause / 1000} s. Its log: ${logFile}`);
      await sleep(pause);
      if (service.stopping) return;
      await launch().then(
        () => say(`${name} runs again`),
        () => undefined,
      );
    }
  };

  service.stop = async () => {
    service.stopping = true;
    const { child } = service;
    if (!child || child.over) return;
    child.process.kill('SIGTERM');
    const timer = setTimeout(() => child.process.kill('SIGKILL'), GRACE_MS);
    await child.ended;
    clearTimeout(timer);
  };
  // Whoever stops everything must find a service that is still on its way up.
  service.ready = launch().then(() => void watch());
  return service;
}

function run(service, logFile, env, go) {
  const { child, from } = launched(service.name, [], logFile, env);
  go.then(
    (rest) => child.connected && child.send(rest),
    () => {}, // told by whoever made the promise, who then stops us
  );
  const state = { process: child, over: false };
  service.child = state;
  state.ended = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      state.over = true;
      resolve(signal ?? `code ${code}`);
    });
  });
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      const error = new Error(`${service.name} did not start (${signal ?? `code ${code}`}):\n${tail(logFile, from)}`);
      reject(Object.assign(error, { exitCode: code || 1 }));
    });
  });
}

/** Runs a service's one-shot command, such as migrate; rejects with what it said. */
export function runOnce(name, args, { env, logDir }) {
  const logFile = path.join(logDir, `${name}.log`);
  const { child, from } = launched(name, args, logFile, env);
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

/** A process with a service's modules that waits for a message; and where what it writes begins in its log. */
function launched(name, args, logFile, env) {
  const log = fs.openSync(logFile, 'a', 0o600);
  const from = fs.fstatSync(log).size;
  const main = path.join(root, 'apps', name, 'dist', 'main.js');
  const child = fork(path.join(import.meta.dirname, 'launch.mjs'), [main, ...args], {
    cwd: root,
    env: { NODE_COMPILE_CACHE: compiled, ...env },
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', log, log, 'ipc'],
  });
  fs.closeSync(log);
  return { child, from };
}

function tail(file, from) {
  const lines = fs.readFileSync(file).subarray(from).toString().trim().split('\n');
  return [...lines.slice(-30), `Log: ${file}`].join('\n');
}
