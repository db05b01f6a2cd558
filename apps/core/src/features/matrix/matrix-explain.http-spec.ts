import type { Explanation, Matrix, MatrixCell, MatrixName, MatrixNext } from '@strata/contract';
import {
  countCases,
  type ModelStep,
  modelPlans,
  type RawClient,
  type RunningCore,
  runsAllCases,
  sharedCore,
} from '@strata/testkit';
import fc from 'fast-check';
import { createExplainedOrganization, type ExplainedOrganization, explainAll } from '../../testing/explain-model.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Returns the cell that the explanation of its name implies. */
function buildCell(
  { winner, next, environment_id: environment }: Explanation,
  name: MatrixName,
  project: string,
): Omit<MatrixCell, 'states'> & { readonly states: readonly string[] } {
  if (!winner) return { states: ['missing'] };
  const isOwn =
    winner.environment_id === environment && winner.project_id === project && winner.parameter_id === name.parameter_id;
  const isNull = winner.value === null && winner.problem === null;
  const isDynamic = winner.interpolated && !isNull;
  return {
    states: [
      isOwn ? 'own' : 'inherited',
      ...(isNull ? ['null'] : []),
      ...(winner.secret ? ['secret'] : []),
      ...(isDynamic ? ['dynamic'] : []),
      ...(isOwn && isSameStoredText(winner, next) ? ['redundant'] : []),
    ],
    ...(winner.problem === null && { text: winner.value }),
    ...(winner.problem !== null && { problem: expect.any(String) }),
    ...(isDynamic && winner.internal_value !== null && { raw: winner.internal_value }),
    ...(winner.environment_id !== environment && { environment_name: winner.environment_name }),
    ...(winner.project_id !== project && { project_name: winner.project_name }),
    ...(isOwn && { value_id: winner.value_id, ledger_id: winner.ledger_id }),
    ...(isOwn && next && { next: presentNext(next, { environment, project }) }),
  };
}

function presentNext(
  { state, value }: NonNullable<Explanation['next']>,
  here: { readonly environment: string; readonly project: string },
): MatrixNext {
  if (!value) return { state };
  const isShown = value.value !== null && !value.interpolated && !value.secret;
  return {
    state,
    ...(isShown && { text: value.value ?? '' }),
    ...(value.environment_id !== here.environment && { environment_name: value.environment_name }),
    ...(value.project_id !== here.project && { project_name: value.project_name }),
  };
}

/** Returns whether the next value has the same stored text. Secrets are not compared. */
function isSameStoredText(winner: NonNullable<Explanation['winner']>, next: Explanation['next']): boolean {
  const nextValue = next?.value;
  if (!nextValue || winner.secret || nextValue.secret) return false;
  if (winner.internal_value !== nextValue.internal_value || winner.interpolated !== nextValue.interpolated)
    return false;
  return !winner.interpolated || winner.parameter_id === nextValue.parameter_id;
}

async function compareMatrix({ service, model }: ExplainedOrganization, client: RawClient): Promise<number> {
  let cells = 0;
  for (const { key } of model.projects) {
    const { status, body } = await client.get<Matrix>(`${service.url(key)}matrix/`);
    if (status === 403) continue;
    for (const [index, { id, closed: forbidden }] of body.environments.entries()) {
      const environment = model.environments.find((candidate) => service.id(candidate.key) === id)?.key ?? '';
      const rows = await explainAll(client, service, { project: key, environment }, '&mask_secrets=true');
      expect(rows === null).toBe(forbidden);
      const explained = new Map(rows?.map((row) => [row.name, row]));
      for (const row of body.results) {
        const { states, ...rest } = row.cells[index] as MatrixCell;
        const explanation = explained.get(row.name);
        const expected = explanation ? buildCell(explanation, row, service.id(key)) : { states: ['closed'] };
        // The state that compares with the parent environment depends on two cells, so it is left out.
        const seen = { ...rest, states: states.filter((state) => state !== 'differs') };
        expect({ name: row.name, environment, cell: seen }).toEqual({ name: row.name, environment, cell: expected });
        cells += 1;
      }
      if (rows) expect([...explained.keys()].sort()).toEqual(body.results.map(({ name }) => name).sort());
    }
  }
  return cells;
}

/** Uses few distinct texts, so that many values are equal. */
const withFewTexts = (steps: readonly ModelStep[]) =>
  steps.map((step, index) =>
    step.kind === 'set value' && !step.dynamic && step.text !== null && index % 2 === 0
      ? { ...step, text: 'same' }
      : step,
  );

it('every cell of a matrix agrees with the explanation of its name for every caller', async () => {
  let cells = 0;
  const plans = await modelPlans({ steps: 30, access: true });
  await fc.assert(
    fc.asyncProperty(plans, async ({ steps }) => {
      const world = await createExplainedOrganization(core, withFewTexts(steps));
      for (const client of [world.service.organization.owner, world.service.reader]) {
        cells += await compareMatrix(world, client);
      }
    }),
    { numRuns: countCases(5), endOnFailure: true },
  );
  if (runsAllCases) expect(cells).toBeGreaterThan(20);
});
