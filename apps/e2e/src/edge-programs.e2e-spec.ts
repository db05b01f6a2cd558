import fs from 'node:fs';
import path from 'node:path';
import type { Explanation, Page, Rollout } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { type Config, connect } from 'strata-config-client';
import { CommandLine } from './command-line.ts';
import { eventually } from './processes.ts';
import { createKey, createShop, RunningEdge, setValue } from './running-edge.ts';

let core: RunningCore;
let edges: RunningEdge[];
let configs: Config[];

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(() => {
  edges = [];
  configs = [];
});
afterEach(async () => {
  await Promise.all(configs.map((config) => config.close()));
  await Promise.all(edges.map((edge) => edge.close()));
});

type Shop = Awaited<ReturnType<typeof createShop>>;

async function startEdge(shop: Shop, args: readonly string[] = [], upstream = core.origin): Promise<RunningEdge> {
  const edge = await RunningEdge.start(upstream, shop.edgeAuthorization, args);
  edges.push(edge);
  return edge;
}

async function connectTo(edge: RunningEdge, authorization: string, instance?: string): Promise<Config> {
  const config = await connect({
    ...{ url: edge.origin, credential: authorization, project: 'shop', environment: 'default', reveal: true },
    ...(instance !== undefined && { instance }),
    onError: () => undefined,
  });
  configs.push(config);
  return config;
}

interface AuditRecord {
  readonly timestamp: string;
  readonly user: { readonly id?: string } | null;
}

/** Returns the reveals of an account in the access log. */
async function listReveals(shop: Shop, accountId: string): Promise<readonly AuditRecord[]> {
  const { body } = await shop.organization.owner.get<Page<AuditRecord>>(
    `audit/?access_log=true&action=reveal&user_id=${accountId}`,
  );
  return body.results;
}

async function createAccount(shop: Shop, name: string): Promise<{ id: string; authorization: string; url: string }> {
  const { body } = await shop.organization.owner.post<{ apikey: string; id: string; url: string }>('serviceaccounts/', {
    ...{ name, role: 'VIEWER' },
  });
  const authorization = `Api-Key ${body.apikey}`;
  const { body: user } = await new RawClient(core.origin, authorization).get<{ id: string }>('users/current/');
  return { id: user.id, authorization, url: body.url };
}

