import type { AppliedChangeset, Page, Parameter, Project, RecordedChangeset } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const apply = (
  organization: TestOrganization,
  operations: readonly object[],
  more: object = {},
  client = organization.owner,
) => client.post<AppliedChangeset>('changesets/', { operations, ...more });

const readRevision = async ({ owner }: TestOrganization) =>
  Number((await owner.get('users/current/')).headers['x-revision']);

describe('a changeset', () => {
  it('creates objects that refer to each other in one revision', async () => {
    const organization = await core.organization();
    const before = await readRevision(organization);

    const applied = await apply(
      organization,
      [
        { operation: 'environments_create', as: 'canary', body: { name: 'canary' } },
        { operation: 'projects_create', as: 'web', body: { name: 'web' } },
        { operation: 'projects_create', body: { name: 'shop', depends_on: { $ref: 'web' } } },
        {
          operation: 'projects_parameters_create',
          as: 'port',
          path: { project_pk: { $ref: 'web' } },
          body: { name: 'PORT', type: 'integer' },
        },
        {
          operation: 'projects_parameters_values_create',
          path: { project_pk: { $ref: 'web' }, parameter_pk: { $ref: 'port' } },
          body: { environment: { $ref: 'canary' }, internal_value: '80' },
        },
        {
          set: {
            project: { $ref: 'web' },
            environment: 'default',
            values: { PORT: '443', HOST: 'a.example' },
            create_missing: true,
          },
        },
      ],
      { message: 'a shop', external_ref: 'T-1' },
    );

    expect(applied).toMatchObject({
      status: 201,
      body: { revision: before + 1, message: 'a shop', external_ref: 'T-1' },
    });
    expect(applied.headers.location).toBe(applied.body.url);
    const [, web, shop] = applied.body.operations;
    expect(web).toMatchObject({
      as: 'web',
      changes: [{ action: 'create', object_type: 'Project', object_name: 'web' }],
    });
    const { body: project } = await organization.owner.get<Project>(`projects/${shop?.id}/`);
    expect(project.depends_on).toBe(web?.changes[0]?.url);
    const { body: parameters } = await organization.owner.get<Page<Parameter>>(
      `projects/${web?.id}/parameters/?environment=canary`,
    );
    expect(parameters.results.map(({ name, values }) => [name, Object.values(values)[0]?.value])).toEqual([
      ['HOST', 'a.example'],
      ['PORT', '80'],
    ]);
    const { body: recorded } = await organization.owner.get<RecordedChangeset>(applied.body.url ?? '');
    expect(recorded).toMatchObject({
      revision: before + 1,
      message: 'a shop',
      external_ref: 'T-1',
      change_count: 8,
      surface: 'rest',
    });
  });

  it('stores nothing if an operation is rejected, and reports every error', async () => {
    const organization = await core.organization();
    const before = await readRevision(organization);

    const response = await apply(organization, [
      { operation: 'environments_create', as: 'a', body: { name: 'a' } },
      { operation: 'environments_create', as: 'b', body: { name: 'default' } },
      { operation: 'environments_create', body: { name: 'c', parent: { $ref: 'b' } } },
      { operation: 'projects_destroy', path: { id: '00000000-0000-4000-8000-000000000000' } },
      { operation: 'environments_create', body: {} },
    ]);

    expect(response).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringContaining('4 of 5'),
        operations: [
          { index: 1, status: 400, code: 'duplicate_name', error: { name: [expect.any(String)] } },
          { index: 2, status: null, code: 'skipped' },
          { index: 3, status: 404, code: 'not_found', error: { detail: expect.any(String) } },
          { index: 4, status: 400, code: 'required', error: { name: ['This field is required.'] } },
        ],
      },
    });
    expect(response.headers['x-error-code']).toBe('changeset_refused');
    expect(await readRevision(organization)).toBe(before);
    expect((await organization.owner.get<Page<object>>('environments/?name=a')).body.count).toBe(0);
  });
});
