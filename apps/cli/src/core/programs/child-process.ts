import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import os from 'node:os';
import { CommandError, EXIT } from '../errors.ts';
import { programTooLargeError } from './exec-limits.ts';
import { hasTerminal, isGroupGone, isInBackground, signalGroup } from './process-group.ts';

/** The way in which a program ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProgramOptions {
  /** By default, the program uses the standard streams of this process. */
  readonly stdio?: StdioOptions;
  /**
   * Whether the program gets a process group of its own, so that the processes that it starts can be ended with it. By
   * default, it gets one unless there is a terminal: in another group, it could not use the terminal completely.
   */
  readonly ownGroup?: boolean;
}

/** Processes that do not end within this time after SIGTERM are killed. */
const STOP_MS = 10_000;
const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
/** A terminal sends these to all programs that run in its foreground. */
const SENT_BY_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];
/** Signals after which the program is not started again. */
const TERMINATING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'];
/** Signals of the terminal and the shell, which only the group of this process receives. */
const JOB_CONTROL: readonly NodeJS.Signals[] = ['SIGTSTP', 'SIGCONT', 'SIGWINCH'];

const isWindows = process.platform === 'win32';

type Variables = Readonly<Record<string, string | undefined>>;

/** A program, with the processes that it starts. */
export class Program {
  private readonly child: ChildProcess;
  /** The id of its process group; null if it shares the group of this process. */
  private readonly group: number | null;
  private isStopping = false;
  readonly ended: Promise<ProgramEnd>;

  constructor(
    command: string,
    args: readonly string[],
    env: Variables,
    { stdio = 'inherit', ownGroup = !hasTerminal() }: ProgramOptions = {},
  ) {
    const isDetached = ownGroup && !isWindows;
    const isInherited = stdio === 'inherit' && isDetached && process.stdin.isTTY && isInBackground();
    try {
      // In another session, a read in the background would take the input of the foreground instead of stopping.
      this.child = spawn(command, args, { stdio: isInherited ? ['ignore', 1, 2] : stdio, env, detached: isDetached });
    } catch (error) {
      throw startError(command, args, env, error as NodeJS.ErrnoException);
    }
    this.group = isDetached ? (this.child.pid ?? null) : null;
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', (error) => reject(startError(command, args, env, error)));
      this.child.once('exit', (code, signal) => resolve({ code, signal }));
    });
  }

  /** Sends a signal to the program, not to the processes that it has started. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Passes a signal on that this process has received, unless the terminal has sent it to the program too. */
  forward(signal: NodeJS.Signals): void {
    if (this.group === null) {
      if (!isSentToForeground(signal)) this.signal(signal);
    } else if (!isForGroup(signal)) this.signal(signal);
    // The system ignores SIGTSTP in a group whose parent is in another session.
    else if (signal === 'SIGTSTP') signalGroup(this.group, 'SIGSTOP');
    // Some servers end at once after a second SIGTERM.
    else if (signal !== 'SIGTERM' || !this.isStopping) signalGroup(this.group, signal);
  }

  /** Ends the program and its group. Throws if a process remains, such as that of another user. */
  async stop(): Promise<void> {
    this.isStopping = true;
    if (this.group !== null) signalGroup(this.group, 'SIGTERM');
    else if (!isWindows) this.signal('SIGTERM');
    // Windows has no groups, but knows which process started which.
    else if (this.child.exitCode === null)
      spawnSync('taskkill', ['/pid', String(this.child.pid), '/t', '/f'], { stdio: 'ignore' });
    await this.waitForGroup();
  }

  /** Waits until the program has ended with its group, and kills what remains. */
  async waitForGroup(): Promise<void> {
    if (this.group === null) {
      const killTimer = setTimeout(() => this.signal('SIGKILL'), STOP_MS);
      await this.ended;
      return clearTimeout(killTimer);
    }
    if (await isGroupGone(this.group, STOP_MS)) return;
    signalGroup(this.group, 'SIGKILL');
    if (await isGroupGone(this.group, STOP_MS)) return;
    throw new CommandError(EXIT.failed, `Processes of the group ${this.group} cannot be ended.`, {
      hint: 'They run as another user, or wait for a device. End them, and run the command again.',
    });
  }
}

/** Returns whether a terminal or a shell has sent a signal to all processes that share the group of this process. */
const isSentToForeground = (signal: NodeJS.Signals): boolean =>
  JOB_CONTROL.includes(signal) || (process.stdin.isTTY && SENT_BY_TERMINAL.includes(signal));

/** Without a terminal, SIGHUP makes servers read their configuration again, and would end shells that wait for them. */
const isForGroup = (signal: NodeJS.Signals): boolean =>
  signal === 'SIGHUP' ? process.stdin.isTTY : TERMINATING.includes(signal) || JOB_CONTROL.includes(signal);

/** Forwards signals to the program that runs now. Returns the first one that was sent to end it; null if there is none. */
export function forwardSignals(currentProgram: () => Program | null): () => NodeJS.Signals | null {
  let ending: NodeJS.Signals | null = null;
  for (const signal of FORWARDED)
    process.on(signal, () => {
      if (TERMINATING.includes(signal)) ending ??= signal;
      currentProgram()?.forward(signal);
    });
  if (!isWindows) for (const signal of JOB_CONTROL) forwardJobControl(signal, currentProgram);
  return () => ending;
}

/** Passes on what a terminal sends to its foreground, to a program that has another group. */
function forwardJobControl(signal: NodeJS.Signals, currentProgram: () => Program | null): void {
  process.on(signal, () => {
    currentProgram()?.forward(signal);
    if (signal === 'SIGTSTP') process.kill(process.pid, 'SIGSTOP');
  });
}

/** Waits until a program has ended. If it was sent a signal to end it, the processes that it has started end too. */
export async function waitForEnd(program: Program, endingSignal: () => NodeJS.Signals | null): Promise<ProgramEnd> {
  const end = await program.ended;
  if (endingSignal() !== null) await program.waitForGroup();
  return end;
}

/** Ends this process in the way in which the program ended. */
export function exitLike({ code, signal }: ProgramEnd): void {
  if (signal === null) process.exit(code ?? 0);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // This process ignores the signal, for example because its parent does.
  setTimeout(() => process.exit(128 + (os.constants.signals[signal] ?? 0)), 1_000);
}

function startError(
  command: string,
  args: readonly string[],
  env: Variables,
  { code }: NodeJS.ErrnoException,
): CommandError {
  if (code === 'ENOENT') return new CommandError(EXIT.noProgram, `The program "${command}" does not exist.`);
  if (code === 'E2BIG') return programTooLargeError([command, ...args], env);
  return new CommandError(EXIT.cannotStart, `The program "${command}" cannot be started (${code}).`);
}
