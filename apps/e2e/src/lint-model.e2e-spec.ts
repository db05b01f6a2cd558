import type { AppliedChangeset, Effective, LintFinding, LintPage, Matrix } from '@strata/contract';
import {
  type ConfigurationModel,
  collectModelMentions,
  countCases,
  findByKey,
  findEffectiveValue,
  listCandidates,
  listTexts,
  listVisibleNames,
  ModelInService,
  type ModelValue,
  modelPlans,
  projectsAbove,
  runsAllCases,
} from '@strata/testkit';
import fc from 'fast-check';
import { type GraphQLFixture, sharedGraphQL } from './graphql-access.ts';
import { createReadingCallers, fetchAllPages, type ReadingCaller } from './reading-callers.ts';

let stack: GraphQLFixture;
beforeAll(async () => {
  stack = await sharedGraphQL();
});

/** Returns whether a value equals the inherited one, as far as the caller can read both. */
function isRedundant(model: ConfigurationModel, caller: ReadingCaller, value: ModelValue): boolean {
  const { name, project, secret } = findByKey(model.parameters, value.parameter);
  if (secret) return false;
  const places = listCandidates(model, project, value.environment, name);
  const behind = places.slice(places.findIndex(({ parameter }) => parameter === value.parameter) + 1);
  for (const { environment, project: owner, parameter, value: next } of behind) {
    if (!caller.canReadEnvironment(environment) || !caller.canReadProject(owner)) return false;
    if (!next) continue;
    if (findByKey(model.parameters, parameter ?? '').secret || next.dynamic !== value.dynamic) return false;
    return next.text === value.text && (!value.dynamic || next.parameter === value.parameter);
  }
  return false;
}

/** Returns the findings that lint must report, one line per cell, or per parameter if it is unreferenced. */
function findingsFor(model: ConfigurationModel, caller: ReadingCaller): string[] {
  const projects = model.projects.filter(({ key }) => caller.canReadProject(key));
  const environments = model.environments.filter(({ key }) => caller.canReadEnvironment(key));
  const leaves = environments.filter(({ key }) => model.environments.every(({ parent }) => parent !== key));
  const redundant = model.values.flatMap((value) => {
    const { name, project } = findByKey(model.parameters, value.parameter);
    const owner = projects.find(({ key }) => key === project);
    const environment = environments.find(({ key }) => key === value.environment);
    if (!owner || !environment || !isRedundant(model, caller, value)) return [];
    return [`redundant_override ${owner.name}.${name} in ${environment.name}`];
  });
  const missing = projects.flatMap(({ key, name: project }) =>
    listVisibleNames(model, key).flatMap((name) =>
      leaves
        .filter((leaf) => findEffectiveValue(model, key, leaf.key, name) === undefined)
        .map((leaf) => `missing_value ${project}.${name} in ${leaf.name}`),
    ),
  );
  // A caller without access to every scope cannot know whether a parameter is unused.
  const seesAll = projects.length === model.projects.length && environments.length === model.environments.length;
  const unused = (seesAll ? projects : []).flatMap(({ key, name: project }) =>
    model.parameters
      .filter((parameter) => parameter.project === key && isLeftOver(model, parameter.key))
      .map(({ name }) => `unreferenced_parameter ${project}.${name}`),
  );
  return [...redundant, ...missing, ...unused].sort();
}

function isLeftOver(model: ConfigurationModel, key: string): boolean {
  const { name, project } = findByKey(model.parameters, key);
  const isBelow = (otherProject: string) =>
    projectsAbove(model, otherProject).some((ancestor) => ancestor.key === project);
  const isRelated = (otherProject: string) =>
    isBelow(otherProject) || projectsAbove(model, project).some((up) => up.key === otherProject);
  return (
    model.values.every(({ parameter }) => parameter !== key) &&
    model.parameters.every(
      (otherParameter) =>
        otherParameter.key === key || otherParameter.name !== name || !isRelated(otherParameter.project),
    ) &&
    listTexts(model).every((source) =>
      collectModelMentions(model, source).every((mention) => mention.name !== name || !isBelow(mention.project)),
    )
  );
}

const describeFindings = (findings: readonly LintFinding[]) =>
  findings
    .flatMap(({ kind, project_name: project, name, environments }) =>
      environments.length === 0
        ? [`${kind} ${project}.${name}`]
        : environments.map(({ environment_name: where }) => `${kind} ${project}.${name} in ${where}`),
    )
    .sort();

