import { setTimeout as sleep } from 'node:timers/promises';
import type { Effective, Parameter, Project, Rollout } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { ConfigError } from './strata-error.ts';
import { FaultyProxy } from './testing/faulty-proxy.ts';
import { Programs, waitUntil } from './testing/programs.ts';

let core: RunningCore;
let org: TestOrganization;
let project: Project;
let proxy: FaultyProxy;
let programs: Programs;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  org = await core.organization();
  project = await org.project({ name: 'shop' });
  proxy = await FaultyProxy.before(core.origin);
  programs = new Programs();
});
afterEach(async () => {
  await programs.end();
  await proxy.goDown();
});

const connect = (options: Partial<Parameters<Programs['connect']>[0]> = {}) =>
  programs.connect({ url: proxy.url, credential: org.ownerAuthorization, ...options }, { times: { steadyMs: 0 } });

const parameter = (name: string, secret = false): Promise<Parameter> => org.parameter({ project, name, secret });

async function effective(query = ''): Promise<Effective> {
  const { body } = await org.owner.get<Effective>(`projects/${project.id}/effective/?mask_secrets=true&${query}`);
  return body;
}

it('the program has the effective configuration after random writes and cut connections', async () => {
  const names = ['A', 'B', 'C', 'D', 'SECRET'];
  const parameters = await Promise.all(names.map((name) => parameter(name, name === 'SECRET')));
  const config = await connect();
  const urls = new Map<string, string>();
  for (let round = 0; round < 40; round++) {
    const target = parameters[Math.floor(Math.random() * parameters.length)] as Parameter;
    const url = urls.get(target.name);
    const text = Math.random() < 0.2 ? null : `{{ ${round} `.repeat(1 + Math.floor(Math.random() * 3));
    if (!url) urls.set(target.name, (await org.value({ parameter: target, internal_value: text })).url);
    else if (Math.random() < 0.3) {
      await org.owner.delete(url);
      urls.delete(target.name);
    } else await org.owner.patch(url, { internal_value: text });
    if (Math.random() < 0.3) proxy.cut();
    await sleep(Math.random() * 30);
  }
  const { digest, values } = await effective();
  await waitUntil(() => config.digest === digest);
  expect(config.names()).toEqual(Object.keys(values).sort());
  for (const [name, text] of Object.entries(config.all())) expect(text).toBe(values[name]);
  // Every other stream continued after the last message.
  const isFirst = (request: string) => request.includes('/stream/') && !request.includes('after=');
  expect(proxy.requests.filter(isFirst).length).toBeLessThanOrEqual(2);
});

it('the program receives only the requested names, and secrets only with `reveal`', async () => {
  await org.value({ parameter: await parameter('PASSWORD', true), internal_value: 'canary' });
  await org.value({ parameter: await parameter('STARS'), internal_value: '*****' });
  await org.value({ parameter: await parameter('OTHER'), internal_value: 'x' });
  const masked = await connect({ names: ['PASSWORD', 'STARS'] });
  expect([masked.names(), masked.all()]).toEqual([['PASSWORD', 'STARS'], { STARS: '*****' }]);
  expect(() => masked.string('PASSWORD')).toThrow('Connect with `reveal: true`');
  expect(() => masked.string('OTHER')).toThrow('it is not one of `names`');
  expect((await connect({ reveal: true })).string('PASSWORD')).toBe('canary');
  proxy.isBuffering = true;
  const polling = await programs.connect(
    { url: proxy.url, credential: org.ownerAuthorization },
    { times: { openMs: 200 } },
  );
  expect([polling.status, polling.has('PASSWORD'), Object.keys(polling.all())]).toEqual([
    'polling',
    true,
    ['OTHER', 'STARS'],
  ]);
});

it('the program reports the configuration that it runs, and why it rejects one', async () => {
  const value = await org.value({ parameter: await parameter('PORT'), internal_value: '1' });
  const config = await connect({
    instance: 'pod-7',
    validate: (next) => {
      if (next.number('PORT') > 9) throw new ConfigError('PORT must be at most 9');
      if (next.number('PORT') === 5) JSON.parse('canary');
    },
  });
  const instance = async () => {
    const { body } = await org.owner.get<Rollout>('rollouts/?project=shop&environment=default');
    return body.results[0];
  };
  await waitUntil(async () => (await instance())?.status === 'current');
  for (const [text, reason] of [
    ['10', 'PORT must be at most 9'],
    ['5', '`validate` threw SyntaxError.'],
  ]) {
    await org.owner.patch(value.url, { internal_value: text });
    await waitUntil(async () => (await instance())?.reason === reason);
    expect(await instance()).toMatchObject({ instance: 'pod-7', status: 'refused' });
  }
  expect(config.number('PORT')).toBe(1);
  await org.owner.patch(value.url, { internal_value: '2' });
  await waitUntil(async () => (await instance())?.status === 'current');
  expect(config.number('PORT')).toBe(2);
});
