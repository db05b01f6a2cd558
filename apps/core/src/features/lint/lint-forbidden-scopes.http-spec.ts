import type { LintPage } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

it.each(['project', 'environment'] as const)(
  'lint finds unreferenced parameters again once the %s that was forbidden to the caller is deleted',
  async (kind) => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project({ name: 'p' });
    await organization.parameter({ project, name: 'unused' });
    const viewer = organization.as('VIEWER');
    const listNames = async (query = '') => {
      const path = `lint/?kind=unreferenced_parameter${query}`;
      return (await viewer.get<LintPage>(path)).body.results.map(({ name }) => name);
    };
    expect(await listNames()).toEqual(['unused']);

    const scope = await organization[kind]({ name: 'forbidden' });
    await owner.patch(scope.url, { access_controlled: true });
    const revision = (await owner.get('users/current/')).headers['x-revision'];
    expect(await listNames()).toEqual([]);

    expect((await owner.delete(scope.url)).status).toBe(204);
    expect(await listNames()).toEqual(['unused']);
    // A read of the past still contains the deleted scope.
    expect(await listNames(`&revision=${revision}`)).toEqual([]);
  },
);

it('lint uses effective values to find missing ones, including values in forbidden scopes (behaviour.md §17.2)', async () => {
  const organization = await core.organization();
  const { owner } = organization;
  const production = await organization.environmentNamed('production');
  await organization.environment({ name: 'canary', parent: production.url });
  const project = await organization.project({ name: 'p' });
  for (const name of ['SET', 'UNSET']) {
    const parameter = await organization.parameter({ project, name });
    for (const where of ['development', 'staging', ...(name === 'SET' ? ['production'] : [])]) {
      await organization.value({ parameter, environment: await organization.environmentNamed(where) });
    }
  }
  await owner.patch(production.url, { access_controlled: true });
  const { body } = await organization.as('VIEWER').get<LintPage>('lint/?kind=missing_value');

  const findings = body.results.map(({ name, environments }) => [
    name,
    environments.map((environment) => environment.environment_name),
  ]);
  expect(findings).toEqual([['UNSET', ['canary']]]);
});
