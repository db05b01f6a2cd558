import type { SearchPage } from '@strata/contract';
import {
  type ConfigurationModel,
  collectModelMentions,
  countCases,
  evaluateEffective,
  findByKey,
  findEffectiveValue,
  listVisibleNames,
  ModelInService,
  type ModelValue,
  modelPlans,
  SECRET_MARK,
} from '@strata/testkit';
import fc from 'fast-check';
import { type GraphQLFixture, sharedGraphQL } from './graphql-access.ts';
import { createReadingCallers, fetchAllPages, type ReadingCaller } from './reading-callers.ts';

let stack: GraphQLFixture;
beforeAll(async () => {
  stack = await sharedGraphQL();
});

/** A cell of a project as a caller can read it. */
interface Cell {
  readonly place: string;
  readonly name: string;
  readonly text: string | null;
  readonly hidden: boolean;
  readonly from: string;
}

/** Returns every cell that has a value. */
function cellsFor(model: ConfigurationModel, caller: ReadingCaller): readonly Cell[] {
  return model.projects.flatMap((project) => {
    if (!caller.canReadProject(project.key)) return [];
    return listVisibleNames(model, project.key).flatMap((name) =>
      model.environments.flatMap((environment) => {
        if (!caller.canReadEnvironment(environment.key)) return [];
        const value = findEffectiveValue(model, project.key, environment.key, name);
        const seen = evaluateEffective(model, project.key, environment.key, name);
        if (!value || !seen) return [];
        const owner = findByKey(model.projects, findByKey(model.parameters, value.parameter).project);
        const from = `${owner.name} in ${findByKey(model.environments, value.environment).name}`;
        const hidden = seen.secret || isClosedText(model, caller, value, environment.key);
        const place = `${project.name}.${name} in ${environment.name}`;
        return [{ place, name, text: seen.text, hidden, from }];
      }),
    );
  });
}

/** Returns whether a text is masked because it refers to a forbidden project. */
function isClosedText(
  model: ConfigurationModel,
  caller: ReadingCaller,
  value: ModelValue,
  environment: string,
): boolean {
  if (!value.dynamic || value.text === null) return false;
  const { project } = findByKey(model.parameters, value.parameter);
  return collectModelMentions(model, { project, text: value.text }).some((mention) => {
    if (mention.named && !caller.canReadProject(mention.project)) return true;
    const mentionedValue = findEffectiveValue(model, mention.project, environment, mention.name);
    return mentionedValue !== undefined && isClosedText(model, caller, mentionedValue, environment);
  });
}

/** Returns the cells of search results: all of them, or only those that matched. */
function listLocations(pages: readonly SearchPage[], only: 'matched' | 'shown'): string[] {
  return pages.flatMap(({ results }) =>
    results.flatMap(({ project_name: project, name, wins }) =>
      wins
        .filter(({ matched }) => matched || only === 'shown')
        .flatMap(({ value, environments, source_project_name: projectName, source_environment_name: at }) =>
          environments.map(
            ({ environment_name: where }) =>
              `${project}.${name} in ${where}: ${JSON.stringify(value)} of ${projectName} in ${at}`,
          ),
        ),
    ),
  );
}

const describeCell = ({ place, text, hidden, from }: Cell) =>
  `${place}: ${JSON.stringify(hidden && text !== null ? '*****' : text)} of ${from}`;

const inGraphQL = (page: SearchPage | undefined) =>
  page?.results.map(({ project_name: projectName, name, wins }) => ({
    projectName,
    name,
    wins: wins.map((win) => ({
      value: win.value,
      matched: win.matched,
      sourceProjectName: win.source_project_name,
      sourceEnvironmentName: win.source_environment_name,
      environments: win.environments.map(({ environment_name: environmentName }) => ({ environmentName })),
    })),
  }));

const escaped = (text: string) =>
  text.replace(/[^\w]/gu, (character) => `\\x{${character.codePointAt(0)?.toString(16)}}`);

const escapedInJavaScript = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Returns the text with its letters in the other case, as far as each has exactly one. */
const otherCase = (text: string) =>
  [...text].map((letter) => (letter.toUpperCase().length === 1 ? letter.toUpperCase() : letter)).join('');

/** The model at a point in time, with the query parameters for it. */
interface SearchedPointInTime {
  readonly model: ConfigurationModel;
  readonly query: string;
}

