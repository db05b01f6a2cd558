import type { Effective } from '@strata/contract';
import { type OwnCore, RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import fc from 'fast-check';
import { CacheFixture, listRequestPaths, plans } from '../../testing/cache-fixture.ts';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { SilentProxy } from '../../testing/silent-proxy.ts';

let core: RunningCore;
/** A second process, which receives no notifications of changes. */
let second: OwnCore;
let proxy: SilentProxy;
beforeAll(async () => {
  core = await sharedCore();
  proxy = await SilentProxy.before(core.database.url);
  proxy.silenceAt('listen strata_moved', { passes: true });
  second = await startSecondCore({ database: { url: proxy.url } });
});
afterAll(async () => {
  await proxy.close();
  await second.close();
});

/** Compares cached responses of all clients with reads of the same revision, which use no cache. */
async function compare(fixture: CacheFixture, round: number): Promise<void> {
  const { owner, clients } = fixture;
  const { headers } = await owner.get('environments/');
  await Promise.all(
    listRequestPaths(fixture, round).map(async (path, index) => {
      const surface = clients[(index + round) % clients.length] ?? owner;
      const [now, then] = [await surface.get(path), await surface.get(`${path}&revision=${headers['x-revision']}`)];
      // Links to other pages repeat the query, so the revision is removed from them.
      const text = then.text.replaceAll(`&revision=${headers['x-revision']}`, '');
      expect([path, now.status, now.text]).toEqual([path, then.status, text]);
      if (text === then.text) expect([path, now.headers.etag]).toEqual([path, then.headers.etag]);
    }),
  );
}

it('a cache that follows the ledger always equals a fresh read, also in a process without notifications', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (all) => {
      const fixture = await CacheFixture.build(core, [core.origin, second.origin]);
      await compare(fixture, 0);
      for (const [round, step] of all.entries()) {
        await fixture.act(step);
        await compare(fixture, Math.floor(round / 3));
      }
    }),
    { numRuns: 2, endOnFailure: true },
  );
});

it('a cached text with references changes when they change, even if the request names only the text', async () => {
  const organization = await core.organization();
  const project = await organization.project();
  const { url } = await organization.value({ parameter: await organization.parameter({ project, name: 'host' }) });
  const parameter = await organization.parameter({ project, name: 'link' });
  await organization.value({ parameter, internal_value: 'https://{{ host }}', interpolated: true });
  for (const text of ['one', 'two']) {
    await organization.owner.patch(url, { internal_value: text });
    const { body } = await organization.owner.get<Effective>(`${project.url}effective/?name=link`);
    expect(body.values).toEqual({ link: `https://${text}` });
  }
});

it('a cached response is not sent to a caller who lost access a moment ago, even without a notification', async () => {
  const organization = await core.organization();
  const parameter = await organization.parameter();
  await organization.value({ parameter });
  const environment = await organization.environmentNamed('default');
  const otherClient = new RawClient(second.origin, () => organization.authorization('VIEWER'));
  const path = `projects/${parameter.project.split('/').at(-2)}/effective/?environment=default`;
  for (const _ of ['looked up', 'from the cache']) expect((await otherClient.get(path)).status).toBe(200);

  await organization.owner.patch(environment.url, { access_controlled: true });
  expect((await otherClient.get(path)).status).toBe(403);
});

it('a cached response gives no access to another caller', async () => {
  const organization = await core.organization();
  const parameter = await organization.parameter();
  const { url } = await organization.value({ parameter });
  const path = `projects/${parameter.project.split('/').at(-2)}/effective/?environment=default`;
  const guest = organization.as('VIEWER');
  const statuses = async () => [(await organization.owner.get(path)).status, (await guest.get(path)).status];
  expect(await statuses()).toEqual([200, 200]);

  const environment = await organization.environmentNamed('default');
  await organization.owner.patch(environment.url, { access_controlled: true });
  expect(await statuses()).toEqual([200, 403]);
  await organization.owner.patch(url, { internal_value: 'another text' });
  expect(await statuses()).toEqual([200, 403]);
});
