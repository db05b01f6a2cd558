// Compiles one project's src/ to dist/ with swc. Run by nx with the project as working directory. Types are checked elsewhere.
import fs from 'node:fs';
import path from 'node:path';
import swc from '@swc/core';
import { swcOptions } from './swc-options.mjs';

fs.rmSync('dist', { recursive: true, force: true });
for (const file of fs.readdirSync('src', { recursive: true })) {
  if (!file.endsWith('.ts') || file.endsWith('spec.ts') || file.endsWith('.d.ts')) continue;
  const { code, map } = await swc.transformFile(path.join('src', file), swcOptions({ rewriteImports: true }));
  const out = path.join('dist', file.replace(/\.ts$/, '.js'));
  fs.mkdirSync(path.dirname(out), { recursive: true });
  fs.writeFileSync(out, `${code}\n//# sourceMappingURL=${path.basename(out)}.map\n`);
  fs.writeFileSync(`${out}.map`, map);
}
