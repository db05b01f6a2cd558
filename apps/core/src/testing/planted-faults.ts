import type { TestOrganization } from '@strata/testkit';
import type { CoreInProcess } from './core-in-process.ts';
import { query } from './query.ts';

export type FaultKind = 'rejected' | 'lost';

/** Makes statements of PostgreSQL fail, in a core and a database that no other test uses. */
export class PlantedFaults {
  private constructor(
    private readonly core: CoreInProcess,
    private readonly tables: readonly string[],
  ) {}

  /** Adds triggers that can make every write to these tables fail. */
  static async in(core: CoreInProcess, tables: readonly string[]): Promise<PlantedFaults> {
    await query(core, triggersOn(tables));
    return new PlantedFaults(core, tables);
  }

  /** Returns all rows of an organization in these tables. */
  async fingerprint({ id }: TestOrganization): Promise<string> {
    const rows = this.tables.map(
      (table) =>
        `select '${table}' as what, md5(string_agg(stored::text, ';' order by stored::text)) as rows from ${table} stored where organization_id = '${id}'`,
    );
    const head = `select 'head', revision::text from organization_head where organization_id = '${id}'`;
    return JSON.stringify(await query(this.core, [...rows, head].join(' union all ')));
  }

  /**
   * Repeats a write until no statement fails any more: in the first attempt the first statement fails, in the second
   * attempt the second one, and so on. Each failed attempt must return 503 and leave the state unchanged. Returns the
   * number of failures.
   */
  async failAtEachStatement(
    kind: FaultKind,
    organization: TestOrganization,
    write: () => Promise<{ readonly status: number }>,
  ): Promise<number> {
    const before = await this.fingerprint(organization);
    for (let index = 1; ; index += 1) {
      await this.plant(kind, index);
      const { status } = await write();
      await query(this.core, 'delete from fault');
      if (status === 201) {
        expect(await this.fingerprint(organization)).not.toBe(before);
        return index - 1;
      }
      expect([index, status]).toEqual([index, 503]);
      expect([index, await this.fingerprint(organization)]).toEqual([index, before]);
    }
  }

  private plant(kind: FaultKind, at: number): Promise<unknown> {
    return query(
      this.core,
      `delete from fault; insert into fault values (${at}, '${kind}'); select setval('fault_count', 1, false)`,
    );
  }
}

/** Makes the n-th write to these tables fail, or break the connection. */
const triggersOn = (tables: readonly string[]) => `
create sequence fault_count;
grant usage, select, update on sequence fault_count to public;
create table fault (at bigint not null, kind text not null);
grant select on fault to public;
create function fail_sometimes() returns trigger language plpgsql security definer as $$
declare wanted fault%rowtype;
begin
  select * into wanted from fault;
  if found and nextval('fault_count') = wanted.at then
    if wanted.kind = 'lost' then perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); end if;
    raise exception 'planted' using errcode = 'lock_not_available';
  end if;
  return null;
end $$;
${tables.map((table) => `create trigger fault before insert or update or delete on ${table} for each statement execute function fail_sometimes();`).join('\n')}`;