async function compareSearch(
  caller: ReadingCaller,
  searched: string,
  { model, query: pointInTime }: SearchedPointInTime,
): Promise<void> {
  const cells = cellsFor(model, caller);
  const q = encodeURIComponent(searched);
  const inAnyCase = new RegExp(`^${escapedInJavaScript(searched)}`, 'iu');
  const comparable = cells.filter(({ hidden, text }) => !hidden && text !== null);
  const matches = {
    contains: comparable.filter(({ text }) => text?.includes(searched)).map(describeCell),
    exact: comparable.filter(({ text }) => text === searched).map(describeCell),
    prefixInAnyCase: comparable.filter(({ text }) => inAnyCase.test(text ?? '')).map(describeCell),
  };
  for (const [query, expected] of [
    [`q=${q}&page_size=2`, matches.contains],
    [`q=${q}&match=exact&within_ms=0`, matches.exact],
    [`q=${encodeURIComponent(otherCase(searched))}&match=prefix&ignore_case=true&page_size=1`, matches.prefixInAnyCase],
    [`q=${encodeURIComponent(escaped(searched))}&match=regex&page_size=3`, matches.contains],
  ] as const) {
    const locations = listLocations(
      await fetchAllPages<SearchPage>(caller.client, `search/?${query}&in=value${pointInTime}`),
      'matched',
    );
    expect([query, locations.toSorted()]).toEqual([query, expected.toSorted()]);
  }
  if (pointInTime !== '') return;
  const { data, errors } = await stack.request(
    `query ($q: String!) { search(q: $q, in: [value]) { cursor results { projectName name wins { value matched
      sourceProjectName sourceEnvironmentName environments { environmentName } } } } }`,
    { q: searched },
    caller.authorization,
  );
  expect(errors).toBeUndefined();
  const [page] = await fetchAllPages<SearchPage>(caller.client, `search/?q=${q}&in=value&page_size=50`);
  expect([data.search.cursor, data.search.results]).toEqual([page?.cursor, inGraphQL(page)]);
}

async function compareSearchByName(service: ModelInService, caller: ReadingCaller, name: string): Promise<void> {
  const expected = cellsFor(service.state, caller).filter((cell) => cell.name === name);
  const pages = await fetchAllPages<SearchPage>(caller.client, `search/?q=${name}&match=exact&in=name`);

  expect(listLocations(pages, 'shown').toSorted()).toEqual(expected.map(describeCell).toSorted());
}

it('search finds in every scope what a brute-force search of the model finds and the caller may see', async () => {
  const plans = await modelPlans({ steps: 24, access: true });
  await fc.assert(
    fc.asyncProperty(plans, fc.nat(), async ({ steps }, pick) => {
      const service = await ModelInService.begin(await stack.organization());
      const middle = await service.applyAll(steps.slice(0, -6));
      const earlier = { model: service.state, query: `&revision=${middle.at(-1)?.revision}` };
      await service.applyAll(steps.slice(-6));
      const owner = (await createReadingCallers(service))[0] as ReadingCaller;
      const texts = cellsFor(service.state, owner).flatMap(({ text }) => text || []);
      const chosen = texts[pick % Math.max(1, texts.length)] ?? 'same';
      const part = [...chosen].slice(0, 2).join('');
      for (const caller of await createReadingCallers(service)) {
        for (const searched of [chosen, part, 'same', SECRET_MARK, '*']) {
          await compareSearch(caller, searched, { model: service.state, query: '' });
        }
        await compareSearchByName(service, caller, 'alpha');
      }
      for (const searched of [chosen, 'same', '-']) await compareSearch(owner, searched, earlier);
    }),
    { numRuns: countCases(6), endOnFailure: true },
  );
});

it('GraphQL rejects a query that the search cannot parse, and returns nothing for one without matches', async () => {
  const organization = await stack.organization();
  const request = (query: string) => stack.request(query, {}, organization.ownerAuthorization);

  for (const wrong of [
    'search(q: "(", match: regex)',
    'search(q: "x", first: 0)',
    'search(q: "x", after: "nonsense")',
  ]) {
    const { errors } = await request(`{ ${wrong} { cursor } }`);
    expect([wrong, errors?.map(({ extensions }) => extensions.code)]).toEqual([wrong, ['BAD_USER_INPUT']]);
  }
  const { data, errors } = await request(
    '{ search(q: "x", project: ["nowhere"]) { cursor } lint(environment: ["default", "staging"]) { incomplete results { name } } }',
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({ search: null, lint: { incomplete: false, results: [] } });
  const anonymous = await stack.request('{ lint { cursor } }');
  expect(anonymous.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
});
