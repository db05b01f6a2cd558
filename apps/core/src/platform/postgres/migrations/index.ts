import { readdirSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

interface DescribedMigration extends MigrationInterface {
  readonly name: string;
  /**
   * Number of the last migration that a core must know to go on with the schema that this one leaves. What only adds keeps the
   * number of the migration before it; what takes away something names the migration with whose release cores ceased to need it.
   * Every migration from 0021 on says it.
   */
  readonly servesCoresFrom?: number;
}
type Migration = new () => DescribedMigration;

/** `0001-ledger`: what begins with a number is a migration, and the numbers are their order. */
const files = readdirSync(import.meta.dirname)
  .filter((file) => /^\d{4}-[a-z-]+\.(js|ts)$/.test(file))
  .sort();

const modules = await Promise.all(
  files.map((file): Promise<Readonly<Record<string, unknown>>> => import(new URL(file, import.meta.url).href)),
);

/** A file may export what a later migration needs of it, too. */
function isMigration(exported: unknown): exported is Migration {
  return typeof exported === 'function' && typeof exported.prototype?.up === 'function';
}

const described = modules.map((module, index) => {
  const file = files[index] ?? '';
  const [Described, ...others] = Object.values(module).filter(isMigration);
  if (!Described || others.length > 0) throw new Error(`${file} must export one migration.`);
  const number = Number(file.slice(0, 4));
  // who does not say is not believed to leave what others need
  return { Described, number, serves: new Described().servesCoresFrom ?? number };
});

/** From here on the schema itself says which cores it serves. */
const FIRST_TO_SAY = 21;

/** The oldest core that is served when all migrations up to this place have run. */
const servedAt = (index: number): number =>
  Math.max(
    0,
    ...described.slice(0, index + 1).flatMap(({ number, serves }) => (number < FIRST_TO_SAY ? [] : [serves])),
  );

const SAY = `insert into schema_compatibility (serves_cores_from) values ($1)
  on conflict (is_only) do update set serves_cores_from = excluded.serves_cores_from`;

/** In order. Each leaves word of which cores the schema serves now, in its own transaction: cores that do not know it read that. */
export const MIGRATIONS: readonly Migration[] = described.map(({ Described, number }, index) => {
  if (number < FIRST_TO_SAY) return Described;
  return class extends Described {
    override async up(db: QueryRunner): Promise<void> {
      await super.up(db);
      await db.query(SAY, [servedAt(index)]);
    }

    override async down(db: QueryRunner): Promise<void> {
      await super.down(db);
      if (number > FIRST_TO_SAY) await db.query(SAY, [servedAt(index - 1)]);
    }
  };
});

/** What this code was built for: names in their order, and the number of the last one. */
export const KNOWN_SCHEMA = {
  migrations: MIGRATIONS.map((Known) => new Known().name),
  number: described.at(-1)?.number ?? 0,
};
