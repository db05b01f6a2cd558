// Builds the package strata-config-client: one bundle for Node, one for browsers, and their types. Nx runs it with the
// project as working directory.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { buildInto } from './build-into.mjs';

const root = path.join(import.meta.dirname, '..');
const project = path.join(root, 'libs/sdk');

/** Returns the modules of the entries `index` (Node) and `browser` in a folder of their own, with what both share. */
export async function bundleSdk(dir, { minify = false } = {}) {
  const input = { index: path.join(project, 'src/index.ts'), browser: path.join(project, 'src/browser.ts') };
  // Node 20 and the browsers of 2022 run this without a transformation.
  const bundle = await rolldown({ input, platform: 'neutral', external: /^node:/, transform: { target: 'es2022' } });
  return bundle.write({ dir, minify, entryFileNames: '[name].js', chunkFileNames: '[name].js' });
}

function writeTypes(folder) {
  const types = path.join(folder, 'types');
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--stripInternal'];
  const config = path.join(project, 'tsconfig.build.json');
  const compiler = path.join(root, 'node_modules/typescript-7/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', config, ...options, '--outDir', types], { stdio: 'inherit' });
  for (const file of fs.readdirSync(types)) {
    const text = fs.readFileSync(path.join(types, file), 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'");
    fs.writeFileSync(path.join(folder, file), text);
  }
  fs.rmSync(types, { recursive: true });
}

if (process.argv[1] === import.meta.filename) {
  await buildInto('dist', async (draft) => {
    await bundleSdk(draft);
    writeTypes(draft);
  });
}
