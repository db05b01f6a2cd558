import type {
  AppliedChangeset,
  Effective,
  Environment,
  Page,
  Parameter,
  Plan,
  Project,
  Template,
} from '@strata/contract';
import { countCases, type RunningCore, runsAllCases, sharedCore, type TestOrganization } from '@strata/testkit';
import fc from 'fast-check';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const NAMES = ['A', 'B', 'C', 'D'];
const PROJECTS = ['base', 'middle', 'web'];

/**
 * Literal texts, and dynamic texts that refer to a name, to a name of another project, to a template, or to their own
 * location.
 */
const LITERALS = ['1', '2', 'x y'];
const DYNAMIC = [
  ...['is {{ A }}', '{{ B }}!', '{{ strata.projects.base.parameters.C }}', '{{ strata.templates.t }}'],
  ...['in {{ strata.environment }}', '{{ strata.project }}/{{ strata.self }}'],
];
const TEXTS = [...LITERALS, ...DYNAMIC];

/** The objects of an organization, as REST returns them. */
interface Found {
  readonly projects: readonly Project[];
  readonly environments: readonly Environment[];
  readonly parameters: readonly { readonly project: Project; readonly parameter: Parameter }[];
  readonly templates: readonly { readonly project: Project; readonly template: Template }[];
}

async function findObjects({ owner }: TestOrganization): Promise<Found> {
  const [projects, environments] = await Promise.all([
    owner.get<Page<Project>>('projects/?page_size=100'),
    owner.get<Page<Environment>>('environments/?page_size=100'),
  ]);
  const parameters = await Promise.all(
    projects.body.results.map(async (project) => {
      const { body } = await owner.get<Page<Parameter>>(`${project.url}parameters/?page_size=100`);
      const ownParameters = body.results.filter((parameter) => parameter.url.startsWith(project.url));
      return ownParameters.map((parameter) => ({ project, parameter }));
    }),
  );
  const templates = await Promise.all(
    projects.body.results.map(async (project) => {
      const { body } = await owner.get<Page<Template>>(`${project.url}templates/?page_size=100`);
      return body.results.map((template) => ({ project, template }));
    }),
  );
  return {
    projects: projects.body.results,
    environments: environments.body.results,
    parameters: parameters.flat(),
    templates: templates.flat(),
  };
}

/** Returns the effective values by project, environment and name, with masked secrets. */
async function effective(organization: TestOrganization): Promise<ReadonlyMap<string, string | null>> {
  const { projects, environments } = await findObjects(organization);
  const cells = new Map<string, string | null>();
  for (const project of projects) {
    for (const environment of environments) {
      const { status, body } = await organization.owner.get<Effective>(
        `${project.url}effective/?environment=${environment.id}&mask_secrets=true`,
      );
      expect(status).toBe(200);
      for (const [name, text] of Object.entries(body.values)) {
        cells.set(`${project.id}/${environment.id}/${name}`, text);
      }
    }
  }
  return cells;
}

