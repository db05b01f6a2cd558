import type {
  BackupSnapshot,
  Effective,
  Environment,
  Page,
  Parameter,
  ParameterDuality,
  ParameterExport,
  ParameterTimeline,
  Project,
  TemplatePreview,
  Value,
} from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import fc from 'fast-check';
import { type GraphQLDoor, sharedGraphQL } from './graphql-access.ts';
import {
  applying,
  effective,
  evaluated,
  type Model,
  type ModelValue,
  visible,
  visibleNames,
} from './resolution-model.ts';
import { after, type Plan, plans, stored } from './resolution-models.ts';

let stack: GraphQLDoor;
beforeAll(async () => {
  stack = await sharedGraphQL();
}, 90_000);

/** The model, built in the service. */
interface Built {
  readonly organization: TestOrganization;
  readonly environments: readonly Environment[];
  readonly projects: readonly Project[];
  readonly parameters: readonly Parameter[];
}

/** The model as it was after some step, and the query that asks for that moment. */
interface Then {
  readonly inputs: Model;
  readonly query: string;
  /** What the step did; null when nothing was left to do. */
  readonly change: Change | null;
}

/** As a timeline tells of it: what happened to a value, and where that changed what applies. */
interface Change {
  readonly parameter: number;
  readonly type: 'create' | 'update' | 'delete';
  readonly environments: readonly string[];
}

async function build({ inputs: model }: Plan): Promise<Built> {
  const organization = await stack.organization();
  const environments = [await organization.environmentNamed('default')];
  for (const { name, parent } of model.environments.slice(1)) {
    environments.push(await organization.environment({ name, parent: environments[parent ?? 0]?.url ?? null }));
  }
  const projects: Project[] = [];
  for (const { name, dependsOn } of model.projects) {
    projects.push(
      await organization.project({ name, depends_on: dependsOn === null ? null : (projects[dependsOn]?.url ?? '') }),
    );
  }
  const parameters: Parameter[] = [];
  for (const { name, project, secret } of model.parameters) {
    parameters.push(await organization.parameter({ name, secret, project: projects[project] as Project }));
  }
  return { organization, environments, projects, parameters };
}

/** Does every step, and tells the moments in between. */
async function act({ organization, environments, parameters }: Built, { inputs: start, steps }: Plan): Promise<Then[]> {
  const values = new Map<string, Value>();
  const moments: Then[] = [];
  let model = start;
  let revision = '';
  for (const step of steps) {
    const parameter = parameters[step.parameter] as Parameter;
    const key = `${step.parameter} ${step.environment}`;
    const known = values.get(key);
    const wanted = stored(model, step);
    if (!wanted && !known) continue;
    const environment = environments[step.environment]?.id ?? '';
    const body = { internal_value: wanted?.text, interpolated: wanted?.dynamic };
    const reply = !wanted
      ? await organization.owner.delete(known?.url ?? '')
      : known
        ? await organization.owner.patch<Value>(known.url, body)
        : await organization.owner.post<Value>(`${parameter.url}values/`, { environment, ...body });
    expect([reply.status, reply.status < 300 ? '' : reply.text]).toEqual([wanted ? (known ? 200 : 201) : 204, '']);
    const before = model;
    model = after(model, step);
    if (wanted) values.set(key, reply.body as Value);
    else values.delete(key);
    const made = wanted && (reply.body as Value).modified_at;
    // A write that changed nothing keeps the time of an earlier one.
    const instant = made === known?.modified_at ? null : made;
    const isChange = reply.headers['x-revision'] !== revision;
    revision = reply.headers['x-revision'] ?? '';
    moments.push({
      inputs: model,
      query: instant ? `as_of=${instant}` : `revision=${revision}`,
      change: isChange
        ? changed(wanted ? model : before, step, known ? (wanted ? 'update' : 'delete') : 'create')
        : null,
    });
  }
  return moments;
}

/** Where the value of a step is the one that applies; what is gone can only be looked at before. */
function changed(model: Model, { parameter, environment }: Plan['steps'][number], type: Change['type']): Change {
  const { name, project } = model.parameters[parameter] as Model['parameters'][number];
  const environments = model.environments.flatMap((one, index) => {
    const applies = applying(model, project, index, name);
    const isThis = applies?.parameter === parameter && applies.environment === environment;
    return isThis ? [`${one.name} ${index === environment}`] : [];
  });
  return { parameter, type, environments };
}

type Row = Record<string, string | null>;

function expected(
  model: Model,
  project: number,
  environment: number,
  show: (expectedValue: ModelValue) => string | null,
): Row {
  const rows = visibleNames(model, project).flatMap((name) => {
    const expectedValue = effective(model, project, environment, name);
    return expectedValue ? [[name, show(expectedValue)] as const] : [];
  });
  return Object.fromEntries(rows);
}

