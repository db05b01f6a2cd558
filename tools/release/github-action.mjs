// Creates the folder of the GitHub Action that users reference: nothing is downloaded when it runs.
import fs from 'node:fs';
import path from 'node:path';
import { listBundledPackages } from '../bundled-packages.mjs';
import { root } from '../ensure.mjs';
import { listPackages, notices } from './components.mjs';

const source = path.join(root, 'integrations/github-action');

/** Writes the files of the action into an empty folder. The action and the command line have to be built. */
export function writeAction(folder) {
  for (const part of ['plan', 'apply', 'export', 'dist'])
    fs.cpSync(path.join(source, part), path.join(folder, part), { recursive: true });
  const readme = fs.readFileSync(path.join(source, 'README.md'), 'utf8');
  // The folder does not contain the documentation.
  fs.writeFileSync(path.join(folder, 'README.md'), readme.replace(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '"$1"'));
  fs.cpSync(path.join(root, 'apps/cli/dist'), path.join(folder, 'strata'), { recursive: true });
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  const packages = listPackages(['github-action', 'cli'].flatMap(listBundledPackages));
  fs.writeFileSync(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(packages));
  // Node reads from it that the files in dist/ and strata/ are ES modules.
  const { version, license } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const manifest = { name: 'strata-action', version, private: true, license, type: 'module' };
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
