import { verifyStoredLedger } from '@strata/evidence';
import pg from 'pg';

/** The versioned tables by the object type that the ledger uses. */
const TABLES = {
  Environment: 'environment',
  Project: 'project',
  ParameterType: 'parameter_type',
  ParameterTypeRule: 'parameter_type_rule',
  Parameter: 'parameter',
  ParameterRule: 'parameter_rule',
  Value: 'value',
} as const;

/** The initial content of an organization belongs to its first revision, which lists no changes. */
const LISTED = "surface <> 'system'";

const versionsSql = (table: string) =>
  `(select organization_id, id, revision, modified_at, null::bigint as revision_to from ${table}
    union all
    select organization_id, id, revision, modified_at, revision_to from ${table}_history)`;

/** The statements by invariant. Each counts the rows that violate its invariant. */
const WHOLE: Readonly<Record<string, string>> = {
  'revisions have gaps or pass the head': `
    select from organization_head head
     where head.revision <> (select count(*) from changeset where changeset.organization_id = head.organization_id)
        or head.revision <> (select coalesce(max(changeset.revision), 0) from changeset where changeset.organization_id = head.organization_id)`,
  'a changeset without an organization': `
    select from changeset left join organization_head head using (organization_id) where head.organization_id is null`,
  'the head shows another time than its changeset': `
    select from organization_head head join changeset using (organization_id, revision) where head.at <> changeset.at`,
  'time does not rise with the revision': `
    select from (select at, lag(at) over (partition by organization_id order by revision) as before from changeset) numbered
     where numbered.at <= numbered.before`,
  'a changeset without changes': `
    select from changeset where ${LISTED} and not exists
      (select from change where (change.organization_id, change.revision) = (changeset.organization_id, changeset.revision))`,
  'a change without its changeset': `
    select from change left join changeset using (organization_id, revision) where changeset.revision is null`,
  'a changeset miscounts the changes up to itself': `
    select from (
      select changes, sum((select count(*) from change where (change.organization_id, change.revision) = (changeset.organization_id, changeset.revision)))
                        over (partition by organization_id order by revision) as counted
        from changeset) changeset
     where changes <> counted`,
  'changes of a changeset are not numbered 1, 2, 3': `
    select from change group by organization_id, revision having max(ordinal) <> count(*) or min(ordinal) <> 1`,
};

const ofTable = (type: string, table: string): Readonly<Record<string, string>> => {
  const changeExists = (action: string, revision: string) => `exists (
            select from change where (change.organization_id, change.revision, change.object_type, change.object_id, change.action)
                                     = (version.organization_id, ${revision}, '${type}', version.id::text, '${action}'))`;
  return {
    'a version whose revision is of another time, or of none': `
    select from ${versionsSql(table)} version left join changeset using (organization_id, revision)
     where changeset.at is distinct from version.modified_at`,
    'a version that no change tells of': `
    select from ${versionsSql(table)} version join changeset using (organization_id, revision)
     where ${LISTED} and not exists (
       select from change where (change.organization_id, change.revision, change.object_type, change.object_id)
                                = (version.organization_id, version.revision, '${type}', version.id::text)
                              and change.action in ('create', 'update'))`,
    'a version that ended and no change tells why': `
    select from ${versionsSql(table)} version
     where version.revision_to is not null and not exists (
       select from change where (change.organization_id, change.revision, change.object_type, change.object_id)
                                = (version.organization_id, version.revision_to, '${type}', version.id::text)
                              and change.action in ('update', 'delete'))`,
    'versions of one object overlap or leave a hole': `
    select from (
      select organization_id, id, revision, revision_to, lead(revision) over object as next,
             row_number() over (partition by organization_id, id order by revision desc) as place
        from ${versionsSql(table)} version window object as (partition by organization_id, id order by revision)) version
     where version.revision_to <= version.revision
        or (version.place > 1 and (version.revision_to is null or version.revision_to > version.next
          -- what was deleted may come back under its id: then the ledger tells of both
          or (version.revision_to < version.next and not (${changeExists('delete', 'version.revision_to')} and ${changeExists('create', 'version.next')}))))`,
    'a change whose version is missing': `
    select from change
     where change.object_type = '${type}' and change.action in ('create', 'update')
       and not exists (select from ${versionsSql(table)} version where (version.organization_id, version.id::text, version.revision)
                                                              = (change.organization_id, change.object_id, change.revision))
       and not exists (select from change deletion where (deletion.organization_id, deletion.revision, deletion.object_id, deletion.action)
                                                = (change.organization_id, change.revision, change.object_id, 'delete'))`,
    'an object that was deleted and is still there': `
    select from change join ${table} stored on (stored.organization_id, stored.id::text) = (change.organization_id, change.object_id)
     where change.object_type = '${type}' and change.action = 'delete' and stored.revision <= change.revision`,
  };
};

/**
 * Reads a whole database as its owner and returns the violated invariants of heads, changesets, changes, rows and
 * histories. An empty list means that the ledger is complete, consistent and in order.
 */
export async function ledgerProblems(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    const problems: string[] = [];
    const collectProblems = async (description: string, statements: Readonly<Record<string, string>>) => {
      for (const [problem, statement] of Object.entries(statements)) {
        const { rowCount } = await client.query(statement);
        if (rowCount) problems.push(`${description}${problem} (${rowCount})`);
      }
    };
    await client.query('begin transaction isolation level repeatable read read only');
    await collectProblems('', WHOLE);
    for (const [type, table] of Object.entries(TABLES)) await collectProblems(`${table}: `, ofTable(type, table));
    return [...problems, ...(await linkProblems(client))];
  } finally {
    await client.end();
  }
}

/** Returns how changesets and changes differ from the links of their ledgers. */
async function linkProblems(client: pg.Client): Promise<string[]> {
  const problems: string[] = [];
  const { rows } = await client.query<{ id: string }>('select organization_id as id from organization_head');
  for (const { id } of rows) {
    const ledger = await verifyStoredLedger(async (text, values) => (await client.query(text, [...values])).rows, id);
    for (const { revision, text } of ledger.problems) problems.push(`revision ${revision} of ${id}: ${text}`);
  }
  return problems;
}
