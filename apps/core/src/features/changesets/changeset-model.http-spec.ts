import type { AppliedChangeset, Effective, Page, Project } from '@strata/contract';
import { countCases, ledgerProblems, type TestOrganization } from '@strata/testkit';
import fc from 'fast-check';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';

/** This test needs its own core, so that it can check the whole ledger at the end. */
let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

const ENVIRONMENTS = ['default', 'production', 'staging', 'development'] as const;
type EnvironmentName = (typeof ENVIRONMENTS)[number];

type ModelStep =
  | { readonly is: 'project'; readonly project: number }
  | { readonly is: 'rename' | 'remove'; readonly project: number }
  | {
      readonly is: 'set' | 'unset';
      readonly project: number;
      readonly environment: EnvironmentName;
      readonly names: readonly string[];
      readonly text: string | null;
    }
  | {
      readonly is: 'promote';
      readonly project: number;
      readonly environment: EnvironmentName;
      readonly to: EnvironmentName;
    };

/** A project of the model: its name, and its texts by environment and name. */
interface ModelProject {
  readonly name: string;
  readonly names: Set<string>;
  readonly texts: Map<EnvironmentName, Map<string, string | null>>;
}

const NAMES = ['A', 'B', 'C', 'D', 'E', 'F'];
const project = fc.nat({ max: 9 });
const environment = fc.constantFrom(...ENVIRONMENTS);
const step: fc.Arbitrary<ModelStep> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ is: fc.constant('project' as const), project }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom('rename' as const, 'remove' as const), project }) },
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constantFrom('set' as const, 'set' as const, 'unset' as const),
      project,
      environment,
      names: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }),
      text: fc.option(fc.string({ maxLength: 5 }).map((text) => text.replaceAll('\0', ''))),
    }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('promote' as const), project, environment, to: environment }) },
);

/** Applies the steps to the model. Returns the operations of those that are possible. */
function played(steps: readonly ModelStep[]) {
  const projects = new Map<number, ModelProject>();
  const createdProjects = new Map<number, string>();
  const operations: object[] = [];
  for (const [index, playedStep] of steps.entries()) {
    const playedProject = projects.get(playedStep.project);
    if (playedStep.is === 'project') {
      if (playedProject) continue;
      const name = `p${index}`;
      projects.set(playedStep.project, { name, names: new Set(), texts: new Map() });
      createdProjects.set(playedStep.project, name);
      operations.push({ operation: 'projects_create', as: name, body: { name } });
      continue;
    }
    if (!playedProject) continue;
    const reference = { $ref: createdProjects.get(playedStep.project) ?? '' };
    if (playedStep.is === 'rename') {
      projects.set(playedStep.project, { ...playedProject, name: `r${index}` });
      operations.push({ operation: 'projects_partial_update', path: { id: reference }, body: { name: `r${index}` } });
    } else if (playedStep.is === 'remove') {
      projects.delete(playedStep.project);
      operations.push({ operation: 'projects_destroy', path: { id: reference } });
    } else operations.push(...valuesPlayed(playedStep, playedProject, reference));
  }
  return { projects, operations };
}

function valuesPlayed(playedStep: ModelStep, playedProject: ModelProject, reference: object): object[] {
  const textsFor = (name: EnvironmentName) => {
    const texts = playedProject.texts.get(name) ?? new Map<string, string | null>();
    playedProject.texts.set(name, texts);
    return texts;
  };
  if (playedStep.is === 'set') {
    const { names, text } = playedStep;
    for (const name of names) {
      playedProject.names.add(name);
      textsFor(playedStep.environment).set(name, text);
    }
    const values = Object.fromEntries(names.map((name) => [name, text]));
    return [{ set: { project: reference, environment: playedStep.environment, values, create_missing: true } }];
  }
  if (playedStep.is === 'unset') {
    const names = playedStep.names.filter((name) => playedProject.names.has(name));
    for (const name of names) textsFor(playedStep.environment).delete(name);
    return names.length === 0 ? [] : [{ unset: { project: reference, environment: playedStep.environment, names } }];
  }
  if (playedStep.is !== 'promote' || playedStep.environment === playedStep.to) return [];
  for (const [name, text] of textsFor(playedStep.environment)) textsFor(playedStep.to).set(name, text);
  return [{ promote: { project: reference, from: playedStep.environment, to: playedStep.to } }];
}

/** Returns the effective values of the model: the text of the cell, or otherwise that of `default`. */
function modelShows(projects: ReadonlyMap<number, ModelProject>) {
  return [...projects.values()]
    .map(({ name, texts }) => {
      const environmentValues = ENVIRONMENTS.map((environmentName) => {
        const all = new Map([...(texts.get('default') ?? []), ...(texts.get(environmentName) ?? [])]);
        return [environmentName, Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)))] as const;
      });
      return [name, Object.fromEntries(environmentValues)] as const;
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

async function coreShows({ owner }: TestOrganization) {
  const { body } = await owner.get<Page<Project>>('projects/?page_size=100');
  // Every new organization contains this project.
  const projectRows = body.results.filter(({ name }) => name !== 'MyFirstProject');
  const projectValues = projectRows.map(async ({ url, name }) => {
    const effectiveByEnvironment = ENVIRONMENTS.map(async (environmentName) => {
      const { values } = (await owner.get<Effective>(`${url}effective/?environment=${environmentName}`)).body;
      const texts = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
      return [environmentName, Object.fromEntries(texts)] as const;
    });
    return [name, Object.fromEntries(await Promise.all(effectiveByEnvironment))] as const;
  });
  return (await Promise.all(projectValues)).sort(([a], [b]) => (a < b ? -1 : 1));
}

it('a thousand mixed operations have the same effect as a thousand steps of the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2_200, maxLength: 2_200, size: 'max' }), async (steps) => {
      const organization = await core.organization();
      let used = steps.length;
      while (played(steps.slice(0, used)).operations.length > 1_000) used -= 50;
      const { projects, operations } = played(steps.slice(0, used));
      expect(operations.length).toBeGreaterThan(900);
      const applied = await organization.owner.post<AppliedChangeset>('changesets/', { operations });

      expect([applied.status, applied.status === 201 ? '' : applied.text]).toEqual([201, '']);
      expect(applied.body.revision).toBe(2);
      expect(await coreShows(organization)).toEqual(modelShows(projects));
    }),
    { numRuns: countCases(2), endOnFailure: true },
  );
});

it('operations have the same effect one by one as in one changeset', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      const { projects, operations } = played(steps);
      if (operations.length === 0) return;
      const [together, apart] = [await core.organization(), await core.organization()];
      expect((await together.owner.post('changesets/', { operations })).status).toBe(201);
      const ids = new Map<string, string>();
      for (const operation of operations) {
        const text = JSON.stringify(operation).replace(
          /\{"\$ref":"(\w+)"\}/g,
          (_, name: string) => `"${ids.get(name)}"`,
        );
        const applied = await apart.owner.post<AppliedChangeset>('changesets/', { operations: [JSON.parse(text)] });
        expect([applied.status, applied.text.slice(0, applied.status === 201 ? 0 : 500)]).toEqual([201, '']);
        const [done] = applied.body.operations;
        if (done?.as && done.id) ids.set(done.as, done.id);
      }
      expect(await coreShows(together)).toEqual(await coreShows(apart));
      expect(await coreShows(together)).toEqual(modelShows(projects));
    }),
    { numRuns: countCases(4), endOnFailure: true },
  );
});

it('rows, history and changes are consistent at the end', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
