import type { Effective, Page, ParameterType, Project } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess } from './testing/core-in-process.ts';

/** Each request must run the same number of statements for few objects as for many. */
let core: CoreInProcess;
let small: Fixture;
let large: Fixture;

interface Fixture {
  readonly organization: TestOrganization;
  readonly project: Project;
  readonly parameter: string;
  readonly environment: string;
  /** The type of all parameters. It has a rule, and as many child types as there are parameters. */
  readonly type: string;
  readonly rule: string;
  /** The instant after everything was created. */
  readonly complete: string;
}

/** The numbers of parameters in the small and in the large organization. Both have every kind of parameter. */
const [FEW, MANY] = [6, 24];

beforeAll(async () => {
  core = await startCoreInProcess();
  small = await createFixture(FEW);
  large = await createFixture(MANY);
});
afterAll(() => core.close());

/** Creates this many parameters with values in two environments, and as many environments, projects and types. */
async function createFixture(count: number): Promise<Fixture> {
  const organization = await core.organization();
  const base = await organization.project();
  const project = await organization.project({ depends_on: base.url });
  const production = await organization.environmentNamed('production');
  const type = await typeBelow(organization, 'string', 'word');
  const input = { type: 'max_len', constraint: '99' };
  const { body: rule } = await organization.owner.post<{ url: string }>(`${type}rules/`, input);
  let parameter = '';
  let complete = '';
  for (let n = 0; n < count; n += 1) {
    const parameterRow = await organization.parameter({
      project: n % 2 === 0 ? project : base,
      name: `p${n}`,
      secret: n % 3 === 0,
      type: 'word',
    });
    const text = n % 3 === 1 ? `{{ p${n - 1} }}` : 'a text';
    await organization.value({
      parameter: parameterRow,
      internal_value: text,
      interpolated: n % 3 === 1 && n % 2 === 0,
    });
    await organization.owner.post(`${project.url}templates/`, { name: `t${n}`, body: `{{ p${n} | upcase }}{{ p0 }}` });
    await organization.owner.post(`${production.url}tags/`, { name: `v${n}` });
    const { modified_at: instant } = await organization.value({ parameter: parameterRow, environment: production });
    complete = instant ?? '';
    await organization.environment({ name: `e${n}`, parent: production.url });
    await organization.project({ name: `project ${n}` });
    await typeBelow(organization, 'word', `t${n}`);
    await organization.owner.post(`${parameterRow.url}rules/`, input);
    if (n === 0) parameter = parameterRow.url;
  }
  return { organization, project, parameter, environment: production.url, type, rule: rule.url, complete };
}

async function typeBelow({ owner }: TestOrganization, parent: string, name: string): Promise<string> {
  const { body } = await owner.get<{ results: ParameterType[] }>(`types/?name=${parent}`);
  return (await owner.post<ParameterType>('types/', { name, parent: body.results[0]?.url })).body.url;
}

/** A list that is stored only if it is small has another URL in each attempt, so that none is answered from memory. */
const READS: Readonly<Record<string, (fixture: Fixture) => string>> = {
  'the list of parameters in one environment': ({ project }) => `${project.url}parameters/?environment=production`,
  'the list of parameters in all environments': ({ project }) => `${project.url}parameters/?attempt={attempt}`,
  'parameters that differ': ({ project }) =>
    `${project.url}parameters/?difference=default,production&attempt={attempt}`,
  'one parameter': ({ parameter }) => `${parameter}?environment=production`,
  'values of one parameter': ({ parameter }) => `${parameter}values/`,
  'the effective configuration': ({ project }) => `${project.url}effective/?environment=production`,
  'the effective configuration of then': ({ project, complete }) =>
    `${project.url}effective/?environment=production&as_of=${complete}`,
  'two points in time side by side': ({ project, complete }) =>
    `${project.url}parameters/duality/?environment=production&t1_as_of=${complete}`,
  'a matrix': ({ project }) => `${project.url}matrix/?page_size=4`,
  'a matrix of then': ({ project, complete }) => `${project.url}matrix/?environment=production&as_of=${complete}`,
  'the differences of two environments': ({ project }) => `${project.url}compare/?left=default&right=production`,
  'the timeline of a project': ({ project }) => `${project.url}parameters/timelines/`,
  'an export': ({ project }) => `${project.url}parameter-export/?output=dotenv&environment=production`,
  'templates, rendered': ({ project }) => `${project.url}templates/?environment=production&evaluate=true`,
  'tags of an environment': ({ environment }) => `${environment}tags/`,
  'the audit trail': () => 'audit/',
  environments: () => 'environments/',
  'one environment': ({ environment }) => environment,
  projects: () => 'projects/',
  'one project': ({ project }) => project.url,
  types: () => 'types/',
  'one type': ({ type }) => type,
  'rules of a type': ({ type }) => `${type}rules/`,
  'rules of a parameter': ({ parameter }) => `${parameter}rules/`,
  events: () => 'events/?after=&limit=500',
};

