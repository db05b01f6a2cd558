import type { Value } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import pg from 'pg';

let core: RunningCore;
let organization: TestOrganization;
let database: pg.Client;

beforeAll(async () => {
  core = await sharedCore();
  organization = await core.organization();
  database = new pg.Client({ connectionString: core.database.url });
  await database.connect();
});
afterEach(() => database.query('drop trigger if exists strata_test_error on value; drop function strata_test_error'));
afterAll(() => database.end());

/** Makes the database reject changes of this organization's values from now on. */
async function rejectWith(sqlState: string): Promise<void> {
  await database.query(`
    create function strata_test_error() returns trigger language plpgsql as
      $$ begin raise exception 'rejected' using errcode = '${sqlState}'; end $$;
    create trigger strata_test_error before update on value for each row
      when (new.organization_id = '${organization.id}') execute function strata_test_error()`);
}

const change = async (value: Value, input: object) => {
  const { status, headers } = await organization.owner.patch(value.url, input);
  return `${status} ${headers['x-error-code']}`;
};

describe('a change whose statement the database rejects', () => {
  it.each([
    ['53100', '503 database_unavailable'],
    ['25006', '503 database_unavailable'],
    ['57014', '503 statement_timeout'],
  ])(
    'returns the error of the statement, and not an unknown outcome, if the statement is sent with COMMIT (%s)',
    async (state, kind) => {
      const value = await organization.value({ internal_value: 'before' });
      await rejectWith(state);

      expect(await change(value, { internal_value: 'after' })).toBe(kind);
      expect((await organization.owner.get<Value>(value.url)).body.value).toBe('before');
    },
  );

  it.each([
    ['53100', '503 database_unavailable'],
    ['55P03', '503 contention'],
  ])('returns the error of the statement if another statement follows (%s)', async (state, kind) => {
    const value = await organization.value({ internal_value: '{{ strata.project }}', interpolated: true });
    await rejectWith(state);

    expect(await change(value, { internal_value: '{{ strata.environment }}' })).toBe(kind);
  });
});