const KINDS = 'kind=redundant_override,missing_value,unreferenced_parameter';

async function compareLint(service: ModelInService, caller: ReadingCaller): Promise<readonly LintFinding[]> {
  const expected = findingsFor(service.state, caller);
  for (const query of ['page_size=2', 'within_ms=0']) {
    const pages = await fetchAllPages<LintPage>(caller.client, `lint/?${KINDS}&${query}`);
    expect([query, describeFindings(pages.flatMap(({ results }) => results))]).toEqual([query, expected]);
  }
  const { data, errors } = await stack.request(
    `{ lint(kind: [redundant_override, missing_value, unreferenced_parameter], first: 200) { cursor results { kind projectName name } } }`,
    {},
    caller.authorization,
  );
  expect(errors).toBeUndefined();
  const [page] = await fetchAllPages<LintPage>(caller.client, `lint/?${KINDS}`);
  expect(data.lint.results).toEqual(
    page?.results.map(({ kind, project_name: projectName, name }) => ({ kind, projectName, name })),
  );
  return page?.results ?? [];
}

/** Returns the effective values of every project in every environment. */
async function everythingEffective(service: ModelInService): Promise<unknown> {
  const { projects, environments } = service.state;
  const { owner } = service.organization;
  const read = projects.flatMap(({ key }) =>
    environments.map(async (environment) => {
      const path = `${service.url(key)}effective/?environment=${service.id(environment.key)}`;
      const { values } = (await owner.get<Effective>(path)).body;
      return [key, environment.key, values];
    }),
  );
  return Promise.all(read);
}

/** Returns every cell of every matrix, without the source of its value. */
async function everyCell(service: ModelInService): Promise<unknown> {
  const { owner } = service.organization;
  const read = service.state.projects.map(async ({ key }) => {
    const { results } = (await owner.get<Matrix>(`${service.url(key)}matrix/`)).body;
    return results.map(({ name, parameter_id: id, cells }) => [
      name,
      id,
      cells.map(({ states, text, raw, problem }) => ({
        said: states.filter((state) => !WHENCE.has(state)),
        text,
        raw,
        problem,
      })),
    ]);
  });
  return Promise.all(read);
}

/** The states of a cell that change when its override is removed. */
const WHENCE: ReadonlySet<string> = new Set(['own', 'inherited', 'redundant']);

/** Applies the operations of all findings about redundant overrides in one changeset. Returns their number. */
async function mendOverrides(service: ModelInService, findings: readonly LintFinding[]): Promise<number> {
  const operations = findings.flatMap((finding) => (finding.kind === 'redundant_override' ? finding.operations : []));
  if (operations.length === 0) return 0;
  const { status, text } = await service.organization.owner.post<AppliedChangeset>('changesets/', { operations });
  expect([status, status < 300 ? '' : text]).toEqual([expect.any(Number), '']);
  return operations.length;
}

it('lint finds in every scope what a brute-force search of the model finds and the caller may see', async () => {
  const plans = await modelPlans({ steps: 24, access: true });
  await fc.assert(
    fc.asyncProperty(plans, async ({ steps }) => {
      const service = await ModelInService.begin(await stack.organization());
      await service.applyAll(steps);
      for (const caller of await createReadingCallers(service)) await compareLint(service, caller);
    }),
    { numRuns: countCases(6), endOnFailure: true },
  );
});

it('all fixes of redundant overrides, in one changeset, do not change the matrix or any effective text', async () => {
  let mended = 0;
  const kinds = [
    'set text',
    'set null',
    'set dynamic',
    'create environment',
    'move environment',
    'move project',
  ] as const;
  const plans = await modelPlans({ steps: 40, kinds });
  await fc.assert(
    fc.asyncProperty(plans, async ({ steps }) => {
      const service = await ModelInService.begin(await stack.organization());
      await service.applyAll(
        // Uses few different texts, so that many values are equal.
        steps.map((step) =>
          step.kind === 'set value' && !step.dynamic && step.text !== null ? { ...step, text: 'same' } : step,
        ),
      );
      const [owner] = await createReadingCallers(service);
      const [before, cells] = [await everythingEffective(service), await everyCell(service)];
      mended += await mendOverrides(service, await compareLint(service, owner as ReadingCaller));
      expect(await everythingEffective(service)).toEqual(before);
      expect(await everyCell(service)).toEqual(cells);
    }),
    { numRuns: countCases(6), endOnFailure: true },
  );
  if (runsAllCases) expect(mended).toBeGreaterThanOrEqual(4);
});
