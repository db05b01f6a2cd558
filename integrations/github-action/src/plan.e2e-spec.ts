import { type RunningCore, sharedCore } from '@strata/testkit';
import { pullRequest, push } from './testing/job.ts';
import { FILE, ShopRepository, set } from './testing/shop-repository.ts';

const CANARY = 'canary-4c61f0';

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
  await shop.write({ PORT: { value: '8080' }, PASSWORD: { value: CANARY, secret: true } });
});
afterEach(() => shop.close());

/** Runs the step `plan` for a pull request with one changeset. */
function planned(changeset: string, more: object = {}) {
  return shop.job(changeset, pullRequest(12)).step('plan', { ...inputs, ...more });
}

const bodies = () => (shop.github.comments.get(12) ?? []).map(({ body }) => body);

/** Returns the texts of a comment that are not code. */
const outsideCode = (body = '') => body.split('\n').filter((line) => !line.startsWith('    '));

test('plan shows the effects in the log, the summary and one comment on the pull request', async () => {
  const { code, log, outputs, summary } = await planned(set({ PORT: '8081', PASSWORD: 'other' }));

  expect([code, outputs]).toEqual([0, { hash: expect.stringMatching(/^\S{20,}$/), changed: 'true' }]);
  const effects = ['~ PORT: "8080" -> "8081"', '~ PASSWORD: "*****" -> "*****"'];
  for (const text of [log, summary, ...bodies()]) for (const effect of effects) expect(text).toContain(effect);
  expect(bodies()).toEqual([expect.stringMatching(`^<!-- strata-plan:default hash:${outputs.hash} -->\n`)]);
  expect(`${log}${summary}${bodies()}`).not.toMatch(new RegExp(`${CANARY}|${inputs['api-key']}`));
});

test('plan replaces its comment, and leaves others alone', async () => {
  const forged = shop.github.comment(12, 'mallory', '<!-- strata-plan:default hash:forged -->\nApproved');
  for (let at = 0; at < 120; at += 1) shop.github.comment(12, 'ada', 'A comment');
  await planned(set({ PORT: '8081' }));
  await planned(set({ PORT: '8082' }), { name: 'other' });
  const { outputs } = await planned(set({ PORT: '8083' }));

  const posted = bodies().filter((body) => body !== 'A comment' && body !== forged.body);
  expect(posted).toEqual([expect.stringContaining('"8083"'), expect.stringContaining('"8082"')]);
  expect(posted[0]).toContain(String(outputs.hash));
  expect(forged.body).toContain('Approved');
});

test('plan leaves no comment that apply would ignore, because it is written as another account', async () => {
  shop.github.login = 'ada';
  const { code, log } = await planned(set({ PORT: '8081' }));
  expect([code, log, bodies()]).toEqual([1, expect.stringContaining('Give this name as comment-author'), []]);
  expect((await planned(set({ PORT: '8081' }), { 'comment-author': 'ada' })).code).toBe(0);
});

test('plan of a changeset that Strata would reject comments the reasons, and fails without a hash', async () => {
  const { code, log, outputs } = await planned(set({ UNKNOWN: '1' }));

  expect([code, outputs, log]).toEqual([7, { hash: '', changed: 'false' }, expect.stringContaining('error: ')]);
  expect(bodies()).toEqual([expect.stringMatching(/hash: -->[\s\S]*would reject[\s\S]*unknown_parameter/)]);
});

test('plan of a changeset without effects reports that nothing changes', async () => {
  const { code, outputs } = await planned(set({ PORT: '8080' }));
  expect([code, outputs.changed, bodies()]).toEqual([0, 'false', [expect.stringContaining('changes nothing')]]);
});

test('names and values of the configuration end no code, mention no account and run no command of the runner', async () => {
  const evil = [
    '```',
    '~~~',
    '</pre>',
    '<!-- strata-plan:default hash:evil -->',
    '@octocat',
    '[x](https://evil.example)',
  ];
  const name = '::add-mask::@octocat ``` <b>';
  const project = await shop.organization.project({ name });
  await shop.organization.parameter({ project, name: 'A' });
  const values = { A: { value: `1\n${evil.join('\n')}\n    \n` } };
  const changeset = JSON.stringify({ operations: [{ set: { project: name, environment: 'default', values } }] });
  const { code, log, summary } = await planned(changeset);

  expect([code, log]).toEqual([0, expect.stringContaining(name)]);
  expect(bodies()[0]).toContain('@octocat');
  for (const text of [summary, bodies()[0]?.replace(/^.*\n/, '')])
    expect(outsideCode(text).join('\n')).not.toMatch(/octocat|```|~~~|<|evil/);
});

test('a long plan is cut to the length that GitHub accepts', async () => {
  const names = Array.from({ length: 800 }, (_, at) => `NAME_${at}`);
  const value = { value: 'x'.repeat(200) };
  const values = Object.fromEntries(names.map((name) => [name, value]));
  const { code, log } = await planned(JSON.stringify({ operations: [{ set: { values, create_missing: true } }] }));

  expect([code, log]).toEqual([0, expect.stringContaining('NAME_799')]);
  expect(bodies()).toEqual([expect.stringMatching(/\n\d+ more lines are in the log of the job\.\n/)]);
});

test('an incomplete text does not identify the plan of an account that cannot write', async () => {
  const { project } = shop;
  for (let at = 0; at < 3; at += 1) await shop.organization.project({ depends_on: project.url });
  const names = Array.from({ length: 300 }, (_, at) => `NAME_${at}`);
  await shop.write(Object.fromEntries(names.map((name) => [name, { value: '1' }])));
  const changeset = set(Object.fromEntries(names.map((name) => [name, '2'])));
  const { code, log } = await planned(changeset, { 'assume-write': 'true' });
  expect([code, log]).toEqual([1, expect.stringContaining('does not identify it')]);
  expect((await planned(changeset)).code).toBe(0);
});

test('a pull request from a fork has no credential, and the error describes how to skip it', async () => {
  const job = shop.job(set({ PORT: '1' }), pullRequest(12, 'mallory/app'));
  const { code, log } = await job.step('plan', { ...inputs, 'api-key': '' });
  expect([code, log]).toEqual([1, expect.stringContaining('comes from a fork')]);
});

test.each(['pull_request_target', 'workflow_run', 'issue_comment'])('the action does not run on %s', async (name) => {
  const job = shop.job(set({ PORT: '1' }), { ...pullRequest(12), name });
  for (const step of ['plan', 'apply'] as const) {
    const { code, log } = await job.step(step, inputs);
    expect([code, log]).toEqual([1, expect.stringContaining(`does not run on ${name}`)]);
  }
});

test('plan outside a pull request does not comment', async () => {
  const job = shop.job(set({ PORT: '8081' }), push());
  expect(await job.step('plan', inputs)).toMatchObject({ code: 0, outputs: { changed: 'true' } });
  expect(shop.github.comments.size).toBe(0);
});

test('the exit code and the message of the command line end the step', async () => {
  const { code, log } = await planned('operations: [');
  expect([code, log]).toEqual([2, expect.stringContaining('is neither YAML nor JSON')]);
  expect((await planned(set({ PORT: '1' }), { url: 'http://127.0.0.1:9' })).code).toBe(5);
  const wrong = await planned(set({ PORT: '1' }), { 'api-key': 'wrong.key-of-nobody' });
  expect([wrong.code, wrong.log]).toEqual([3, expect.not.stringContaining('key-of-nobody')]);
});
