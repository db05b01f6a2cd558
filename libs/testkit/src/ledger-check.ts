import { type LedgerQuery, readAllContents, readNamedContents, verifyStoredLedger } from '@strata/evidence';
import pg from 'pg';

/** The initial content of an organization belongs to its first revision, which lists no changes. */
const LISTED = "surface <> 'system'";

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
    await client.query('begin transaction isolation level repeatable read read only');
    for (const [problem, statement] of Object.entries(WHOLE)) {
      const { rowCount } = await client.query(statement);
      if (rowCount) problems.push(`${problem} (${rowCount})`);
    }
    return [...problems, ...(await linkProblems(client))];
  } finally {
    await client.end();
  }
}

/** Returns how changesets, changes and rows differ from the links and the recorded contents of their ledgers. */
async function linkProblems(client: pg.Client): Promise<string[]> {
  const problems: string[] = [];
  const query: LedgerQuery = async (text, values) => (await client.query(text, [...values])).rows;
  const { rows } = await client.query<{ id: string; revision: number }>(
    'select organization_id as id, revision::float8 as revision from organization_head',
  );
  for (const { id, revision } of rows) {
    const ledger = await verifyStoredLedger(query, id);
    for (const problem of ledger.problems) problems.push(`revision ${problem.revision} of ${id}: ${problem.text}`);
    // The first revision lists no changes.
    const revisions = { organizationId: id, after: 1, last: revision };
    const contents = await readAllContents(query, revisions);
    const namedContents = await readNamedContents(query, revisions);
    const at = contents.findIndex((leaf, index) => !leaf.equals(namedContents[index] as Buffer));
    if (at !== -1) problems.push(`revision ${at + 2} of ${id}: its changes do not name all rows that it has written`);
  }
  return problems;
}