describe('programs behind an edge', () => {
  it('follow changes with the SDK, through a loss of the core', async () => {
    const shop = await createShop(core);
    const change = await setValue(shop.organization, shop.project, 'PORT', '1');
    const caller = await createKey(shop.organization, 'caller');
    const edge = await startEdge(shop);
    const config = await connectTo(edge, caller);
    expect([config.status, config.string('PASSWORD'), config.string('PORT')]).toEqual(['live', 'correct horse', '1']);

    await change('2');
    await eventually('the change arrives', () => config.string('PORT') === '2');
    edge.core.cut();
    await eventually('the values become older', () => config.ageMs > 11_000);
    expect(config.status).toBe('live');
    await change('3');
    edge.core.restore();
    await eventually('the next change arrives', () => config.string('PORT') === '3');
  });

  it('lose their streams within 5 s when their key is revoked', async () => {
    const shop = await createShop(core);
    const account = await createAccount(shop, 'revoked');
    const edge = await startEdge(shop);
    const config = await connectTo(edge, account.authorization);

    await shop.organization.owner.post(`${account.url}rekey/`);
    const revokedAt = performance.now();
    await eventually('the stream ends', () => config.status === 'stopped');

    expect(performance.now() - revokedAt).toBeLessThan(5_000);
  });

  it('start with `strata run`, also without the core', async () => {
    const shop = await createShop(core);
    const caller = await createKey(shop.organization, 'caller');
    const edge = await startEdge(shop);
    const strata = await CommandLine.signedIn(edge.origin, caller, 'shop');
    const run = () =>
      strata.run(['run', '--', process.execPath, '-e', 'console.log(process.env.HOST, process.env.PASSWORD)']);

    const before = await run();
    edge.core.cut();
    const after = await run();

    expect([before.stdout, after.stdout, after.stderr]).toEqual(['example.com correct horse\n', before.stdout, '']);
    strata.remove();
  });

  it('evaluate flags, also without the core', async () => {
    const shop = await createShop(core);
    const caller = await createKey(shop.organization, 'caller');
    const edge = await startEdge(shop);
    const target = 'projects/shop/environments/default/ofrep/v1/evaluate/flags';
    const there = await new RawClient(core.origin, caller).post(target, {});

    const before = await edge.send('POST', caller, target);
    edge.core.cut();
    const after = await edge.send('POST', caller, target);
    const single = await edge.send('POST', caller, `${target}/HOST`);
    const unchanged = await edge.send('POST', caller, target, { 'if-none-match': after.headers.etag ?? '' });
    const secret = await edge.send('POST', caller, `${target}/PASSWORD`);

    expect([before.text, before.headers.etag, after.text]).toEqual([there.text, there.headers.etag, there.text]);
    expect([single.body.value, unchanged.status]).toEqual(['example.com', 304]);
    expect([secret.status, secret.body.errorCode]).toEqual([404, 'FLAG_NOT_FOUND']);
  });

  it('report what they run under their own credential', async () => {
    const shop = await createShop(core);
    const account = await createAccount(shop, 'caller');
    const edge = await startEdge(shop);
    const { body } = await edge.get(account.authorization, shop.effective);
    await connectTo(edge, account.authorization, 'by-stream');
    const headers = { 'if-none-match': `"${body.digest}"`, 'x-strata-instance': 'by-poll' };
    expect((await edge.get(account.authorization, shop.effective, headers)).status).toBe(304);

    const instances = async () => {
      const { body: rollout } = await shop.organization.owner.get<Rollout>(
        'rollouts/?project=shop&environment=default',
      );
      return rollout.results.map(({ instance, account: { id }, status }) => [instance, id, status]);
    };
    await eventually('both are reported', async () => (await instances()).length === 2);

    expect((await instances()).sort()).toEqual([
      ['by-poll', account.id, 'current'],
      ['by-stream', account.id, 'current'],
    ]);
  });
});

