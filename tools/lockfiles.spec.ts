import fs from 'node:fs';
import path from 'node:path';

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

const read = (folder: string) =>
  fs.readFileSync(path.resolve(import.meta.dirname, '..', folder, 'package-lock.json'), 'utf8');

/** Returns whether Node finds a package from another one: in its own folder of packages, or in that of a parent. */
function isListed({ packages }: Lockfile, from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    if (packages[path.posix.join(folder, 'node_modules', name)]) return true;
    if (folder === '') return false;
  }
}

describe.each(['.', 'tools/docs', 'tools/release', 'tools/github-api', 'tools/bench/peer'])(
  'the lockfile of %s',
  (folder) => {
    // A mirror that lacks the packages of some platforms makes `npm install` omit them, and `npm ci` fail there.
    it('lists every platform of every native package', () => {
      const lockfile = JSON.parse(read(folder)) as Lockfile;
      const missing = Object.entries(lockfile.packages).flatMap(([from, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies).filter((name) => !isListed(lockfile, from, name)),
      );
      expect(missing).toEqual([]);
    });

    it('names no host', () => {
      expect(read(folder)).not.toMatch(/"resolved": "[a-z+]+:/);
    });
  },
);
