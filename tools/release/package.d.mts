/** Writes the files of the package into an empty folder, and returns its package.json. */
export function writePackage(folder: string): Promise<{
  readonly name: string;
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}>;
/** Packs a package into a .tgz in another folder, and returns its path. */
export function pack(folder: string, destination: string): Promise<string>;
/** Writes the files of the client for TypeScript into an empty folder, and returns its package.json. */
export function writeClientPackage(folder: string): { readonly name: string; readonly version: string };
