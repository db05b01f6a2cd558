import type { Effective, LintFinding, LintPage, SearchPage } from '@strata/contract';
import { OPERATIONS } from '@strata/contract';
import {
  applying,
  type ConfigurationModel,
  candidates,
  canReadEnvironment,
  canReadProject,
  effective,
  keyed,
  ModelInService,
  type ModelValue,
  mentionsOf,
  modelPlans,
  projectsAbove,
  type RawClient,
  type Reply,
  SECRET_MARK,
  textsOf,
  visibleNames,
} from '@strata/testkit';
import fc from 'fast-check';
import { type GraphQLDoor, sharedGraphQL } from './graphql-access.ts';

let stack: GraphQLDoor;
beforeAll(async () => {
  stack = await sharedGraphQL();
}, 90_000);

/** Somebody who asks, and what the model says that they may look at. */
interface Asker {
  readonly client: RawClient;
  readonly authorization: string;
  readonly canReadProject: (key: string) => boolean;
  readonly canReadEnvironment: (key: string) => boolean;
}

async function askersOf(service: ModelInService): Promise<readonly Asker[]> {
  const { organization, reader, state } = service;
  return [
    {
      client: organization.owner,
      authorization: organization.ownerAuthorization,
      canReadProject: () => true,
      canReadEnvironment: () => true,
    },
    {
      client: reader,
      authorization: await organization.authorization('VIEWER'),
      canReadProject: (key) => canReadProject(state, key),
      canReadEnvironment: (key) => canReadEnvironment(state, key),
    },
  ];
}

/** One name of one project in one environment, as somebody may see it. */
interface Cell {
  readonly place: string;
  readonly name: string;
  readonly text: string | null;
  readonly hidden: boolean;
  readonly from: string;
}

/** Every cell in which something applies. */
function cellsFor(model: ConfigurationModel, asker: Asker): readonly Cell[] {
  return model.projects.flatMap((project) => {
    if (!asker.canReadProject(project.key)) return [];
    return visibleNames(model, project.key).flatMap((name) =>
      model.environments.flatMap((environment) => {
        if (!asker.canReadEnvironment(environment.key)) return [];
        const value = applying(model, project.key, environment.key, name);
        const seen = effective(model, project.key, environment.key, name);
        if (!value || !seen) return [];
        const owner = keyed(model.projects, keyed(model.parameters, value.parameter).project);
        const from = `${owner.name} in ${keyed(model.environments, value.environment).name}`;
        const hidden = seen.secret || isClosedText(model, asker, value, environment.key);
        const place = `${project.name}.${name} in ${environment.name}`;
        return [{ place, name, text: seen.text, hidden, from }];
      }),
    );
  });
}

/** A text that gets something of a closed project which it names is masked. */
function isClosedText(model: ConfigurationModel, asker: Asker, value: ModelValue, environment: string): boolean {
  if (!value.dynamic || value.text === null) return false;
  const { project } = keyed(model.parameters, value.parameter);
  return mentionsOf(model, { project, text: value.text }).some((mention) => {
    if (mention.named && !asker.canReadProject(mention.project)) return true;
    const found = applying(model, mention.project, environment, mention.name);
    return found !== undefined && isClosedText(model, asker, found, environment);
  });
}

