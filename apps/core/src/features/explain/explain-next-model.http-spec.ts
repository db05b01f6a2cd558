import type { Effective, Explanation } from '@strata/contract';
import { countCases, type ModelStep, modelPlans, type RunningCore, runsAllCases, sharedCore } from '@strata/testkit';
import fc from 'fast-check';
import { createExplainedOrganization, type ExplainedOrganization, explainAll } from '../../testing/explain-model.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

interface NextByWinner {
  readonly project: string;
  readonly environment: string;
  readonly explanation: Explanation;
}

/** Returns the `next` value of each cell that has an effective value, by the id of the effective value. */
async function nextByWinner({
  service,
  model,
}: ExplainedOrganization): Promise<ReadonlyMap<string, readonly NextByWinner[]>> {
  const nextValues: NextByWinner[] = [];
  for (const { key: project } of model.projects) {
    for (const { key: environment } of model.environments) {
      const rows = await explainAll(service.organization.owner, service, { project, environment });
      nextValues.push(...(rows ?? []).map((explanation) => ({ project, environment, explanation })));
    }
  }
  return Map.groupBy(
    nextValues.filter(({ explanation }) => explanation.winner),
    ({ explanation: { winner } }) => `${winner?.parameter_id} ${winner?.environment_id}`,
  );
}

/** Deletes a value, and returns the effective configuration in the cells where it was effective. */
async function withoutIt(
  { service }: ExplainedOrganization,
  value: ExplainedOrganization['model']['values'][number],
  predictions: readonly NextByWinner[],
) {
  const { parameter, environment } = value;
  await service.apply({ kind: 'delete value', parameter, environment });
  for (const { project, environment: where, explanation } of predictions) {
    const path = `${service.url(project)}effective/?environment=${service.id(where)}`;
    const { values } = (await service.organization.owner.get<Effective>(path)).body;
    const { name, next } = explanation;
    const cell = { name, project, where };
    expect({
      ...cell,
      state: name in values ? (values[name] === null ? 'null' : 'set') : 'unset',
      text: values[name] ?? null,
    }).toEqual({
      ...cell,
      state: next?.state,
      text: next?.value?.value ?? null,
    });
  }
  await service.apply({ kind: 'set value', parameter, environment, text: value.text, dynamic: value.dynamic });
}

/** Generates additional nulls, which would otherwise be rare. */
const withNulls = (steps: readonly ModelStep[]) =>
  steps.map((step, index) =>
    step.kind === 'set value' && !step.dynamic && index % 3 === 0 ? { ...step, text: null } : step,
  );

it('in every cell, the value that explain reports as next becomes effective once the winner is deleted', async () => {
  const states: Record<string, number> = {};
  const plans = await modelPlans({ steps: 30 });
  await fc.assert(
    fc.asyncProperty(plans, async ({ steps }) => {
      const world = await createExplainedOrganization(core, withNulls(steps));
      const predictions = await nextByWinner(world);
      for (const value of world.model.values) {
        const { service } = world;
        const cells = predictions.get(`${service.id(value.parameter)} ${service.id(value.environment)}`) ?? [];
        for (const { explanation } of cells) {
          const state = explanation.next?.state ?? 'none';
          states[state] = (states[state] ?? 0) + 1;
        }
        await withoutIt(world, value, cells);
      }
    }),
    { numRuns: countCases(4), endOnFailure: true },
  );
  if (runsAllCases) expect(Object.keys(states).sort()).toEqual(['null', 'set', 'unset']);
});
