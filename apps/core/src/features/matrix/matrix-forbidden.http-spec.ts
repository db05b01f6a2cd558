import { MASK } from '@strata/domain';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { findCell, listNames, matrixShop, SECRET, statusAndDetail } from '../../testing/matrix-shop.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('a forbidden scope', () => {
  it('is a column without cells, and comparing with it reveals nothing', async () => {
    const { organization, owner, production, path, read } = await matrixShop(core);
    const all = await read();
    await owner.patch(production.url, { access_controlled: true });
    const viewer = organization.as('VIEWER');
    const matrix = await read('', viewer);

    expect(matrix.environments.map(({ name, closed }) => [name, closed])).toEqual([
      ...[
        ['default', false],
        ['development', false],
        ['production', true],
        ['canary', false],
        ['staging', false],
      ],
    ]);
    for (const { cells } of matrix.results) expect(cells[2]).toEqual({ states: ['closed'] });
    // The response is the same as before, except for parts that would reveal contents of production.
    expect(findCell(all, 'port', 'canary').states).toEqual(['own', 'redundant']);
    expect(findCell(matrix, 'port', 'canary').states).toEqual(['own']);
    expect(findCell(matrix, 'port', 'default')).toEqual(findCell(all, 'port', 'default'));
    expect(findCell(matrix, 'region', 'canary')).toEqual(findCell(all, 'region', 'canary'));
    expect(listNames(await read('?state=redundant', viewer))).toEqual([]);
    expect(listNames(await read('?state=own&environment=production', viewer))).toEqual([]);
    expect(await read()).toEqual({
      ...all,
      results: all.results,
    });
    expect((await viewer.get(`${path}?environment=production&tag=none`)).status).toBe(403);
  });

  it('is rejected as a project, even for members of a dependent project', async () => {
    const { organization, owner, project, path } = await matrixShop(core);
    await owner.patch(project.url, { access_controlled: true });

    expect(statusAndDetail(await organization.as('VIEWER').get(path))).toEqual([
      403,
      'You do not have permission to perform this action.',
    ]);
  });

  it('a text that depends on a forbidden project is masked and not compared by content', async () => {
    const { organization, owner, project, root, production, read } = await matrixShop(core);
    const vault = await organization.project({ name: 'vault' });
    const hidden = await organization.parameter({ project: vault, name: 'hidden' });
    await organization.value({ parameter: hidden, environment: root, internal_value: SECRET });
    await organization.value({ parameter: hidden, environment: production, internal_value: `${SECRET} too` });
    const parameter = await organization.parameter({ project, name: 'peek' });
    const text = '{{ strata.projects.vault.parameters.hidden }}';
    await organization.value({ parameter, environment: root, internal_value: text, interpolated: true });
    expect(findCell(await read(), 'peek', 'production')).toMatchObject({ states: ['inherited', 'dynamic', 'differs'] });
    await owner.patch(vault.url, { access_controlled: true });
    const matrix = await read('', organization.as('VIEWER'));

    expect(JSON.stringify(matrix)).not.toContain(SECRET);
    expect(findCell(matrix, 'peek', 'production')).toMatchObject({
      states: ['inherited', 'secret', 'dynamic'],
      text: MASK,
    });
  });
});
