import { CHANGE_COLUMNS, type ChainLink, type ChangesetRecord, changesetHash, nextLink } from '@strata/evidence';
import type pg from 'pg';

const RECORDS = `
select organization_id::text as "organizationId", revision::int, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
       json_build_object('id', actor_id, 'name', actor_name, 'type', actor_type) as actor, surface, request_id as "requestId",
       message, external_ref as "externalRef",
       (select json_agg(json_build_array(${CHANGE_COLUMNS.map((column) => `${column}::text`).join(', ')}) order by change.ordinal)
          from change where (change.organization_id, change.revision) = (changeset.organization_id, changeset.revision)) as changes
  from changeset where organization_id = $1 order by changeset.revision`;

const lengthened = (column: string) => `${column} = coalesce(${column}, '') || 'x'`;

/** Assignments that change a row, by table. */
const ASSIGNMENTS: Readonly<Record<'changeset' | 'change', readonly string[]>> = {
  changeset: [
    ...['actor_id', 'actor_name', 'actor_type', 'surface', 'request_id', 'message', 'external_ref'].map(lengthened),
    `message = case when message is null then '' end`,
    `at = at + interval '1 day'`,
  ],
  change: [
    ...['event_type', 'object_type', 'object_id', 'object_name'].map(lengthened),
    ...['project_name', 'environment_name', 'parameter_name'].map(lengthened),
    ...['project_id', 'environment_id', 'parameter_id'].map((column) => `${column} = gen_random_uuid()`),
    `action = case action when 'delete' then 'update' else 'delete' end`,
    `operations = coalesce(operations, '{}') || 9`,
    'ordinal = ordinal + 1000',
  ],
};

/** Assignments that linking again undoes. */
const OF_LINKS = ['changes = changes + 1', 'link = sha256(link)'];

/** Two changesets of a group may have no time between them. */
const TIME_BETWEEN = `case when next.at - previous.at > interval '1 microsecond' then next.at - interval '1 microsecond' else next.at - interval '1 day' end`;

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

/** Manipulates one ledger as a person who owns the database can. `choice` selects among several ways. */
export class LedgerManipulations {
  constructor(
    private readonly client: pg.Client,
    private readonly organizationId: string,
  ) {}

  changeRow(revision: number, choice: number): Promise<void> {
    return this.assign(revision, choice, { ...ASSIGNMENTS, changeset: [...ASSIGNMENTS.changeset, ...OF_LINKS] });
  }

  private async assign(revision: number, choice: number, assignments: typeof ASSIGNMENTS): Promise<void> {
    const table = choice % 2 ? 'change' : 'changeset';
    const assignment = pick(assignments[table], Math.floor(choice / 2));
    await this.run(`update ${table} set ${assignment} where organization_id = $1 and revision = $2`, [revision]);
  }

  /** Removes a change, or a changeset with its changes. May adapt all other rows. */
  async removeRow(revision: number, choice: number): Promise<void> {
    const isChangeset = choice % 2 === 1;
    const first = isChangeset ? '1' : '(select max(ordinal) from change where organization_id = $1 and revision = $2)';
    const count = await this.run(
      `delete from change where organization_id = $1 and revision = $2 and ordinal >= ${first}`,
      [revision],
    );
    if (isChangeset) await this.run('delete from changeset where organization_id = $1 and revision = $2', [revision]);
    if (choice % 4 < 2) return;
    await this.addToTotals(revision, -count);
    if (isChangeset) await this.shift(revision + 1, -1);
    await this.moveHeadToEnd();
  }