const clear = ({ text }: ModelValue) => text;
const masked = ({ text, secret }: ModelValue) => (secret && text !== null ? '*****' : text);

/** Compares every value of one model with everything that the service says about it at that moment. */
async function compare(built: Built, { inputs: model, query }: Pick<Then, 'inputs' | 'query'>): Promise<void> {
  const { organization, projects, environments } = built;
  for (const [p, project] of projects.entries()) {
    const everywhere = await organization.owner.get<Page<Parameter>>(`${project.url}parameters/?${query}`);
    expect(everywhere.status).toBe(200);
    for (const [e, environment] of environments.entries()) {
      const question = `environment=${environment.id}&${query}`;
      const want = expected(model, p, e, clear);
      const hidden = expected(model, p, e, masked);
      const [map, mapHidden, list, listHidden, exported, exportHidden] = await Promise.all([
        organization.owner.get<Effective>(`${project.url}effective/?${question}`),
        organization.owner.get<Effective>(`${project.url}effective/?${question}&mask_secrets=true`),
        organization.owner.get<Page<Parameter>>(`${project.url}parameters/?${question}`),
        organization.owner.get<Page<Parameter>>(`${project.url}parameters/?${question}&mask_secrets=true`),
        organization.owner.get<ParameterExport>(`${project.url}parameter-export/?output=docker&${question}`),
        organization.owner.get<ParameterExport>(
          `${project.url}parameter-export/?output=docker&${question}&mask_secrets=true`,
        ),
      ]);
      const lines = exportOf(model, p, e);
      expect([exported.body, exportHidden.body.body]).toEqual([lines, lines.has_secret ? '*****' : lines.body]);
      expect({
        map: map.body.values,
        list: rowOf(list.body, environment),
        all: rowOf(everywhere.body, environment),
      }).toEqual({
        map: want,
        list: want,
        all: want,
      });
      expect({ map: mapHidden.body.values, list: rowOf(listHidden.body, environment) }).toEqual({
        map: hidden,
        list: hidden,
      });
    }
  }
}

/** Every name is one that an environment variable may have, once it is upper case. */
function exportOf(model: Model, project: number, environment: number): ParameterExport {
  const expectedValues = visibleNames(model, project).flatMap((name) => {
    const expectedValue = effective(model, project, environment, name);
    const isSecret = model.parameters[visible(model, project, name) ?? -1]?.secret || expectedValue?.secret;
    return expectedValue
      ? [{ name: name.toUpperCase(), text: expectedValue.text ?? '', isSecret: isSecret === true }]
      : [];
  });
  expectedValues.sort((left, right) => (left.name < right.name ? -1 : 1));
  return {
    body: expectedValues.map(({ name, text }) => `${name}=${text}\n`).join(''),
    has_secret: expectedValues.some(({ isSecret }) => isSecret),
  };
}

/** A template that mentions every name, as it reads in one place. */
function previewOf(model: Model, project: number, environment: number): { source: string; body: string } {
  const names = visibleNames(model, project);
  return {
    source: names.map((name) => `${name}={{ ${name} }};`).join(''),
    body: names.map((name) => `${name}=${effective(model, project, environment, name)?.text ?? ''};`).join(''),
  };
}

/** Only what is set explicitly, as it is stored and as it reads where it is set. */
async function compareBackup({ organization }: Built, model: Model): Promise<void> {
  const { status, body } = await organization.owner.post<BackupSnapshot>('backup/snapshot/');
  expect(status).toBe(200);
  const summaryOf = model.projects.map(({ name }) =>
    Object.values(body.projects[name]?.parameters ?? {}).flatMap(({ name: parameter, values }) =>
      Object.values(values).map(({ environment, raw, value }) => ({ parameter, environment, raw, value })),
    ),
  );
  const wanted = model.projects.map((_, project) =>
    model.values.flatMap((explicit) => {
      const { name, project: owner } = model.parameters[explicit.parameter] as Model['parameters'][number];
      if (owner !== project) return [];
      const environment = model.environments[explicit.environment]?.name;
      const { text } = evaluated(model, explicit, explicit.environment);
      return [{ parameter: name, environment, raw: explicit.text, value: text }];
    }),
  );
  const inOrder = (rows: { parameter: string; environment?: string | undefined }[][]) =>
    rows.map((each) =>
      each.sort((a, b) => (`${a.parameter} ${a.environment}` < `${b.parameter} ${b.environment}` ? -1 : 1)),
    );
  expect(inOrder(summaryOf)).toEqual(inOrder(wanted));
}

