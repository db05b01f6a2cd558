import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Project, Value } from '../libs/contract/src/index.ts';
import { type RunningCore, sharedCore, type TestOrganization } from '../libs/testkit/src/index.ts';

const GUIDE = path.resolve(import.meta.dirname, '../docs/guides/follow-a-configuration.md');

/** Returns the shell code of a section of the guide. */
const codeOf = (heading: string) =>
  /^```sh\n([\s\S]*?)^```$/m.exec(fs.readFileSync(GUIDE, 'utf8').split(`\n## ${heading}\n`)[1] ?? '')?.[1] ?? '';

let core: RunningCore;
let directory: string;
let organization: TestOrganization;
let project: Project;
let value: Value;
beforeAll(async () => {
  core = await sharedCore();
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-follow-'));
  organization = await core.organization();
  project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'PORT' });
  value = await organization.value({ parameter, internal_value: '8080' });
});
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

/** Starts code as if it were pasted into a shell. */
async function shell(code: string, more: Readonly<Record<string, string>> = {}) {
  const KEY = (await organization.authorization('VIEWER')).replace(/^Api-Key /, '');
  const names = { PATH: process.env.PATH, API: `${core.origin}/api/v1`, PROJECT_ID: project.id, KEY };
  const started = spawn('bash', [], { cwd: directory, env: { ...names, ...more }, stdio: ['pipe', 'pipe', 'inherit'] });
  started.stdin.end(code);
  return started;
}

const set = (port: string) => organization.owner.patch(value.url, { internal_value: port });

it('the guide shows the snapshot and the delta of a stream', async () => {
  const stream = await shell(`exec ${codeOf('Follow the stream').trimStart()}`);
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
  const polling = await shell(codeOf('Poll'), { ROUNDS: '2' });
  const output = text(polling.stdout);
  const config = path.join(directory, 'config.json');
  while (!fs.existsSync(config)) await sleep(10);
  await set('8082');

  expect(await output).toBe('new configuration\nnew configuration\n');
  expect(JSON.parse(fs.readFileSync(config, 'utf8')).values).toEqual({ PORT: '8082' });
});
