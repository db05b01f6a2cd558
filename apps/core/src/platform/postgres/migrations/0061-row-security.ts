import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates what row-level security needs: the key with which tokens are verified, and the function that does it. The
 * policies of the tables are created after each migration, see `row-security.ts`.
 */
export class RowSecurity1700000000061 implements MigrationInterface {
  readonly name = 'RowSecurity1700000000061';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(KEYS);
    await db.query(VERIFY);
    await db.query(HEADS);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      do $$
      declare policy record;
      begin
        for policy in select tablename, policyname from pg_policies where schemaname = 'public' loop
          execute format('drop policy %I on %I', policy.policyname, policy.tablename);
          execute format('alter table %I disable row level security, no force row level security', policy.tablename);
        end loop;
      end $$`);
    await db.query('drop function strata_heads');
    await db.query('drop function strata_tenants');
    await db.query('drop table tenant_token_key');
  }
}

/** The two halves of an HMAC key, padded as RFC 2104 describes, because PostgreSQL has only the hash. */
const KEYS = `
create table tenant_token_key (
  id         text primary key,
  inner_key  bytea not null check (length(inner_key) = 64),
  outer_key  bytea not null check (length(outer_key) = 64),
  created_at timestamptz not null default now()
);
revoke all on tenant_token_key from public, strata_app;`;

/**
 * A token is `<key id>|<expiry in seconds>|<nonce>|<organization ids, separated by commas>|<HMAC in hex>`. The nil id stands
 * for all organizations. The function throws for every other text, so a statement without a token fails and does not
 * find fewer rows. It runs for each table of each statement, so it reads the parts by their positions.
 */
const VERIFY = `
create function strata_tenants() returns uuid[] language plpgsql stable security definer parallel safe
  set search_path = pg_catalog as $$
declare
  token  text := current_setting('strata.tenants', true);
  signed text := left(token, -65);
  key    record;
begin
  select inner_key, outer_key into key from public.tenant_token_key where id = left(token, 16);
  if not found or encode(sha256(key.outer_key || sha256(key.inner_key || convert_to(signed, 'UTF8'))), 'hex') <> right(token, 64) then
    raise exception 'The statement has no valid token of an organization.' using errcode = '42501';
  end if;
  if substr(signed, 18, 10)::bigint < extract(epoch from statement_timestamp()) then
    raise exception 'The token of the organization has expired.' using errcode = '42501';
  end if;
  return string_to_array(split_part(signed, '|', 4), ',')::uuid[];
end $$;`;

/**
 * Every read begins with the head of its organization, and one statement reads the heads of several. So it needs no
 * token, and returns nothing but revisions of organizations whose ids the caller knows. The types of objects are those
 * of `CONTENT_TYPES`.
 */
const HEADS = `
create function strata_heads(organizations uuid[])
  returns table (id uuid, epoch uuid, revision bigint, at timestamptz, people bigint)
  language plpgsql stable security definer set search_path = pg_catalog as $$
#variable_conflict use_column
begin
  return query
    select organization_id, epoch, revision, at,
           coalesce((select max(revision) from public.change
                      where organization_id = head.organization_id and object_type <> all(array['Parameter', 'Value'])), 0)
      from public.organization_head head where organization_id = any(organizations);
end $$;
revoke all on function strata_heads from public;
grant execute on function strata_heads to strata_app;`;
