import type { User } from '@strata/contract';
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

it('each of several simultaneous callers is identified correctly, by both processes', async () => {
  const [firstOrganization, secondOrganization] = await Promise.all([core.organization(), core.organization()]);
  const authorizations = await Promise.all(
    [firstOrganization, secondOrganization].flatMap((organization) => [
      organization.ownerAuthorization,
      organization.authorization('ADMIN'),
      organization.authorization('VIEWER'),
    ]),
  );
  const whoIs = async (authorization: string, origin: string) => {
    const { status, body } = await new RawClient(origin, authorization).get<User>('users/current/');
    return `${status} ${body.organization_name} ${body.id}`;
  };
  const expected: string[] = [];
  for (const authorization of authorizations) expected.push(await whoIs(authorization, core.origin));

  const rounds = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? core.origin : second.origin));
  const answers = await Promise.all(
    rounds.map((origin) => Promise.all(authorizations.map((authorization) => whoIs(authorization, origin)))),
  );

  expect(new Set(expected).size).toBe(authorizations.length);
  expect(answers).toEqual(rounds.map(() => expected));
});