describe('the record of reads', () => {
  it('reaches the core after the edge was killed without it', async () => {
    const shop = await createShop(core);
    const account = await createAccount(shop, 'caller');
    const edge = await startEdge(shop);
    await edge.get(account.authorization, shop.effective);
    await edge.saved();
    await eventually(
      'the reveals with the core are recorded',
      async () => (await listReveals(shop, account.id)).length > 0,
    );
    edge.core.cut();
    const minute = Math.floor(Date.now() / 60_000);
    await eventually('a new minute begins', () => Math.floor(Date.now() / 60_000) > minute);
    const recordedBefore = (await listReveals(shop, account.id)).length;

    expect((await edge.get(account.authorization, `${shop.effective}&name=PASSWORD`)).status).toBe(200);
    await edge.end('SIGKILL');
    const readAt = Date.now();
    await edge.run();
    edge.core.restore();

    await eventually('the reveal arrives', async () => (await listReveals(shop, account.id)).length > recordedBefore);
    const [latest] = await listReveals(shop, account.id);
    expect(Math.abs(Date.parse(latest?.timestamp ?? '') - readAt)).toBeLessThan(30_000);
    await eventually(
      'the record is empty',
      () => !fs.readdirSync(edge.folder).some((name) => name.startsWith('reads-')),
    );
    const { body } = await shop.organization.owner.get<Page<Explanation>>(
      `projects/${shop.project.id}/explain/?name=PASSWORD&environment=default`,
    );
    expect(body.results[0]?.name_last_read_at).toEqual(expect.any(String));
  });

  it('ends responses with secrets when it is full, and no others', async () => {
    const shop = await createShop(core);
    const caller = await createKey(shop.organization, 'caller');
    const edge = await startEdge(shop, ['--record-limit', '1']);
    await edge.get(caller, shop.effective);
    await edge.saved();
    edge.core.cut();

    await eventually('no secret is returned', async () => {
      for (let number = 0; number < 5; number += 1)
        await edge.get(caller, `${shop.effective}&name__in=HOST,N${number}`);
      return (await edge.get(caller, `${shop.effective}&name__in=PASSWORD,N${Date.now()}`)).status === 503;
    });
    const { status, headers } = await edge.get(caller, `${shop.effective}&name__in=PASSWORD,OTHER`);

    expect([status, headers['x-error-code']]).toEqual([503, 'edge_record_full']);
    expect((await edge.get(caller, `${shop.effective}&mask_secrets=true`)).status).toBe(200);
    edge.core.restore();
    await eventually('secrets are returned again', async () => (await edge.get(caller, shop.effective)).status === 200);
  });

  it('accepts only receipts that the organization has issued', async () => {
    const [shop, otherShop] = [await createShop(core), await createShop(core)];
    const { environment_id } = (await shop.organization.owner.get<{ environment_id: string }>(shop.effective)).body;
    const target = `users/current/confirmation/?project=${shop.project.id}&environment=${environment_id}`;
    const reader = await createAccount(shop, 'reader');
    const foreign = await createAccount(otherShop, 'foreign');
    const readReceipt = async ({ authorization }: { authorization: string }) =>
      (await new RawClient(core.origin, authorization).get<{ receipt: string }>(target)).body.receipt;
    const [receipt, foreignReceipt] = [await readReceipt(reader), await readReceipt(foreign)];
    const [content = '', code = ''] = receipt.split('.');
    const changedContent = { ...JSON.parse(Buffer.from(content, 'base64url').toString()), accountName: 'Another' };
    const forged = `${Buffer.from(JSON.stringify(changedContent)).toString('base64url')}.${code}`;
    const read = (text: string, read_at = new Date().toISOString()) => ({ receipt: text, read_at, revealed: true });
    const longAgo = new Date(Date.now() - 40 * 86_400_000).toISOString();

    const { status, body } = await new RawClient(core.origin, shop.edgeAuthorization).post('forwarded-reads/', {
      reads: [read(receipt), read(foreignReceipt), read(forged), read('nonsense'), read(receipt, longAgo)],
    });

    expect([status, body]).toEqual([200, { recorded: 1, rejected: 4 }]);
    expect((await listReveals(shop, reader.id)).length).toBe(1);
    expect((await listReveals(otherShop, foreign.id)).length).toBe(0);
  });
});

it('an edge behind an edge serves, rejects and records like the first one', async () => {
  const shop = await createShop(core);
  const change = await setValue(shop.organization, shop.project, 'PORT', '1');
  const account = await createAccount(shop, 'caller');
  const first = await startEdge(shop);
  const second = await startEdge(shop, [], first.origin);
  const target = `${shop.effective}&name=PORT`;
  expect((await second.get(account.authorization, target)).body.values).toEqual({ PORT: '1' });
  expect((await second.get(account.authorization, shop.effective)).body.values.PASSWORD).toBe('correct horse');

  await change('2');
  await eventually(
    'the change arrives',
    async () => (await second.get(account.authorization, target)).body.values.PORT === '2',
  );
  await eventually('its reveals are recorded', async () => (await listReveals(shop, account.id)).length > 0);
  first.core.cut();
  await eventually(
    'the second edge knows that the core is gone',
    async () => (await second.get(account.authorization, target)).headers['x-strata-stale'] === 'true',
  );
  first.core.restore();
  await shop.organization.owner.post(`${account.url}rekey/`);
  await eventually('the key is rejected', async () => (await second.get(account.authorization, target)).status === 403);
  expect(fs.existsSync(path.join(second.folder, 'snapshot'))).toBe(true);
});
