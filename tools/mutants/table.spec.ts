import fs from 'node:fs';
import path from 'node:path';
import { MUTANTS } from './table.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const sources = fs
  .globSync(['{apps,libs,integrations}/*/src/**/*spec.ts', 'tools/**/*spec.ts'], { cwd: root })
  .filter((file) => !file.includes('node_modules'));

describe('a bug that can be planted', () => {
  it.each(MUTANTS)('still occurs once in its file: $promise', ({ file, find, replace }) => {
    const source = fs.readFileSync(path.join(root, file), 'utf8');
    expect(source.split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
  });

  it.each(MUTANTS)('lists existing specs: $promise', ({ specs }) => {
    expect(specs.length).toBeGreaterThan(0);
    expect(specs.filter((part) => !sources.some((file) => file.includes(part)))).toEqual([]);
  });

  it('breaks a promise that no other planted bug breaks', () => {
    const promises = MUTANTS.map(({ promise }) => promise);
    expect(promises.length).toBeGreaterThanOrEqual(20);
    expect([...new Set(promises)]).toEqual(promises);
  });
});
