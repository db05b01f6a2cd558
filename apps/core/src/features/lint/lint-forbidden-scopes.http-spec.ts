import type { LintPage } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

it.each(['project', 'environment'] as const)(
  'finds unreferenced parameters again once the %s that was forbidden to the caller is deleted',
  async (kind) => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project({ name: 'p' });
    await organization.parameter({ project, name: 'unused' });
    const viewer = organization.as('VIEWER');
    const found = async (query = '') => {
      const path = `lint/?kind=unreferenced_parameter${query}`;
      return (await viewer.get<LintPage>(path)).body.results.map(({ name }) => name);
    };
    expect(await found()).toEqual(['unused']);

    const scope = await organization[kind]({ name: 'forbidden' });
    await owner.patch(scope.url, { access_controlled: true });
    const revision = (await owner.get('users/current/')).headers['x-revision'];
    expect(await found()).toEqual([]);

    expect((await owner.delete(scope.url)).status).toBe(204);
    expect(await found()).toEqual(['unused']);
    // at a time when it was there it counts as before
    expect(await found(`&revision=${revision}`)).toEqual([]);
  },
);
