import { randomUUID } from 'node:crypto';
import type { Effective, Value } from '@strata/contract';
import {
  createTestDatabase,
  Metrics,
  metricsPort,
  RawClient,
  type TestDatabase,
  type TestOrganization,
} from '@strata/testkit';
import pg from 'pg';
import { type CoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { tamper } from '../../testing/tamper.ts';

let database: TestDatabase;
let core: CoreInProcess;
let port: number;
beforeAll(async () => {
  database = await createTestDatabase();
  port = await metricsPort();
  core = await startSecondCore({ database });
});
afterAll(async () => {
  await core.close();
  await database.drop();
});

/** Calls `use` with a client of a new process, which has cached nothing. */
async function withFreshCore<Result>(
  organization: TestOrganization,
  use: (client: RawClient, core: CoreInProcess) => Promise<Result>,
): Promise<Result> {
  const fresh = await startSecondCore({ database }, { STRATA_METRICS_PORT: String(port) });
  try {
    return await use(new RawClient(fresh.origin, organization.ownerAuthorization), fresh);
  } finally {
    await fresh.close();
  }
}

interface ReplacedSecret {
  readonly organization: TestOrganization;
  readonly value: Value;
  readonly earlier: string;
  readonly later: string;
}

async function writeTwice(): Promise<ReplacedSecret> {
  const organization = await core.organization();
  const [earlier, later] = [`earlier-${randomUUID()}`, `later-${randomUUID()}`];
  const parameter = await organization.parameter({ secret: true });
  const value = await organization.value({ parameter, internal_value: earlier });
  expect((await organization.owner.patch(value.url, { internal_value: later })).status).toBe(200);
  return { organization, value, earlier, later };
}

const EARLIER_TEXT = '(select sealed from value_history history where history.id = value.id order by revision limit 1)';

describe('an earlier encrypted text that an attacker put back into its own row', () => {
  it('is rejected with `secret_rejected`, and is counted', async () => {
    const { organization, value, earlier, later } = await writeTwice();

    await tamper(database, `update value set sealed = ${EARLIER_TEXT} where id = $1`, [value.id]);

    await withFreshCore(organization, async (client) => {
      const response = await client.get(value.url, { accept: 'application/problem+json' });
      expect(response).toMatchObject({
        status: 503,
        body: { code: 'secret_rejected', params: { id: value.id } },
      });
      expect(response.text).not.toContain(earlier);
      expect(response.text).not.toContain(later);
      expect((await Metrics.read(port)).sum('strata_rejected_secrets_total', {})).toBe(1);
      const effective = await client.get<Effective>(
        `${value.url.split('parameters/')[0]}effective/?environment=default`,
      );
      expect([effective.status, effective.headers['x-error-code']]).toEqual([503, 'secret_rejected']);
    });
  });

  it('is rejected with any part of the present text, too', async () => {
    const { organization, value, earlier } = await writeTwice();
    // the code over version and revision are the last 16 bytes
    const presentCode = 'substr(value.sealed, length(value.sealed) - 15)';

    await tamper(
      database,
      `update value set sealed = substr(${EARLIER_TEXT}, 1, length(${EARLIER_TEXT}) - 16) || ${presentCode} where id = $1`,
      [value.id],
    );

    const response = await withFreshCore(organization, (client) => client.get(value.url));
    expect([response.status, response.headers['x-error-code']]).toEqual([503, 'secret_rejected']);
    expect(response.text).not.toContain(earlier);
  });

  it('can be replaced: the value is deleted and set again', async () => {
    const { organization, value } = await writeTwice();
    await tamper(database, `update value set sealed = ${EARLIER_TEXT} where id = $1`, [value.id]);

    await withFreshCore(organization, async (client) => {
      expect((await client.delete(value.url)).status).toBe(204);
      const input = { environment: value.environment, internal_value: 'replaced' };
      expect(await client.post(value.url.replace(/values\/.*/, 'values/'), input)).toMatchObject({
        status: 201,
        body: { value: 'replaced' },
      });
    });
  });
});

describe('encrypted texts that are unchanged', () => {
  it('are read at present, in the past and after a revert', async () => {
    const { organization, value, earlier, later } = await writeTwice();

    await withFreshCore(organization, async (client) => {
      const response = await client.get<Value>(value.url);
      expect(response.body).toMatchObject({ value: later });
      const effective = `${value.url.split('parameters/')[0]}effective/?environment=default`;
      const past = await client.get<Effective>(`${effective}&revision=${Number(response.headers['x-revision']) - 1}`);
      expect(Object.values(past.body.values)).toEqual([earlier]);
    });
  });

  it('name the first data key of their organization', async () => {
    const { value } = await writeTwice();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      'select get_byte(sealed, 0) as format, get_byte(sealed, 2) as number from value where id = $1',
      [value.id],
    );
    await client.end();
    expect(rows).toEqual([{ format: 2, number: 1 }]);
  });
});
