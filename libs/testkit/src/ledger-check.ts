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

const selectVersions = (table: string) =>
  `(select organization_id, id, revision, modified_at, null::bigint as revision_to from ${table}
    union all
    select organization_id, id, revision, modified_at, revision_to from ${table}_history)`;

/** The statements by invariant. Each counts the rows that violate its invariant. */
const WHOLE: Readonly<Record<string, string>> = {
  'revisions have gaps or pass the head': `
    select from organization_head h
     where h.revision <> (select count(*) from changeset c where c.organization_id = h.organization_id)
        or h.revision <> (select coalesce(max(c.revision), 0) from changeset c where c.organization_id = h.organization_id)`,
  'a changeset without an organization': `
    select from changeset c left join organization_head h using (organization_id) where h.organization_id is null`,
  'the head shows another time than its changeset': `
    select from organization_head h join changeset c using (organization_id, revision) where h.at <> c.at`,
  'time does not rise with the revision': `
    select from (select at, lag(at) over (partition by organization_id order by revision) as before from changeset) c
     where c.at <= c.before`,
  'a changeset without changes': `
    select from changeset s where ${LISTED} and not exists
      (select from change c where (c.organization_id, c.revision) = (s.organization_id, s.revision))`,
  'a change without its changeset': `
    select from change left join changeset s using (organization_id, revision) where s.revision is null`,
  'a changeset miscounts the changes up to itself': `
    select from (
      select changes, sum((select count(*) from change c where (c.organization_id, c.revision) = (s.organization_id, s.revision)))
                        over (partition by organization_id order by revision) as counted
        from changeset s) s
     where changes <> counted`,
  'changes of a changeset are not numbered 1, 2, 3': `
    select from change group by organization_id, revision having max(ordinal) <> count(*) or min(ordinal) <> 1`,
};

const ofTable = (type: string, table: string): Readonly<Record<string, string>> => {
  const changeExists = (action: string, revision: string) => `exists (
            select from change c where (c.organization_id, c.revision, c.object_type, c.object_id, c.action)
                                     = (v.organization_id, ${revision}, '${type}', v.id::text, '${action}'))`;
  return {
    'a version whose revision is of another time, or of none': `
    select from ${selectVersions(table)} v left join changeset s using (organization_id, revision)
     where s.at is distinct from v.modified_at`,
    'a version that no change tells of': `
    select from ${selectVersions(table)} v join changeset s using (organization_id, revision)
     where ${LISTED} and not exists (
       select from change c where (c.organization_id, c.revision, c.object_type, c.object_id)
                                = (v.organization_id, v.revision, '${type}', v.id::text)
                              and c.action in ('create', 'update'))`,
    'a version that ended and no change tells why': `
    select from ${selectVersions(table)} v
     where v.revision_to is not null and not exists (
       select from change c where (c.organization_id, c.revision, c.object_type, c.object_id)
                                = (v.organization_id, v.revision_to, '${type}', v.id::text)
                              and c.action in ('update', 'delete'))`,
    'versions of one object overlap or leave a hole': `
    select from (
      select organization_id, id, revision, revision_to, lead(revision) over object as next,
             row_number() over (partition by organization_id, id order by revision desc) as place
        from ${selectVersions(table)} v window object as (partition by organization_id, id order by revision)) v
     where v.revision_to <= v.revision
        or (v.place > 1 and (v.revision_to is null or v.revision_to > v.next
          -- what was deleted may come back under its id: then the ledger tells of both
          or (v.revision_to < v.next and not (${changeExists('delete', 'v.revision_to')} and ${changeExists('create', 'v.next')}))))`,
    'a change whose version is missing': `
    select from change c
     where c.object_type = '${type}' and c.action in ('create', 'update')
       and not exists (select from ${selectVersions(table)} v where (v.organization_id, v.id::text, v.revision)
                                                              = (c.organization_id, c.object_id, c.revision))
       and not exists (select from change d where (d.organization_id, d.revision, d.object_id, d.action)
                                                = (c.organization_id, c.revision, c.object_id, 'delete'))`,
    'an object that was deleted and is still there': `
    select from change c join ${table} t on (t.organization_id, t.id::text) = (c.organization_id, c.object_id)
     where c.object_type = '${type}' and c.action = 'delete' and t.revision <= c.revision`,
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
    const look = async (about: string, statements: Readonly<Record<string, string>>) => {
      for (const [problem, statement] of Object.entries(statements)) {
        const { rowCount } = await client.query(statement);
        if (rowCount) problems.push(`${about}${problem} (${rowCount})`);
      }
    };
    await client.query('begin transaction isolation level repeatable read read only');
    await look('', WHOLE);
    for (const [type, table] of Object.entries(TABLES)) await look(`${table}: `, ofTable(type, table));
    return problems;
  } finally {
    await client.end();
  }
}
