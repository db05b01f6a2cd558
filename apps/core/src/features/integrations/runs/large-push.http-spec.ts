import { setTimeout as sleep } from 'node:timers/promises';
import { countCases, runsAllCases, type TestCloud } from '@strata/testkit';
import { forEachStore, type StoreName } from '../../../testing/store-fixtures.ts';

type Counts = Readonly<Record<string, number>>;

/** The calls of each run that do not depend on the number of keys: the sign-in, the confirmation, and the first page. */
const AZURE: Counts = { Challenge: 1, RequestToken: 1, GetSecret: 1, GetSecrets: 1, GetDeletedSecrets: 1 };
const GOOGLE: Counts = { GetSecretVersion: 1, AccessSecretVersion: 1, ListSecrets: 1 };
const GITHUB: Counts = {
  ...{ 'apps/get-installation': 1, 'apps/create-installation-access-token': 2, 'actions/get-org-variable': 1 },
  'actions/list-repo-secrets': 1,
};
/** Credentials of AWS are kept for some time, and a broken connection repeats these calls. */
const SIGN_IN: ReadonlySet<string> = new Set(['AssumeRole', 'GetCallerIdentity']);

/** The calls of a push with a number of keys: of its first run, and of one that finds no differences. */
interface ExpectedCalls {
  readonly keys: number;
  readonly first: (keys: number) => Counts;
  readonly unchanged: (keys: number) => Counts;
}

/** The requests to Google and GitHub are paced, and a repository of GitHub has at most 100 secrets. */
const EXPECTED: Readonly<Record<StoreName, ExpectedCalls>> = {
  secretsmanager: {
    keys: countCases(1_000),
    first: (keys) => ({ ListSecrets: 1, CreateSecret: keys }),
    unchanged: (keys) => ({ ListSecrets: Math.ceil(keys / 100) }),
  },
  ssm: {
    keys: countCases(1_000),
    first: (keys) => ({ DescribeParameters: 2, PutParameter: keys, GetParameter: keys }),
    // Pages of moto have 10 parameters, and those of AWS 50.
    unchanged: (keys) => ({ DescribeParameters: 2 * (Math.floor(keys / 10) + 1) }),
  },
  azure: {
    keys: countCases(1_000),
    first: (keys) => ({ ...AZURE, GetSecret: keys + 1, SetSecret: keys }),
    unchanged: (keys) => ({ ...AZURE, GetSecrets: Math.ceil((keys + 1) / 25) }),
  },
  google: {
    keys: 30,
    first: (keys) => ({ ...GOOGLE, CreateSecret: keys, AddSecretVersion: keys }),
    unchanged: (keys) => ({ ...GOOGLE, GetSecret: keys, GetSecretVersion: keys + 1 }),
  },
  github: {
    keys: 20,
    first: (keys) => ({
      ...{ ...GITHUB, 'apps/create-installation-access-token': 3, 'actions/get-repo-public-key': 1 },
      ...{ 'actions/get-repo-secret': keys, 'actions/create-or-update-repo-secret': keys },
    }),
    unchanged: () => GITHUB,
  },
};

/** A key vault has times of whole seconds, and Strata reads a version again that is younger than this. */
const YOUNG_VERSION_MS = 3_100;

/** Returns the number of calls by operation. If its connection breaks, a client sends a call about a key again. */
function countCalls(cloud: TestCloud): Counts {
  const counts: Record<string, number> = {};
  const aboutKeys = new Set<string>();
  for (const call of cloud.calls()) {
    const text = JSON.stringify(call);
    if (aboutKeys.has(text) || SIGN_IN.has(call.operation)) continue;
    if (/key[-_]\d/i.test(text)) aboutKeys.add(text);
    counts[call.operation] = (counts[call.operation] ?? 0) + 1;
  }
  cloud.clear();
  return counts;
}

forEachStore(
  'a push of many keys writes each key once, and nothing in three runs without changes',
  async ({ cloud, ...fixture }, store) => {
    const { keys, first, unchanged } = EXPECTED[store];
    const shop = await fixture.shop();
    const values = Object.fromEntries(Array.from({ length: keys }, (_, n) => [`KEY_${n}`, `text ${n}`]));
    const { status, text } = await shop.organization.owner.post('changesets/', {
      operations: [{ set: { project: 'shop', environment: 'production', values, create_missing: true } }],
    });
    if (status !== 201) throw new Error(text);
    cloud.clear();

    const push = await shop.push({ include_parameters: true });

    const task = await push.latest();
    expect(task).toMatchObject({ state: 'success', error_code: null });
    const firstCalls = countCalls(cloud);
    await sleep(YOUNG_VERSION_MS);
    await push.run();
    cloud.clear();
    const later: Counts[] = [];
    const began = performance.now();
    for (let interval = 0; interval < 3; interval += 1) {
      expect(await push.run()).toMatchObject({ state: 'success' });
      later.push(countCalls(cloud));
    }
    const seconds = (Date.parse(task.modified_at ?? '') - Date.parse(task.created_at)) / 1_000;
    const ms = Math.round((performance.now() - began) / later.length);
    if (runsAllCases) {
      const calls = `${JSON.stringify(firstCalls)}; without changes ${ms} ms, ${JSON.stringify(later[0])}`;
      console.log(`${store}: ${keys} keys in ${seconds} s, ${calls}`);
    }
    expect(firstCalls).toEqual(first(keys));
    expect(later).toEqual(Array.from({ length: 3 }, () => unchanged(keys)));
  },
);
