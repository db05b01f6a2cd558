import { type RunningCore, sharedCore } from '@strata/testkit';
import type { EntityManager } from 'typeorm';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { createExplainFixture, type ExplainFixture, explain, readRevision } from '../../testing/explain.ts';
import { insertEarlierVersions } from '../../testing/long-history.ts';
import { query } from '../../testing/query.ts';
import { ConfigurationHistory } from '../snapshot/configuration-history.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Returns the number of rows that explaining the last change of one name reads. */
async function rowsRead({ organization, web }: ExplainFixture, name: string, to: number) {
  const asOwner = { query: (text: string, values: unknown[]) => query(core, text, values) } as EntityManager;
  const span = { organizationId: organization.id, projectIds: [web.id], names: [name], from: 0, to };
  const values = { bytesMax: 16 * 1_048_576, hiddenScopes: [] };
  const { versions } = await ConfigurationHistory.of(SnapshotReader.within(asOwner), { ...span, values });
  const { environments, projects, parameters } = versions;
  return { structure: environments.length + projects.length + parameters.length, values: versions.values.length };
}

it('explain reads no additional rows for a project and an environment with ten thousand changes of descriptions', async () => {
  const fixture = await createExplainFixture(core);
  const { organization, base, web, production } = fixture;
  const { owner } = organization;
  const port = await organization.parameter({ project: base, name: 'port' });
  await organization.value({ parameter: port, environment: production, internal_value: '1' });
  const set = await readRevision(organization);
  const before = await rowsRead(fixture, 'port', set);
  const often = (table: 'project' | 'environment', { id, url }: { readonly id: string; readonly url: string }) =>
    insertEarlierVersions(core, organization, { table, id, times: 10_000 }, () =>
      owner.patch(url, { description: 'again' }),
    );
  await often('project', web);
  await often('project', base);
  await often('environment', production);
  const now = await readRevision(organization);
  const [{ count } = { count: 0 }] = await query<{ count: number }>(
    core,
    'select count(*)::int as count from project_history where organization_id = $1',
    [organization.id],
  );

  expect([count, now]).toEqual([expect.any(Number), set + 30_003]);
  expect(count).toBeGreaterThan(20_000);
  expect(await rowsRead(fixture, 'port', now)).toEqual(before);
  const { since: readLastChange } = await explain(owner, web, 'environment=canary&name=port');
  expect(readLastChange).toMatchObject({ revision: set, exact: true, object_type: 'Value' });
});

it('explain finds the removal of a name before ten thousand other changes', async () => {
  const fixture = await createExplainFixture(core);
  const { organization, base, web } = fixture;
  const { owner } = organization;
  await organization.parameter({ project: base, name: 'port' });
  await owner.patch(web.url, { depends_on: null });
  const revision = await readRevision(organization);
  await insertEarlierVersions(core, organization, { table: 'project', id: web.id, times: 10_000 }, () =>
    owner.patch(web.url, { name: 'website' }),
  );

  const { reason } = await explain(owner, web, 'name=port');

  expect(reason).toMatchObject({ code: 'no_longer_inherited', revision });
});

it('explain finds the first of twelve thousand equal texts, and reports a history beyond its limit as too long', async () => {
  const fixture = await createExplainFixture(core);
  const { organization, web, root } = fixture;
  const { owner } = organization;
  const parameter = await organization.parameter({ project: web, name: 'port' });
  const { id, url } = await organization.value({ parameter, environment: root, internal_value: '1' });
  const first = await readRevision(organization);
  const often = (times: number) =>
    insertEarlierVersions(core, organization, { table: 'value', id, times }, () =>
      owner.patch(url, { internal_value: '1' }),
    );
  const readLastChange = async () => (await explain(owner, web, 'environment=canary&name=port')).since;

  await often(12_000);
  expect(await readLastChange()).toMatchObject({ revision: first, exact: true, action: 'create' });
  await often(8_000);
  const last = await readLastChange();

  expect(last).toMatchObject({ exact: false, action: null });
  expect(last?.revision).toBeGreaterThan(first);
  const { values } = await rowsRead(fixture, 'port', await readRevision(organization));
  expect(values).toBeGreaterThan(12_000);
  expect(values).toBeLessThanOrEqual(16_384);
});
