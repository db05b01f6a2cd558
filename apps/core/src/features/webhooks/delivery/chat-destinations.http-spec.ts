import type { AddressInfo } from 'node:net';
import type { Destination, DestinationDelivery } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { DestinationFixture, untilDeliveries } from '../../../testing/destination-fixture.ts';
import { createPerson } from '../../../testing/people.ts';
import { query } from '../../../testing/query.ts';
import { waitUntil } from '../../../testing/until.ts';

const mails: ParsedMail[] = [];
/** The addresses that the mail server rejects. */
const unknown = new Set<string>();
let mailServer: SMTPServer;
let at: DestinationFixture;
let org: TestOrganization;

beforeAll(async () => {
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(unknown.has(address) ? Object.assign(new Error('Unknown mailbox'), { responseCode: 550 }) : null),
    onData: (stream, _session, done) => {
      simpleParser(stream).then(
        (mail) => {
          mails.push(mail);
          done();
        },
        (error: Error) => done(error),
      );
    },
  });
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  const { port } = mailServer.server.address() as AddressInfo;
  at = await DestinationFixture.open({
    STRATA_SMTP_URL: `smtp://127.0.0.1:${port}`,
    STRATA_SMTP_FROM: 'Strata <strata@example.com>',
  });
});
afterAll(async () => {
  await at.close();
  await new Promise<void>((resolve) => mailServer.close(resolve));
});
beforeEach(async () => {
  org = await at.core.organization();
});

const mailsTo = (address: string) =>
  mails.filter(({ to }) => [to].flat().some((list) => list?.value.some((receiver) => receiver.address === address)));

describe('a Teams destination', () => {
  it('receives one adaptive card per message, without values', async () => {
    const destination = await at.destination(org, { type: 'teams', event_types: ['value_created'] });
    expect(destination).toMatchObject({ secret: null, signing: null, envelope: null });
    const parameter = await org.parameter({ name: 'DB_HOST' });
    await org.value({ parameter, internal_value: 'canary' });
    const [request] = await at.received(destination, 1);
    const message = JSON.parse(request?.body ?? '') as { attachments: { content: { body: { text: string }[] } }[] };
    expect(message.attachments[0]?.content.body[0]?.text).toMatch(/set a value of DB\\_HOST/);
    expect(request?.body).not.toContain('canary');
    expect(request?.headers['webhook-signature']).toBeUndefined();
  });

  it('is suspended if its workflow no longer exists', async () => {
    const destination = await at.destination(org, { type: 'teams' });
    at.receiver.break(destination.path, 404);
    const { body } = await org.owner.post<DestinationDelivery>(`${destination.url}test/`);
    expect(body).toMatchObject({ status: 'parked', kind: 'test', attempts: [{ http_status: 404 }] });
    expect(body.hint).toMatch(/new address/);
    await org.project();
    const shown = await waitUntil(
      async () => (await org.owner.get<Destination>(destination.url)).body,
      ({ state }) => state === 'suspended',
    );
    expect(shown.state_reason).toBe('destination: http_404');
  });
});

describe('a Discord destination', () => {
  it('receives an embed, and nothing more until its rate limit is reset', async () => {
    const destination = await at.destination(org, { type: 'discord', event_types: ['project_created'] });
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '1.5' };
    at.receiver.script(destination.path, { status: 200, headers });
    await org.project({ name: 'a' });
    await at.received(destination, 1);
    await org.project({ name: 'b' });
    const [first, second] = await at.received(destination, 2);
    expect((second?.time ?? 0) - (first?.time ?? 0)).toBeGreaterThanOrEqual(1_900);
    const { embeds, allowed_mentions } = JSON.parse(first?.body ?? '') as {
      embeds: { title: string }[];
      allowed_mentions: object;
    };
    expect(embeds[0]?.title).toBe('Owner created project a');
    expect(allowed_mentions).toEqual({ parse: [] });
  });
});

describe('an e-mail destination', () => {
  it('sends one plain e-mail with all recipients', async () => {
    const recipients = [`ops-${org.id}@example.com`, `dev-${org.id}@example.com`];
    const destination = await at.destination(org, { type: 'email', address: undefined, recipients } as never);
    await org.project({ name: 'Zürich 💸' });
    await untilDeliveries(org, destination, ([first]) => first?.status === 'delivered');
    const [mail, ...others] = mailsTo(recipients[1] ?? '');
    expect(others).toEqual([]);
    expect(mail?.from?.value).toEqual([{ name: 'Strata', address: 'strata@example.com' }]);
    expect([mail?.to].flat()[0]?.value.map(({ address }) => address)).toEqual(recipients);
    expect(mail?.subject).toBe('Owner created project Zürich 💸');
    expect(mail?.text).toContain('Revision: ');
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail?.html).toBe(false);
  });

  it('is suspended if the server rejects all recipients', async () => {
    const recipients = [`gone-${org.id}@example.com`];
    for (const address of recipients) unknown.add(address);
    const destination = await at.destination(org, { type: 'email', address: undefined, recipients } as never);
    const { body } = await org.owner.post<DestinationDelivery>(`${destination.url}test/`);
    expect(body).toMatchObject({ status: 'parked', attempts: [{ http_status: 550, error_code: 'mail_rejected' }] });
    expect(JSON.stringify(body)).not.toContain('gone-');
  });
});

it('organizations in maintenance do not delay the notices of others', async () => {
  const { id } = await at.destination(org);
  await query(at.core, 'update organization set maintenance = true where id = $1', [org.id]);
  await query(
    at.core,
    `insert into destination (organization_id, id, name, type, event_types, project_ids, environment_ids, parameter_names,
            recipients, expiry_days, state, state_reason, notice_due, created_at, modified_at, cursor_epoch, cursor_revision,
            cursor_ordinal)
     select organization_id, gen_random_uuid(), name, type, event_types, project_ids, environment_ids, parameter_names,
            recipients, expiry_days, 'suspended', 'destination: http_410', true, created_at, modified_at, cursor_epoch,
            cursor_revision, cursor_ordinal
       from destination, generate_series(1, 100) where id = $1`,
    [id],
  );
  const otherOrganization = await at.core.organization();
  const destination = await at.destination(otherOrganization);
  at.receiver.break(destination.path, 410);
  await otherOrganization.project();
  const isRecorded = async () =>
    (await otherOrganization.owner.get<{ results: object[] }>('events/?types=destination_updated')).body.results;
  expect(await waitUntil(isRecorded, (events) => events.length > 0)).toHaveLength(1);
});

it('the owner of a suspended destination gets an e-mail with the reason', async () => {
  const { email, client } = await createPerson(at.core, org.id, 'ADMIN');
  const { body } = await client.post<Destination>('destinations/', {
    name: 'deploys',
    type: 'http',
    event_types: ['project_created'],
    address: at.receiver.address('owner-is-notified'),
  });
  at.receiver.break('owner-is-notified', 410);
  await org.project();
  const [mail] = await waitUntil(
    async () => mailsTo(email),
    (received) => received.length > 0,
  );
  expect(mail?.subject).toBe('The destination deploys is suspended');
  expect(mail?.text).toContain('http_410');
  expect((await org.owner.get<Destination>(body.url)).body.owner).toMatch(/\/users\//);
});
