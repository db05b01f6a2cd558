import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Sends a signal to all processes of a group. Returns false if the group has none. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // Processes of another user exist, although they cannot be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Waits until a group has no processes. Returns false if it still has some after this time. */
export async function isGroupGone(group: number, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; isGroupAlive(group); await sleep(POLL_MS))
    if (Date.now() >= end) return false;
  return true;
}

/**
 * Returns whether a group has processes that still run. The first process of a container does not collect ended
 * processes that lost their parent, so those count as ended.
 */
function isGroupAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  return fs.readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && runsIn(group, pid));
}

function runsIn(group: number, pid: string): boolean {
  const [state = '', , processGroup] = processStatus(pid);
  return Number(processGroup) === group && !'ZX'.includes(state);
}

/** Returns the fields of a process after its name, from `/proc` of Linux: state, parent, group, session, terminal, … */
function processStatus(pid: string): readonly string[] {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name can contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return ['X'];
  }
}

/** Returns whether this process has a terminal, even if its standard streams are redirected. */
export function hasTerminal(): boolean {
  if (process.platform === 'win32') return process.stdin.isTTY;
  try {
    fs.closeSync(fs.openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

const NO_TERMINAL = '-1';

/** Returns whether this process runs in the background of its terminal. Only Linux reports it. */
export function isInBackground(): boolean {
  const [, , group, , , foregroundGroup = NO_TERMINAL] = process.platform === 'linux' ? processStatus('self') : [];
  return foregroundGroup !== NO_TERMINAL && group !== foregroundGroup;
}
