// Compiles one project's src/ to dist/ with swc. Run by nx with the project as working directory. Types are checked elsewhere.
import fs from 'node:fs';
import path from 'node:path';
import swc from '@swc/core';
import { swcOptions } from './swc-options.mjs';

const isSource = (file) => file.endsWith('.ts') && !file.endsWith('spec.ts') && !file.endsWith('.d.ts');
const written = new Set();
for (const file of fs.readdirSync('src', { recursive: true }).filter(isSource)) {
  const { code, map } = await swc.transformFile(path.join('src', file), swcOptions({ rewriteImports: true }));
  const out = path.join('dist', file.replace(/\.ts$/, '.js'));
  replace(out, `${code}\n//# sourceMappingURL=${path.basename(out)}.map\n`);
  replace(`${out}.map`, map);
}
for (const file of fs.readdirSync('dist', { recursive: true, withFileTypes: true })) {
  const at = path.join(file.parentPath ?? file.path, file.name);
  if (file.isFile() && !written.has(at)) fs.rmSync(at);
}

/** Whoever runs from dist/ while it is built sees an old file or a new one, never half of one. */
function replace(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.new`, content);
  fs.renameSync(`${file}.new`, file);
  written.add(file);
}
