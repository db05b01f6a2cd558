import type { Effective } from '@strata/contract';
import {
  type ConfigurationModel,
  countCases,
  evaluateEffective,
  listVisibleNames,
  ModelInService,
  modelPlans,
  type RunningCore,
  sharedCore,
} from '@strata/testkit';
import fc from 'fast-check';
import { EffectiveClient } from '../../../testing/effective-client.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

interface Followed {
  readonly project: string;
  readonly environment: string;
  readonly reveal: boolean;
}

interface StreamedPointInTime {
  readonly revision: number;
  readonly model: ConfigurationModel;
}

/** Returns the values that a stream should deliver; null if the project or the environment does not exist. */
function valuesIn(model: ConfigurationModel, { project, environment, reveal }: Followed) {
  const exists = [...model.projects, ...model.environments].filter(({ key }) => key === project || key === environment);
  if (exists.length < 2) return null;
  return Object.fromEntries(
    listVisibleNames(model, project).flatMap((name) => {
      const winner = evaluateEffective(model, project, environment, name);
      if (!winner) return [];
      return [[name, winner.secret && !reveal && winner.text !== null ? '*****' : winner.text] as const];
    }),
  );
}

/** Returns the revisions at which the values of the model changed, each with the values after it. */
function expectedDeltas(pointsInTime: readonly StreamedPointInTime[], followed: Followed) {
  let before: string | null = null;
  const deltas: { revision: number; values: object }[] = [];
  for (const { revision, model } of pointsInTime) {
    const values = valuesIn(model, followed);
    if (values === null) break;
    const text = JSON.stringify(Object.entries(values).toSorted());
    if (before !== null && text !== before) deltas.push({ revision, values });
    before = text;
  }
  return deltas;
}

it('clients that fold messages over cut connections have the values of the model, with a delta exactly where they change', async () => {
  const plans = await modelPlans({ steps: 30, access: true });
  const cuts = fc.array(fc.nat(99), { minLength: 54, maxLength: 54 });
  await fc.assert(
    fc.asyncProperty(plans, cuts, async ({ steps }, random) => {
      const service = await ModelInService.begin(await core.organization());
      const built = Math.min(22, steps.length);
      const last = (await service.applyAll(steps.slice(0, built))).at(-1)?.revision ?? 0;
      const { projects, environments } = service.state;
      const all = projects.flatMap(({ key: project }) =>
        environments.flatMap(({ key: environment }) =>
          [true, false].map((reveal) => ({ project, environment, reveal })),
        ),
      );
      const clients = await Promise.all(
        all.slice(0, 12).map(async (followed) => {
          const path = `projects/${service.id(followed.project)}/effective/stream/?environment=${service.id(followed.environment)}&reveal=${followed.reveal}`;
          const client = new EffectiveClient(core.origin, path, service.organization.ownerAuthorization);
          await client.open();
          await client.until(() => client.received.length > 0);
          return { followed, client };
        }),
      );
      const pointsInTime: StreamedPointInTime[] = [{ revision: last, model: service.state }];
      for (const [index, step] of steps.slice(built).entries()) {
        const { client } = clients[(random[index] ?? 0) % Math.max(clients.length, 1)] ?? {};
        if (client?.isOpen && (random[index] ?? 0) % 2) client.cut();
        else if (client && !client.isOpen && client.last?.message.kind !== 'close') await client.open();
        const { revision } = await service.apply(step);
        pointsInTime.push({ revision, model: service.state });
      }
      const end = pointsInTime.at(-1) as StreamedPointInTime;
      for (const { followed, client } of clients) {
        // A client that connects receives a bookmark at once.
        client.cut();
        if (client.last?.message.kind !== 'close') await client.open();
        const exists = valuesIn(end.model, followed) !== null;
        if (exists) await client.untilRevision(end.revision);
        client.cut();

        const deltas = client.received.flatMap(({ message, values }) =>
          message.kind === 'delta' ? [{ revision: message.revision, values }] : [],
        );
        const expected = expectedDeltas(pointsInTime, followed);
        // A client that was not connected when its scope was deleted cannot receive what changed before.
        if (exists) expect(deltas).toEqual(expected);
        else expect(expected.slice(0, deltas.length)).toEqual(deltas);
        expect(client.kinds.filter((kind) => kind === 'snapshot' || kind === 'reset')).toEqual(['snapshot']);
        if (!exists) continue;
        const path = `projects/${service.id(followed.project)}/effective/?environment=${service.id(followed.environment)}&mask_secrets=${!followed.reveal}`;
        const { body } = await service.organization.owner.get<Effective>(path);
        expect(client.last?.values).toEqual(body.values);
        expect(client.last?.message).toMatchObject({ digest: body.digest });
      }
    }),
    { numRuns: countCases(40), endOnFailure: true },
  );
});
