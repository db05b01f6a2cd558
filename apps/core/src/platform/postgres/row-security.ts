import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { READS_KEYS_FROM } from '../vault/organization-keys.ts';
import type { ServiceKeys } from '../vault/service-keys.ts';
import { APPLICATION_ROLE } from './session.ts';
import { ALL_ORGANIZATIONS } from './tenants.ts';

/** The tables whose rows belong to an organization. */
const TENANT_TABLES = `
select relation.oid, relation.relname as name, relation.relrowsecurity and relation.relforcerowsecurity as "isForced"
  from pg_class relation
 where relation.relnamespace = 'public'::regnamespace and relation.relkind in ('r', 'p')
   and exists (select from pg_attribute member
                where member.attrelid = relation.oid and member.attname = 'organization_id' and member.attnotnull and not member.attisdropped)`;

/** Evaluated once per statement and table, because it is a subquery without outer columns. */
const TENANTS = '(select strata_tenants())::uuid[]';

/**
 * The comparison of a row must be cheap. The second subquery is evaluated only for a row of an organization that the
 * token does not name. For a `case`, the planner estimates that half of the rows remain, which keeps the plans.
 */
const CONDITION = `case when organization_id = any(${TENANTS}) then true else '${ALL_ORGANIZATIONS}'::uuid = any(${TENANTS}) end`;

const CREATE_POLICIES = `
do $$
declare tenant_table record;
begin
  for tenant_table in ${TENANT_TABLES} loop
    if not exists (select from pg_policy where polrelid = tenant_table.oid and polname = 'strata_tenants') then
      execute format($policy$create policy strata_tenants on %I to ${APPLICATION_ROLE} using (${CONDITION}) with check (${CONDITION})$policy$, tenant_table.name);
      execute format('create policy strata_owner on %I to %I using (true) with check (true)', tenant_table.name, current_user);
    end if;
  end loop;
end $$`;

/** The first core that sends tokens (61) and reads the data keys that texts name. */
const SERVES_FROM = READS_KEYS_FROM;

const FORCE = `
do $$
declare tenant_table record;
begin
  if not $1 and not exists (select from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity) then return; end if;
  for tenant_table in ${TENANT_TABLES} loop
    if not tenant_table."isForced" then
      execute format('alter table %I enable row level security, force row level security', tenant_table.name);
    end if;
  end loop;
  update schema_compatibility set serves_cores_from = greatest(serves_cores_from, ${SERVES_FROM});
end $$`;

const STORE_KEY = `
insert into tenant_token_key (id, inner_key, outer_key) values ($1, $2, $3) on conflict (id) do nothing`;

/**
 * Creates the policies that restrict each statement of the core to the organizations of its token. They have no effect
 * until they are enforced, because cores of the release before send no token.
 */
export async function prepareRowSecurity(owner: DataSource, serviceKeys: ServiceKeys): Promise<void> {
  const { id, innerKey, outerKey } = serviceKeys.tenantTokenKey;
  await owner.query(STORE_KEY, [id, innerKey, outerKey]);
  await owner.query(CREATE_POLICIES);
  await owner.query(REVOKE_TEMPORARY);
}

/**
 * A temporary table would hide the table of the same name from all later statements of the connection. Only the owner of
 * the database can revoke the permission, which PostgreSQL gives to every account.
 */
const REVOKE_TEMPORARY = `
do $$ begin
  execute format('revoke temporary on database %I from public', current_database());
exception when insufficient_privilege then null; -- reported by the check of the account of the core
end $$`;

/**
 * Enforces the policies, also for the owner of the tables, and declares that the schema supports no core that sends no
 * tokens. Tables that are added later are included: without `isRequested`, it completes what an earlier call began.
 */
export async function enforceRowSecurity(owner: DataSource, isRequested: boolean): Promise<void> {
  await owner.query(FORCE.replace('$1', String(isRequested)));
}

/** Returns the tables of tenants whose policies are not enforced. */
export async function unenforcedTables(client: Pick<pg.ClientBase, 'query'>): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; isForced: boolean }>(TENANT_TABLES);
  return rows.filter(({ isForced }) => !isForced).map(({ name }) => name);
}
