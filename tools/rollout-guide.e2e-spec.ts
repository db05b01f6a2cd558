import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Project } from '../libs/contract/src/index.ts';
import { type RunningCore, sharedCore, type TestOrganization } from '../libs/testkit/src/index.ts';

const GUIDE = path.resolve(import.meta.dirname, '../docs/guides/see-what-runs-where.md');

/** Returns the shell code of a section of the guide. */
const codeOf = (heading: string) =>
  /^```sh\n([\s\S]*?)^```$/m.exec(fs.readFileSync(GUIDE, 'utf8').split(`\n## ${heading}\n`)[1] ?? '')?.[1] ?? '';

let core: RunningCore;
let directory: string;
let organization: TestOrganization;
let project: Project;
beforeAll(async () => {
  core = await sharedCore();
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-rollout-'));
  organization = await core.organization();
  project = await organization.project({ name: 'shop' });
  await organization.value({
    parameter: await organization.parameter({ project, name: 'PORT' }),
    internal_value: '80',
  });
});
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

/** The guide requires `jq`, which does not come with the packages. */
const withJq = spawnSync('jq', ['--version']).status === 0 ? it : it.skip;

/** Runs code as if it were pasted into a shell, and returns the output. */
async function pasted(code: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const KEY = (await organization.authorization('CONTRIB')).replace(/^Api-Key /, '');
  const names = { PATH: process.env.PATH, API: `${core.origin}/api/v1`, PROJECT: 'shop', PROJECT_ID: project.id, KEY };
  const shell = spawn('bash', [], { cwd: directory, env: { ...names, ...more }, stdio: ['pipe', 'pipe', 'inherit'] });
  shell.stdin.end(code);
  return text(shell.stdout);
}

withJq('the guide waits until the instance of its program runs the change', async () => {
  const program = pasted(codeOf('Poll with a name'), { ROUNDS: '4' });
  const untilTotal = `until [ "$(curl -sS -G "$API/rollouts/" -H "Authorization: Api-Key $KEY" -d project=shop \
    -d environment=production | jq .total)" = 1 ]; do sleep 0.1; done`;
  await pasted(untilTotal);
  const output = await pasted(codeOf('Wait in a deploy script'));
  expect(output).toMatch(/^1 of 1 instances run revision \d+\n$/);
  const config = JSON.parse(fs.readFileSync(path.join(directory, 'config.json'), 'utf8'));
  expect(config.values).toEqual({ PORT: '8081' });
  await organization.value({ parameter: await organization.parameter({ project, name: 'END' }), internal_value: '1' });
  await program;
});

withJq('the guide shows the instance that refuses a configuration, and its reason', async () => {
  expect(await pasted(codeOf('Report or refuse explicitly'))).toBe('');
  const rollout = `curl -sS -G "$API/rollouts/" -H "Authorization: Api-Key $KEY" -d project=shop -d environment=production`;
  const { results } = JSON.parse(await pasted(rollout));

  expect(results[0]).toMatchObject({ instance: 'worker-1', status: 'refused', reason: 'PORT is not a number' });
});
