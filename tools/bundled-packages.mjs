// Records which packages a bundle contains. `npm run release` lists them with their licences.
import fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const recordFile = (app) => path.join(root, 'node_modules', '.cache', 'strata', `packages-${app}.json`);

/** Records the packages of a bundle. `output` is what Rolldown and Vite return, and `others` are names of packages. */
export function recordPackages(app, output, others = []) {
  const sources = output.flatMap(({ moduleIds = [], originalFileNames = [] }) => [...moduleIds, ...originalFileNames]);
  const folders = [...sources.map(findPackageFolder), ...others.map((name) => path.join('node_modules', name))];
  fs.writeFileSync(recordFile(app), JSON.stringify([...new Set(folders.filter(Boolean))].sort()));
}

/** Returns the folders of the packages that the last build of an app contains. */
export const listBundledPackages = (app) =>
  JSON.parse(fs.readFileSync(recordFile(app), 'utf8')).map((at) => path.join(root, at));

/** Returns the folder of the package that contains a module, relative to the checkout; undefined for our own modules. */
function findPackageFolder(module) {
  const [file] = module.replace('\0', '').split('?');
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path.relative(root, path.resolve(file)));
  return match?.[1];
}
