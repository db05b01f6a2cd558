// Ensures that only one running Strata, or edge, uses a data directory.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@strata/processes';

/** Creates the directory if it is missing, with access for its owner only. Throws a sentence for the operator. */
export function openDataDirectory(dataDir: string): void {
  try {
    // Creates the parents first, with default permissions. A recursive mkdir would give its mode to all of them.
    fs.mkdirSync(path.dirname(dataDir), { recursive: true });
    // If root starts Strata, PostgreSQL runs as another user, who must be able to enter the directory but not to list
    // it.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    if (!fs.existsSync(dataDir)) {
      fs.mkdirSync(dataDir, { mode });
      fs.chmodSync(dataDir, mode);
    }
    fs.accessSync(dataDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    if (!fs.statSync(dataDir).isDirectory()) throw new Error('it is not a directory');
  } catch (error) {
    throw new Error(
      `The data directory ${dataDir} cannot be used: ${(error as Error).message}. Set STRATA_DATA_DIR to another one.`,
    );
  }
}

/**
 * The time within which a process that receives a signal marks its claim. Under npm it first has to detect the end of
 * its parent.
 */
const NOTICE_MS = 1_000;
/** The time after which the services and PostgreSQL have been killed. */
const STOP_MS = 30_000;
const POLL_MS = 50;

interface Claim {
  readonly recovered: boolean;
  readonly markAsEnding: () => void;
}

/**
 * Claims the directory for this process until it ends, and waits for a process that is stopping. `setting` selects another one. `recovered` is true if
 * the last owner was killed or has just stopped, so its ports may need a moment to become free. After `markAsEnding`,
 * the next start waits. Throws a sentence for the operator if another Strata keeps running.
 */
export async function claimDataDirectory(
  dataDir: string,
  say: (line: string) => void,
  setting = 'STRATA_DATA_DIR',
): Promise<Claim> {
  const file = path.join(dataDir, 'start.pid');
  const noticeAt = Date.now() + NOTICE_MS;
  let isRecovered = false;
  let stoppedPid: number | null = null;
  for (;;) {
    if (tryClaim(file)) return { recovered: isRecovered, markAsEnding: () => markAsEnding(file) };
    const [pid, state] = readIfPresent(file).split(' ');
    const owner = Number(pid);
    if (owner > 0 && isAlive(owner) && isStart(owner)) {
      if (state === ENDING && stoppedPid === null) {
        say(`Waiting for the Strata on ${dataDir} (process ${owner}) to stop …`);
        stoppedPid = Date.now() + STOP_MS;
      }
      if (Date.now() > (stoppedPid ?? noticeAt))
        throw new Error(alreadyRuns({ dataDir, owner, setting }, stoppedPid !== null));
      await sleep(POLL_MS);
    } else {
      fs.rmSync(file, { force: true });
    }
    isRecovered = true;
  }
}

const ENDING = 'ending';

function tryClaim(file: string): boolean {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  process.once('exit', () => fs.rmSync(file, { force: true }));
  return true;
}

/** If the disk is full, the next start reports that Strata is already running. */
function markAsEnding(file: string): void {
  try {
    fs.appendFileSync(file, ` ${ENDING}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** Returns an empty text if the owner has removed its claim in the meantime. */
function readIfPresent(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

const alreadyRuns = (
  { dataDir, owner, setting }: { readonly dataDir: string; readonly owner: number; readonly setting: string },
  isStopping: boolean,
): string =>
  isStopping
    ? `The Strata on ${dataDir} (process ${owner}) has not stopped within ${STOP_MS / 1000} s. End that process, then start again.`
    : `Strata already runs on ${dataDir} (process ${owner}). Stop that one, or set ${setting} for a second one.`;

/**
 * Returns whether a process is `npm start`, or `strata` with a command that claims a directory. The system may reuse the
 * id of an ended process for another program.
 */
function isStart(pid: number): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const commandLine = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return commandLine.some((word) => /(^|\/)(start(\.mjs)?|backup|restore|edge)$/.test(word));
  } catch {
    return false;
  }
}