/** Returns the smallest count of several attempts, because statements of other work in the process are counted, too. */
async function countStatements(fixture: Fixture, path: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 4; attempt += 1)
    least = Math.min(least, (await recordStatements(fixture, path.replace('{attempt}', `${attempt}`))).length);
  return least;
}

async function recordStatements({ organization }: Fixture, path: string): Promise<readonly string[]> {
  core.statements();
  const { status } = await organization.owner.get(path);
  expect([path, status]).toEqual([path, 200]);
  return core.statements();
}

it.each(Object.entries(READS))('reading %s runs as many statements for many objects as for few', async (_, pathOf) => {
  const countForFew = await countStatements(small, pathOf(small));
  const many = await countStatements(large, pathOf(large));

  expect(countForFew).toBeGreaterThan(0);
  expect(many).toBe(countForFew);
  expect(many).toBeLessThanOrEqual(3);
});

it('reading the effective configuration after a change runs two statements: one for the head and one for the changes', async () => {
  const { organization, project } = large;
  const { owner } = organization;
  const path = `${project.url}effective/?environment=production`;
  const { url } = await organization.value({ parameter: await organization.parameter({ project, name: 'new' }) });
  await owner.get(path);
  const attempts: string[][] = [];
  for (const text of ['1', '2', '3', '4']) {
    await owner.patch(url, { internal_value: text });
    const statements = await recordStatements(large, path);
    attempts.push(statements.filter((statement) => /organization_head|strata_heads/.test(statement)));
  }
  const [[head, moves, ...more] = []] = attempts.toSorted((left, right) => left.length - right.length);
  expect(isLookAtHead(head)).toBe(true);
  // a single statement could also read the whole configuration again, from projects, environments and parameters
  expect(moves).toContain('from change');
  expect(moves).not.toContain('recursive');
  expect(more).toEqual([]);
});

const isLookAtHead = (statement = '') => /^select \* from strata_heads\(/.test(statement.trim());

it.each([
  { of: 'literal texts', text: 'a text', reads: 1 },
  { of: 'dynamic texts', text: '{{ base }}', reads: 2 },
])(
  'reading a matrix of $of runs one statement for the head and $reads for its rows, which are cached afterwards',
  async (which) => {
    const organization = await core.organization();
    const project = await organization.project();
    await organization.value({ parameter: await organization.parameter({ project, name: 'base' }) });
    const counts: { readonly first: readonly number[]; readonly again: readonly number[] }[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      // a new name for each attempt, so that nothing is cached for it
      const parameter = await organization.parameter({ project });
      const interpolated = which.reads === 2;
      await organization.value({ parameter, internal_value: which.text, interpolated });
      const counted = async () => {
        core.statements();
        const path = `${project.url}matrix/?name=${parameter.name}`;
        const { status, text } = await organization.owner.get(path);
        expect([status, text.includes('"count":1')]).toEqual([200, true]);
        const all = core.statements();
        const headReads = all.filter(isLookAtHead).length;
        return [headReads, all.length - headReads];
      };
      counts.push({ first: await counted(), again: await counted() });
    }
    // takes the smallest count, because statements of other work in the process are counted, too
    const least = (round: 'first' | 'again', kind: 0 | 1) =>
      Math.min(...counts.map((count) => count[round][kind] ?? 0));
    expect([least('first', 0), least('first', 1)]).toEqual([1, which.reads]);
    expect([least('again', 0), least('again', 1)]).toEqual([1, 0]);
  },
);

it('changing a rule of a type runs as many statements for the values of many parameters as for those of few', async () => {
  let constraint = 99;
  const cost = async ({ organization, rule }: Fixture) => {
    let least = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 4; attempt += 1) {
      constraint += 1;
      core.statements();
      const { status } = await organization.owner.patch(rule, { constraint: String(constraint) });
      expect(status).toBe(200);
      least = Math.min(least, core.statements().filter((statement) => statement.includes('parameter')).length);
    }
    return least;
  };
  const smallCost = await cost(small);
  expect(smallCost).toBeGreaterThan(0);
  expect(await cost(large)).toBe(smallCost);
});

