import { type OwnCore, RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';

let core: RunningCore;
let second: OwnCore;
beforeAll(async () => {
  core = await sharedCore();
  second = await startSecondCore(core);
});
afterAll(async () => {
  await second.close();
});

const CROWD = 12;

it('under load, a read that starts after the response to a write sees the write in both processes', async () => {
  const organization = await core.organization();
  const parameter = await organization.parameter();
  const { url } = await organization.value({ parameter });
  const authorization = await organization.authorization('VIEWER');
  const clients = [core, second].map(({ origin }) => new RawClient(origin, authorization));
  const path = `projects/${parameter.project.split('/').at(-2)}/effective/?environment=default`;
  let isOver = false;
  const crowd = Array.from({ length: CROWD }, async (_, index) => {
    while (!isOver) await clients[index % clients.length]?.get(path);
  });

  const stale: string[] = [];
  for (let round = 1; round <= 40; round += 1) {
    const text = `text ${round}`;
    expect((await organization.owner.patch(url, { internal_value: text })).status).toBe(200);
    for (const { body } of await Promise.all(clients.map((client) => client.get<{ values: object }>(path)))) {
      if (!JSON.stringify(body.values).includes(`"${text}"`)) stale.push(`${text}: ${JSON.stringify(body.values)}`);
    }
  }
  isOver = true;
  await Promise.all(crowd);

  expect(stale).toEqual([]);
});
