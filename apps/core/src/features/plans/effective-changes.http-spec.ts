import type { AppliedChangeset, Effective, EffectiveChange, Page, Project } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

async function applied({ owner }: TestOrganization, ...operations: readonly object[]) {
  const response = await owner.post<AppliedChangeset>('changesets/', { operations });
  expect([response.status, response.status === 201 ? '' : response.text]).toEqual([201, '']);
  return response.body;
}

const listEffectiveChanges = async (client: TestOrganization['owner'], revision: number) => {
  const { body } = await client.get<Page<EffectiveChange>>(`changesets/${revision}/effective/?page_size=500`);
  expect(body.results).toHaveLength(body.count);
  return body.results;
};

const summarize = ({
  project_name: project,
  environment_name: environment,
  parameter_name: name,
  ...change
}: EffectiveChange) => `${project}/${environment}/${name}: ${change.before} -> ${change.after}`;

const set = (project: string, environment: string, values: object, more: object = {}) => ({
  set: { project, environment, values, create_missing: true, ...more },
});

it('lists changed effective values of a changeset: inherited, overridden and evaluated ones', async () => {
  const organization = await core.organization();
  const base = await organization.project({ name: 'base' });
  await organization.project({ name: 'web', depends_on: base.url });
  await applied(organization, set('base', 'default', { HOST: 'a', OTHER: 'x' }), set('base', 'staging', { HOST: 's' }));
  const link = await organization.parameter({ project: base, name: 'URL' });
  await organization.value({ parameter: link, internal_value: 'http://{{ HOST }}', interpolated: true });

  const { revision } = await applied(
    organization,
    set('base', 'default', { HOST: 'b' }),
    set('web', 'production', { OTHER: 'y' }),
  );

  const listed = (await listEffectiveChanges(organization.owner, revision)).map(summarize).sort();
  const inherited = ['default', 'development', 'production'].flatMap((environment) =>
    ['base', 'web'].flatMap((project) => [
      `${project}/${environment}/HOST: a -> b`,
      `${project}/${environment}/URL: http://a -> http://b`,
    ]),
  );
  expect(listed).toEqual([...inherited, 'web/production/OTHER: x -> y'].sort());
});

it('lists the difference between the effective configurations of two revisions', async () => {
  const organization = await core.organization();
  const creation = await applied(
    organization,
    { operation: 'projects_create', as: 'a', body: { name: 'a' } },
    { operation: 'projects_create', as: 'b', body: { name: 'b', depends_on: { $ref: 'a' } } },
    set('a', 'default', { A: '1', B: '2' }),
    set('b', 'staging', { B: '3', C: null }),
    set('a', 'production', { A: '4' }),
  );
  const { revision } = await applied(
    organization,
    { operation: 'environments_create', as: 'canary', body: { name: 'canary' } },
    { promote: { project: 'a', from: 'production', to: 'staging' } },
    { unset: { project: 'a', environment: 'production', names: ['A'] } },
    { operation: 'projects_partial_update', path: { id: creation.operations[1]?.id }, body: { depends_on: null } },
    set('b', 'canary', { B: '9' }),
  );
  const environments = ['default', 'development', 'staging', 'production', 'canary'];
  const { body: projects } = await organization.owner.get<Page<Project>>('projects/');
  const textsAt = async (at: number) => {
    const texts = new Map<string, string | null>();
    for (const { url, name } of projects.results) {
      for (const environment of environments) {
        const response = await organization.owner.get<Effective>(
          `${url}effective/?environment=${environment}&revision=${at}`,
        );
        const values = response.status === 200 ? response.body.values : {};
        for (const [key, text] of Object.entries(values)) texts.set(`${name}/${environment}/${key}`, text);
      }
    }
    return texts;
  };
  const [before, after] = [await textsAt(revision - 1), await textsAt(revision)];
  const expected = [...new Set([...before.keys(), ...after.keys()])]
    .filter((cell) => before.has(cell) !== after.has(cell) || before.get(cell) !== after.get(cell))
    .map((cell) => `${cell}: ${before.get(cell) ?? null} -> ${after.get(cell) ?? null}`);

  expect(expected.length).toBeGreaterThan(8);
  expect((await listEffectiveChanges(organization.owner, revision)).map(summarize).sort()).toEqual(expected.sort());
});

it('lists a written secret and texts with it as changed, and shows neither', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'web' });
  await applied(organization, set('web', 'production', { TOKEN: { value: 'hunter2', secret: true }, PLAIN: '1' }));
  const auth = await organization.parameter({ project, name: 'AUTH' });
  const environment = await organization.environmentNamed('production');
  await organization.value({ parameter: auth, environment, internal_value: 'Bearer {{ TOKEN }}', interpolated: true });

  const { revision } = await applied(
    organization,
    set('web', 'production', { TOKEN: 'hunter2', PLAIN: '1' }, { touch: true }),
  );

  const effectiveChanges = await listEffectiveChanges(organization.owner, revision);
  expect(
    effectiveChanges.map((change) => [change.parameter_name, change.kind, change.before, change.after, change.masked]),
  ).toEqual([
    ['AUTH', 'changed', '*****', '*****', true],
    ['TOKEN', 'changed', '*****', '*****', true],
  ]);
});

it('effective changes reveal nothing about forbidden scopes and unknown revisions', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'closed' });
  const { body: me } = await organization.owner.get<{ url: string }>('users/current/');
  await organization.owner.post('grants/', { scope: project.url, principal: me.url, role: 'OWNER' });
  const { revision } = await applied(organization, set('closed', 'default', { A: '1' }));

  expect(await listEffectiveChanges(organization.as('CONTRIB'), revision)).toEqual([]);
  expect((await listEffectiveChanges(organization.owner, revision)).length).toBe(4);
  expect((await organization.owner.get(`changesets/${revision + 100}/effective/`)).status).toBe(404);
  expect((await organization.owner.get('changesets/x/effective/')).status).toBe(404);
});
