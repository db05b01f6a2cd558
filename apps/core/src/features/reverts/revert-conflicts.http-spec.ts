import type { Effective, Environment, Page, Parameter, ParameterType, Project } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { applyChanges, latestRevision, listConflicts, revertChanges, set } from '../../testing/reverts.ts';
import { fetchType } from '../../testing/types.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const readValues = async ({ owner }: TestOrganization, project = 'web') => {
  const { id } = (await owner.get<Page<Project>>(`projects/?name=${project}`)).body.results[0] as Project;
  return (await owner.get<Effective>(`projects/${id}/effective/?environment=default`)).body.values;
};

const readFirst = async <T>({ owner }: TestOrganization, path: string) =>
  (await owner.get<Page<T>>(path)).body.results[0] as T;

const findParameter = async (organization: TestOrganization, name: string, project = 'web') => {
  const { url } = await readFirst<Project>(organization, `projects/?name=${project}`);
  return readFirst<Parameter>(organization, `${url}parameters/?name=${name}`);
};

/** A changeset, the changes after it, and the expected conflicts of its revert. */
interface Case {
  readonly before?: readonly object[];
  readonly changeset: (organization: TestOrganization) => Promise<readonly object[]> | readonly object[];
  readonly since: (organization: TestOrganization) => Promise<unknown>;
  readonly conflicts: readonly string[];
}

const WEB = [{ operation: 'projects_create', as: 'web', body: { name: 'web' } }];
const values = (texts: object) => set({ $ref: 'web' } as never, texts);
const destroy = async (organization: TestOrganization, name: string) => {
  const { url } = await findParameter(organization, name);
  return organization.owner.delete(url);
};
const destroyed = async (organization: TestOrganization, name: string) => {
  const { id, project_pk } = await findIds(organization, name);
  return [{ operation: 'projects_parameters_destroy', path: { id, project_pk } }];
};
async function findIds(organization: TestOrganization, name: string) {
  const { id } = await findParameter(organization, name);
  return { id, project_pk: (await readFirst<Project>(organization, 'projects/?name=web')).id };
}