/** All pages, one after the other. */
async function everyPage<Page extends { readonly next: string | null }>(client: RawClient, path: string) {
  const pages: Page[] = [];
  for (let next: string | null = path; next !== null; ) {
    const reply: Reply<Page> = await client.get<Page>(next);
    expect([next, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([next, 200, '']);
    expect(reply.text).not.toContain(`${SECRET_MARK} `);
    pages.push(reply.body);
    next = reply.body.next;
  }
  return pages;
}

/** What a search says of each cell: those that it shows, or those alone that matched. */
function placesOf(pages: readonly SearchPage[], only: 'matched' | 'shown'): string[] {
  return pages.flatMap(({ results }) =>
    results.flatMap(({ project_name: project, name, wins }) =>
      wins
        .filter(({ matched }) => matched || only === 'shown')
        .flatMap(({ value, environments, source_project_name: of, source_environment_name: at }) =>
          environments.map(
            ({ environment_name: where }) =>
              `${project}.${name} in ${where}: ${JSON.stringify(value)} of ${of} in ${at}`,
          ),
        ),
    ),
  );
}

const inWords = ({ place, text, hidden, from }: Cell) =>
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

/** The model as it was at some point, and the query that asks for it. */
interface Moment {
  readonly model: ConfigurationModel;
  readonly query: string;
}

async function compareSearch(asker: Asker, searched: string, { model, query: moment }: Moment): Promise<void> {
  const cells = cellsFor(model, asker);
  const q = encodeURIComponent(searched);
  const comparable = cells.filter(({ hidden, text }) => !hidden && text !== null);
  const wanted = {
    contains: comparable.filter(({ text }) => text?.includes(searched)).map(inWords),
    exact: comparable.filter(({ text }) => text === searched).map(inWords),
  };
  for (const [query, expected] of [
    [`q=${q}&page_size=2`, wanted.contains],
    [`q=${q}&match=exact&within_ms=0`, wanted.exact],
    [`q=${encodeURIComponent(escaped(searched))}&match=regex&page_size=3`, wanted.contains],
  ] as const) {
    const found = placesOf(await everyPage<SearchPage>(asker.client, `search/?${query}&in=value${moment}`), 'matched');
    expect([query, found.toSorted()]).toEqual([query, expected.toSorted()]);
  }
  if (moment !== '') return;
  const { data, errors } = await stack.request(
    `query ($q: String!) { search(q: $q, in: [value]) { cursor results { projectName name wins { value matched
      sourceProjectName sourceEnvironmentName environments { environmentName } } } } }`,
    { q: searched },
    asker.authorization,
  );
  expect(errors).toBeUndefined();
  const [page] = await everyPage<SearchPage>(asker.client, `search/?q=${q}&in=value&page_size=50`);
  expect([data.search.cursor, data.search.results]).toEqual([page?.cursor, inGraphQL(page)]);
}

async function compareSearchByName(service: ModelInService, asker: Asker, name: string): Promise<void> {
  const wanted = cellsFor(service.state, asker).filter((cell) => cell.name === name);
  const pages = await everyPage<SearchPage>(asker.client, `search/?q=${name}&match=exact&in=name`);

  expect(placesOf(pages, 'shown').toSorted()).toEqual(wanted.map(inWords).toSorted());
}

/** Whether the text of a value is that of the place behind it, as far as somebody may look. */
function isRedundant(model: ConfigurationModel, asker: Asker, value: ModelValue): boolean {
  const { name, project, secret } = keyed(model.parameters, value.parameter);
  if (secret) return false;
  const places = candidates(model, project, value.environment, name);
  const behind = places.slice(places.findIndex(({ parameter }) => parameter === value.parameter) + 1);
  for (const { environment, project: owner, parameter, value: next } of behind) {
    if (!asker.canReadEnvironment(environment) || !asker.canReadProject(owner)) return false;
    if (!next) continue;
    if (keyed(model.parameters, parameter ?? '').secret || next.dynamic !== value.dynamic) return false;
    return next.text === value.text && (!value.dynamic || next.parameter === value.parameter);
  }
  return false;
}

/** What lint must find, one line for each place. */
function findingsFor(model: ConfigurationModel, asker: Asker): string[] {
  const projects = model.projects.filter(({ key }) => asker.canReadProject(key));
  const environments = model.environments.filter(({ key }) => asker.canReadEnvironment(key));
  const leaves = environments.filter(({ key }) => model.environments.every(({ parent }) => parent !== key));
  const redundant = model.values.flatMap((value) => {
    const { name, project } = keyed(model.parameters, value.parameter);
    const owner = projects.find(({ key }) => key === project);
    const environment = environments.find(({ key }) => key === value.environment);
    if (!owner || !environment || !isRedundant(model, asker, value)) return [];
    return [`redundant_override ${owner.name}.${name} in ${environment.name}`];
  });
  const missing = projects.flatMap(({ key, name: project }) =>
    visibleNames(model, key).flatMap((name) =>
      leaves
        .filter((leaf) => applying(model, key, leaf.key, name) === undefined)
        .map((leaf) => `missing_value ${project}.${name} in ${leaf.name}`),
    ),
  );
  // who may not look everywhere cannot know that nobody uses a name
  const seesAll = projects.length === model.projects.length && environments.length === model.environments.length;
  const unused = (seesAll ? projects : []).flatMap(({ key, name: project }) =>
    model.parameters
      .filter((parameter) => parameter.project === key && isLeftOver(model, parameter.key))
      .map(({ name }) => `unreferenced_parameter ${project}.${name}`),
  );
  return [...redundant, ...missing, ...unused].sort();
}

function isLeftOver(model: ConfigurationModel, key: string): boolean {
  const { name, project } = keyed(model.parameters, key);
  const isBelow = (other: string) => projectsAbove(model, other).some((above) => above.key === project);
  const isNamesake = (other: string) => isBelow(other) || projectsAbove(model, project).some((up) => up.key === other);
  return (
    model.values.every(({ parameter }) => parameter !== key) &&
    model.parameters.every((other) => other.key === key || other.name !== name || !isNamesake(other.project)) &&
    textsOf(model).every((source) =>
      mentionsOf(model, source).every((mention) => mention.name !== name || !isBelow(mention.project)),
    )
  );
}

const linesOf = (findings: readonly LintFinding[]) =>
  findings
    .flatMap(({ kind, project_name: project, name, environments }) =>
      environments.length === 0
        ? [`${kind} ${project}.${name}`]
        : environments.map(({ environment_name: where }) => `${kind} ${project}.${name} in ${where}`),
    )
    .sort();

const KINDS = 'kind=redundant_override,missing_value,unreferenced_parameter';

async function compareLint(service: ModelInService, asker: Asker): Promise<readonly LintFinding[]> {
  const wanted = findingsFor(service.state, asker);
  for (const query of ['page_size=2', 'within_ms=0']) {
    const pages = await everyPage<LintPage>(asker.client, `lint/?${KINDS}&${query}`);
    expect([query, linesOf(pages.flatMap(({ results }) => results))]).toEqual([query, wanted]);
  }
  const { data, errors } = await stack.request(
    `{ lint(kind: [redundant_override, missing_value, unreferenced_parameter], first: 200) { cursor results { kind projectName name } } }`,
    {},
    asker.authorization,
  );
  expect(errors).toBeUndefined();
  const [page] = await everyPage<LintPage>(asker.client, `lint/?${KINDS}`);
  expect(data.lint.results).toEqual(
    page?.results.map(({ kind, project_name: projectName, name }) => ({ kind, projectName, name })),
  );
  return page?.results ?? [];
}

/** Everything that applies anywhere, as programs read it. */
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

/** The operations of all redundant overrides, as a changeset would carry them out. */
async function mendOverrides(service: ModelInService, findings: readonly LintFinding[]): Promise<number> {
  const operations = findings.flatMap((finding) => (finding.kind === 'redundant_override' ? finding.operations : []));
  for (const { operation, path } of operations) {
    const described = OPERATIONS.find(({ id }) => id === operation);
    const target = described?.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '') ?? '';
    const reply = await service.organization.owner.send(described?.method.toUpperCase() ?? '', target);
    expect([operation, reply.status, reply.text]).toEqual([operation, 204, '']);
  }
  return operations.length;
}

it('search and lint say of every place what a brute-force search of the model finds, to whom it may be said', async () => {
  const plans = await modelPlans({ steps: 24, access: true });
  await fc.assert(
    fc.asyncProperty(plans, fc.nat(), async ({ steps }, pick) => {
      const service = await ModelInService.begin(await stack.organization());
      const middle = await service.applyAll(steps.slice(0, -6));
      const earlier = { model: service.state, query: `&revision=${middle.at(-1)?.revision}` };
      await service.applyAll(steps.slice(-6));
      const owner = (await askersOf(service))[0] as Asker;
      const texts = cellsFor(service.state, owner).flatMap(({ text }) => text || []);
      const chosen = texts[pick % Math.max(1, texts.length)] ?? 'same';
      const part = [...chosen].slice(0, 2).join('');
      for (const asker of await askersOf(service)) {
        for (const searched of [chosen, part, 'same', SECRET_MARK, '*']) {
          await compareSearch(asker, searched, { model: service.state, query: '' });
        }
        await compareSearchByName(service, asker, 'alpha');
        await compareLint(service, asker);
      }
      for (const searched of [chosen, 'same', '-']) await compareSearch(owner, searched, earlier);
    }),
    { numRuns: 6, endOnFailure: true },
  );
}, 180_000);

it('all mends of redundant overrides together leave every effective text as it was', async () => {
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
        // few different texts, so that many values say the same
        steps.map((step) =>
          step.kind === 'set value' && !step.dynamic && step.text !== null ? { ...step, text: 'same' } : step,
        ),
      );
      const [owner] = await askersOf(service);
      const before = await everythingEffective(service);
      mended += await mendOverrides(service, await compareLint(service, owner as Asker));
      expect(await everythingEffective(service)).toEqual(before);
    }),
    { numRuns: 6, endOnFailure: true },
  );
  expect(mended).toBeGreaterThan(5);
}, 180_000);

it('GraphQL refuses what the search does not understand, and finds nothing in what is not there', async () => {
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
  const nobody = await stack.request('{ lint { cursor } }');
  expect(nobody.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
});
