import type { Page, Parameter, ParameterType, Plan, Value } from '@strata/contract';
import { countCases, type RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import fc from 'fast-check';
import { createMember } from '../../testing/members.ts';
import { applyChanges, latestRevision, set } from '../../testing/reverts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const NAMES = ['A', 'B', 'C', 'D'];
/** Texts in the forbidden environment; null sets no value. */
const TEXTS = [null, '1', 'x y', '{{ B }}', '{{ A }}', '{{ strata.environment }}'];
const LOCATIONS = ['base', 'web'].flatMap((project) => NAMES.map((name) => ({ project, name })));
type Hidden = readonly (string | null)[];

/**
 * Creates `default` with the child `vault`, which is forbidden, and its child `below`, which is open. Every name has a
 * value in `below`, so that reading it does not show what is set in `vault`.
 */
async function fixture() {
  const organization = await core.organization();
  const { owner } = organization;
  const base = await organization.project({ name: 'base' });
  const web = await organization.project({ name: 'web', depends_on: base.url });
  const root = await organization.environmentNamed('default');
  const vault = await organization.environment({ name: 'vault', parent: root.url });
  const childEnvironment = await organization.environment({ name: 'below', parent: vault.url });
  const { body: strings } = await owner.get<Page<ParameterType>>('types/?name=string');
  const { body: type } = await owner.post<ParameterType>('types/', { name: 'word', parent: strings.results[0]?.url });
  const parameters = new Map<string, Parameter>();
  for (const project of [base, web]) {
    for (const name of NAMES) {
      const response = await organization.parameter({ project, name, ...(name === 'C' && { type: 'word' }) });
      parameters.set(`${project.name} ${name}`, response);
    }
  }
  const texts = (text: string) => Object.fromEntries(NAMES.map((name) => [name, text]));
  await applyChanges(organization, [
    set('base', texts('1')),
    set('base', texts('2'), 'below'),
    set('web', { A: '3', B: '4' }, 'below'),
    set('web', { A: '5' }, 'staging'),
  ]);
  const number = await organization.parameter({ project: web, name: 'NUMBER', type: 'integer' });
  const dynamic = { parameter: number, environment: childEnvironment, internal_value: '{{ A }}', interpolated: true };
  await organization.value(dynamic);
  const { client } = await createMember(core, organization);
  const viewer = organization.as('VIEWER');
  const revision = await latestRevision(organization);
  await owner.patch(vault.url, { access_controlled: true });
  const parameterId = (project: string, name: string) => parameters.get(`${project} ${name}`)?.id ?? '';
  return {
    organization,
    client,
    viewer,
    base,
    web,
    root,
    vault,
    below: childEnvironment,
    type,
    idOf: parameterId,
    revision,
    parameters,
  };
}
type Fixture = Awaited<ReturnType<typeof fixture>>;

/** Sets exactly the values in `hidden` in the forbidden environment. */
async function hide({ organization, vault, parameters }: Fixture, hidden: Hidden): Promise<void> {
  const { owner } = organization;
  for (const [index, { project, name }] of LOCATIONS.entries()) {
    const parameter = parameters.get(`${project} ${name}`);
    const { body } = await owner.get<Page<Value>>(`${parameter?.url}values/?environment=${vault.id}`);
    const currentValue = body.results.find(({ environment }) => environment === vault.url);
    const text = hidden[index] ?? null;
    if (currentValue && currentValue.internal_value === text) continue;
    if (currentValue) {
      const deletion = await owner.delete(currentValue.url);
      expect([deletion.status, deletion.text]).toEqual([204, '']);
    }
    if (text === null) continue;
    const input = { environment: vault.url, internal_value: text, interpolated: text.includes('{{') };
    const creation = await owner.post(`${parameter?.url}values/`, input);
    // Two texts that refer to each other are rejected; then one value is missing.
    expect([201, 400]).toContain(creation.status);
  }
}

const url = (id: string) => ({ id });
const on = (project: { readonly id: string }, id: string) => ({ project_pk: project.id, id });

/** Operations that could reveal hidden values, each on its own or after others. */
const OPERATIONS: Readonly<Record<string, (setup: Fixture, project: 'base' | 'web', name: string) => object>> = {
  delete: (setup, project, name) => ({
    operation: 'projects_parameters_destroy',
    path: on(setup[project], setup.idOf(project, name)),
  }),
  rename: (setup, project, name) => ({
    operation: 'projects_parameters_partial_update',
    path: on(setup[project], setup.idOf(project, name)),
    body: { name: `${name}_NEW` },
  }),
  type: (setup, project, name) => ({
    operation: 'projects_parameters_partial_update',
    path: on(setup[project], setup.idOf(project, name)),
    body: { type: 'integer' },
  }),
  rule: (setup, project, name) => ({
    operation: 'projects_parameters_rules_create',
    path: { project_pk: setup[project].id, parameter_pk: setup.idOf(project, name) },
    body: { type: 'regex', constraint: '[0-9]+' },
  }),
  'rule of a type': (setup) => ({
    operation: 'types_rules_create',
    path: { type_pk: setup.type.id },
    body: { type: 'regex', constraint: '[0-9]+' },
  }),
  unset: (_, project, name) => ({ unset: { project, environment: 'below', names: [name] } }),
  set: (_, project, name) => ({ set: { project, environment: 'default', values: { [name]: '7' } } }),
  'copy a text': (_, project, name) => ({
    set: { project, environment: 'staging', values: { [name]: { from: { environment: 'below' } } } },
  }),
  promote: (_, project, name) => ({ promote: { project, from: 'below', to: 'staging', names: [name] } }),
  dynamic: (setup, project, name) => ({
    operation: 'projects_parameters_values_create',
    path: { project_pk: setup[project].id, parameter_pk: setup.idOf(project, name) },
    body: { environment: 'development', internal_value: '{{ A }} and {{ D }}', interpolated: true },
  }),
  'create an environment': (setup) => ({
    operation: 'environments_create',
    body: { name: 'new', parent: setup.below.url },
  }),
  'copy an environment': (setup) => ({
    operation: 'environments_copy_create',
    path: url(setup.below.id),
    body: { name: 'copied' },
  }),
  'move an environment': (setup) => ({
    operation: 'environments_partial_update',
    path: url(setup.below.id),
    body: { parent: setup.root.url },
  }),
  'delete an environment': (setup) => ({ operation: 'environments_destroy', path: url(setup.below.id) }),
  'copy a parameter': (setup, project, name) => ({
    operation: 'projects_parameters_copy_create',
    path: on(setup[project], setup.idOf(project, name)),
    body: { name: 'COPIED', project: setup.base.url },
  }),
  'copy a project': (setup, project) => ({
    operation: 'projects_copy_create',
    path: url(setup[project].id),
    body: { name: 'copied' },
  }),
  'move a project': (setup) => ({
    operation: 'projects_partial_update',
    path: url(setup.web.id),
    body: { depends_on: null },
  }),
  'delete a project': (setup) => ({ operation: 'projects_destroy', path: url(setup.web.id) }),
  template: (setup, project, name) => ({
    operation: 'projects_templates_create',
    path: { project_pk: setup[project].id },
    body: { name: 'spy', body: `{{ ${name} }}` },
  }),
};

const DUPLICATE_NAME = { operation: 'environments_create', body: { name: 'default' } };

/** Returns everything that the caller can learn without storing a changeset. */
async function collectResults(client: RawClient, operations: readonly object[]): Promise<unknown> {
  const plan = await client.post<Plan>('changesets/plan/', { operations });
  const response = await client.post('changesets/', { operations: [...operations, DUPLICATE_NAME] });
  const outdated = await client.post<{ plan: Plan }>('changesets/', { operations, plan_hash: 'none' });
  expect([plan.status, response.status >= 400, outdated.status]).toEqual([200, true, 412]);
  return [plan.body, response.status, response.body, outdated.body.plan].map((result) =>
    typeof result === 'object' ? { ...result, base_revision: 0 } : result,
  );
}

const hiddenStates = fc.array(fc.constantFrom(...TEXTS), { minLength: LOCATIONS.length, maxLength: LOCATIONS.length });
const operationArrays = fc.array(
  fc.record({
    kind: fc.constantFrom(...Object.keys(OPERATIONS)),
    project: fc.constantFrom('base' as const, 'web' as const),
    name: fc.constantFrom(...NAMES),
  }),
  { minLength: 1, maxLength: 3 },
);

it('plans, hashes and errors are the same for any values in a forbidden environment', async () => {
  const setup = await fixture();
  await fc.assert(
    fc.asyncProperty(hiddenStates, fc.array(operationArrays, { minLength: 6, maxLength: 6 }), async (hidden, plans) => {
      const results: unknown[] = [];
      for (const state of [hidden, LOCATIONS.map(() => null)]) {
        await hide(setup, state);
        const responses: unknown[] = [];
        for (const plan of plans) {
          const operations = plan.map(({ kind, project, name }) => OPERATIONS[kind]?.(setup, project, name) ?? {});
          responses.push([plan, await collectResults(setup.client, operations)]);
        }
        results.push(responses);
      }
      expect(results[0]).toEqual(results[1]);
    }),
    { numRuns: countCases(5), endOnFailure: true },
  );
});

/** The texts that the forbidden environment has in turns, each in every location. */
const UNIFORM_TEXTS = [null, '1', 'x y', '{{ B }}'];
/** The operations that a viewer plans. */
const VIEWED = ['set', 'unset', 'promote', 'copy a text'];

describe('the plan is the same whatever is set in a forbidden environment', () => {
  /** The results for each text, by the kind of operation. Plans change nothing, so all kinds share an organization. */
  const results: ReadonlyMap<string, unknown>[] = [];
  beforeAll(async () => {
    const setup = await fixture();
    const planOfViewer = async (operation: object) => {
      const { body } = await setup.viewer.post<Plan>('changesets/plan/?assume_write=true', { operations: [operation] });
      return { ...body, base_revision: 0 };
    };
    for (const text of UNIFORM_TEXTS) {
      await hide(
        setup,
        LOCATIONS.map(() => text),
      );
      const byKind = new Map<string, unknown>();
      for (const [kind, operation] of Object.entries(OPERATIONS)) {
        const [first, second] = [operation(setup, 'base', 'A'), operation(setup, 'web', 'C')];
        byKind.set(kind, [await collectResults(setup.client, [first]), await collectResults(setup.client, [second])]);
      }
      for (const kind of VIEWED) {
        const [first, second] = [
          OPERATIONS[kind]?.(setup, 'base', 'A') ?? {},
          OPERATIONS[kind]?.(setup, 'web', 'A') ?? {},
        ];
        byKind.set(`viewer: ${kind}`, [await planOfViewer(first), await planOfViewer(second)]);
      }
      results.push(byKind);
    }
  });

  function expectEqualResults(kind: string): void {
    const [unset, ...others] = results.map((byKind) => byKind.get(kind));
    expect(unset).toEqual([expect.any(Object), expect.any(Object)]);
    expect(others).toEqual([unset, unset, unset]);
  }

  it.each(Object.keys(OPERATIONS))('for %s', (kind) => expectEqualResults(kind));

  it.each(VIEWED)('for a viewer who assumes to write: %s', (kind) => expectEqualResults(`viewer: ${kind}`));
});
