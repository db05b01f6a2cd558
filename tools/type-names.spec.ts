import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

const sources = ['apps', 'libs', 'integrations'].flatMap((group) =>
  fs.readdirSync(path.join(root, group)).flatMap((project) => listFilesBelow(path.join(group, project, 'src'))),
);
const declared = exportedTypes([...sources, ...listFilesBelow('tools')]);

/** Specs export nothing, and people do not read generated files. */
function listFilesBelow(directory: string): string[] {
  if (!fs.existsSync(path.join(root, directory))) return [];
  return fs
    .readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        /\.(mts|tsx?)$/.test(file) && !/spec\.ts$|\.generated\.|(^|\/)(generated|build|dist|node_modules)\//.test(file),
    )
    .map((file) => path.join(directory, file));
}

/** Returns the files that declare and export each type, interface or class, by name. Re-exports do not count. */
function exportedTypes(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const filesByName = new Map<string, Set<string>>();
  for (const file of files) {
    for (const name of listTypes(fs.readFileSync(path.join(root, file), 'utf8'))) {
      filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file));
    }
  }
  return new Map([...filesByName].map(([name, locations]) => [name, [...locations]]));
}

function listTypes(text: string): string[] {
  const declarations =
    /^export (?:declare |abstract )*(?:type|interface|class) ([\p{Letter}_$][\p{Letter}\p{Number}_$]*)/gmu;
  return [...text.matchAll(declarations)].map(([, name = '']) => name);
}

test('the names of exported types are unique in the workspace', () => {
  expect(declared.size).toBeGreaterThan(500);
  const double = [...declared].filter(([, files]) => files.length > 1);
  expect(Object.fromEntries(double)).toEqual({});
});

test('every form of exported types, interfaces and classes is found, but no re-export', () => {
  const text = `export type A = string;
export interface B<T> {}
export class C {}
export abstract class D {}
export declare class E {}
export const F = z.object({});
export type F = z.infer<typeof F>;
export { G } from './g.ts';
export type { H } from './h.ts';
interface I {}`;
  expect(listTypes(text)).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
});
