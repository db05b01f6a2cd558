import type { Difference, Differences, Matrix, Parameter } from '@strata/contract';
import {
  type ConfigurationModel,
  countCases,
  ModelInService,
  modelPlans,
  runsAllCases,
  SECRET_MARK,
} from '@strata/testkit';
import fc from 'fast-check';
import { type GraphQLFixture, sharedGraphQL } from './graphql-access.ts';
import { comparableContent, namesInOrder, setSameValuesBelow } from './matrix-in-model.ts';

let stack: GraphQLFixture;
beforeAll(async () => {
  stack = await sharedGraphQL();
});

/** Removes the redundant values one by one, and expects that no effective text changes. Returns their number. */
async function removeRedundant(service: ModelInService): Promise<number> {
  const { owner } = service.organization;
  let removed = 0;
  for (const { key: project } of service.state.projects) {
    const read = async () => (await owner.get<Matrix>(`${service.url(project)}matrix/`)).body;
    const before = await read();
    for (const row of before.results) {
      for (const [index, cell] of row.cells.entries()) {
        if (!cell.states.includes('redundant')) continue;
        const environment = before.environments[index];
        const parameterKey =
          service.state.parameters.find(({ key }) => service.id(key) === row.parameter_id)?.key ?? '';
        const where = service.state.environments.find(({ key }) => service.id(key) === environment?.id)?.key ?? '';
        await service.apply({ kind: 'delete value', parameter: parameterKey, environment: where });
        removed += 1;
        const after = await read();
        const seen = (matrix: Matrix) =>
          matrix.results.map(({ name: rowName, cells: shown }) => [rowName, shown.map(({ text, raw }) => [text, raw])]);
        expect(seen(after)).toEqual(seen(before));
      }
    }
  }
  return removed;
}

/** Returns the names whose effective values differ between two environments. */
function listDifferences(model: ConfigurationModel, project: string, left: string, right: string): string[] {
  return namesInOrder(model, project).filter(
    (name) =>
      comparableContent(model, { project, environment: left, name }, true) !==
      comparableContent(model, { project, environment: right, name }, true),
  );
}

const UNCHANGEABLE = ['nothing', 'impossible', 'copy_secret'];

/** Sets the proposed values on the right side. Afterwards both sides are equal, except for secrets and values that cannot be set there. */
async function promote(service: ModelInService, project: string, left: string, right: string): Promise<void> {
  const { owner } = service.organization;
  const path = `${service.url(project)}compare/?left=${service.id(left)}&right=${service.id(right)}`;
  const read = async () => (await owner.get<Differences>(path)).body.results;
  // A text may reference a name that also differs, so setting one value can change the difference of another.
  for (const difference of await read()) await setAs(service, project, right, difference);
  for (const { name, cells } of await read()) {
    for (const { left: leftCell, right: rightCell, to_set: rest } of cells) {
      const isSecret = [...leftCell.states, ...rightCell.states].includes('secret');
      const isDynamic = [...leftCell.states, ...rightCell.states].includes('dynamic');
      expect([name, rest?.action, isSecret || isDynamic || UNCHANGEABLE.includes(rest?.action ?? '')]).toEqual([
        ...[name, rest?.action, true],
      ]);
    }
  }
}

async function setAs(service: ModelInService, project: string, right: string, { name, left, cells }: Difference) {
  const { owner } = service.organization;
  const [cell] = cells;
  if (!cell?.to_set) throw new Error(`${name} is not told how to be set.`);
  const { action, text, interpolated, value_id: valueId } = cell.to_set;
  if (UNCHANGEABLE.includes(action)) return;
  let { parameter_id: parameterId } = cell.to_set;
  if (parameterId === undefined) {
    const input = { name, type: left?.type, secret: left?.secret };
    const createdParameter = await owner.post<Parameter>(`${service.url(project)}parameters/`, input);
    expect([createdParameter.status, createdParameter.status === 201 ? '' : createdParameter.text]).toEqual([201, '']);
    parameterId = createdParameter.body.id;
  }
  const values = `${service.url(project)}parameters/${parameterId}/values/`;
  const body = { internal_value: text, interpolated };
  const response =
    action === 'unset'
      ? await owner.delete(`${values}${valueId}/`)
      : valueId === undefined
        ? await owner.post(values, { environment: service.id(right), ...body })
        : await owner.patch(`${values}${valueId}/`, body);
  expect([response.status, response.status < 300 ? '' : response.text]).toEqual([expect.any(Number), '']);
}

it('redundant values can be removed, and the differences of a comparison can be promoted', async () => {
  let removed = 0;
  await fc.assert(
    fc.asyncProperty(
      await modelPlans({ steps: 30 }),
      fc.nat(),
      fc.nat(),
      async ({ steps: plan }, leftIndex, rightIndex) => {
        const service = await ModelInService.begin(await stack.organization());
        await service.applyAll(plan);
        await setSameValuesBelow(service);
        const last = service.state;
        const { owner } = service.organization;
        for (const { key: project } of last.projects) {
          const [left, right] = [
            last.environments[leftIndex % last.environments.length],
            last.environments[rightIndex % last.environments.length],
          ];
          if (!left || !right || left.key === right.key) continue;
          const { body } = await owner.get<Differences>(
            `${service.url(project)}compare/?left=${service.id(left.key)}&right=${service.id(right.key)}`,
          );
          expect(body.results.map(({ name }) => name).sort()).toEqual(
            listDifferences(last, project, left.key, right.key),
          );
          expect(JSON.stringify(body)).not.toContain(SECRET_MARK);
        }
        removed += await removeRedundant(service);
        const [project] = last.projects;
        const [left, right] = [last.environments[0], last.environments.at(-1)];
        if (project && left && right && left.key !== right.key) {
          await promote(service, project.key, left.key, right.key);
          await promote(service, project.key, right.key, left.key);
        }
      },
    ),
    { numRuns: countCases(8), endOnFailure: true },
  );
  if (runsAllCases) expect(removed).toBeGreaterThanOrEqual(4);
});
