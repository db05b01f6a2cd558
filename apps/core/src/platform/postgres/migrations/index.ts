import { readdirSync } from 'node:fs';
import type { MigrationInterface } from 'typeorm';

type Migration = new () => MigrationInterface & { readonly name: string };

/** `0001-ledger`: what begins with a number is a migration, and the numbers are their order. */
const files = readdirSync(import.meta.dirname)
  .filter((file) => /^\d{4}-[a-z-]+\.(js|ts)$/.test(file))
  .sort();

const modules = await Promise.all(
  files.map((file): Promise<Readonly<Record<string, unknown>>> => import(new URL(file, import.meta.url).href)),
);

/** In order. A process serves while the last one here is the last one applied, or the last but one: so each must leave what the code before it needs. */
export const MIGRATIONS: readonly Migration[] = modules.map((module, index) => {
  const [migration, ...others] = Object.values(module).filter(isMigration);
  if (!migration || others.length > 0) throw new Error(`${files[index]} must export one migration.`);
  return migration;
});

/** A file may export what a later migration needs of it, too. */
function isMigration(exported: unknown): exported is Migration {
  return typeof exported === 'function' && typeof exported.prototype?.up === 'function';
}
