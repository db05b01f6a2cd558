import type {
  BackupSnapshot,
  Effective,
  Page,
  Parameter,
  ParameterDuality,
  ParameterExport,
  ParameterTimeline,
  TemplatePreview,
} from '@strata/contract';
import {
  type ConfigurationModel,
  countCases,
  evaluateEffective,
  evaluateValue,
  findByKey,
  findVisibleParameter,
  listVisibleNames,
  ModelInService,
  type ModelText,
  modelPlans,
} from '@strata/testkit';
import fc from 'fast-check';
import { type GraphQLFixture, sharedGraphQL } from './graphql-access.ts';
import { recordPointsInTime, type ServicePointInTime } from './model-points-in-time.ts';
import { modelExport, modelPreview } from './model-texts.ts';

let stack: GraphQLFixture;
beforeAll(async () => {
  stack = await sharedGraphQL();
});

type Row = Record<string, string | null>;

function expected(
  model: ConfigurationModel,
  project: string,
  environment: string,
  show: (expectedValue: ModelText) => string | null,
): Row {
  const rows = listVisibleNames(model, project).flatMap((name) => {
    const expectedValue = evaluateEffective(model, project, environment, name);
    return expectedValue ? [[name, show(expectedValue)] as const] : [];
  });
  return Object.fromEntries(rows);
}

const clear = ({ text }: ModelText) => text;
const masked = ({ text, secret }: ModelText) => (secret && text !== null ? '*****' : text);

/** Returns the projects and environments of the model with their ids and URLs. */
function listScopes(service: ModelInService, { projects, environments }: ConfigurationModel) {
  const linked = ({ key, name }: { readonly key: string; readonly name: string }) => ({
    key,
    name,
    id: service.id(key),
    url: service.url(key),
  });
  return { projects: projects.map(linked), environments: environments.map(linked) };
}

/** Compares every value of the model with the responses of the service for the same point in time. */
async function compare(
  service: ModelInService,
  { model, query }: Pick<ServicePointInTime, 'model' | 'query'>,
): Promise<void> {
  const { organization } = service;
  const { projects, environments } = listScopes(service, model);
  for (const project of projects) {
    const everywhere = await organization.owner.get<Page<Parameter>>(`${project.url}parameters/?${query}`);
    expect(everywhere.status).toBe(200);
    for (const environment of environments) {
      const question = `environment=${environment.id}&${query}`;
      const want = expected(model, project.key, environment.key, clear);
      const hidden = expected(model, project.key, environment.key, masked);
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
      const lines = modelExport(model, project.key, environment.key);
      expect([exported.body, exportHidden.body.body]).toEqual([lines, lines.has_secret ? '*****' : lines.body]);
      expect({
        map: map.body.values,
        list: createRow(list.body, environment),
        all: createRow(everywhere.body, environment),
      }).toEqual({
        map: want,
        list: want,
        all: want,
      });
      expect({ map: mapHidden.body.values, list: createRow(listHidden.body, environment) }).toEqual({
        map: hidden,
        list: hidden,
      });
    }
  }
}

/** Compares the backup, which contains only explicit values, stored and evaluated. */
async function compareBackup({ organization }: ModelInService, model: ConfigurationModel): Promise<void> {
  const { status, body } = await organization.owner.post<BackupSnapshot>('backup/snapshot/');
  expect(status).toBe(200);
  const summaryOf = model.projects.map(({ name }) =>
    Object.values(body.projects[name]?.parameters ?? {}).flatMap(({ name: parameter, values }) =>
      Object.values(values).map(({ environment, raw, value }) => ({ parameter, environment, raw, value })),
    ),
  );
  const expectedRows = model.projects.map(({ key }) =>
    model.values.flatMap((explicit) => {
      const { name, project } = findByKey(model.parameters, explicit.parameter);
      if (project !== key) return [];
      const environment = findByKey(model.environments, explicit.environment).name;
      const { text } = evaluateValue(model, explicit, explicit.environment);
      return [{ parameter: name, environment, raw: explicit.text, value: text }];
    }),
  );
  const inOrder = (rows: { parameter: string; environment?: string | undefined }[][]) =>
    rows.map((modelRows) =>
      modelRows.sort((a, b) => (`${a.parameter} ${a.environment}` < `${b.parameter} ${b.environment}` ? -1 : 1)),
    );
  expect(inOrder(summaryOf)).toEqual(inOrder(expectedRows));
}

function createRow({ results }: Pick<Page<Parameter>, 'results'>, environment: { readonly url: string }): Row {
  return Object.fromEntries(
    results.flatMap(({ name, values }) => {
      const value = values[environment.url];
      return value ? [[name, value.value] as const] : [];
    }),
  );
}

/** Compares the duality of two points in time with the model. */
async function compareComparison(
  service: ModelInService,
  earlier: ServicePointInTime,
  later: ServicePointInTime,
): Promise<void> {
  const { projects, environments } = listScopes(service, later.model);
  for (const project of projects) {
    for (const environment of environments) {
      const sides = [earlier, later].map(({ model }) => expected(model, project.key, environment.key, clear));
      const expectedRows = listVisibleNames(later.model, project.key).map((name) => [
        name,
        ...sides.map((side) => shown(side[name])),
      ]);
      const request = async (query: string) => {
        const path = `${project.url}parameters/duality/?environment=${environment.id}&t1_${earlier.query}&t2_${later.query}`;
        const { body } = await service.organization.owner.get<Page<ParameterDuality>>(path + query);
        return body.results.map(({ t1, t2 }) => [
          t2?.name,
          ...[t1, t2].map((side) => shown(side?.values[environment.url]?.value)),
        ]);
      };
      const [all, different] = await Promise.all([request(''), request('&difference=true')]);
      expect(all.sort()).toEqual(expectedRows.sort());
      expect(different.sort()).toEqual(expectedRows.filter(([, t1, t2]) => t1 !== t2).sort());
    }
  }
}

