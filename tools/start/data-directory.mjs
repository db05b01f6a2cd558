// One data directory belongs to one running Strata.
import fs from 'node:fs';
import path from 'node:path';
import { isAlive } from '../lifetime.mjs';

/** Makes the directory when it is missing: nobody else may look into it. Throws a sentence for people. */
export function openDataDirectory(dataDir) {
  try {
    // Parents first, with ordinary rights: a mode given to a recursive mkdir is given to all of them.
    fs.mkdirSync(path.dirname(dataDir), { recursive: true });
    // Started by root, the database runs as another user who has to walk through (but not to look around).
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    if (!fs.existsSync(dataDir)) {
      fs.mkdirSync(dataDir, { mode });
      fs.chmodSync(dataDir, mode);
    }
    fs.accessSync(dataDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    if (!fs.statSync(dataDir).isDirectory()) throw new Error('it is not a directory');
  } catch (error) {
    throw new Error(
      `The data directory ${dataDir} cannot be used: ${error.message}. Set STRATA_DATA_DIR to another one.`,
    );
  }
}

/**
 * Claims the directory for this process until it ends. `recovered` says that the last owner was killed,
 * so that some of what it started may need a moment to notice.
 */
export function claim(dataDir) {
  const file = path.join(dataDir, 'start.pid');
  let recovered = false;
  for (;;) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
      process.once('exit', () => fs.rmSync(file, { force: true }));
      return { recovered };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = Number(fs.readFileSync(file, 'utf8'));
    if (owner > 0 && isAlive(owner) && isStart(owner)) {
      throw new Error(
        `Strata already runs on ${dataDir} (process ${owner}). Stop that one, or set STRATA_DATA_DIR for a second one.`,
      );
    }
    fs.rmSync(file, { force: true });
    recovered = true;
  }
}

// The number of a process that is gone is given to another one some day.
function isStart(pid) {
  if (process.platform !== 'linux') return true;
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('start.mjs');
  } catch {
    return false;
  }
}
