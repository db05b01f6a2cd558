import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Project, Value } from '../libs/contract/src/index.ts';
import { type RunningCore, sharedCore, type TestOrganization } from '../libs/testkit/src/index.ts';
import { Guide, parseApiKey } from './testing/guide.ts';

const guide = new Guide('follow-a-configuration');
let core: RunningCore;
let organization: TestOrganization;
let project: Project;
let value: Value;
beforeAll(async () => {
  core = await sharedCore();
  organization = await core.organization();
  project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'PORT' });
  value = await organization.value({ parameter, internal_value: '8080' });
});
afterAll(() => guide.remove());

async function shell(code: string, more: Readonly<Record<string, string>> = {}) {
  const KEY = parseApiKey(await organization.authorization('VIEWER'));
  return guide.start(code, { API: `${core.origin}/api/v1`, PROJECT_ID: project.id, KEY, ...more });
}

const set = (port: string) => organization.owner.patch(value.url, { internal_value: port });

it('the guide shows the snapshot and the delta of a stream', async () => {
  const stream = await shell(`exec ${guide.code('Follow the stream').trimStart()}`);
  let output = '';
  stream.stdout.setEncoding('utf8').on('data', (part: string) => {
    output += part;
  });
  while (!output.includes('event: snapshot')) await sleep(10);
  await set('8081');
  while (!output.includes('event: delta')) await sleep(10);
  stream.kill();

  expect(output).toMatch(/^data: \{"cursor":"e1\..*"values":\{"PORT":"8080"\}.*\}$/m);
  expect(output).toMatch(/^data: \{"cursor":"e1\..*"name":"PORT","kind":"changed","value":"8081".*\}$/m);
});

it('the guide polls, and writes each new configuration to a file', async () => {
  const polling = await shell(guide.code('Poll'), { ROUNDS: '2' });
  const output = text(polling.stdout);
  const config = path.join(guide.directory, 'config.json');
  while (!fs.existsSync(config)) await sleep(10);
  await set('8082');

  expect(await output).toBe('new configuration\nnew configuration\n');
  expect(JSON.parse(fs.readFileSync(config, 'utf8')).values).toEqual({ PORT: '8082' });
});
