import type { Explanation } from '@strata/contract';
import {
  countCases,
  lastChangeInModel,
  type ModelCell,
  modelPlans,
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

type Column = Pick<ModelCell, 'project' | 'environment'>;

const listColumns = ({ projects, environments }: ExplainedOrganization['model']): Column[] =>
  projects.flatMap(({ key: project }) => environments.map(({ key: environment }) => ({ project, environment })));

const revisions = (rows: readonly Explanation[] | null) =>
  rows?.map(({ name, since }) => ({ name, revision: since?.revision, at: since?.at, exact: since?.exact }));

/**
 * Checks that every name of a column is unchanged since the last step that changed it in the model, for every caller.
 */
async function compareColumn(
  { service, pointsInTime }: ExplainedOrganization,
  column: Column,
  until: number,
): Promise<number> {
  const more = until === pointsInTime.length - 1 ? '' : `&revision=${pointsInTime[until]?.revision}`;
  const explained = await explainAll(service.organization.owner, service, column, more);
  expect(
    explained?.map(({ name, since }) => ({ column, name, since: since?.revision, actor: since?.actor_type })),
  ).toEqual(
    explained?.map(({ name }) => ({
      column,
      name,
      since: lastChangeInModel(pointsInTime, { ...column, name }, until),
      actor: 'interactive',
    })),
  );
  const toReader = await explainAll(service.reader, service, column, `${more}&mask_secrets=true`);
  if (toReader) expect(revisions(toReader)).toEqual(revisions(explained));
  return explained?.length ?? 0;
}

it('every cell is unchanged since its reported last change, now and in the past, for every caller', async () => {
  let cells = 0;
  const plans = await modelPlans({ steps: 40, access: true });
  await fc.assert(
    fc.asyncProperty(plans, fc.nat(), async ({ steps }, picked) => {
      const world = await createExplainedOrganization(core, steps);
      const last = world.pointsInTime.length - 1;
      for (const column of listColumns(world.model)) cells += await compareColumn(world, column, last);
      const then = 1 + (picked % last);
      const earlier = world.pointsInTime[then]?.model ?? world.model;
      for (const column of listColumns(earlier)) cells += await compareColumn(world, column, then);
    }),
    { numRuns: countCases(7), endOnFailure: true },
  );
  if (runsAllCases) expect(cells).toBeGreaterThan(20);
});
