// Packages with native code list one optional package per platform. If a registry mirror lacks some of them, `npm
// install` omits them from the lockfile, and `npm ci` fails ("Missing: … from lock file"). This tool adds the missing
// entries (version, os, cpu, libc), so that the lockfile works on every platform. It also removes the addresses of
// registries, because a lockfile that names a host works only where that host is reachable. Run it after every `npm
// install` that adds a native package: node tools/complete-lockfile.mjs [folder]
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SYSTEMS = ['darwin', 'win32', 'linux', 'freebsd', 'android', 'openharmony', 'sunos', 'aix', 'netbsd', 'openbsd'];
const PROCESSORS = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32', 'mips64el'];

/**
 * Reads the platform from the name of a platform package: `@swc/core-linux-arm64-musl` → linux, arm64, musl. Returns
 * undefined if the name contains none.
 */
export function platformOf(name) {
  const words = name.replace('windows', 'win32').split(/[-/.]/);
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu =
    words.find((word) => PROCESSORS.includes(word)) ?? (words.some((word) => /^arm/.test(word)) ? 'arm' : undefined);
  if (!os && !cpu) return undefined;
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }), ...(os && { os: [os] }) };
}

/** Returns the lockfile's entry that `from` would load `name` from: its own node_modules, then that of each parent. */
function locate(packages, from, name) {
  for (let at = from; ; at = parent(at)) {
    const entry = `${at ? `${at}/` : ''}node_modules/${name}`;
    if (packages[entry]) return entry;
    if (!at) return undefined;
  }
}

function parent(at) {
  const nested = at.lastIndexOf('/node_modules/');
  return nested < 0 ? '' : at.slice(0, nested);
}

/** Completes a parsed lockfile in place and returns the added entries. */
export function complete(lock) {
  const { packages } = lock;
  const added = [];
  for (const [at, entry] of Object.entries(packages)) {
    if (/^(https?|git)/.test(entry.resolved ?? '')) delete entry.resolved;
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      if (locate(packages, at, name)) continue;
      const platform = platformOf(name);
      if (!platform)
        throw new Error(`${name}, wanted by ${at || 'the root'}, is missing and its name tells no platform`);
      packages[`node_modules/${name}`] = {
        version: range.replace(/^[\^~]/, ''),
        ...(platform.cpu && { cpu: platform.cpu }),
        ...(entry.dev && { dev: true }),
        ...(platform.libc && { libc: platform.libc }),
        ...(entry.license && { license: entry.license }),
        optional: true,
        ...(platform.os && { os: platform.os }),
      };
      added.push(name);
    }
  }
  lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  return added;
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
  const file = path.join(root, process.argv[2] ?? '', 'package-lock.json');
  const lock = JSON.parse(fs.readFileSync(file, 'utf8'));
  const added = complete(lock);
  fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(added.length ? `added ${added.length}: ${added.join(', ')}` : 'complete already');
}
