import { randomUUID } from 'node:crypto';
import type { Value } from '@strata/contract';
import { ledgerProblems, type TestOrganization } from '@strata/testkit';
import pg from 'pg';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { actAsCore } from '../../testing/tenant-token.ts';

let core: CoreInProcess;
let client: pg.Client;

beforeAll(async () => {
  core = await startCoreInProcess();
  client = new pg.Client({ connectionString: core.database.url });
  await client.connect();
  await actAsCore(core, client);
});
afterAll(async () => {
  await client.end();
  await core.close();
});

async function aValue(): Promise<{ organization: TestOrganization; value: Value }> {
  const organization = await core.organization();
  return {
    organization,
    value: await organization.value({ parameter: await organization.parameter(), internal_value: 'was' }),
  };
}

async function inTransaction<T>(body: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await body();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Advances the head as cores of the previous release did: a session setting passes the revision to the triggers. */
async function advance(organizationId: string): Promise<{ revision: number; at: string }> {
  const { rows } = await client.query<{ revision: string; at: string }>(
    `with head as (
       update organization_head set revision = revision + 1, at = greatest(clock_timestamp(), at + interval '1 microsecond')
        where organization_id = $1 returning revision, at)
     select revision, at::text, set_config('strata.revision', revision::text, true), set_config('strata.at', at::text, true) from head`,
    [organizationId],
  );
  return { revision: Number(rows[0]?.revision), at: rows[0]?.at ?? '' };
}

async function append(organizationId: string, revision: number, action: string, id: string): Promise<void> {
  await client.query(
    `insert into changeset (organization_id, revision, at, actor_id, actor_name, actor_type, surface, request_id, changes)
     values ($1, $2, current_setting('strata.at')::timestamptz, 'before', 'before', 'service', 'rest', 'before',
             1 + (select changes from changeset where organization_id = $1 and revision = $2::bigint - 1))`,
    [organizationId, revision],
  );
  await client.query(
    `insert into change (organization_id, revision, ordinal, event_type, action, object_type, object_id, object_name)
     values ($1, $2, 1, $3, $4, 'Value', $5, 'before')`,
    [organizationId, revision, `value_${action}d`, action, id],
  );
}

describe('a core of the previous release, which stamps rows one by one,', () => {
  it('writes next to a core of this release, and no history is lost', async () => {
    const { organization, value } = await aValue();
    const revision = await inTransaction(async () => {
      const head = await advance(organization.id);
      await client.query(`update value set text = 'theirs' where organization_id = $1 and id = $2`, [
        organization.id,
        value.id,
      ]);
      await append(organization.id, head.revision, 'update', value.id);
      return head.revision;
    });
    const ours = await organization.owner.patch<Value>(value.url, { internal_value: 'ours' });
    expect(ours.headers['x-revision']).toBe(String(revision + 1));
    const textAt = async (at: number) =>
      (await organization.owner.get<Value>(`${value.url}?revision=${at}`)).body.value;
    expect([await textAt(revision - 1), await textAt(revision), await textAt(revision + 1)]).toEqual([
      'was',
      'theirs',
      'ours',
    ]);
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });

  it('creates and deletes rows next to a core of this release', async () => {
    const { organization, value } = await aValue();
    const createdId = randomUUID();
    const production = await organization.environmentNamed('production');
    await inTransaction(async () => {
      const head = await advance(organization.id);
      await client.query(
        `insert into value (organization_id, id, parameter_id, environment_id, text) values ($1, $2, $3, $4, 'new')`,
        [organization.id, createdId, value.parameter_id, production.id],
      );
      await append(organization.id, head.revision, 'create', createdId);
    });
    await inTransaction(async () => {
      const head = await advance(organization.id);
      await client.query('delete from value where organization_id = $1 and id = $2', [organization.id, value.id]);
      await append(organization.id, head.revision, 'delete', value.id);
    });
    const values = value.url.replace(/[^/]+\/$/, '');
    expect((await organization.owner.get<Value>(`${values}${createdId}/`)).body.value).toBe('new');
    expect((await organization.owner.get(value.url)).status).toBe(404);
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });
});

describe('a statement that provides its revision', () => {
  it('records the history of thousands of rows on a connection that has changed a single row before', async () => {
    const { organization, value } = await aValue();
    await client.query('begin');
    try {
      await advance(organization.id);
      await client.query(
        `with made as (
           insert into parameter (organization_id, id, project_id, name, type_id)
           select parameter.organization_id, gen_random_uuid(), parameter.project_id, 'p' || round, parameter.type_id
             from parameter, generate_series(1, 4000) round where parameter.organization_id = $1 and parameter.id = $2 returning id)
         insert into value (organization_id, id, parameter_id, environment_id, text)
         select $1, gen_random_uuid(), made.id, $3, 'text' from made`,
        [organization.id, value.parameter_id, value.environment_id],
      );
      // with a plan for a single row, the statement would compare every row with every other row and exceed this
      // timeout
      await client.query(`set local statement_timeout = '5s'`);
      for (const limit of [1, 4_000]) {
        const { revision } = await advance(organization.id);
        const { rowCount } = await client.query(
          `update value set text = 'changed', revision = $2, modified_at = now(), ledger_id = gen_random_uuid()
            where organization_id = $1 and id in (select id from value where organization_id = $1 limit $3)`,
          [organization.id, revision, limit],
        );
        expect(rowCount).toBe(limit);
      }
    } finally {
      await client.query('rollback');
    }
  });

  it.each([
    ['goes back in revisions', 'revision = 1, ledger_id = gen_random_uuid()'],
    ['keeps the ledger id', 'revision = revision + 1'],
    ['gives a row another id', 'revision = revision + 1, ledger_id = gen_random_uuid(), id = gen_random_uuid()'],
  ])('is rejected if it %s', async (_, set) => {
    const { organization, value } = await aValue();
    await expect(
      inTransaction(async () => {
        await advance(organization.id);
        await client.query(`update value set ${set} where organization_id = $1 and id = $2`, [
          organization.id,
          value.id,
        ]);
      }),
    ).rejects.toMatchObject({ code: 'P0001' });
    expect((await organization.owner.get<Value>(value.url)).body).toMatchObject({
      id: value.id,
      ledger_id: value.ledger_id,
    });
  });

  it('records the history of many rows with different revisions', async () => {
    const { organization, value } = await aValue();
    const otherValue = await organization.value({ parameter: await organization.parameter(), internal_value: 'was' });
    await client.query('begin');
    try {
      const heads = [await advance(organization.id), await advance(organization.id)];
      await client.query(
        `update value set text = 'set', revision = version.revision, modified_at = version.at, ledger_id = gen_random_uuid()
           from unnest($2::uuid[], $3::bigint[], $4::timestamptz[]) as version(id, revision, at)
          where value.organization_id = $1 and value.id = version.id`,
        [organization.id, [value.id, otherValue.id], heads.map(({ revision }) => revision), heads.map(({ at }) => at)],
      );
      const { rows } = await client.query(
        'select id, revision_to::int, text from value_history where organization_id = $1 order by revision_to',
        [organization.id],
      );
      expect(rows).toEqual([
        { id: value.id, revision_to: heads[0]?.revision, text: 'was' },
        { id: otherValue.id, revision_to: heads[1]?.revision, text: 'was' },
      ]);
    } finally {
      await client.query('rollback');
    }
  });

  it('records rows that are deleted by cascade, at any depth', async () => {
    const { organization, value } = await aValue();
    const revision = Number((await organization.owner.get(value.url)).headers['x-revision']);
    await organization.owner.delete(value.parameter);
    const then = await organization.owner.get<Value>(`${value.url}?revision=${revision}`);
    expect(then).toMatchObject({ status: 200, body: { value: 'was' } });
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });
});
