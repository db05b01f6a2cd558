import type { Effective, Matrix, MatrixCell } from '@strata/contract';
import {
  type ConfigurationModel,
  canReadProject,
  countCases,
  findVisibleParameter,
  ModelInService,
  modelPlans,
  type RawClient,
  runsAllCases,
  SECRET_MARK,
} from '@strata/testkit';
import fc from 'fast-check';
import { type GraphQLFixture, sharedGraphQL } from './graphql-access.ts';
import { modelCell, namesInOrder, setSameValuesBelow } from './matrix-in-model.ts';

let stack: GraphQLFixture;
beforeAll(async () => {
  stack = await sharedGraphQL();
});

/** Returns the fields of a cell that the model computes. */
function modelled({ value_id: _, ledger_id: __, expires_at: ___, ...cell }: MatrixCell): MatrixCell {
  return cell;
}

/** Compares every cell of every project with the model, and with the effective values. */
async function compare(
  service: ModelInService,
  model: ConfigurationModel,
  query: string,
  isOwner: boolean,
): Promise<void> {
  const client: RawClient = isOwner ? service.organization.owner : service.reader;
  for (const { key: project } of model.projects) {
    const { status, body, text } = await client.get<Matrix>(`${service.url(project)}matrix/?${query}`);
    if (!isOwner && !canReadProject(model, project)) {
      expect(status).toBe(403);
      continue;
    }
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    expect(text).not.toContain(SECRET_MARK);
    expect(body.results.map(({ name }) => name).sort()).toEqual(namesInOrder(model, project));
    for (const { name, cells, project_id: owner, secret } of body.results) {
      const visibleParameter = findVisibleParameter(model, project, name);
      expect([owner, secret]).toEqual([service.id(visibleParameter?.project ?? ''), visibleParameter?.secret]);
      const environments = body.environments.map(({ id }) =>
        model.environments.find(({ key }) => service.id(key) === id),
      );
      const expected = environments.map((environment) =>
        modelCell(model, { project, environment: environment?.key ?? '', name }, isOwner),
      );
      expect({ name, query, cells: cells.map(modelled) }).toEqual({ name, query, cells: expected });
    }
    for (const [index, { id, closed }] of body.environments.entries()) {
      if (closed) continue;
      const map = await client.get<Effective>(
        `${service.url(project)}effective/?environment=${id}&mask_secrets=true&${query}`,
      );
      const texts = body.results.flatMap(({ name, cells }) =>
        cells[index]?.text === undefined ? [] : [[name, cells[index].text]],
      );
      expect(Object.fromEntries(texts)).toEqual(map.body.values);
    }
  }
}

/** Compares the cells of REST with those of GraphQL. */
async function compareGraphQL(service: ModelInService): Promise<void> {
  const { organization, state } = service;
  const document = `query ($id: ID!) { project(id: $id) { matrix(first: 50) {
    environments { id name parentId closed }
    edges { node { name parameterId projectId projectName type description secret expires cells {
      states text raw problem environmentName projectName valueId ledgerId expiresAt
      next { state text environmentName projectName } } } } } } }`;
  for (const { key } of state.projects) {
    const { data, errors } = await stack.request(document, { id: service.id(key) }, organization.ownerAuthorization);
    expect(errors).toBeUndefined();
    const { body } = await organization.owner.get<Matrix>(`${service.url(key)}matrix/`);
    expect(data.project.matrix.environments).toEqual(body.environments.map(inCamel));
    const rows = data.project.matrix.edges.map(({ node }: { node: { cells: GraphQLCell[] } }) => ({
      ...node,
      cells: node.cells.map(({ states, next, ...cell }) =>
        withoutNulls({
          ...cell,
          states: states.map(stateInRest),
          next: next && withoutNulls({ ...next, state: stateInRest(next.state) }),
        }),
      ),
    }));
    expect(rows).toEqual(
      body.results.map((row) => ({
        ...inCamel(row),
        cells: row.cells.map(({ next, ...cell }) =>
          withoutNulls({ ...inCamel(cell), next: next ? inCamel(next) : null }),
        ),
      })),
    );
  }
}

interface GraphQLCell {
  readonly states: readonly string[];
  readonly next: { readonly state: string } | null;
}

/** GraphQL reserves the name `null`, so the state has another name there. */
const stateInRest = (state: string): string => (state === 'NULL' ? 'null' : state);

function inCamel(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

function withoutNulls(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

it('every cell equals the model, for callers with full access and for callers without', async () => {
  const kinds: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(await modelPlans({ steps: 22, access: true }), async ({ steps: plan, models }) => {
      const service = await ModelInService.begin(await stack.organization());
      const applied = await service.applyAll(plan);
      await setSameValuesBelow(service);
      const last = service.state;
      await compare(service, last, '', true);
      await compare(service, last, '', false);
      const halfway = Math.floor(plan.length / 2);
      const then = models[halfway + 1] as ConfigurationModel;
      await compare(service, then, `revision=${applied[halfway]?.revision}`, true);
      await compareGraphQL(service);
      for (const { key } of last.projects) {
        const { body } = await service.organization.owner.get<Matrix>(`${service.url(key)}matrix/`);
        for (const state of body.results.flatMap(({ cells }) => cells.flatMap((cell) => cell.states))) {
          kinds[state] = (kinds[state] ?? 0) + 1;
        }
      }
    }),
    { numRuns: countCases(8), endOnFailure: true },
  );
  const states = ['differs', 'dynamic', 'inherited', 'missing', 'null', 'own', 'redundant', 'secret'];
  if (runsAllCases) expect(Object.keys(kinds).sort()).toEqual(states);
});
