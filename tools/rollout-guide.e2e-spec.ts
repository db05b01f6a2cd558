import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Project } from '../libs/contract/src/index.ts';
import { type RunningCore, sharedCore, type TestOrganization } from '../libs/testkit/src/index.ts';
import { Guide, parseApiKey } from './testing/guide.ts';

const guide = new Guide('see-what-runs-where');
let core: RunningCore;
let organization: TestOrganization;
let project: Project;
beforeAll(async () => {
  core = await sharedCore();
  organization = await core.organization();
  project = await organization.project({ name: 'shop' });
  await organization.value({
    parameter: await organization.parameter({ project, name: 'PORT' }),
    internal_value: '80',
  });
});
afterAll(() => guide.remove());

/** The guide requires `jq`, which does not come with the packages. */
const withJq = spawnSync('jq', ['--version']).status === 0 ? it : it.skip;

async function pasted(code: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const KEY = parseApiKey(await organization.authorization('CONTRIB'));
  return guide.run(code, { API: `${core.origin}/api/v1`, PROJECT: 'shop', PROJECT_ID: project.id, KEY, ...more });
}

withJq('the guide waits until the instance of its program runs the change', async () => {
  const program = pasted(guide.code('Poll with a name'), { ROUNDS: '4' });
  const untilTotal = `until [ "$(curl -sS -G "$API/rollouts/" -H "Authorization: Api-Key $KEY" -d project=shop \
    -d environment=production | jq .total)" = 1 ]; do sleep 0.1; done`;
  await pasted(untilTotal);
  const output = await pasted(guide.code('Wait in a deploy script'));
  expect(output).toMatch(/^1 of 1 instances run revision \d+\n$/);
  const config = JSON.parse(fs.readFileSync(path.join(guide.directory, 'config.json'), 'utf8'));
  expect(config.values).toEqual({ PORT: '8081' });
  await organization.value({ parameter: await organization.parameter({ project, name: 'END' }), internal_value: '1' });
  await program;
});

withJq('the guide shows the instance that rejects a configuration, and its reason', async () => {
  expect(await pasted(guide.code('Report or reject explicitly'))).toBe('');
  const rollout = `curl -sS -G "$API/rollouts/" -H "Authorization: Api-Key $KEY" -d project=shop -d environment=production`;
  const { results } = JSON.parse(await pasted(rollout));

  expect(results[0]).toMatchObject({ instance: 'worker-1', status: 'refused', reason: 'PORT is not a number' });
});