const CASES: Readonly<Record<string, Case>> = {
  'a value that was changed since': {
    before: [...WEB, values({ A: '1', B: '1' })],
    changeset: () => [set('web', { A: '2', B: '2' })],
    since: (organization) => applyChanges(organization, [set('web', { A: '3' })]),
    conflicts: ['Value A: changed_since'],
  },
  'a value that was deleted since': {
    before: [...WEB, values({ A: '1' })],
    changeset: () => [set('web', { A: '2' })],
    since: (organization) =>
      applyChanges(organization, [{ unset: { project: 'web', environment: 'default', names: ['A'] } }]),
    conflicts: ['Value A: changed_since'],
  },
  'a value whose cell has another value now': {
    before: [...WEB, values({ A: '1' })],
    changeset: () => [{ unset: { project: 'web', environment: 'default', names: ['A'] } }],
    since: (organization) => applyChanges(organization, [set('web', { A: '9' })]),
    conflicts: ['Value A: name_taken'],
  },
  'a project in which an object was created since': {
    changeset: () => WEB,
    since: (organization) => applyChanges(organization, [set('web', { A: '1' })]),
    conflicts: ['Project web: made_below'],
  },
  'an environment that has a tag now': {
    changeset: () => [{ operation: 'environments_create', body: { name: 'canary' } }],
    since: async (organization) =>
      organization.owner.post(`${(await organization.environmentNamed('canary')).url}tags/`, { name: 'v1' }),
    conflicts: ['Environment canary: made_below'],
  },
  'a value whose parameter was deleted': {
    before: [...WEB, values({ A: '1' })],
    changeset: () => [{ unset: { project: 'web', environment: 'default', names: ['A'] } }],
    since: (organization) => destroy(organization, 'A'),
    conflicts: ['Value A: missing_parent'],
  },
  'a parameter whose name is taken, and its value': {
    before: [...WEB, values({ A: '1' })],
    changeset: (organization) => destroyed(organization, 'A'),
    since: (organization) => applyChanges(organization, [set('web', { A: '9' })]),
    conflicts: ['Value A: needs_skipped', 'Parameter A: name_taken'],
  },
  'an environment that would be its own ancestor': {
    before: [
      { operation: 'environments_create', as: 'x', body: { name: 'x' } },
      { operation: 'environments_create', as: 'y', body: { name: 'y', parent: { $ref: 'x' } } },
    ],
    changeset: async (organization) => [
      {
        operation: 'environments_partial_update',
        path: { id: (await organization.environmentNamed('y')).id },
        body: { parent: (await organization.environmentNamed('default')).id },
      },
    ],
    since: async (organization) =>
      organization.owner.patch<Environment>((await organization.environmentNamed('x')).url, {
        parent: (await organization.environmentNamed('y')).url,
      }),
    conflicts: ['Environment y: cycle'],
  },
  'a text that violates the current rules': {
    before: [...WEB, values({ A: { value: 'long enough', type: 'string' } })],
    changeset: () => [set('web', { A: 'x' })],
    since: async (organization) =>
      organization.owner.post(`${(await findParameter(organization, 'A')).url}rules/`, {
        type: 'max_len',
        constraint: '3',
      }),
    conflicts: ['Value A: rule_violation'],
  },
  'a rule that current texts violate': {
    before: [...WEB, values({ A: 'x' })],
    changeset: async (organization) => {
      const { id, project_pk } = await findIds(organization, 'A');
      const { url } = await findParameter(organization, 'A');
      const rule = await organization.owner.post<{ id: string }>(`${url}rules/`, { type: 'max_len', constraint: '3' });
      return [
        { operation: 'projects_parameters_rules_destroy', path: { id: rule.body.id, project_pk, parameter_pk: id } },
      ];
    },
    since: (organization) => applyChanges(organization, [set('web', { A: 'too long by now' })]),
    conflicts: ['ParameterRule max_len: existing_values'],
  },
  'a dynamic text whose reference no longer resolves': {
    before: [...WEB, values({ A: 'x', B: 'plain' })],
    changeset: async (organization) => {
      const { id, project_pk } = await findIds(organization, 'B');
      const { url } = await findParameter(organization, 'B');
      const value = await readFirst<{ url: string; id: string }>(organization, `${url}values/`);
      await organization.owner.patch(value.url, { internal_value: 'says {{ A }}', interpolated: true });
      const path = { id: value.id, project_pk, parameter_pk: id };
      const body = { internal_value: 'plain', interpolated: false };
      return [{ operation: 'projects_parameters_values_partial_update', path, body }];
    },
    since: (organization) => destroy(organization, 'A'),
    conflicts: ['Value B: unknown_reference'],
  },
  'a parameter that a text refers to now': {
    before: WEB,
    changeset: () => [set('web', { A: 'x' })],
    since: async (organization) => {
      const { url } = await readFirst<Project>(organization, 'projects/?name=web');
      return organization.owner.post(`${url}templates/`, { name: 't', body: '{{ A }}' });
    },
    conflicts: ['Parameter A: parameter_is_referenced'],
  },
  'a name that the current pattern does not allow': {
    before: [...WEB, values({ A: 'x' })],
    changeset: (organization) => destroyed(organization, 'A'),
    since: async (organization) =>
      organization.owner.patch((await readFirst<Project>(organization, 'projects/?name=web')).url, {
        parameter_name_pattern: 'WEB_',
      }),
    conflicts: ['Value A: needs_skipped', 'Parameter A: name_pattern'],
  },
  'a type that a parameter has now': {
    changeset: async (organization) => [
      { operation: 'types_create', body: { name: 'port', parent: (await fetchType(organization, 'integer')).id } },
    ],
    since: (organization) => applyChanges(organization, [...WEB, values({ PORT: { value: '80', type: 'port' } })]),
    conflicts: ['ParameterType port: made_below'],
  },
};

