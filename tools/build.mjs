// Compiles the src/ of one project to dist/ with swc. Nx runs it with the project as working directory. Types are
// checked elsewhere. Nx does not cache the result: to restore it, Nx would remove dist/ first, while another process
// may be starting from it. build-apps.mjs decides whether a build is necessary.
import fs from 'node:fs';
import path from 'node:path';
import swc from '@swc/core';
import { swcOptions } from './swc-options.mjs';

// Builds into another directory and then replaces dist/ file by file. A process that runs or builds the project at the
// same time always sees a complete version of each file, either the old or the new one.
const cache = path.join(import.meta.dirname, '..', 'node_modules', '.cache', 'strata');
fs.mkdirSync(cache, { recursive: true });
const draft = fs.mkdtempSync(path.join(cache, 'build-'));
const isSource = (file) => /(?<!spec|\.d)\.ts$/.test(file) && !file.startsWith(`testing${path.sep}`);
const made = new Set();
try {
  for (const file of fs.readdirSync('src', { recursive: true }).filter(isSource)) {
    const { code, map } = await swc.transformFile(path.join('src', file), swcOptions({ rewriteImports: true }));
    const out = file.replace(/\.ts$/, '.js');
    add(out, `${code}\n//# sourceMappingURL=${path.basename(out)}.map\n`);
    add(`${out}.map`, map);
  }
  for (const file of made) {
    fs.mkdirSync(path.dirname(path.join('dist', file)), { recursive: true });
    fs.renameSync(path.join(draft, file), path.join('dist', file));
  }
} finally {
  fs.rmSync(draft, { recursive: true, force: true });
}
for (const entry of fs.readdirSync('dist', { recursive: true, withFileTypes: true })) {
  const at = path.join(entry.parentPath, entry.name);
  if (entry.isFile() && !made.has(path.relative('dist', at))) fs.rmSync(at, { force: true });
}

function add(file, content) {
  const at = path.join(draft, file);
  fs.mkdirSync(path.dirname(at), { recursive: true });
  fs.writeFileSync(at, content);
  made.add(file);
}
