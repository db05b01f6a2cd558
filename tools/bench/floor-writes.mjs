// The floors of writes: separate tables in the database of the service, and one statement per request.
import pg from 'pg';

const TABLES = `
create table bench_floor (id uuid primary key, text text not null);
create table bench_value (
  id uuid primary key, revision bigint not null, text text not null, modified_at timestamptz not null);
create table bench_value_history (
  id uuid, revision bigint, text text not null, modified_at timestamptz not null, until timestamptz not null,
  primary key (id, revision));
create table bench_changeset (
  id bigint generated always as identity primary key, at timestamptz not null, actor_id text not null,
  value_id uuid not null, revision bigint not null);
insert into bench_floor select id, 'text' from value;
insert into bench_value select id, 1, 'text', now() from value;`;

/** The channel that receives the notifications of `UPDATE_AND_NOTIFY`. */
export const FLOOR_CHANNEL = 'bench_floor';

/** $1 is the id, $2 the text. */
export const UPDATE = 'update bench_floor set text = $2 where id = $1';

/** Updates and sends a notification. $1 is the id, $2 the text, $3 the payload. */
export const UPDATE_AND_NOTIFY = `
with changed as (update bench_floor set text = $2 where id = $1 returning id)
select pg_notify('${FLOOR_CHANNEL}', $3::text) from changed`;

/**
 * Returns the minimum that a service with history must do for a write: the row, the previous row, a record of the change,
 * and a notification. One statement is one transaction and one round trip.
 */
const updateWithHistory = ({ input = '', text, where }) => `
with ${input} changed as (
  update bench_value set text = ${text}, revision = revision + 1, modified_at = clock_timestamp()
   ${where}
  returning id, revision, modified_at,
            old.revision as old_revision, old.text as old_text, old.modified_at as old_modified_at),
history as (
  insert into bench_value_history (id, revision, text, modified_at, until)
  select id, old_revision, old_text, old_modified_at, modified_at from changed),
changeset as (
  insert into bench_changeset (at, actor_id, value_id, revision)
  select modified_at, 'bench', id, revision from changed
  returning id)
select pg_notify('bench_change', id::text) from changeset`;

/** $1 is the id, $2 the text. */
export const UPDATE_WITH_HISTORY = updateWithHistory({ text: '$2', where: 'where id = $1' });

const PAIRS = 'select * from jsonb_to_recordset($1::jsonb) as pair(input_id uuid, input_text text)';

/** $1 is a JSON array with the ids and the texts. */
export const UPDATE_MANY_WITH_HISTORY = updateWithHistory({
  input: `input as (${PAIRS}),`,
  text: 'input_text',
  where: 'from input where id = input_id',
});

/** Inserts two rows for each id and text, and a record of the change. $1 is a JSON array with the ids and the texts. */
export const INSERT_MANY = `
with input as (${PAIRS}),
parents as (insert into bench_floor (id, text) select input_id, input_text from input),
made as (
  insert into bench_value (id, revision, text, modified_at) select input_id, 1, input_text, now() from input returning id),
changeset as (
  insert into bench_changeset (at, actor_id, value_id, revision)
  select now(), 'bench', id, 1 from made limit 1 returning id)
select pg_notify('bench_change', id::text) from changeset`;

/**
 * Creates the tables, with a row for each value of the service, and updates the statistics. Returns the id of the
 * organization.
 */
export async function prepareDatabase(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(TABLES);
    await client.query('vacuum analyze');
    const { rows } = await client.query('select organization_id from value limit 1');
    return rows[0].organization_id;
  } finally {
    await client.end();
  }
}
