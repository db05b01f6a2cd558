import { type RunningCore, sharedCore } from '@strata/testkit';
import { query } from '../../testing/query.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Tables whose rows belong to a person or to the installation. Citus would copy them to each machine. */
const SHARED_TABLES = [
  ...['chat_lane', 'issuer_subject', 'organization', 'person', 'root_key_check', 'schema_compatibility'],
  ...['schema_migration', 'service_key', 'sign_in_failure', 'tenant_token_key', 'token_signing_key', 'used_id_token'],
];

/** Keys by which a credential is looked up before its organization is known. */
const CREDENTIAL_KEYS = [
  'api_key api_key_prefix_taken (prefix)',
  'invitation invitation_id (id)',
  'session session_pkey (id)',
  'sign_in_code sign_in_code_code_hmac_key (code_hmac)',
  'sign_in_code sign_in_code_pkey (session_id)',
  'sign_in_code sign_in_code_session_id_fkey session',
];

const TENANT_TABLES = `
select relation.oid, relation.relname from pg_class relation
 where relation.relnamespace = 'public'::regnamespace and relation.relkind in ('r', 'p')
   and exists (select from pg_attribute member
                where member.attrelid = relation.oid and member.attname = 'organization_id' and not member.attisdropped)`;

const UNIQUE_KEYS = `
select format('%s %s (%s)', tenant_table.relname, key.relname, string_agg(member.attname, ', ' order by position.number)) as key
  from (${TENANT_TABLES}) tenant_table
  join pg_index on pg_index.indrelid = tenant_table.oid and pg_index.indisunique
  join pg_class key on key.oid = pg_index.indexrelid
  cross join unnest(pg_index.indkey::int[]) with ordinality position(attribute, number)
  left join pg_attribute member on member.attrelid = tenant_table.oid and member.attnum = position.attribute
 group by tenant_table.relname, key.relname
having (array_agg(member.attname::text order by position.number))[1] is distinct from 'organization_id'`;

/** A foreign key of the first column to the first column of another table. */
const FOREIGN_KEYS = `
select format('%s %s %s', tenant_table.relname, foreign_key.conname, target.relname) as key
  from (${TENANT_TABLES}) tenant_table
  join pg_constraint foreign_key on foreign_key.conrelid = tenant_table.oid and foreign_key.contype = 'f'
  join pg_class target on target.oid = foreign_key.confrelid
  join pg_attribute source_column on source_column.attrelid = tenant_table.oid and source_column.attnum = foreign_key.conkey[1]
  join pg_attribute target_column on target_column.attrelid = target.oid and target_column.attnum = foreign_key.confkey[1]
 where target.relname <> all($1)
   and (source_column.attname <> 'organization_id' or target_column.attname <> 'organization_id')`;

const keys = async (statement: string, values: unknown[] = []) =>
  (await query<{ key: string }>(core, statement, values)).map(({ key }) => key);

describe('a database that could be distributed by organization', () => {
  it('has an organization in every table, except in those that all organizations share', async () => {
    const others = await keys(
      `select relname as key from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and oid not in (select tenant_table.oid from (${TENANT_TABLES}) tenant_table) order by relname`,
    );

    expect(others).toEqual(SHARED_TABLES);
  });

  it('begins every primary key, unique key and foreign key of a tenant with the organization', async () => {
    const otherKeys = [...(await keys(UNIQUE_KEYS)), ...(await keys(FOREIGN_KEYS, [SHARED_TABLES]))];

    expect(otherKeys.sort()).toEqual(CREDENTIAL_KEYS);
  });
});
