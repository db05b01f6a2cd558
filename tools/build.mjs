// Compiles the src/ of one project to build/ with swc, module by module. Nx runs it with the project as working
// directory. Types are checked elsewhere. Nx does not cache the result: to restore it, Nx would remove build/ first,
// while another process may be starting from it. build-apps.mjs decides whether a build is necessary.
import fs from 'node:fs';
import path from 'node:path';
import swc from '@swc/core';
import { buildInto } from './build-into.mjs';
import { swcOptions } from './swc-options.mjs';

const isSource = (file) => /(?<!spec)(?<!\.d)\.(ts|mjs)$/.test(file) && !file.startsWith(`testing${path.sep}`);
/** The path of a source, relative to its compiled module. */
const fromBuild = (source) => path.relative(path.dirname(source).replace(/^src/, 'build'), source);

await buildInto('build', async (draft) => {
  for (const file of fs.readdirSync('src', { recursive: true }).filter(isSource)) {
    const source = path.join('src', file);
    const options = { ...swcOptions({ rewriteImports: true }), sourceFileName: fromBuild(source) };
    const { code, map } = await swc.transformFile(source, options);
    const out = path.join(draft, file.replace(/\.ts$/, '.js'));
    fs.mkdirSync(path.dirname(out), { recursive: true });
    fs.writeFileSync(out, `${code}\n//# sourceMappingURL=${path.basename(out)}.map\n`);
    fs.writeFileSync(`${out}.map`, map);
  }
});
