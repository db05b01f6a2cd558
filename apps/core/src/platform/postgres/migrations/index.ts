import { readdirSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

interface DescribedMigration extends MigrationInterface {
  readonly name: string;
  /**
   * The number of the last migration that a core must know to work with the schema after this one. A migration that
   * only adds repeats the number of the previous migration. A migration that removes something names the last migration
   * of the release in which cores stopped using it. Required from migration 0021 on.
   */
  readonly servesCoresFrom?: number;
}
type Migration = new () => DescribedMigration;

/** Files that begin with a number are migrations, in the order of the numbers. */
const files = readdirSync(import.meta.dirname)
  .filter((file) => /^\d{4}-[a-z-]+\.(js|ts)$/.test(file))
  .sort();

const modules = await Promise.all(
  files.map((file): Promise<Readonly<Record<string, unknown>>> => import(new URL(file, import.meta.url).href)),
);

/** A file may also export functions that a later migration uses. */
function isMigration(exported: unknown): exported is Migration {
  return typeof exported === 'function' && typeof exported.prototype?.up === 'function';
}

const described = modules.map((module, index) => {
  const file = files[index] ?? '';
  const [Described, ...others] = Object.values(module).filter(isMigration);
  if (!Described || others.length > 0) throw new Error(`${file} must export one migration.`);
  const number = Number(file.slice(0, 4));
  // without a number, the migration supports only cores that know it
  return { Described, number, serves: new Described().servesCoresFrom ?? number };
});

/** From this migration on, the schema stores which cores it supports. */
const FIRST_TO_DECLARE = 21;

/** Returns the oldest core that the schema supports after the migration at this index. */
const servedAt = (index: number): number =>
  Math.max(
    0,
    ...described.slice(0, index + 1).flatMap(({ number, serves }) => (number < FIRST_TO_DECLARE ? [] : [serves])),
  );

const SAY = `insert into schema_compatibility (serves_cores_from) values ($1)
  on conflict (is_only) do update set serves_cores_from = excluded.serves_cores_from`;

/**
 * The migrations in order. Each one also stores, in its own transaction, which cores the schema supports; cores that do
 * not know the migration read it.
 */
export const MIGRATIONS: readonly Migration[] = described.map(({ Described, number }, index) => {
  if (number < FIRST_TO_DECLARE) return Described;
  return class extends Described {
    override async up(db: QueryRunner): Promise<void> {
      await super.up(db);
      await db.query(SAY, [servedAt(index)]);
    }

    override async down(db: QueryRunner): Promise<void> {
      await super.down(db);
      if (number > FIRST_TO_DECLARE) await db.query(SAY, [servedAt(index - 1)]);
    }
  };
});

/** The schema that this code was built for: the names of its migrations in order, and the number of the last one. */
export const KNOWN_SCHEMA = {
  migrations: MIGRATIONS.map((Known) => new Known().name),
  number: described.at(-1)?.number ?? 0,
};