/** Distinguishes an explicit null from a missing value. */
const shown = (text: string | null | undefined) => (text === undefined ? 'nothing' : JSON.stringify(text));

/** Compares the timelines of values, newest first, and the environments that each change affected. */
async function compareTimelines(service: ModelInService, pointsInTime: readonly ServicePointInTime[]): Promise<void> {
  const changes = pointsInTime.flatMap(({ change }) => change ?? []).reverse();
  for (const { key } of service.state.parameters) {
    const { body } = await service.organization.owner.get<ParameterTimeline>(`${service.url(key)}timeline/`);
    const summaryOf = body.results.filter(({ history_model: model }) => model === 'Value');
    expect(
      summaryOf.map(({ history_type: type, history_environments: reached }) => ({
        type,
        environments: reached.map(({ name, override }) => `${name} ${override}`).sort(),
      })),
    ).toEqual(
      changes
        .filter(({ parameter }) => parameter === key)
        .map(({ type, environments }) => ({ type, environments: [...environments].sort() })),
    );
  }
}

/** Compares the interfaces that only support the present, such as single parameters. */
async function compareNow(service: ModelInService, model: ConfigurationModel): Promise<void> {
  const { organization } = service;
  const { projects, environments } = listScopes(service, model);
  for (const project of projects) {
    for (const environment of environments) {
      const want = expected(model, project.key, environment.key, clear);
      for (const name of listVisibleNames(model, project.key)) {
        const id = service.id(findVisibleParameter(model, project.key, name)?.key ?? '');
        const parameterReply = await organization.owner.get<Parameter>(
          `${project.url}parameters/${id}/?environment=${environment.id}`,
        );
        expect(createRow({ results: [parameterReply.body] }, environment)).toEqual(
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
      expect(await explainedIn(service, project.id, environment.id)).toEqual(want);
      const { source, body } = modelPreview(model, project.key, environment.key);
      const preview = await organization.owner.post<TemplatePreview>(
        `${project.url}template-preview/?environment=${environment.id}`,
        { body: source },
      );
      expect([preview.status, preview.body.body]).toEqual([200, body]);
    }
  }
}

/** Returns the effective values according to explanations over GraphQL. */
async function explainedIn({ organization }: ModelInService, projectId: string, environment: string): Promise<Row> {
  const { data, errors } = await stack.request(
    `query ($p: ID!, $e: String!) { project(id: $p) { explanations(environment: $e, reveal: true, first: 200) {
       edges { node { name winner { value projectName environmentName } reason { code } since { revision exact } } } } } }`,
    { p: projectId, e: environment },
    organization.ownerAuthorization,
  );
  expect(errors).toBeUndefined();
  const nodes = data.project.explanations.edges.map(({ node }: { node: object }) => node);
  if (nodes.length === 0) return {};
  const separately = await stack.data(
    `query ($p: ID!, $e: ID!) { ${nodes.map(
      (
        { name }: { name: string },
        at: number,
      ) => `n${at}: explain(projectId: $p, environmentId: $e, name: ${JSON.stringify(name)}, reveal: true) {
       name winner { value projectName environmentName } reason { code } since { revision exact } candidates { state wins } }`,
    )} }`,
    { p: projectId, e: environment },
    organization.ownerAuthorization,
  );
  for (const [index, node] of nodes.entries()) {
    const { candidates, ...rest } = separately[`n${index}`];
    expect(rest).toEqual(node);
    expect(candidates.filter(({ wins }: { wins: boolean }) => wins)).toHaveLength(node.winner ? 1 : 0);
  }
  const shown = nodes.flatMap(({ name, winner }: { name: string; winner: { value: string } | null }) =>
    winner ? [[name, winner.value]] : [],
  );
  return Object.fromEntries(shown);
}

it('every interface returns the effective values of a short reference model, now and in the past', async () => {
  const plans = await modelPlans({ steps: 18, kinds: ['set text', 'set null', 'set dynamic', 'delete value'] });
  await fc.assert(
    fc.asyncProperty(plans, async ({ steps }) => {
      const service = await ModelInService.begin(await stack.organization());
      const pointsInTime = await recordPointsInTime(service, steps);
      const ofValues = pointsInTime.filter(({ change }) => change);
      const last = ofValues.at(-1);
      if (!last) return;
      await compare(service, { model: last.model, query: '' });
      for (const pointInTime of ofValues.filter((_, index) => index % 5 === 2)) await compare(service, pointInTime);
      await compareNow(service, last.model);
      await compareBackup(service, last.model);
      const [earlier, later] = ofValues.filter(({ query }) => query.startsWith('as_of='));
      if (earlier && later) await compareComparison(service, earlier, later);
      await compareTimelines(service, ofValues);
    }),
    { numRuns: countCases(6), endOnFailure: true },
  );
});

it('every interface still returns them after objects are moved, renamed, deleted or forbidden', async () => {
  const plans = await modelPlans({ steps: 24, access: true });
  await fc.assert(
    fc.asyncProperty(plans, async ({ steps }) => {
      const service = await ModelInService.begin(await stack.organization());
      const pointsInTime = await recordPointsInTime(service, steps);
      for (const pointInTime of pointsInTime.filter((_, index) => index % 10 === 9))
        await compare(service, pointInTime);
      await compare(service, { model: service.state, query: '' });
      await compareNow(service, service.state);
    }),
    { numRuns: countCases(4), endOnFailure: true },
  );
});
