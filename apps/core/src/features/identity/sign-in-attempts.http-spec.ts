import type { AuthToken } from '@strata/contract';
import { RawClient } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

/** Two cores behind one proxy share a database. The third core is behind two proxies. */
let core: CoreInProcess;
let second: CoreInProcess;
let behindTwo: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess({ STRATA_TRUST_PROXY: 'true' });
  [second, behindTwo] = [
    await startSecondCore(core, { STRATA_TRUST_PROXY: '1' }),
    await startSecondCore(core, { STRATA_TRUST_PROXY: '2' }),
  ];
});
afterAll(async () => {
  await behindTwo.close();
  await second.close();
  await core.close();
});

interface Account {
  readonly email: string;
  readonly password: string;
}

const signIn = ({ origin }: CoreInProcess, { email, password }: Account, forwarded: string) =>
  new RawClient(origin, null).post<AuthToken>('auth/token/', { email, password }, { 'x-forwarded-for': forwarded });

/** Sends the guesses one after the other. */
async function guesses(at: CoreInProcess, { email }: Account, sources: readonly string[]): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const source of sources) statuses.push((await signIn(at, { email, password: 'a guess' }, source)).status);
  return statuses;
}

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const owner = async () => createPerson(core, (await core.organization()).id, 'OWNER');

describe('guessing a password', () => {
  it('is counted across all cores', async () => {
    const account = await owner();
    expect(
      await guesses(
        core,
        account,
        times(5, () => '10.0.0.1'),
      ),
    ).toEqual(times(5, () => 403));
    expect(
      await guesses(
        second,
        account,
        times(5, () => '10.0.0.1'),
      ),
    ).toEqual(times(5, () => 403));

    for (const at of [core, second]) {
      const response = await signIn(at, account, '10.0.0.1');
      expect(response).toMatchObject({ status: 429, headers: { 'x-error-code': 'too_many_attempts' } });
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60);
    }
  });

  it('is counted correctly when many attempts run in parallel', async () => {
    const account = await owner();
    const all = await Promise.all(
      times(24, (n) => signIn(n % 2 === 0 ? core : second, { ...account, password: 'wrong' }, '10.0.0.2')),
    );

    expect(all.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(14);
  });

  it('from any number of machines does not lock out the person on another machine', async () => {
    const account = await owner();
    const machines = times(12, (n) => `10.1.0.${n}`);
    await Promise.all(
      machines.map((machine, n) =>
        guesses(
          n % 2 ? core : second,
          account,
          times(11, () => machine),
        ),
      ),
    );

    const started = performance.now();
    const entered = await signIn(core, account, '10.2.0.1');

    expect(entered.status).toBe(200);
    // Attempts for an address under attack are delayed, even with the right password.
    expect(performance.now() - started).toBeGreaterThan(500);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('is counted by the address that the trusted proxy saw, and not by a header of the attacker', async () => {
    const account = await owner();
    const claimed = times(11, (n) => `192.0.2.${n}, 10.0.0.3`);
    expect(await guesses(core, account, claimed)).toEqual([...times(10, () => 403), 429]);
    expect((await signIn(core, account, '192.0.2.1, 10.0.0.4')).status).toBe(200);
  });

  it('is counted behind two proxies by the address that the outer one saw', async () => {
    const account = await owner();
    const claimed = times(11, (n) => `192.0.2.${n}, 10.0.0.5, 10.9.9.${n}`);
    expect(await guesses(behindTwo, account, claimed)).toEqual([...times(10, () => 403), 429]);
    expect((await signIn(behindTwo, account, '10.0.0.6, 10.9.9.1')).status).toBe(200);
  });

  it('does not count successful attempts', async () => {
    const account = await owner();
    const statuses = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await signIn(core, account, '10.0.0.7')).status);
    expect(statuses).toEqual(times(12, () => 200));
  });

  it('stores nothing that reveals an address', async () => {
    const account = await owner();
    await guesses(core, account, ['10.0.0.8']);
    const rows = await query<{ row: string }>(core, 'select failure::text as row from sign_in_failure failure');

    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toMatch(/@|10\.0\.0\./);
  });
});
