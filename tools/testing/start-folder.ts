import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '@strata/processes';
import { createGrowingPause } from '@strata/testkit';

const root = path.resolve(import.meta.dirname, '../..');
export const START = path.join(root, 'tools', 'start.mjs');

/** A command and its output. */
export interface Run {
  readonly process: ChildProcess;
  readonly text: () => string;
  readonly ended: Promise<number | null>;
}

type Port = 'STRATA_PORT' | 'STRATA_GATEWAY_PORT';

/** A directory and ports to start Strata in, with the processes that run there. */
export class StartFolder {
  private readonly runs: Run[] = [];

  private constructor(
    readonly directory: string,
    readonly settings: Readonly<Record<'STRATA_DATA_DIR' | Port, string>>,
  ) {}

  static async make(): Promise<StartFolder> {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata start-'));
    // If root runs this, PostgreSQL runs as another user, who must be able to enter the directory.
    fs.chmodSync(directory, 0o711);
    return new StartFolder(directory, {
      STRATA_DATA_DIR: path.join(directory, 'data'),
      STRATA_PORT: String(await findFreePort()),
      STRATA_GATEWAY_PORT: String(await findFreePort()),
    });
  }

  async endAll(): Promise<void> {
    for (const run of this.runs.splice(0)) {
      run.process.kill('SIGTERM');
      await run.ended;
    }
  }

  remove(): void {
    fs.rmSync(this.directory, { recursive: true, force: true });
  }

  /** Runs the command with an environment that contains none of the tests' own settings. */
  type(command: readonly [string, ...string[]], extra: Record<string, string> = {}, cwd = root): Run {
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
    const [program, ...args] = command;
    const child = spawn(program, args, {
      cwd,
      env: { PATH, HOME, NODE_COMPILE_CACHE, ...this.settings, ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += data));
    const whenEnded = once(child, 'close').then(([code]) => code as number | null);
    const run = { process: child, text: () => text, ended: whenEnded };
    this.runs.push(run);
    return run;
  }

  start(extra: Record<string, string> = {}): Run {
    return this.type([process.execPath, START], extra);
  }

  origin(name: Port): string {
    return `http://127.0.0.1:${this.settings[name]}`;
  }

  isReady(name: Port): Promise<boolean> {
    return fetch(`${this.origin(name)}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
  }

  rest(run: Run, target: string, body?: object): Promise<Response> {
    return fetch(`${this.origin('STRATA_PORT')}${target}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Api-Key ${readPrinted(run, 'API key')}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
}

export async function waitUntilReady(run: Run): Promise<Run> {
  await waitUntil(() => {
    if (run.process.exitCode !== null) throw new Error(`It ended:\n${run.text()}`);
    return run.text().includes('Stop ');
  });
  return run;
}

export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const pause = createGrowingPause();
  while (!(await condition())) await pause();
}

/** Returns the text beside a title in the printed block. */
export const readPrinted = (run: Run, title: string): string =>
  new RegExp(`^ {2}${title} +(.+)$`, 'm').exec(run.text())?.[1] ?? '';

/** Returns the ids of all descendants of a run, including the guardian of the database. */
export function listDescendantIds(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process has just ended.
    }
  }
  const members = [pid];
  for (const member of members) for (const [child, parent] of parents) if (parent === member) members.push(child);
  return members;
}

export const commandLine = (pid: number): string => {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

export const processId = (run: Run): number => run.process.pid ?? 0;
