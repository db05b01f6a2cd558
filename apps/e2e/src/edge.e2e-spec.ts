import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { eventually } from './processes.ts';
import { createKey, createShop, RunningEdge, setValue } from './running-edge.ts';

let core: RunningCore;
let edges: RunningEdge[];

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(() => {
  edges = [];
});
afterEach(async () => {
  await Promise.all(edges.map((edge) => edge.close()));
});

type Shop = Awaited<ReturnType<typeof createShop>>;

async function startEdge(shop: Shop, args: readonly string[] = [], upstream = core.origin): Promise<RunningEdge> {
  const edge = await RunningEdge.start(upstream, shop.edgeAuthorization, args);
  edges.push(edge);
  return edge;
}

/** Waits until the edge notices that the core is gone. */
async function lose(edge: RunningEdge, authorization: string, target: string): Promise<void> {
  edge.core.cut();
  await eventually('the edge serves without the core', async () => {
    const { headers, status } = await edge.get(authorization, target);
    return status === 503 || headers['x-strata-stale'] === 'true';
  });
}

describe('with the core', () => {
  it('returns the same values as the core, masked, in clear and by name, and 304', async () => {
    const shop = await createShop(core);
    const caller = await createKey(shop.organization, 'caller');
    const edge = await startEdge(shop);
    const direct = new RawClient(core.origin, caller);

    for (const query of [
      '',
      '&mask_secrets=true',
      '&name=HOST',
      '&name__in=PASSWORD,HOST',
      '&name=PASSWORD&mask_secrets=true',
    ]) {
      const [here, there] = [await edge.get(caller, shop.effective + query), await direct.get(shop.effective + query)];
      expect([here.status, here.text]).toEqual([200, there.text]);
      expect(here.headers['cache-control']).toBe(there.headers['cache-control']);
      const repeated = await edge.get(caller, shop.effective + query, { 'if-none-match': here.headers.etag ?? '' });
      expect([repeated.status, repeated.text]).toEqual([304, '']);
      const byDigest = await edge.get(caller, shop.effective + query, { 'if-none-match': `"${here.body.digest}"` });
      expect(byDigest.status).toBe(304);
    }
  });

  it('returns the batch of the External Secrets Operator', async () => {
    const shop = await createShop(core);
    const caller = await createKey(shop.organization, 'caller');
    const edge = await startEdge(shop);
    const target = 'effective/?project=shop&environment=default&include=value&name=PASSWORD';

    const here = await edge.get(caller, target);

    expect(here.text).toBe((await new RawClient(core.origin, caller).get(target)).text);
    expect(here.body.results[0].values.PASSWORD.value).toBe('correct horse');
  });

  it('delivers a change, and answers a request that waits for it', async () => {
    const shop = await createShop(core);
    const change = await setValue(shop.organization, shop.project, 'PORT', '1');
    const caller = await createKey(shop.organization, 'caller');
    const edge = await startEdge(shop);
    const { body } = await edge.get(caller, shop.effective);

    const waiting = edge.get(caller, `${shop.effective}&wait=30`, { 'if-none-match': `"${body.digest}"` });
    await change('2');

    const { status, body: changed } = await waiting;
    expect([status, changed.values.PORT]).toEqual([200, '2']);
  });

  it('shows no earlier value again while the configuration changes', async () => {
    const shop = await createShop(core);
    const change = await setValue(shop.organization, shop.project, 'COUNT', '0');
    const caller = await createKey(shop.organization, 'caller');
    const edge = await startEdge(shop);
    const target = `${shop.effective}&name=COUNT`;
    const read = async () => Number((await edge.get(caller, target)).body.values.COUNT);
    let latest = 0;
    for (let count = 1; count <= 20; count += 1) {
      const changed = change(String(count));
      while (latest < count) {
        const seen = await Promise.all([read(), read(), read(), read()]);
        for (const value of seen) expect(value).toBeGreaterThanOrEqual(latest);
        latest = Math.max(...seen);
      }
      await changed;
    }
  });

  it('rejects a revoked key within 5 s', async () => {
    const shop = await createShop(core);
    const { body: account } = await shop.organization.owner.post<{ apikey: string; url: string }>('serviceaccounts/', {
      ...{ name: 'revoked', role: 'VIEWER' },
    });
    const caller = `Api-Key ${account.apikey}`;
    const edge = await startEdge(shop);
    expect((await edge.get(caller, shop.effective)).status).toBe(200);

    await shop.organization.owner.post(`${account.url}rekey/`);
    const revokedAt = performance.now();
    await eventually('it is rejected', async () => (await edge.get(caller, shop.effective)).status === 403);

    expect(performance.now() - revokedAt).toBeLessThan(5_000);
    expect((await edge.get(caller, shop.effective)).headers['x-error-code']).toBe('bad_credential');
  });

  it('gives a caller no more than the core does', async () => {
    const shop = await createShop(core);
    const otherShop = await createShop(core);
    const masked = await createKey(shop.organization, 'masked', { reveals_secrets: false });
    const foreign = await createKey(otherShop.organization, 'foreign');
    const edge = await startEdge(shop);

    const hidden = await edge.get(masked, shop.effective);
    expect([hidden.status, hidden.headers['x-error-code']]).toEqual([403, 'reveal_forbidden']);
    expect((await edge.get(masked, `${shop.effective}&mask_secrets=true`)).body.values.PASSWORD).toBe('*****');
    expect((await edge.get(masked, `${shop.effective}&name=HOST`)).body.values).toEqual({ HOST: 'example.com' });
    const unknown = await edge.get(foreign, `${shop.effective}&mask_secrets=true`);
    expect([unknown.status, unknown.text.includes('example.com')]).toEqual([404, false]);
    expect((await edge.get('Api-Key abcdefgh.0123456789abcdef0123', shop.effective)).status).toBe(403);
    expect((await fetch(`${edge.origin}/api/v1/${shop.effective}`)).status).toBe(401);
  });

  it('lets the core answer a caller who sees another configuration', async () => {
    const shop = await createShop(core);
    const { organization, project } = shop;
    const hiddenProject = await organization.project({ name: 'hidden' });
    await setValue(organization, hiddenProject, 'TOKEN', 'of another project');
    const parameter = await organization.parameter({ project, name: 'LINK' });
    await organization.value({
      parameter,
      internal_value: '{{ strata.projects.hidden.parameters.TOKEN }}',
      interpolated: true,
    });
    const caller = await createKey(organization, 'caller', { only_projects: [project.url] });
    const edge = await startEdge(shop);

    const here = await edge.get(caller, shop.effective);
    const there = await new RawClient(core.origin, caller).get(shop.effective);
    edge.core.cut();
    const alone = await edge.get(caller, shop.effective);

    expect(here.text).not.toContain('of another project');
    expect([here.status, here.text]).toEqual([there.status, there.text]);
    expect([alone.status, alone.headers['x-error-code']]).toEqual([503, 'edge_offline']);
  });

  it('says that other requests belong to the core', async () => {
    const shop = await createShop(core);
    const edge = await startEdge(shop);

    const { status, headers, body } = await edge.get(shop.edgeAuthorization, 'environments/', {
      accept: 'application/problem+json',
    });

    expect([status, headers['x-error-code']]).toEqual([501, 'not_at_edge']);
    expect(body).toMatchObject({ status: 501, code: 'not_at_edge', pointer: '', params: {}, detail: /core/ });
  });

  it('rejects malformed targets, and continues', async () => {
    const shop = await createShop(core);
    const edge = await startEdge(shop);
    const flags = '/api/v1/projects/shop/environments/default/ofrep/v1/evaluate/flags/%zz';

    for (const [method, target, authorization, status] of [
      ['GET', '//', shop.edgeAuthorization, 400],
      ['GET', '/api/v1/projects/%zz/effective/', shop.edgeAuthorization, 400],
      ['POST', flags, shop.edgeAuthorization, 400],
      ['POST', flags, '', 401],
    ] as const) {
      const request = http.request(edge.origin, {
        method,
        path: target,
        headers: authorization ? { authorization } : {},
      });
      const [response] = (await once(request.end(), 'response')) as [http.IncomingMessage];
      response.resume();
      expect([method, target, response.statusCode]).toEqual([method, target, status]);
    }
    expect((await edge.get(shop.edgeAuthorization, shop.effective)).status).toBe(200);
  });
});

