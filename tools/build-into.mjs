// Replaces the output of a build while other processes use it: each file is always complete, the old one or the new one.
import fs from 'node:fs';
import path from 'node:path';

const cache = path.join(import.meta.dirname, '..', 'node_modules', '.cache', 'strata');

/** Calls `make` with an empty folder, and then moves the files that it made to `target`, where no others remain. */
export async function buildInto(target, make, { isLast = () => false } = {}) {
  fs.mkdirSync(cache, { recursive: true });
  const draft = fs.mkdtempSync(path.join(cache, 'build-'));
  try {
    await make(draft);
    const draftFiles = filesBelow(draft);
    // The files that refer to others come last.
    for (const file of [...draftFiles.filter((file) => !isLast(file)), ...draftFiles.filter(isLast)]) {
      fs.mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
      fs.renameSync(path.join(draft, file), path.join(target, file));
    }
    for (const file of filesBelow(target))
      if (!draftFiles.includes(file)) fs.rmSync(path.join(target, file), { force: true });
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/** Returns the paths of all files in a folder, relative to it. */
export function filesBelow(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}
