import { type RunningCore, sharedCore } from '@strata/testkit';
import { createExplainFixture, explain, readRevision } from '../../testing/explain.ts';
import { createMember } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('an explanation (behaviour.md §5.2)', () => {
  it('has no candidates for a name that is not visible in the project', async () => {
    const { organization, web } = await createExplainFixture(core);
    expect(await explain(organization.owner, web, 'name=nothing')).toMatchObject({ winner: null, candidates: null });
  });

  it('contains the winning candidate even if its scope is forbidden', async () => {
    const { organization, web, production } = await createExplainFixture(core);
    const canary = await organization.environment({ name: 'below', parent: production.url });
    const port = await organization.parameter({ project: web, name: 'port' });
    await organization.value({ parameter: port, internal_value: '80' });
    const value = await organization.value({ parameter: port, environment: production, internal_value: '443' });
    await organization.owner.patch(production.url, { access_controlled: true });
    const { client } = await createMember(core, organization, 'VIEWER');
    const read = async () =>
      (await explain(client, web, `environment=${canary.name}&name=port`)).candidates
        ?.filter(({ project_name: name }) => name === web.name)
        .map(({ environment_name: where, state, wins, value_id: id }) => [where, state, wins, id]);

    expect((await read())?.[1]).toEqual(['production', 'set', true, value.id]);
    await organization.value({ parameter: port, environment: canary, internal_value: '1' });
    expect((await read())?.[1]).toEqual(['production', 'closed', false, null]);
  });

  it('reports the creation of a name without a value as a change', async () => {
    const { organization, web } = await createExplainFixture(core);
    await organization.parameter({ project: web, name: 'empty' });
    const revision = await readRevision(organization);

    expect(await explain(organization.owner, web, 'name=empty')).toMatchObject({
      winner: null,
      reason: { code: 'unset' },
      since: { revision },
    });
  });

  it('contains the first applicable reason in the order of the specification', async () => {
    const { organization, base, web } = await createExplainFixture(core);
    const { owner } = organization;
    const reason = async () => (await explain(owner, web, 'name=port')).reason?.code;
    await owner.patch(web.url, { parameter_name_pattern: 'WEB_.*' });
    expect(await reason()).toBe('name_pattern');
    const otherProject = await organization.project({ name: 'other' });
    await organization.parameter({ project: otherProject, name: 'port' });
    expect(await reason()).toBe('other_project');
    const inherited = await organization.parameter({ project: base, name: 'port' });
    expect(await reason()).toBe('unset');
    await owner.patch(inherited.url, { name: 'renamed' });
    expect(await reason()).toBe('renamed');
    const secondParameter = await organization.parameter({ project: base, name: 'port' });
    await owner.delete(secondParameter.url);
    expect(await reason()).toBe('deleted');
    await organization.parameter({ project: base, name: 'port' });
    await owner.patch(web.url, { depends_on: null });
    expect(await reason()).toBe('no_longer_inherited');
  });
});

it('a read of the past is rejected completely if the project depended on a forbidden one at that time (behaviour.md §1.9)', async () => {
  const { organization, base, web } = await createExplainFixture(core);
  const { owner } = organization;
  await organization.parameter({ project: web, name: 'own' });
  const revision = await readRevision(organization);
  await owner.patch(web.url, { depends_on: null });
  await owner.patch(base.url, { access_controlled: true });
  const { client } = await createMember(core, organization, 'VIEWER');

  for (const path of ['effective/?environment=default', 'parameters/?', 'matrix/?', 'explain/?name=own']) {
    const read = async (more: string) => (await client.get(`${web.url}${path}${more}`)).status;
    expect([path, await read(''), await read(`&revision=${revision}`)]).toEqual([path, 200, 403]);
  }
});