describe('a second edge', () => {
  it('does not start with the folder or the port of the first one', async () => {
    const shop = await createShop(core);
    const edge = await startEdge(shop);
    const sameFolder = await edge.runAnother([]);
    expect(sameFolder).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/already runs on .* --data for a second one/),
    });

    const samePort = await edge.runAnother(['--data', 'other', '--port', new URL(edge.origin).port]);
    expect(samePort).toMatchObject({ code: 2, stderr: expect.stringContaining('another program listens there') });
  });
});

describe('without the core', () => {
  it('serves callers that the core has confirmed, with their age, and no others', async () => {
    const shop = await createShop(core);
    const caller = await createKey(shop.organization, 'caller');
    const edge = await startEdge(shop);
    const before = await edge.get(caller, shop.effective);
    await lose(edge, caller, shop.effective);

    const { status, headers, text } = await edge.get(caller, shop.effective);
    const stranger = await edge.get(await createKey(shop.organization, 'stranger'), shop.effective);

    expect([status, text, headers['x-strata-stale']]).toEqual([200, before.text, 'true']);
    expect(Number(headers.age)).toBeGreaterThanOrEqual(0);
    expect([stranger.status, stranger.headers['x-error-code']]).toEqual([503, 'edge_offline']);
    expect(Number(stranger.headers['retry-after'])).toBeGreaterThan(0);
    expect((await fetch(`${edge.origin}/readyz`)).status).toBe(200);
  });

  it('starts within a second without the core, and its files show no value and no key', async () => {
    const shop = await createShop(core);
    const caller = await createKey(shop.organization, 'caller');
    const edge = await startEdge(shop);
    const before = await edge.get(caller, shop.effective);
    await edge.saved();
    await edge.end('SIGKILL');
    edge.core.cut();

    await edge.run();
    const { status, text } = await edge.get(caller, shop.effective);

    expect([status, text]).toEqual([200, before.text]);
    const files = fs.readdirSync(edge.folder).map((name) => fs.readFileSync(path.join(edge.folder, name), 'latin1'));
    expect(files.join()).not.toMatch(/correct horse|example\.com/);
    expect(files.join()).not.toContain(caller.slice(-20));
  });

  it('returns 503 for secrets, and then for all values, when they are too old', async () => {
    const shop = await createShop(core);
    const caller = await createKey(shop.organization, 'caller');
    const edge = await startEdge(shop, ['--max-offline-secrets', '4s', '--max-offline', '9s']);
    await edge.get(caller, shop.effective);
    expect((await edge.get(caller, `${shop.effective}&mask_secrets=true`)).headers.age).toBeDefined();
    edge.core.cut();

    await eventually('secrets are refused', async () => (await edge.get(caller, shop.effective)).status === 503);
    expect((await edge.get(caller, `${shop.effective}&mask_secrets=true`)).status).toBe(200);
    expect((await edge.get(caller, `${shop.effective}&name=HOST`)).status).toBe(200);
    await eventually(
      'all values are refused',
      async () => (await edge.get(caller, `${shop.effective}&mask_secrets=true`)).status === 503,
    );
    edge.core.restore();
    await eventually('it serves again', async () => (await edge.get(caller, shop.effective)).status === 200);
  });

  it.each(['damaged', 'of another key'])('does not start with a file that is %s', async (problem) => {
    const shop = await createShop(core);
    const edge = await startEdge(shop);
    await edge.saved();
    await edge.end('SIGKILL');
    const file = path.join(edge.folder, 'snapshot');
    const bytes = fs.readFileSync(file);
    if (problem === 'damaged') fs.writeFileSync(file, bytes.fill(0, bytes.length - 20));

    await edge.run(problem === 'damaged' ? {} : { STRATA_EDGE_KEY: 'another key with at least 32 characters.' });
    await edge.end();

    expect([edge.exitCode, edge.output]).toEqual([2, expect.stringContaining('cannot be decrypted')]);
    expect(fs.readFileSync(file)).toEqual(bytes);
  });
});
