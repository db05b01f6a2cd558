import type { Effective, EnvironmentSummary, Project } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { createShop, sendReport } from '../../testing/instances.ts';
import { createPerson } from '../../testing/people.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const SUMMARY = 'environments/summary/';

async function countsSeenBy(client: RawClient): Promise<Readonly<Record<string, number>>> {
  const { body } = await client.get<EnvironmentSummary>(SUMMARY);
  return Object.fromEntries(
    body.environments.map((environment) => [environment.environment_name, environment.value_count]),
  );
}

async function setIn(organization: TestOrganization, project: string, environment: string, names: readonly string[]) {
  const values = Object.fromEntries(names.map((name) => [name, '1']));
  const operations = [{ set: { project, environment, create_missing: true, values } }];
  expect(await organization.owner.post('changesets/', { operations })).toMatchObject({ status: 201 });
}

describe('the summary of environments', () => {
  it('counts the values that are set in each environment, and lists its tags', async () => {
    const organization = await core.organization();
    await organization.project({ name: 'web' });
    await organization.project({ name: 'api' });
    await setIn(organization, 'api', 'default', ['A']);
    await setIn(organization, 'web', 'default', ['A', 'B']);
    await setIn(organization, 'web', 'production', ['A']);
    const production = await organization.environmentNamed('production');
    const tags = `environments/${production.id}/tags/`;
    await organization.owner.post(tags, { name: 'v1', timestamp: '2024-01-01T00:00:00Z' });
    await organization.owner.post(tags, { name: 'v2', timestamp: '2025-01-01T00:00:00Z' });

    const { body } = await organization.as('VIEWER').get<EnvironmentSummary>(SUMMARY);

    const none = { tag_count: 0, latest_tag: null, instance_count: 0 };
    expect(body.environments).toMatchObject([
      { environment_name: 'default', value_count: 3, project_count: 2, ...none },
      { environment_name: 'development', value_count: 0, project_count: 0, ...none },
      { environment_id: production.id, environment_name: 'production', value_count: 1, tag_count: 2, latest_tag: 'v2' },
      { environment_name: 'staging', value_count: 0, ...none },
    ]);
  });

  it('counts the instances that report in projects that the caller can read', async () => {
    const organization = await core.organization();
    const { project, scope } = await createShop(organization);
    const { client } = await createPerson(core, organization.id, 'CONTRIB');
    const { body } = await organization.owner.get<Effective>(`projects/${project.id}/effective/?mask_secrets=true`);
    for (const instance of ['web-1', 'web-2']) {
      await sendReport(organization.owner, scope, instance, { revision: body.revision, digest: body.digest });
    }
    const counted = async () => {
      const { environments } = (await client.get<EnvironmentSummary>(SUMMARY)).body;
      return environments.map(({ environment_name: name, instance_count: count }) => `${name} ${count}`);
    };

    expect(await counted()).toEqual(['default 2', 'development 0', 'production 0', 'staging 0']);
    await organization.owner.patch(project.url, { access_controlled: true });
    expect(await counted()).toEqual(['default 0', 'development 0', 'production 0', 'staging 0']);
  });

  it('does not count values in forbidden scopes', async () => {
    const organization = await core.organization();
    const hidden = await organization.project({ name: 'hidden' });
    const childResponse = await organization.owner.post<Project>('projects/', {
      name: 'below',
      depends_on: hidden.url,
    });
    expect(childResponse.status).toBe(201);
    await organization.project({ name: 'open' });
    for (const project of ['hidden', 'below', 'open'])
      await setIn(organization, project, 'production', [`IN_${project}`]);
    await setIn(organization, 'open', 'staging', ['X']);
    const staging = await organization.environmentNamed('staging');
    for (const path of [`projects/${hidden.id}/`, `environments/${staging.id}/`]) {
      expect(await organization.owner.patch(path, { access_controlled: true })).toMatchObject({ status: 200 });
    }
    const { client } = await createPerson(core, organization.id, 'CONTRIB');

    expect(await countsSeenBy(client)).toEqual({ default: 0, development: 0, production: 1 });
    expect(await countsSeenBy(organization.owner)).toMatchObject({ production: 3, staging: 1 });
  });

  it('covers one organization and requires a credential', async () => {
    const [ours, theirs] = [await core.organization(), await core.organization()];
    await ours.project({ name: 'web' });
    await setIn(ours, 'web', 'default', ['A']);

    expect(await countsSeenBy(theirs.owner)).toMatchObject({ default: 0 });
    expect(await new RawClient(core.origin, null).get(SUMMARY)).toMatchObject({ status: 401 });
  });
});
