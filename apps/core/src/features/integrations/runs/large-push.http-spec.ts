import { countCases, runsAllCases } from '@strata/testkit';
import { setUpAws } from '../../../testing/push-fixture.ts';

const { at, suite, standIn } = await setUpAws();

/** The keys of one page of a list. */
const PAGE = 100;
const KEYS = countCases(1_000);

/** Returns the number of different calls by operation. The client sends a call again if its connection breaks. */
function countCalls(): Record<string, number> {
  const calls = new Set(at.aws.calls().map(({ operation, input }) => `${operation} ${input.Name ?? input.NextToken}`));
  at.aws.clear();
  const counts: Record<string, number> = {};
  for (const [operation = ''] of [...calls].map((call) => call.split(' '))) {
    if (operation !== 'AssumeRole' && operation !== 'GetCallerIdentity')
      counts[operation] = (counts[operation] ?? 0) + 1;
  }
  return counts;
}

suite(`a push of many keys (${standIn})`, () => {
  it('writes each key once, and sends only lists in an interval without changes', async () => {
    const shop = await at.shop({});
    const values = Object.fromEntries(Array.from({ length: KEYS }, (_, n) => [`KEY_${n}`, `text ${n}`]));
    const { status, text } = await shop.organization.owner.post('changesets/', {
      operations: [{ set: { project: 'shop', environment: 'production', values, create_missing: true } }],
    });
    if (status !== 201) throw new Error(text);
    at.aws.clear();

    const push = await shop.push({ include_parameters: true });

    expect(await push.latest()).toMatchObject({ state: 'success', error_code: null });
    const first = countCalls();
    expect(first).toEqual({ ListSecrets: 1, CreateSecret: KEYS });
    const { created_at: from, modified_at: to } = await push.latest();
    const began = performance.now();
    expect(await push.run()).toMatchObject({ state: 'success' });
    expect(countCalls()).toEqual({ ListSecrets: Math.ceil(KEYS / PAGE) });
    if (runsAllCases) {
      const seconds = (Date.parse(to ?? '') - Date.parse(from)) / 1_000;
      console.log(`${KEYS} keys: ${seconds} s; without changes ${Math.round(performance.now() - began)} ms`);
    }
  });
});
