import type { Differences, Explanation, LintPage, Matrix, Page, SearchPage } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { createGrant, createMember } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const listKindsAndNames = ({ results }: LintPage) => results.map(({ kind, name }) => `${kind} ${name}`);

it('lint does not reveal whether a name is used in a scope that the caller may not read', async () => {
  const organization = await core.organization();
  const project = await organization.project();
  const production = await organization.environmentNamed('production');
  const set = await organization.parameter({ project, name: 'set' });
  await organization.parameter({ project, name: 'unset' });
  await organization.value({ parameter: set, environment: production });
  const viewer = organization.as('VIEWER');
  const unused = async () => listKindsAndNames((await viewer.get<LintPage>('lint/?kind=unreferenced_parameter')).body);
  expect(await unused()).toEqual(['unreferenced_parameter unset']);

  await organization.owner.patch(production.url, { access_controlled: true });
  expect(await unused()).toEqual([]);
});

it('matrix and lint reveal as little about a forbidden project without a name as explain does', async () => {
  const organization = await core.organization();
  const base = await organization.project();
  const project = await organization.project({ depends_on: base.url });
  const parameter = await organization.parameter({ project, name: 'x' });
  for (const name of ['default', 'staging']) {
    const environment = await organization.environmentNamed(name);
    await organization.value({ parameter, environment, internal_value: 'same' });
  }
  const reader = await createMember(core, organization, 'VIEWER');
  const seen = async () => {
    const matrix = (await reader.client.get<Matrix>(`${project.url}matrix/?environment=staging`)).body;
    const lint = (await reader.client.get<LintPage>('lint/?kind=redundant_override')).body;
    const why = (await reader.client.get<Page<Explanation>>(`${project.url}explain/?environment=staging&name=x`)).body;
    return [
      matrix.results[0]?.cells[0]?.states.includes('redundant'),
      listKindsAndNames(lint),
      why.results[0]?.next?.state,
    ];
  };
  expect(await seen()).toEqual([true, ['redundant_override x'], 'set']);

  await organization.owner.patch(base.url, { access_controlled: true });
  // `project` stays open. Access control of its own would replace that of the project it depends on.
  await organization.owner.patch(project.url, { access_controlled: true });
  await createGrant(organization, reader.url, project.url, 'VIEWER');
  expect(await seen()).toEqual([false, [], 'closed']);
});

it('search returns the same for a text that depends on a secret, independent of the secret', async () => {
  const organization = await core.organization();
  const project = await organization.project();
  const parameter = (name: string, more = {}) => organization.parameter({ project, name, ...more });
  const pin = await organization.value({ parameter: await parameter('PIN', { secret: true }), internal_value: 'port' });
  await organization.value({ parameter: await parameter('port'), internal_value: '1' });
  const childProject = await organization.project({ depends_on: project.url });
  const link = await organization.parameter({ project: childProject, name: 'link' });
  const internal_value = `{{ strata.projects["${project.name}"].parameters[PIN] }}`;
  await organization.value({ parameter: link, internal_value, interpolated: true });
  const seen = async () => {
    const { results, skipped } = (await organization.owner.get<SearchPage>('search/?q=i')).body;
    const explanation = results.find(({ name }) => name === 'link');
    return [skipped, explanation?.wins.map(({ value, secret, failed }) => [value, secret, failed])];
  };
  const before = await seen();
  await organization.owner.patch(pin.url, { internal_value: 'nothing-of-this-name' });
  expect(await seen()).toEqual(before);
});

it('a filter of a comparison does not make an existing name look missing on the other side', async () => {
  const organization = await core.organization();
  const [firstProject, secondProject] = [await organization.project(), await organization.project()];
  for (const project of [firstProject, secondProject]) {
    const parameter = await organization.parameter({ project, name: 'x', description: project.id });
    await organization.value({ parameter, internal_value: 'same' });
  }
  const { body } = await organization.owner.get<Differences>(
    `${firstProject.url}compare/?left=default&right_project=${secondProject.id}&description__icontains=${firstProject.id}`,
  );
  expect(body.results).toEqual([]);
});

/** Ways to set 'hunter2' where the reader has no access. */
const FORBIDDEN_TO_SEARCH: Readonly<Record<string, (world: SearchWorld) => Promise<unknown>>> = {
  'an environment without children': async ({ organization, parameter, production }) => {
    await organization.value({ parameter, environment: production, internal_value: 'hunter2' });
    return organization.owner.patch(production.url, { access_controlled: true });
  },
  'an environment whose value a child overrides': async ({ organization, parameter, production }) => {
    await organization.value({ parameter, environment: production, internal_value: 'hunter2' });
    const canary = await organization.environment({ name: 'canary', parent: production.url });
    await organization.value({ parameter, environment: canary, internal_value: 'nothing' });
    return organization.owner.patch(production.url, { access_controlled: true });
  },
  'a project whose value a dependent project overrides': async (world) => {
    const { organization, base, project, parameter, production, reader } = world;
    await organization.value({ parameter, environment: production, internal_value: 'nothing' });
    const parentParameter = await organization.parameter({ project: base, name: 'x' });
    await organization.value({ parameter: parentParameter, environment: production, internal_value: 'hunter2' });
    for (const scope of [base, project]) await organization.owner.patch(scope.url, { access_controlled: true });
    return createGrant(organization, reader.url, project.url, 'VIEWER');
  },
  'another project': async ({ organization }) => {
    const otherProject = await organization.project();
    await organization.value({
      parameter: await organization.parameter({ project: otherProject, name: 'x' }),
      internal_value: 'hunter2',
    });
    return organization.owner.patch(otherProject.url, { access_controlled: true });
  },
};

async function searchWorld() {
  const organization = await core.organization();
  const base = await organization.project();
  const project = await organization.project({ depends_on: base.url });
  const parameter = await organization.parameter({ project, name: 'x' });
  const production = await organization.environmentNamed('production');
  return {
    organization,
    base,
    project,
    parameter,
    production,
    reader: await createMember(core, organization, 'VIEWER'),
  };
}
type SearchWorld = Awaited<ReturnType<typeof searchWorld>>;

it.each(Object.keys(FORBIDDEN_TO_SEARCH))(
  'the progress of a search does not reveal the contents of %s',
  async (where) => {
    const world = await searchWorld();
    await FORBIDDEN_TO_SEARCH[where]?.(world);
    const searchFor = async (q: string) => {
      const { status, body } = await world.reader.client.get<SearchPage>(`search/?in=value&within_ms=0&q=${q}`);
      return [status, body.results, body.incomplete, body.cursor, body.skipped];
    };
    expect(await searchFor('hunter2')).toEqual(await searchFor('wrong-guess'));
    expect((await searchFor('hunter2'))[1]).toEqual([]);
    // Callers with access find the text, so the search itself works.
    const { body } = await world.organization.owner.get<SearchPage>('search/?in=value&q=hunter2');
    expect(body.results).not.toEqual([]);
  },
);
