import type { ServiceAccountCreated } from '@strata/contract';
import { LocalIssuer, type OwnCore, startCore } from '@strata/testkit';
import { pullRequest, push } from './testing/job.ts';
import { FILE, ShopRepository, set } from './testing/shop-repository.ts';

const AUDIENCE = 'https://strata.example';
const SUBJECT = 'repo:octo/app:environment:production';

let issuer: LocalIssuer;
let core: OwnCore;
let shop: ShopRepository;
let inputs: Readonly<Record<string, string>>;

beforeAll(async () => {
  issuer = await LocalIssuer.start('/_services/token');
  core = await startCore({ STRATA_WORKLOAD_ISSUERS: issuer.url, STRATA_PRIVATE_ISSUERS: 'true' });
});
afterAll(async () => {
  ShopRepository.removeAction();
  await core.close();
  await issuer.close();
});
beforeEach(async () => {
  shop = await ShopRepository.create(core);
  await shop.write({ PORT: { value: '8080' } });
  const { owner } = shop.organization;
  const { body } = await owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'deploy', role: 'CONTRIB' });
  await owner.post(`${body.url}trust-rules/`, {
    ...{ issuer: issuer.url, audience: AUDIENCE, subject: SUBJECT, claims: { repository_id: '74' } },
  });
  const { 'api-key': _, ...others } = shop.inputs;
  inputs = { ...others, file: FILE, 'service-account': body.id, audience: AUDIENCE };
  shop.github.idToken = (audience) => issuer.token({ aud: audience, sub: SUBJECT, repository_id: '74' });
});
afterEach(() => shop.close());

const job = (idToken = true) => shop.job(set({ PORT: '8081' }), push(), { idToken });

test('a job plans and applies with its id token, which is masked, and without an API key', async () => {
  const tokens: string[] = [];
  const { idToken } = shop.github;
  shop.github.idToken = (audience) => {
    tokens.push(idToken(audience));
    return tokens.at(-1) ?? '';
  };
  const running = job();
  const { outputs } = await running.step('plan', inputs);
  const { code, log } = await running.step('apply', { ...inputs, 'plan-hash': String(outputs.hash) });

  expect([code, await shop.value('PORT')]).toEqual([0, '8081']);
  expect(tokens).toHaveLength(2);
  for (const token of tokens) expect([running.masked(token), log.includes(token)]).toEqual(['***', false]);
});

test('a token that the service account does not trust is rejected', async () => {
  shop.github.idToken = (audience) =>
    issuer.token({ aud: audience, sub: 'repo:octo/app:pull_request', repository_id: '74' });
  const { code, log } = await job().step('plan', inputs);
  expect([code, log]).toEqual([3, expect.stringContaining('no trust rule of the service account accepts it')]);
});

test('a job without the permission for id tokens gets an error that names the permission', async () => {
  const { code, log } = await job(false).step('plan', inputs);
  expect([code, log]).toEqual([1, expect.stringContaining('id-token: write')]);
});

test('the error for a pull request of a fork does not name the permission, which would not help', async () => {
  const fork = shop.job(set({ PORT: '8081' }), pullRequest(3, 'mallory/app'), { idToken: false });
  const { code, log } = await fork.step('plan', inputs);
  expect([code, log]).toEqual([1, expect.stringContaining('comes from a fork')]);
});

test('a step has exactly one credential', async () => {
  const bothCredentials = await job().step('plan', { ...inputs, 'api-key': 'a key' });
  expect([bothCredentials.code, bothCredentials.log]).toEqual([1, expect.stringContaining('not both')]);
  const none = await job().step('plan', { ...inputs, 'service-account': '' });
  expect([none.code, none.log]).toEqual([1, expect.stringContaining('There is no credential')]);
});
