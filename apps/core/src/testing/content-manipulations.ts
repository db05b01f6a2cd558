import { CONTENT_TABLES } from '@strata/evidence';
import type pg from 'pg';

/** A version of a row. `relation` is the table that has it: the one of present rows, or its history. */
interface StoredVersion {
  readonly relation: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly id: string;
  readonly revision: number;
}

const ANOTHER: Readonly<Record<string, string>> = {
  secret: 'not secret',
  interpolated: 'not interpolated',
  sealed: `coalesce(sealed, '') || '\\x00'::bytea`,
  expiration_action: `'{"type": "else"}'::jsonb`,
  source: `'{"type": "else"}'::jsonb`,
};
const STAMPS: Readonly<Record<string, string>> = {
  ledger_id: 'gen_random_uuid()',
  created_at: `created_at - interval '1 second'`,
  modified_at: `modified_at - interval '1 microsecond'`,
};

const anotherValue = (column: string): string => {
  if (column.endsWith('_id')) return 'gen_random_uuid()';
  return ANOTHER[column] ?? `coalesce(${column}, '') || 'x'`;
};

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;
const TABLES = CONTENT_TABLES.flatMap(({ table }) => [table, `${table}_history`]);
/** Statements that drop what rejects unusual rows. */
const CONSTRAINTS = `
select format('alter table %I drop constraint %I cascade', conrelid::regclass::text, conname) as statement
  from pg_constraint where contype in ('c', 'u') and conrelid::regclass::text = any($1)
union all
select format('drop index %I', indexrelid::regclass::text) from pg_index
 where indisunique and not indisprimary and indrelid::regclass::text = any($1)
   and not exists (select from pg_constraint where conindid = indexrelid)`;
const AT = 'organization_id = $1 and id = $2 and revision = $3';

/** Manipulates the rows of one organization without triggers and constraints, as a person who owns the database can. */
export class ContentManipulations {
  private constructor(
    private readonly client: pg.Client,
    private readonly organizationId: string,
    private readonly versions: readonly StoredVersion[],
  ) {}

  /** Requires a transaction. */
  static async begin(client: pg.Client, organizationId: string): Promise<ContentManipulations> {
    await client.query('set local session_replication_role = replica');
    const { rows: constraints } = await client.query<{ statement: string }>(CONSTRAINTS, [TABLES]);
    for (const { statement } of constraints) await client.query(statement);
    const versions: StoredVersion[] = [];
    for (const { table, columns } of CONTENT_TABLES)
      for (const relation of [table, `${table}_history`]) {
        const { rows } = await client.query<{ id: string; revision: number }>(
          `select id, revision::float8 as revision from ${relation} where organization_id = $1 order by revision, id`,
          [organizationId],
        );
        versions.push(...rows.map((row) => ({ relation, table, columns, ...row })));
      }
    return new ContentManipulations(client, organizationId, versions);
  }

  /** Changes a column of a version. */
  async change(at: number, choice: number): Promise<void> {
    const version = pick(this.versions, at);
    const assignments = Object.entries(STAMPS).concat(version.columns.map((column) => [column, anotherValue(column)]));
    const [column, value] = pick(assignments, choice);
    await this.run(`update ${version.relation} set ${column} = ${value} where ${AT}`, version);
  }

  /** Removes a version. */
  async remove(at: number): Promise<void> {
    const version = pick(this.versions, at);
    await this.run(`delete from ${version.relation} where ${AT}`, version);
  }

  /** Inserts a copy of a version, as another object or as a past state of the same one. */
  async insert(at: number, choice: number): Promise<void> {
    const version = pick(this.versions, at);
    const isPast = version.relation !== version.table;
    const columns = ['ledger_id', 'created_at', 'modified_at', ...version.columns];
    const [id, revision] = isPast && choice % 2 ? ['id', 'revision - 1'] : ['gen_random_uuid()', 'revision'];
    await this.run(
      `insert into ${version.table}_history (organization_id, id, revision, revision_to, ${columns.join(', ')})
       select organization_id, ${id}, ${revision}, ${isPast ? 'revision_to' : 'revision + 1'}, ${columns.join(', ')}
         from ${version.relation} where ${AT}`,
      version,
    );
  }

  /** Exchanges what users have written in two versions of the same table. */
  async exchange(at: number, choice: number): Promise<void> {
    const version = pick(this.versions, at);
    const candidates = this.versions.filter(({ table }) => table === version.table);
    // Another one than the version itself.
    const distance = 1 + (choice % (candidates.length - 1));
    const partner = pick(candidates, candidates.indexOf(version) + distance);
    const [first, second] = [await this.take(version), await this.take(partner)];
    for (const name of ['ledger_id', ...version.columns]) [first[name], second[name]] = [second[name], first[name]];
    await this.put(version, first);
    await this.put(partner, second);
  }

  /** Lets a past version end at another revision, or moves a present one to the past. */
  async end(at: number, choice: number): Promise<void> {
    const version = pick(this.versions, at);
    if (version.relation !== version.table) {
      await this.run(
        `update ${version.relation} set revision_to = revision_to + ${choice % 2 ? 1 : -1} where ${AT}`,
        version,
      );
      return;
    }
    const columns = ['ledger_id', 'created_at', 'modified_at', ...version.columns];
    await this.run(
      `with moved as (delete from ${version.table} where ${AT} returning *)
       insert into ${version.table}_history (organization_id, id, revision, revision_to, ${columns.join(', ')})
       select organization_id, id, revision, revision + 1, ${columns.join(', ')} from moved`,
      version,
    );
  }

  /** Removes and returns a version. */
  private async take({ relation, id, revision }: StoredVersion): Promise<Record<string, unknown>> {
    const { rows } = await this.client.query<{ row: Record<string, unknown> }>(
      `delete from ${relation} where ${AT} returning to_jsonb(${relation}) as row`,
      [this.organizationId, id, revision],
    );
    return rows[0]?.row ?? {};
  }

  private async put({ relation }: StoredVersion, row: object): Promise<void> {
    await this.client.query(`insert into ${relation} select * from jsonb_populate_record(null::${relation}, $1)`, [
      row,
    ]);
  }

  private async run(text: string, { id, revision }: StoredVersion): Promise<void> {
    const { rowCount } = await this.client.query(text, [this.organizationId, id, revision]);
    if (rowCount !== 1) throw new Error(`The manipulation has changed ${rowCount} rows.`);
  }
}
