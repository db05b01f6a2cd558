import type { Differences } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { createDifferingShop, findOnlyCell, listDifferingNames } from '../../testing/differing-shop.ts';
import { statusAndDetail } from '../../testing/matrix-shop.ts';
import { createGrant, createMember } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('a forbidden scope', () => {
  it('is rejected if the request names it, and left out if everything is compared', async () => {
    const { organization, owner, production, live, path, read } = await createDifferingShop(core);
    const revision = (await owner.get(path.replace('compare', 'matrix'))).headers['x-revision'];
    await owner.patch(live.url, { internal_value: '1' });
    const vault = await organization.project({ name: 'vault' });
    for (const { url } of [production, vault]) await owner.patch(url, { access_controlled: true });
    const viewer = organization.as('VIEWER');
    const forbidden = [403, 'You do not have permission to perform this action.'];

    expect(statusAndDetail(await viewer.get(`${path}?left=staging&right=production`))).toEqual(forbidden);
    expect(statusAndDetail(await viewer.get(`${path}?left=staging&right_project=vault`))).toEqual(forbidden);
    expect(statusAndDetail(await viewer.get(`${path}?left=staging&right=production&right_tag=none`))).toEqual(
      forbidden,
    );
    expect(listDifferingNames(await read(`?left_revision=${revision}`))).toEqual(['link', 'port']);
    const rest = await read(`?left_revision=${revision}`, viewer);
    expect(listDifferingNames(rest)).toEqual([]);
    expect(rest.columns.find(({ left }) => left?.name === 'production')).toMatchObject({
      left: { closed: true },
      right: { closed: true },
    });
  });

  it('has the same cell whether a value is set or not, if the cell would depend on it', async () => {
    const { organization, owner, base, project, path } = await createDifferingShop(core);
    await organization.parameter({ project: base, name: 'port' });
    const { client, url } = await createMember(core, organization, 'VIEWER');
    for (const scope of [base, project]) await owner.patch(scope.url, { access_controlled: true });
    await createGrant(organization, url, project.url, 'VIEWER');
    const read = async (reader: RawClient) =>
      (await reader.get<Differences>(`${path}?left=default&right=staging`)).body;

    expect(findOnlyCell(await read(owner), 'port').to_set?.action).toBe('unset');
    expect(findOnlyCell(await read(client), 'port').to_set).toMatchObject({
      action: 'impossible',
      reason: expect.stringContaining('cannot access'),
    });
    // The effective value is visible even if it comes from a forbidden project.
    expect(findOnlyCell(await read(client), 'region').right).toMatchObject({ text: 'us', project_name: 'base' });
  });
});

describe('an invalid comparison', () => {
  it('is rejected with the reason', async () => {
    const { organization, owner, production, path } = await createDifferingShop(core);
    const same = [
      400,
      'Left and right are the same. Choose different environments, or another project or point in time for one of them.',
    ];

    expect(statusAndDetail(await owner.get(path))).toEqual(same);
    expect(statusAndDetail(await owner.get(`${path}?left=production`))).toEqual(same);
    expect(statusAndDetail(await owner.get(`${path}?left=production&right=${production.id}`))).toEqual(same);
    expect(statusAndDetail(await owner.get(`${path}?left=nowhere&right=production`))).toEqual([
      404,
      'No Environment matches the given query.',
    ]);
    expect(statusAndDetail(await owner.get(`${path}?left=staging&right_project=nothing`))).toEqual([
      404,
      'No Project matches the given query.',
    ]);
    expect(statusAndDetail(await owner.get(`${path}?left_tag=v1`))).toEqual([
      400,
      'A tag belongs to an environment. Set environment as well.',
    ]);
    expect(await owner.get(`${path}?left=staging&left_as_of=yesterday`)).toMatchObject({
      status: 400,
      body: { left_as_of: [expect.any(String)] },
    });
    expect(statusAndDetail(await owner.get(`${path}?left=staging&left_as_of=2020-01-01&left_revision=1`))[0]).toBe(400);
    expect((await (await core.organization()).owner.get(`${path}?left=staging&right=production`)).status).toBe(404);
    expect((await new RawClient(core.origin, null).get(`${path}?left=staging&right=production`)).status).toBe(401);
    expect((await organization.as('VIEWER').get(`${path}?left=staging&right=production`)).status).toBe(200);
  });
});
