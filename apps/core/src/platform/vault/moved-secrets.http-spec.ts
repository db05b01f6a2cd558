import { randomUUID } from 'node:crypto';
import { createTestDatabase, RawClient, type TestDatabase, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { tamper } from '../../testing/tamper.ts';

let database: TestDatabase;
let core: CoreInProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  core = await startSecondCore({ database });
});
afterAll(async () => {
  await core.close();
  await database.drop();
});

/** Reads from a new process, which has cached nothing. */
async function read(organization: TestOrganization, path: string): Promise<string> {
  const fresh = await startSecondCore({ database });
  try {
    return (await new RawClient(fresh.origin, organization.ownerAuthorization).get(path)).text;
  } finally {
    await fresh.close();
  }
}

const secretValue = async (organization: TestOrganization, text: string) =>
  organization.value({ parameter: await organization.parameter({ secret: true }), internal_value: text });

const PUT = 'update value set sealed = (select sealed from value where id = $2) where id = $1';

describe('sealed text that an attacker moved within the database', () => {
  it('is not returned as the value of another parameter of the same organization', async () => {
    const organization = await core.organization();
    const [hidden, shown] = [`hidden-${randomUUID()}`, `shown-${randomUUID()}`];
    const [from, to] = [await secretValue(organization, hidden), await secretValue(organization, shown)];
    expect(await read(organization, to.url)).toContain(shown);

    await tamper(database, PUT, [to.id, from.id]);

    expect(await read(organization, to.url)).not.toContain(hidden);
    expect(await read(organization, from.url)).toContain(hidden);
  });

  it('is not returned as a value of another organization', async () => {
    const [theirs, ownOrganization] = [await core.organization(), await core.organization()];
    const hidden = `hidden-${randomUUID()}`;
    const [from, to] = [await secretValue(theirs, hidden), await secretValue(ownOrganization, 'own')];

    await tamper(database, PUT, [to.id, from.id]);

    expect(await read(ownOrganization, to.url)).not.toContain(hidden);
  });

  it('is not returned as a value if it was the token of a webhook, even in a row with the same id', async () => {
    const organization = await core.organization();
    const token = `xoxb-${randomUUID()}`;
    const webhook = await organization.webhook({ configuration: { token, channel: '#moved', username: 'strata' } });
    const value = await secretValue(organization, 'own');

    await tamper(
      database,
      'update value set id = $2, sealed = (select sealed_token from webhook where id = $2) where id = $1',
      [value.id, webhook.id],
    );

    expect(await read(organization, value.url.replace(value.id, webhook.id))).not.toContain(token);
  });

  it('is not returned as the stored response of another request', async () => {
    const organization = await core.organization();
    const [hidden, key] = [`hidden-${randomUUID()}`, randomUUID()];
    const headers = { 'idempotency-key': key };
    await organization.owner.post('projects/', { name: 'mine' }, headers);
    const value = await secretValue(organization, hidden);

    await tamper(
      database,
      'update idempotency_key set sealed_result = (select sealed from value where id = $2) where key = $1',
      [key, value.id],
    );

    expect((await organization.owner.post('projects/', { name: 'mine' }, headers)).text).not.toContain(hidden);
  });

  it('is not returned as the stored response of another request with another idempotency key', async () => {
    const organization = await core.organization();
    const [first, second] = [randomUUID(), randomUUID()];
    await organization.owner.post('projects/', { name: 'first' }, { 'idempotency-key': first });
    await organization.owner.post('projects/', { name: 'second' }, { 'idempotency-key': second });

    await tamper(
      database,
      `update idempotency_key set sealed_result = (select sealed_result from idempotency_key where key = $2)
        where key = $1`,
      [first, second],
    );

    const repeatedResponse = await organization.owner.post(
      'projects/',
      { name: 'first' },
      { 'idempotency-key': first },
    );
    expect(repeatedResponse.text).not.toContain('second');
  });
});