  /** Inserts a change, or a changeset without changes. May adapt all other rows. */
  async insertRow(revision: number, choice: number): Promise<void> {
    if (choice % 2 === 0) {
      const last = '(select max(ordinal) from change where organization_id = $1 and revision = $2)';
      await this.run(
        `insert into change (organization_id, revision, ordinal, action, object_type, object_id, object_name)
         values ($1, $2, 1 + ${last}, 'create', 'Value', 'x', 'x')`,
        [revision],
      );
      if (choice % 4 === 0) await this.addToTotals(revision, 1);
      return;
    }
    await this.shift(revision, 1);
    await this.run(
      `insert into changeset (organization_id, revision, at, actor_id, actor_name, actor_type, surface, request_id, changes, link)
       select next.organization_id, $2, ${TIME_BETWEEN}, next.actor_id, next.actor_name, next.actor_type, next.surface,
              next.request_id, previous.changes, case when $3 then next.link end
         from changeset next join changeset previous on previous.organization_id = $1 and previous.revision = $2 - 1
        where next.organization_id = $1 and next.revision = $2 + 1`,
      [revision, choice % 4 === 1],
    );
    await this.moveHeadToEnd();
  }

  /** Exchanges a revision with the one before it. May leave the times, the links and the totals where they were. */
  async reorder(revision: number, choice: number): Promise<void> {
    const columns = choice % 2 ? 'at::text, changes, link' : 'at::text, changes';
    const { rows } = await this.client.query(
      `select revision, ${columns} from changeset where organization_id = $1 and revision in ($2::bigint, $2 - 1) order by revision`,
      [this.organizationId, revision],
    );
    const steps = [
      [revision, 0],
      [revision - 1, revision],
      [0, revision - 1],
    ];
    for (const table of ['change', 'changeset'])
      for (const step of steps)
        await this.run(`update ${table} set revision = $3 where organization_id = $1 and revision = $2`, step);
    for (const [at, { link, changes }] of rows.entries())
      await this.run(
        `update changeset set at = at + $3 * interval '1 year', changes = $4, link = coalesce($5, link) where organization_id = $1 and revision = $2`,
        [revision - 1 + at, at + 1, changes, link ?? null],
      );
    for (const [at, row] of rows.entries())
      await this.run(`update changeset set at = $3 where organization_id = $1 and revision = $2`, [
        revision - 1 + at,
        row.at,
      ]);
  }

  /** Removes all revisions from one on. */
  async cutEnd(revision: number): Promise<void> {
    for (const table of ['change', 'changeset'])
      await this.run(`delete from ${table} where organization_id = $1 and revision >= $2`, [revision]);
    await this.moveHeadToEnd();
  }

  /** Changes a row, and links all changesets again, which everyone who knows the format can do. */
  async rewrite(revision: number, choice: number): Promise<void> {
    await this.assign(revision, choice, ASSIGNMENTS);
    const { rows } = await this.client.query<ChangesetRecord>(RECORDS, [this.organizationId]);
    let link: ChainLink | null = null;
    let total = 0;
    for (const row of rows) {
      const changes = row.changes ?? [];
      total += changes.length;
      link = nextLink(link, row.revision, changesetHash({ ...row, changes }));
      await this.run(
        `update changeset set link = decode($3, 'hex'), changes = $4 where organization_id = $1 and revision = $2`,
        [link.revision, link.hash, total],
      );
    }
    await this.moveHeadToEnd();
  }

  private async run(text: string, values: readonly unknown[] = []): Promise<number> {
    return (await this.client.query(text, [this.organizationId, ...values])).rowCount ?? 0;
  }

  private moveHeadToEnd(): Promise<number> {
    return this.run(
      `update organization_head head set revision = last.revision, at = last.at, link = last.link, link_revision = last.revision
         from (select * from changeset where organization_id = $1 order by revision desc limit 1) last
        where head.organization_id = $1`,
    );
  }

  /** Adds `by` to all revisions from one on. */
  private async shift(from: number, by: number): Promise<void> {
    for (const step of [by + 1_000_000, -1_000_000])
      for (const table of ['changeset', 'change'])
        await this.run(`update ${table} set revision = revision + $3 where organization_id = $1 and revision >= $2`, [
          from,
          step,
        ]);
  }

  private addToTotals(from: number, count: number): Promise<number> {
    return this.run('update changeset set changes = changes + $3 where organization_id = $1 and revision >= $2', [
      from,
      count,
    ]);
  }
}
