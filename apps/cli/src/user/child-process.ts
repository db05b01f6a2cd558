import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, type ExitCode } from './command-error.ts';

/** The way in which a program ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that does not end within this time after SIGTERM is killed. */
const STOP_MS = 10_000;
const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
/** A terminal sends these to all programs that run in it. */
const SENT_BY_TERMINAL: readonly string[] = ['SIGINT', 'SIGQUIT'];
/** Signals after which the program is not started again. */
const TERMINATING: readonly string[] = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'];

/** A program that uses the standard streams of this process, unless others are given. */
export class Program {
  private readonly child: ChildProcess;
  readonly ended: Promise<ProgramEnd>;

  constructor(
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
    stdio: StdioOptions = 'inherit',
  ) {
    this.child = spawn(command, args, { stdio, env });
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', (error) => reject(startError(command, error)));
      this.child.once('exit', (code, signal) => resolve({ code, signal }));
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async stop(): Promise<void> {
    this.signal('SIGTERM');
    const stopping = new AbortController();
    const late = sleep(STOP_MS, null, { signal: stopping.signal }).then(
      () => this.signal('SIGKILL'),
      () => undefined,
    );
    await this.ended;
    stopping.abort();
    await late;
  }
}

/** Forwards signals to the program that runs now. Returns the first one that was sent to end it; null if there is none. */
export function forwardSignals(current: () => Program | null): () => NodeJS.Signals | null {
  let ending: NodeJS.Signals | null = null;
  for (const signal of FORWARDED)
    process.on(signal, () => {
      if (TERMINATING.includes(signal)) ending ??= signal;
      if (!process.stdin.isTTY || !SENT_BY_TERMINAL.includes(signal)) current()?.signal(signal);
    });
  return () => ending;
}

/** Ends this process in the way in which the program ended. */
export function endLike({ code, signal }: ProgramEnd): void {
  if (signal === null) process.exit(code ?? 0);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // This process ignores the signal, for example because its parent does.
  setTimeout(() => process.exit(128 + (os.constants.signals[signal] ?? 0)), 1_000);
}

/** Shells use these codes for programs that cannot be started. */
function startError(command: string, { code }: NodeJS.ErrnoException): CommandError {
  if (code === 'ENOENT') return new CommandError(127 as ExitCode, `The program "${command}" does not exist.`);
  return new CommandError(126 as ExitCode, `The program "${command}" cannot be started (${code}).`);
}
