import type { Push } from '@strata/contract';
import { type PushedShop, setUpAws } from '../../../testing/push-fixture.ts';

const { at, suite, standIn } = await setUpAws();

const UNDECIDED = { state: 'failure', error_code: 'undecided_removals' };
const KEYS = { '/shop/HOST': 'h', '/shop/PORT': '80' };

/** A second project whose one value the push writes as well. */
async function withSecondProject(shop: PushedShop) {
  const { organization } = shop;
  const project = await organization.project({ name: 'billing' });
  const parameter = await organization.parameter({ project, name: 'URL', secret: true });
  const environment = await organization.environmentNamed('production');
  await organization.value({ parameter, environment, internal_value: 'u' });
  return { projects: [shop.project.url, project.url], resource: '/{{ project }}/{{ parameter }}' };
}

suite(`a push that loses part of what it pushes (${standIn})`, () => {
  it('deletes nothing if all projects or tags were removed from it', async () => {
    for (const change of [{ projects: [] }, { tags: [] }]) {
      const shop = await at.shop({ HOST: 'h', PORT: '80' });
      const push = await shop.push();
      at.aws.clear();

      await shop.organization.owner.patch<Push>(push.push.url, change);

      expect(await push.ended()).toMatchObject({ ...UNDECIDED, error_detail: expect.stringMatching(/^2 keys would/) });
      expect(await shop.texts()).toEqual(KEYS);
      expect(await push.steps()).toMatchObject([
        { operation: 'delete', success: false, error_code: 'key_removal_undecided', project_name: 'shop' },
        { operation: 'delete', success: false, environment_name: 'production' },
      ]);
    }
  });

  it('keeps the keys of a removed project, and writes the others', async () => {
    const shop = await at.shop({ HOST: 'h' });
    const push = await shop.push(await withSecondProject(shop));
    expect(await shop.texts()).toEqual({ '/shop/HOST': 'h', '/billing/URL': 'u' });
    await shop.set('HOST', 'new');
    await push.move();

    await shop.organization.owner.patch(push.push.url, { projects: [shop.project.url] });

    expect(await push.ended()).toMatchObject(UNDECIDED);
    expect(await shop.texts()).toEqual({ '/shop/HOST': 'new', '/billing/URL': 'u' });
  });

  it('keeps keys that its options leave out now, or that were pushed from a removed tag', async () => {
    const shop = await at.shop({ HOST: 'h', PORT: '80' });
    const push = await shop.push();
    await shop.organization.owner.patch(push.push.url, { include_secrets: false });
    expect(await push.ended()).toMatchObject(UNDECIDED);
    await shop.organization.owner.patch(push.push.url, { include_secrets: true });
    expect(await push.ended()).toMatchObject({ state: 'success' });

    // The other tag is older than the values.
    const olderTag = await shop.tag({ timestamp: shop.project.created_at });
    await shop.organization.owner.patch(push.push.url, { tags: [olderTag.url] });

    expect(await push.ended()).toMatchObject(UNDECIDED);
    expect(await shop.texts()).toEqual(KEYS);
  });

  it('deletes an old key after a rename only if the new one is written', async () => {
    const shop = await at.shop({ HOST: 'h', PORT: '80' });
    const push = await shop.push();
    await shop.writeElsewhere('/new/PORT', 'theirs');

    await shop.organization.owner.patch(push.push.url, { resource: '/new/{{ parameter }}' });

    expect(await push.ended()).toMatchObject({ state: 'failure', error_code: 'foreign_keys' });
    expect(await shop.texts()).toEqual({ '/new/HOST': 'h', '/new/PORT': 'theirs', '/shop/PORT': '80' });
  });
});
