import type { Environment, Page, Parameter, Plan, Project, RecordedChangeset, Value } from '@strata/contract';
import { type Reply, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { describeRecordedChange, lastRecorded } from '../../testing/recorded.ts';
import { latestRevision } from '../../testing/reverts.ts';
import { setText } from '../../testing/texts.ts';

let core: RunningCore;
let organization: TestOrganization;
let project: Project;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
  project = await organization.project({ name: 'shop', description: 'sells things' });
});

const apply = (operation: object, more: object = {}) =>
  organization.owner.post<{ url: string | null }>('changesets/', { operations: [operation], ...more });

const setting = (values: object) => ({ set: { project: 'shop', environment: 'default', values } });

const recorded = async () => (await lastRecorded(core, organization)).map(describeRecordedChange);

const statusAndCode = ({ status, headers }: Reply<unknown>) => [status, headers['x-error-code']];

describe('a changeset (behaviour.md §18)', () => {
  it.each([
    [
      'not_in_changeset',
      () => ({
        operation: 'projects_values_update',
        path: { id: project.id },
        query: { environment: 'default' },
        body: {},
      }),
    ],
    ['contradiction', () => ({ promote: { project: 'shop', from: 'default', to: 'default' } })],
  ])('returns %s for requests that cannot be one of its operations', async (code, operation) => {
    expect(statusAndCode(await apply(operation()))).toEqual([400, code]);
  });

  it('turns a dynamic value into a literal one by setting a text', async () => {
    const { value } = await setText(organization, project, 'where', { text: '{{ strata.environment }}' });
    expect((await apply(setting({ where: '{{ strata.project }}' }))).status).toBe(201);

    expect((await organization.owner.get<Value>(value.url)).body).toMatchObject({
      interpolated: false,
      internal_value: '{{ strata.project }}',
      value: '{{ strata.project }}',
      referenced_projects: [],
    });
    await organization.owner.patch(value.url, { interpolated: true });
    expect((await apply(setting({ where: '{{ strata.project }}' }))).body.url).not.toBeNull();
    expect((await organization.owner.get<Value>(value.url)).body.interpolated).toBe(false);
  });

  it.each([
    ['set', () => setting({ TOKEN: 'hunter2' })],
    [
      'imported',
      () => ({
        operation: 'import_create',
        body: { project: 'shop', environment: 'default', body: 'TOKEN=hunter2', secrets: [], ignore: [] },
      }),
    ],
  ])(
    'writes a secret that is %s to the same text if it has a plan_hash, and raises value_updated',
    async (_, operation) => {
      await setText(organization, project, 'TOKEN', { text: 'hunter2', literal: true, secret: true });
      const before = await latestRevision(organization);
      expect((await apply(operation())).body.url).toBeNull();
      expect(await latestRevision(organization)).toBe(before);

      const { body: plan } = await organization.owner.post<Plan>('changesets/plan/', { operations: [operation()] });
      expect((await apply(operation(), { plan_hash: plan.plan_hash })).status).toBe(201);
      expect(await latestRevision(organization)).toBe(before + 1);
      expect(await recorded()).toEqual(['value_updated update Value TOKEN']);
    },
  );
});

it('the list of changesets can be filtered by environment and project (behaviour.md §18)', async () => {
  const production = await organization.environmentNamed('production');
  const otherProject = await organization.project({ name: 'other' });
  for (const [where, environment] of [
    [project, production],
    [otherProject, production],
    [project, await organization.environmentNamed('staging')],
  ] as const) {
    const parameter = await organization.parameter({ project: where, name: environment.name });
    await organization.value({ parameter, environment });
  }
  const listFound = async (query: string) =>
    (await organization.owner.get<Page<RecordedChangeset>>(`changesets/?${query}`)).body.results.flatMap(
      ({ changes }) => changes.map(({ project_name: name, environment_name: where }) => `${name} ${where}`),
    );

  expect(await listFound('environment=production')).toEqual(['other production', 'shop production']);
  expect(await listFound(`environment=${production.id}&project=shop`)).toEqual(['shop production']);
});

it.each(['project', 'environment'] as const)(
  'access control is a member of the %s, and changing it creates a new version and an event (behaviour.md §2, §4)',
  async (kind) => {
    const scope: Project | Environment = await organization[kind]({ name: 'scope' });
    for (const access_controlled of [true, false]) {
      const { body: before } = await organization.owner.get<Project>(scope.url);
      const { body: after } = await organization.owner.patch<Project>(scope.url, { access_controlled });
      expect(after).toMatchObject({ access_controlled });
      expect(after.ledger_id).not.toBe(before.ledger_id);
      expect(await recorded()).toContain(
        `${kind}_updated update ${kind === 'project' ? 'Project' : 'Environment'} scope`,
      );
    }
    const { body: before } = await organization.owner.get<Project>(scope.url);
    const { body: user } = await organization.owner.get<{ url: string }>('users/current/');
    const grant = { principal: user.url, scope: scope.url, role: 'OWNER' };
    expect((await organization.owner.post('grants/', grant)).status).toBe(201);
    const { body: after } = await organization.owner.get<Project>(scope.url);
    expect(after).toMatchObject({ access_controlled: true, ledger_id: before.ledger_id });
  },
);

it('copies keep the description of the source unless the request contains another one (behaviour.md §2, §4, §5.4)', async () => {
  const { owner } = organization;
  const parameter = await organization.parameter({ project, name: 'port', description: 'where it listens' });
  await organization.project({ name: 'child', description: 'of the shop', depends_on: project.url });
  const environment = await organization.environment({ name: 'blue', description: 'is blue' });
  await organization.environment({ name: 'navy', description: 'is navy', parent: environment.url });
  for (const [what, more] of [
    [project, { recursive: true }],
    [environment, { recursive: true }],
    [parameter, { project: project.url }],
  ] as const) {
    expect((await owner.post(`${what.url}copy/`, { name: `${what.name}-2`, ...more })).status).toBe(201);
  }
  expect((await owner.post(`${environment.url}copy/`, { name: 'green', description: 'is green' })).status).toBe(201);

  const descriptions = async (path: string) =>
    (await owner.get<Page<Parameter>>(path)).body.results.map(({ name, description }) => `${name}: ${description}`);
  expect(await descriptions('projects/?name__contains=-')).toEqual(['child-1: of the shop', 'shop-2: sells things']);
  expect(await descriptions('environments/?name__contains=-')).toEqual(['blue-2: is blue', 'navy-1: is navy']);
  expect(await descriptions('environments/?name=green')).toEqual(['green: is green']);
  expect(await descriptions(`${project.url}parameters/`)).toEqual([
    'port: where it listens',
    'port-2: where it listens',
  ]);
});

it('a reference cycle is rejected even if no single environment contains all of its values (behaviour.md §7.2)', async () => {
  const [production, staging] = [
    await organization.environmentNamed('production'),
    await organization.environmentNamed('staging'),
  ];
  const b = await organization.parameter({ project, name: 'b' });
  await setText(organization, project, 'a', { text: '{{ b }}', environment: production });
  const body = { environment: staging.url, internal_value: '{{ a }}', interpolated: true };

  expect(statusAndCode(await organization.owner.post(`${b.url}values/`, body))).toEqual([400, 'dependency_loop']);
});