describe('a revert detects', () => {
  it.each(Object.keys(CASES))('%s', async (name) => {
    const { before = [], changeset, since, conflicts } = CASES[name] as Case;
    const organization = await core.organization();
    if (before.length > 0) await applyChanges(organization, before);
    const { revision } = await applyChanges(organization, await changeset(organization));
    await since(organization);
    const latest = await latestRevision(organization);

    const response = await revertChanges(organization.owner, revision);
    expect([response.status, response.headers['x-error-code'], listConflicts(response)]).toEqual([
      409,
      'revert_conflicts',
      conflicts,
    ]);
    for (const { detail } of response.body.conflicts) expect(detail).toMatch(/\.$/);
    expect(await latestRevision(organization)).toBe(latest);

    const skipped = await revertChanges(organization.owner, revision, { on_conflict: 'skip' });
    expect([skipped.status, listConflicts(skipped), skipped.body.conflict_count]).toEqual([
      201,
      conflicts,
      conflicts.length,
    ]);
  });

  it('newer changes, which it overwrites on request', async () => {
    const organization = await core.organization();
    await applyChanges(organization, [...WEB, values({ A: '1', B: '1', C: '1' })]);
    const { revision } = await applyChanges(organization, [set('web', { A: '2', B: '2', C: '2' })]);
    await applyChanges(organization, [
      set('web', { A: '3' }),
      { unset: { project: 'web', environment: 'default', names: ['B'] } },
    ]);

    expect((await revertChanges(organization.owner, revision, { on_conflict: 'skip' })).body).toMatchObject({
      change_count: 1,
      changes: [{ action: 'update', object_type: 'Value', object_name: 'C' }],
    });
    expect(await readValues(organization)).toEqual({ A: '3', C: '1' });
    const overwritten = await revertChanges(organization.owner, revision, { on_conflict: 'overwrite' });
    expect([overwritten.status, overwritten.body.change_count]).toEqual([201, 2]);
    expect(await readValues(organization)).toEqual({ A: '1', B: '1', C: '1' });
  });

  it('other conflicts, which cannot be overwritten', async () => {
    const organization = await core.organization();
    const { revision } = await applyChanges(organization, WEB);
    await applyChanges(organization, [set('web', { A: '1' })]);
    const response = await revertChanges(organization.owner, revision, { on_conflict: 'overwrite' });
    expect([response.status, listConflicts(response)]).toEqual([409, ['Project web: made_below']]);
  });

  it('operations on the same object that are not reverted', async () => {
    const organization = await core.organization();
    await applyChanges(organization, [...WEB, values({ A: '1', B: '1' })]);
    const { revision } = await applyChanges(organization, [
      set('web', { A: '2' }),
      set('web', { B: '2' }),
      set('web', { A: '3' }),
    ]);
    const response = await revertChanges(organization.owner, revision, { operations: [0] });
    expect([response.status, listConflicts(response)]).toEqual([409, ['Value A: shared_change']]);

    expect((await revertChanges(organization.owner, revision, { operations: [1] })).status).toBe(201);
    expect(await readValues(organization)).toEqual({ A: '3', B: '1' });
    expect((await revertChanges(organization.owner, revision, { operations: [0, 2] })).status).toBe(201);
    expect(await readValues(organization)).toEqual({ A: '1', B: '1' });
    const unknown = await revertChanges(organization.owner, revision, { operations: [7] });
    expect([unknown.status, unknown.headers['x-error-code']]).toEqual([400, 'unknown_operation']);
  });

  it('no conflict if a changeset swapped names', async () => {
    const organization = await core.organization();
    await applyChanges(organization, [...WEB, { operation: 'projects_create', body: { name: 'shop' } }]);
    const [web, shop] = [
      await readFirst<Project>(organization, 'projects/?name=web'),
      await readFirst<Project>(organization, 'projects/?name=shop'),
    ];
    const rename = (id: string, name: string) => ({
      operation: 'projects_partial_update',
      path: { id },
      body: { name },
    });
    const { revision } = await applyChanges(organization, [
      rename(web.id, 'meanwhile'),
      rename(shop.id, 'web'),
      rename(web.id, 'shop'),
    ]);
    expect((await revertChanges(organization.owner, revision)).status).toBe(201);
    expect((await organization.owner.get<Project>(web.url)).body.name).toBe('web');
    expect((await organization.owner.get<Project>(shop.url)).body.name).toBe('shop');
  });

  it('no conflict for types and their parameters, which it restores in the required order', async () => {
    const organization = await core.organization();
    await applyChanges(organization, [...WEB, values({ A: '80' })]);
    const string = await fetchType(organization, 'integer');
    const { id, project_pk } = await findIds(organization, 'A');
    const { revision } = await applyChanges(organization, [
      { operation: 'types_create', as: 'port', body: { name: 'port', parent: string.id } },
      {
        operation: 'types_rules_create',
        path: { parametertype_pk: { $ref: 'port' } },
        body: { type: 'max', constraint: '99' },
      },
      { operation: 'projects_parameters_partial_update', path: { id, project_pk }, body: { type: 'port' } },
      set('web', { A: '90' }),
    ]);
    expect((await revertChanges(organization.owner, revision)).status).toBe(201);
    expect(await readFirst<ParameterType>(organization, 'types/?name=port')).toBeUndefined();
    expect(await findParameter(organization, 'A')).toMatchObject({ type: 'string' });
    expect(await readValues(organization)).toEqual({ A: '80' });
  });
});
