// A copy of the sources in which a tool may change files: planted bugs, recipes.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Copies the files below `root` that git tracks or would track to a new folder, and returns its path. Packages are links
 * to the installed ones, except those of this workspace, which lead to the copies.
 *
 * @param {string} root
 * @returns {string}
 */
export function scratchCopy(root) {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-copy-'));
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, maxBuffer: 2 ** 26 });
  for (const file of listed.stdout.toString().split('\0').filter(Boolean)) {
    const from = path.join(root, file);
    if (!fs.existsSync(from)) continue;
    fs.mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    fs.copyFileSync(from, path.join(copy, file));
  }
  // PostgreSQL may run as another user, who must be able to enter the directory
  fs.chmodSync(copy, 0o755);
  const modules = path.join(copy, 'node_modules');
  fs.mkdirSync(modules);
  for (const name of fs.readdirSync(path.join(root, 'node_modules'))) {
    if (name === '.cache') continue;
    const from = path.join(root, 'node_modules', name);
    const isWorkspace = name === '@strata' || fs.lstatSync(from).isSymbolicLink();
    if (isWorkspace) fs.cpSync(from, path.join(modules, name), { recursive: true, verbatimSymlinks: true });
    else fs.symlinkSync(from, path.join(modules, name));
  }
  return copy;
}