const pick = fc.nat({ max: 99 });
const edit = fc.record({
  is: fc.constantFrom(
    ...['set', 'set', 'set', 'secret', 'dynamic', 'unset', 'promote', 'project', 'rename', 'remove', 'move'],
    ...['environment', 'hang', 'call', 'close', 'template', 'rename parameter', 'remove parameter', 'copy'],
    ...['describe', 'describe', 'dynamic', 'rewrite template', 'rename template'],
  ),
  first: pick,
  second: pick,
  third: pick,
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/**
 * Returns an operation on existing objects. If it is rejected, both the plan and the changeset are repeated without it.
 */
function buildOperation(
  { is, first, second, third }: Edit,
  { projects, environments, parameters, templates }: Found,
  n: number,
): object {
  const [project, environment] = [at(projects, first), at(environments, second)];
  const named = at(parameters, third) ?? { project, parameter: { id: project.id } };
  const values = { [at(NAMES, third)]: at(TEXTS, first + second) };
  const path = { project_pk: named.project.id, id: named.parameter.id };
  const template = at(templates, third);
  const ofTemplate = { project_pk: template?.project.id ?? project.id, id: template?.template.id ?? project.id };
  const description = { description: `about ${n}` };
  switch (is) {
    case 'set':
      return { set: { project: project.name, environment: environment.name, values, create_missing: true } };
    case 'secret': {
      const secret = { S: { value: at(TEXTS, third), secret: true } };
      return { set: { project: project.name, environment: environment.name, values: secret, create_missing: true } };
    }
    case 'dynamic':
      return {
        operation: 'projects_parameters_values_create',
        path: { project_pk: named.project.id, parameter_pk: named.parameter.id },
        body: { environment: environment.url, internal_value: at(DYNAMIC, first), interpolated: true },
      };
    case 'unset':
      return { unset: { project: named.project.name, environment: environment.name, names: [at(NAMES, third)] } };
    case 'promote':
      return { promote: { project: project.name, from: environment.name, to: at(environments, third).name } };
    case 'project':
      return { operation: 'projects_create', body: { name: `p${n}`, depends_on: project.url } };
    case 'rename':
      return { operation: 'projects_partial_update', path: { id: project.id }, body: { name: `r${n}` } };
    case 'remove':
      return { operation: 'projects_destroy', path: { id: project.id } };
    case 'move':
      return {
        operation: 'projects_partial_update',
        path: { id: project.id },
        body: { depends_on: first % 4 === 0 ? null : at(projects, third).url },
      };
    case 'environment':
      return { operation: 'environments_create', body: { name: `e${n}`, parent: environment.url } };
    case 'hang':
      return {
        operation: 'environments_partial_update',
        path: { id: environment.id },
        body: { parent: at(environments, third).url },
      };
    case 'call':
      return { operation: 'environments_partial_update', path: { id: environment.id }, body: { name: `c${n}` } };
    case 'close':
      return { operation: 'environments_destroy', path: { id: environment.id } };
    case 'template':
      return {
        operation: 'projects_templates_create',
        path: { project_pk: project.id },
        body: { name: `t${n}`, body: at(TEXTS, third) },
      };
    case 'rewrite template':
      return { operation: 'projects_templates_partial_update', path: ofTemplate, body: { body: at(TEXTS, first) } };
    case 'rename template':
      return { operation: 'projects_templates_partial_update', path: ofTemplate, body: { name: `s${n}` } };
    case 'describe':
      return at(
        [
          { operation: 'environments_partial_update', path: { id: environment.id }, body: description },
          {
            operation: 'projects_partial_update',
            path: { id: project.id },
            body: { ...description, parameter_name_pattern: at(['', '[A-Z].*'], third) },
          },
          {
            operation: 'projects_parameters_partial_update',
            path,
            body: { ...description, type: at(['string', 'integer'], first), expires: at([null, 'P30D'], third) },
          },
          { operation: 'projects_templates_partial_update', path: ofTemplate, body: description },
        ],
        first + second + third,
      );
    case 'rename parameter':
      return { operation: 'projects_parameters_partial_update', path, body: { name: at(NAMES, first) } };
    case 'remove parameter':
      return { operation: 'projects_parameters_destroy', path };
    default:
      return { operation: 'projects_copy_create', path: { id: project.id }, body: { name: `k${n}` } };
  }
}

async function begun(): Promise<TestOrganization> {
  const organization = await core.organization();
  const set = (project: string, environment: string, values: object) => ({
    set: { project, environment, values, create_missing: true },
  });
  const creation = await organization.owner.post('changesets/', {
    operations: [
      { operation: 'projects_create', as: 'base', body: { name: 'base' } },
      { operation: 'projects_create', as: 'middle', body: { name: 'middle', depends_on: { $ref: 'base' } } },
      { operation: 'projects_create', body: { name: 'web', depends_on: { $ref: 'middle' } } },
      ...PROJECTS.map((project, index) => set(project, 'default', { A: `${index}`, [at(NAMES, index + 1)]: 'own' })),
      set('base', 'production', { A: 'p', C: 'c' }),
      { operation: 'projects_parameters_create', as: 'd', path: { project_pk: { $ref: 'base' } }, body: { name: 'D' } },
      {
        operation: 'projects_templates_create',
        path: { project_pk: { $ref: 'base' } },
        body: { name: 't', body: '{{ strata.environment }} of {{ strata.project }}: {{ A }}' },
      },
      {
        operation: 'projects_parameters_values_create',
        path: { project_pk: { $ref: 'base' }, parameter_pk: { $ref: 'd' } },
        body: {
          environment: (await organization.environmentNamed('default')).url,
          internal_value: 'is {{ A }}, {{ strata.templates.t }}',
          interpolated: true,
        },
      },
    ],
  });
  expect([creation.status, creation.status === 201 ? '' : creation.text]).toEqual([201, '']);
  return organization;
}

it('a plan is equal to the effects of applying it with its hash', async () => {
  let changedRevision = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(edit, { minLength: 1, maxLength: 6 }), { minLength: 3, maxLength: 5 }),
      async (rounds) => {
        const organization = await begun();
        const { owner } = organization;
        for (const [round, edits] of rounds.entries()) {
          const existing = await findObjects(organization);
          const all = edits.map((planEdit, index) => buildOperation(planEdit, existing, round * 10 + index));
          const { body: first, ...reply } = await owner.post<Plan>('changesets/plan/', { operations: all });
          expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
          const rejectedIndexes = new Set(first.refusals.map(({ index }) => index));
          const operations = all.filter((_, index) => !rejectedIndexes.has(index));
          if (operations.length === 0) continue;
          const before = await effective(organization);
          const { status, body: plan, text } = await owner.post<Plan>('changesets/plan/', { operations });
          expect([status, status === 200 ? plan.refusals : text]).toEqual([200, []]);
          // Without the rejected operations, the plan has the same effects.
          expect(plan.effective_changes).toEqual(first.effective_changes);

          const applied = await owner.post<AppliedChangeset>('changesets/', {
            operations,
            plan_hash: plan.plan_hash,
            plan,
          });
          // A plan does not validate stored secrets. If a secret violates its new type or rule, only the changeset is
          // rejected.
          if (applied.status === 400 && plan.uncovered.some(({ reason }) => reason === 'secret_not_judged')) {
            expect(await effective(organization)).toEqual(before);
            continue;
          }
          expect([applied.status, applied.status === 201 ? '' : applied.text]).toEqual([201, '']);
          const after = await effective(organization);
          expect(describeEffectiveChanges(plan)).toEqual(differences(before, after));
          changedRevision += plan.effective_changes.length;
          const laterValues = await owner.get<Page<Plan['effective_changes'][number]>>(
            `changesets/${applied.body.revision}/effective/?page_size=1000`,
          );
          if (applied.body.url !== null) expect(laterValues.body.count).toBe(plan.totals.effective_changes);
        }
      },
    ),
    { numRuns: countCases(8), endOnFailure: true },
  );
  if (runsAllCases) expect(changedRevision).toBeGreaterThan(15);
});

type Cells = ReadonlyMap<string, string | null>;

/** Compares cells by the names of their location, because objects that a plan creates have no id. */
function differences(before: Cells, after: Cells): readonly string[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const isSame = (key: string) => before.has(key) === after.has(key) && before.get(key) === after.get(key);
  return keys
    .filter((key) => !isSame(key))
    .map((key) => `${key.split('/')[2]}: ${before.get(key) ?? null} -> ${after.get(key) ?? null}`)
    .sort();
}

/**
 * Leaves out secrets that were written with the same text, and texts that depend on them, because these count as
 * changed.
 */
function describeEffectiveChanges({ effective_changes: changes }: Plan): readonly string[] {
  return changes
    .filter(({ masked, kind }) => !(masked && kind === 'changed'))
    .map(({ parameter_name: name, before, after }) => `${name}: ${before} -> ${after}`)
    .sort();
}
