import { type RunningCore, sharedCore } from '@strata/testkit';
import { pullRequest, push } from './testing/job.ts';
import { FILE, ShopRepository, set } from './testing/shop-repository.ts';

const MERGE = 'b'.repeat(40);
const CHANGESET = set({ PORT: '8081' });

let core: RunningCore;
let shop: ShopRepository;
let inputs: Readonly<Record<string, string>>;

beforeAll(async () => {
  core = await sharedCore();
});
afterAll(() => ShopRepository.removeAction());
beforeEach(async () => {
  shop = await ShopRepository.create(core);
  inputs = { ...shop.inputs, file: FILE };
  await shop.write({ PORT: { value: '8080' } });
  await shop.job(CHANGESET, pullRequest(12)).step('plan', inputs);
  shop.github.pulls.push(
    { number: 11, merged_at: null, merge_commit_sha: MERGE, base: { ref: 'main' } },
    { number: 12, merged_at: '2026-11-27T00:00:00Z', merge_commit_sha: MERGE, base: { ref: 'main' } },
  );
});
afterEach(() => shop.close());

/** Runs the step `apply` on the merge commit. */
const applied = (changeset = CHANGESET, more: object = {}) =>
  shop.job(changeset, push(MERGE)).step('apply', { ...inputs, ...more });

const comment = () => shop.github.comments.get(12)?.[0] ?? { body: '' };

test('apply does what the merged pull request has shown, and the history names the commit', async () => {
  const { code, outputs } = await applied();
  expect([code, outputs.changed, await shop.value('PORT')]).toEqual([0, 'true', '8081']);
  const query = `changesets/?q=${encodeURIComponent(`https://github.example/octo/app/commit/${MERGE}`)}`;
  const { body } = await shop.organization.owner.get<{ results: { revision: number }[] }>(query);
  expect(body.results.map(({ revision }) => String(revision))).toEqual([outputs.revision]);
});

test('a second run changes nothing and succeeds, even if the value was changed afterwards', async () => {
  const first = await applied();
  await shop.write({ PORT: { value: '9000' } });
  const second = await applied();

  expect([second.code, second.outputs]).toEqual([0, { revision: first.outputs.revision, changed: 'false' }]);
  expect(await shop.value('PORT')).toBe('9000');
});

test('another changeset of the same commit, or of another account, does not count as applied', async () => {
  await applied();
  await shop.write({ PORT: { value: '9000' } });
  const repeated = await applied(set({ PORT: '1' }));
  expect([repeated.code, repeated.outputs]).toEqual([8, {}]);
  const otherStep = await applied(CHANGESET, { environment: 'production' });
  expect([otherStep.code, otherStep.outputs]).toEqual([8, {}]);
  const key = (await shop.organization.authorization('ADMIN')).replace(/^Api-Key /, '');
  const stranger = await applied(CHANGESET, { 'api-key': key });
  expect([stranger.code, stranger.outputs, await shop.value('PORT')]).toEqual([8, {}, '9000']);
});

test('if the effects have changed since the plan, apply shows the present plan, changes nothing and ends with 8', async () => {
  await shop.write({ PORT: { value: '9000' } });
  const { code, log, summary, outputs } = await applied();

  expect([code, outputs, await shop.value('PORT')]).toEqual([8, {}, '9000']);
  for (const text of [log, summary]) expect(text).toContain('~ PORT: "9000" -> "8081"');
});

test('apply of other operations than those on the pull request changes nothing', async () => {
  expect((await applied(set({ PORT: '1' }))).code).toBe(8);
  expect(await shop.value('PORT')).toBe('8080');
});

test('comments of other accounts, and of rejected plans, contain no hash that apply uses', async () => {
  const { body } = comment();
  comment().body = 'Deleted';
  shop.github.comment(12, 'mallory', body);
  const forged = await applied();
  expect([forged.code, forged.log]).toEqual([1, expect.stringContaining('no comment with the plan "default"')]);

  await shop.job(set({ UNKNOWN: '1' }), pullRequest(12)).step('plan', inputs);
  const rejected = await applied();
  expect([rejected.code, rejected.log]).toEqual([1, expect.stringContaining('would have rejected the plan')]);
  expect(await shop.value('PORT')).toBe('8080');
});

test('a commit that no merge has made requires the hash as an input', async () => {
  const job = shop.job(CHANGESET, push('c'.repeat(40)));
  const without = await job.step('apply', inputs);
  expect([without.code, without.log]).toEqual([1, expect.stringContaining('give plan-hash')]);

  const { outputs } = await shop.job(CHANGESET, push()).step('plan', inputs);
  expect((await job.step('apply', { ...inputs, 'plan-hash': String(outputs.hash) })).code).toBe(0);
  expect(await shop.value('PORT')).toBe('8081');
});

test('a pull request that was merged into another branch contains no hash that apply uses', async () => {
  const job = shop.job(CHANGESET, push(MERGE, 'refs/heads/release'));
  const { code, log } = await job.step('apply', inputs);
  expect([code, log]).toEqual([1, expect.stringContaining('merged into refs/heads/release')]);
  expect(await shop.value('PORT')).toBe('8080');
});

test('apply does not run for a pull request, whose changes are not merged', async () => {
  const { code, log } = await shop.job(CHANGESET, pullRequest(12)).step('apply', inputs);
  expect([code, log]).toEqual([1, expect.stringContaining('this step applies what is merged')]);
  expect(await shop.value('PORT')).toBe('8080');
});

describe('the plan of an account that cannot write', () => {
  beforeEach(async () => {
    const key = (await shop.organization.authorization('VIEWER')).replace(/^Api-Key /, '');
    await shop.organization.webhook();
    const reader = { ...inputs, 'api-key': key, 'assume-write': 'true' };
    const job = shop.job(CHANGESET, pullRequest(12));
    expect(await job.step('plan', reader)).toMatchObject({
      code: 0,
      outputs: { hash: expect.stringMatching(/^text:/) },
    });
  });

  test('is applied by an account that can write, once', async () => {
    const first = await applied();
    expect([first.code, first.outputs.changed, await shop.value('PORT')]).toEqual([0, 'true', '8081']);
    expect((await applied()).outputs).toEqual({ revision: first.outputs.revision, changed: 'false' });
  });

  test('is not applied if the effects or the operations differ', async () => {
    expect((await applied(set({ PORT: '1' }))).code).toBe(8);
    await shop.write({ PORT: { value: '9000' } });
    const { code, log } = await applied();
    expect([code, log, await shop.value('PORT')]).toEqual([8, expect.stringContaining('"9000" -> "8081"'), '9000']);
  });
});

test('several files are one changeset', async () => {
  const job = shop.job(CHANGESET, push(MERGE));
  job.write('second.yaml', 'operations:\n- set: { values: { PORT: "8082" } }\n');
  const files = { ...inputs, file: `${FILE}\nsecond.yaml` };
  const { outputs } = await job.step('plan', files);
  expect(await job.step('apply', { ...files, 'plan-hash': String(outputs.hash) })).toMatchObject({ code: 0 });
  expect(await shop.value('PORT')).toBe('8082');
});