function rowOf({ results }: Page<Parameter>, environment: Environment): Row {
  return Object.fromEntries(
    results.flatMap(({ name, values }) => {
      const value = values[environment.url];
      return value ? [[name, value.value] as const] : [];
    }),
  );
}

/** What a project showed at two moments, side by side. */
async function compareComparison(
  { organization, projects, environments }: Built,
  earlier: Then,
  later: Then,
): Promise<void> {
  for (const [p, project] of projects.entries()) {
    for (const [e, environment] of environments.entries()) {
      const sides = [earlier, later].map(({ inputs: model }) => expected(model, p, e, clear));
      const wanted = visibleNames(later.inputs, p).map((name) => [name, ...sides.map((side) => shown(side[name]))]);
      const request = async (query: string) => {
        const path = `${project.url}parameters/duality/?environment=${environment.id}&t1_${earlier.query}&t2_${later.query}`;
        const { body } = await organization.owner.get<Page<ParameterDuality>>(path + query);
        return body.results.map(({ t1, t2 }) => [
          t2?.name,
          ...[t1, t2].map((side) => shown(side?.values[environment.url]?.value)),
        ]);
      };
      const [all, different] = await Promise.all([request(''), request('&difference=true')]);
      expect(all.sort()).toEqual(wanted.sort());
      expect(different.sort()).toEqual(wanted.filter(([, t1, t2]) => t1 !== t2).sort());
    }
  }
}

/** An explicit null is something else than nothing. */
const shown = (text: string | null | undefined) => (text === undefined ? 'nothing' : JSON.stringify(text));

/** What happened to the values of each parameter, newest first, and where it showed. */
async function compareTimelines(
  { organization, environments, parameters }: Built,
  moments: readonly Then[],
): Promise<void> {
  const known = new Set(environments.map(({ name }) => name));
  const changes = moments.flatMap(({ change }) => change ?? []).reverse();
  for (const [index, { url }] of parameters.entries()) {
    const { body } = await organization.owner.get<ParameterTimeline>(`${url}timeline/`);
    const summaryOf = body.results.filter(({ history_model: model }) => model === 'Value');
    expect(
      summaryOf.map(({ history_type: type, history_environments: reached }) => ({
        type,
        environments: reached
          .filter(({ name }) => known.has(name))
          .map(({ name, override }) => `${name} ${override}`)
          .sort(),
      })),
    ).toEqual(
      changes
        .filter(({ parameter }) => parameter === index)
        .map(({ type, environments }) => ({ type, environments: [...environments].sort() })),
    );
  }
}

/** What only the present is asked: single parameters, and the other surfaces. */
async function compareNow(built: Built, model: Model): Promise<void> {
  const { organization, projects, environments, parameters } = built;
  for (const [p, project] of projects.entries()) {
    for (const [e, environment] of environments.entries()) {
      const want = expected(model, p, e, clear);
      for (const name of visibleNames(model, p)) {
        const { id } = parameters[visible(model, p, name) ?? -1] as Parameter;
        const one = await organization.owner.get<Parameter>(
          `${project.url}parameters/${id}/?environment=${environment.id}`,
        );
        expect(rowOf({ results: [one.body] } as never, environment)).toEqual(
          name in want ? { [name]: want[name] } : {},
        );
      }
      const { data, errors } = await stack.request(
        'query ($p: ID!, $e: ID!) { effective(projectId: $p, environmentId: $e, reveal: true) { map } }',
        { p: project.id, e: environment.id },
        organization.ownerAuthorization,
      );
      expect(errors).toBeUndefined();
      expect(data.effective.map).toEqual(want);
      const { source, body } = previewOf(model, p, e);
      const preview = await organization.owner.post<TemplatePreview>(
        `${project.url}template-preview/?environment=${environment.id}`,
        { body: source },
      );
      expect([preview.status, preview.body.body]).toEqual([200, body]);
    }
  }
}

it('every surface shows for every value, now and then, what the contract says in a few lines', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const built = await build(plan);
      const moments = await act(built, plan);
      const last = moments.at(-1);
      if (!last) return;
      await compare(built, { inputs: last.inputs, query: '' });
      for (const moment of moments.filter((_, index) => index % 5 === 2)) await compare(built, moment);
      await compareNow(built, last.inputs);
      await compareBackup(built, last.inputs);
      const [earlier, later] = moments.filter(({ query }) => query.startsWith('as_of='));
      if (earlier && later) await compareComparison(built, earlier, later);
      await compareTimelines(built, moments);
    }),
    { numRuns: 6, endOnFailure: true },
  );
}, 120_000);