it('importing and copying a thousand parameters runs as many statements as two parameters', async () => {
  const { owner } = await core.organization();
  const body = (count: number) => Array.from({ length: count }, (_, n) => `P${n}=text ${n}\n`).join('');
  const imported = async (project: string, count: number) => {
    const secrets = Array.from({ length: count / 2 }, (_, n) => `P${n}`);
    return (await owner.post('import/', { project, body: body(count), secrets, ignore: [] })).status;
  };
  const projectNamed = async (name: string) =>
    (await owner.get<Page<Project>>(`projects/?name=${name}`)).body.results[0]?.url ?? '';
  const copied = async (name: string) => {
    const url = await projectNamed(name);
    return (await owner.post(`${url}copy/`, { name: `${name}-2` })).status;
  };
  const cost = async (work: () => Promise<number>) => {
    core.statements();
    expect(await work()).toBe(201);
    return core.statements().length;
  };

  for (const work of [imported, copied]) {
    const smallCost = await cost(() => work('few', 2));
    const many = await cost(() => work('many', 1_000));
    expect(smallCost).toBeGreaterThan(2);
    // statements of other work in the process are counted, too, such as notifications and queues
    expect(many).toBeLessThan(smallCost + 10);
  }
  const effective = await owner.get<Effective>(`${await projectNamed('many-2')}effective/?environment=default`);
  expect(Object.keys(effective.body.values)).toHaveLength(1_000);
});

it('a write that many dynamic values depend on runs as many statements as one that two depend on', async () => {
  let last = 1;
  const next = () => {
    last += 1;
    return String(last);
  };
  const costs: number[] = [];
  for (const count of [2, 24]) {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    const base = await organization.parameter({ project, name: 'base' });
    const value = await organization.value({ parameter: base, internal_value: '1' });
    for (let n = 0; n < count; n += 1) {
      const parameter = await organization.parameter({ project, name: `n${n}`, type: 'integer' });
      await organization.value({ parameter, internal_value: '1{{ base }}', interpolated: true });
    }
    const dynamic = await organization.value({
      parameter: await organization.parameter({ project }),
      internal_value: '{{ base }}',
      interpolated: true,
    });
    const cost = async (url: string, textOf: () => string) => {
      let least = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < 3; attempt += 1) {
        core.statements();
        expect((await owner.patch(url, { internal_value: textOf() })).status).toBe(200);
        const ofConfiguration = core.statements().filter((statement) => /reference|parameter/.test(statement));
        least = Math.min(least, ofConfiguration.length);
      }
      return least;
    };
    costs.push(await cost(value.url, next), await cost(dynamic.url, () => `{{ base }}${next()}`));
  }
  expect(costs[0]).toBeGreaterThan(2);
  expect(costs.slice(2)).toEqual(costs.slice(0, 2));
});

it('a move that affects many dynamic values runs as many statements as one that affects two', async () => {
  const costs: number[][] = [];
  for (const count of [2, 24]) {
    const organization = await core.organization();
    const { owner } = organization;
    const [base, otherOrganization] = [await organization.project(), await organization.project()];
    const project = await organization.project({ depends_on: base.url });
    const [default_, staging] = await Promise.all(
      ['default', 'staging'].map((name) => organization.environmentNamed(name)),
    );
    const room = await organization.environment({ parent: default_?.url });
    for (let n = 0; n < count; n += 1) {
      for (const owning of [base, otherOrganization]) {
        const parameter = await organization.parameter({ project: owning, name: `of${n}` });
        await organization.value({ parameter, internal_value: '1' });
        await organization.value({ parameter, internal_value: '2', environment: staging });
      }
      const parameter = await organization.parameter({ project, type: 'integer' });
      await organization.value({ parameter, internal_value: `1{{ of${n} }}`, interpolated: true });
    }
    const cost = async (url: string, ...inputs: object[]) => {
      let least = Number.POSITIVE_INFINITY;
      for (const input of inputs) {
        core.statements();
        expect((await owner.patch(url, input)).status).toBe(200);
        least = Math.min(least, core.statements().filter((statement) => /reference|parameter/.test(statement)).length);
      }
      return least;
    };
    const [here, there] = [{ parent: default_?.url }, { parent: staging?.url }];
    const [from, to] = [{ depends_on: base.url }, { depends_on: otherOrganization.url }];
    costs.push([await cost(room.url, there, here, there), await cost(project.url, to, from, to)]);
  }
  expect(Math.min(...(costs[0] ?? []))).toBeGreaterThan(2);
  expect(costs[1]).toEqual(costs[0]);
});
