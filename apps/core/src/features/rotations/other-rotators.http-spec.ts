import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Rotation, Value } from '@strata/contract';
import { createIamUser, startTestAws, type TestIamUser, type TestOrganization } from '@strata/testkit';
import type { CoreInProcess } from '../../testing/core-in-process.ts';
import { awsSettings } from '../../testing/push-fixture.ts';
import { startRotatingCore } from '../../testing/rotation-fixture.ts';
import { waitUntil } from '../../testing/until.ts';

const aws = await startTestAws();
const suite = aws.missing === null ? describe : describe.skip;
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-rotators-'));
const executable = path.join(directory, 'rotate');
const state = path.join(directory, 'state.json');
const pids = path.join(directory, 'pids');

/** A system with numbered passwords. The file `state` is what it knows. */
const PROGRAM = `#!${process.execPath}
const fs = require('node:fs');
const { spawn } = require('node:child_process');
const question = JSON.parse(fs.readFileSync(0, 'utf8'));
const state = JSON.parse(fs.readFileSync('${state}', 'utf8'));
const numberOf = (text) => /^password-(\\d+)$/.exec(text)?.[1] ?? null;
const answers = {
  identify: () => ({ credential: numberOf(question.text) }),
  find_other: () => ({ credential: Object.keys(state.valid).find((id) => id !== question.published) ?? null }),
  create: () => {
    state.runs[question.run] ??= String(Object.keys(state.runs).length + 2);
    state.valid[state.runs[question.run]] = true;
    return { credential: state.runs[question.run], text: 'password-' + state.runs[question.run] };
  },
  check: () => ({ works: numberOf(question.text) in state.valid }),
  usage: () => ({ last_used_at: null }),
  revoke: () => ({ is_revoked: delete state.valid[question.credential] }),
};
state.environment = Object.keys(process.env);
state.input = question.input;
if (state.leavesProcess) {
  const left = spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore'] });
  fs.appendFileSync('${pids}', left.pid + '\\n');
}
const answer = answers[question.action]();
fs.writeFileSync('${state}', JSON.stringify(state));
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
`;

const users: TestIamUser[] = [];

let core: CoreInProcess;
let organization: TestOrganization;
beforeAll(async () => {
  fs.writeFileSync(executable, PROGRAM, { mode: 0o755 });
  const commands = {
    numbers: { path: executable, organizations: ['*'] },
    other: { path: executable, organizations: ['7d0c6f6e-58a1-4c63-9d3c-0f2f0a5a7a11'] },
  };
  core = await startRotatingCore({ ...awsSettings(aws), STRATA_ROTATION_COMMANDS: JSON.stringify(commands) });
});
afterAll(async () => {
  for (const user of users) user.close();
  await core.close();
  await aws.close();
  fs.rmSync(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  organization = await core.organization();
});

/** Creates a rotation of a secret with a text. */
async function createRotation(text: string, input: object) {
  const parameter = await organization.parameter({ secret: true });
  const environment = await organization.environmentNamed('production');
  const value = await organization.value({ parameter, environment, internal_value: text });
  const common = { name: 'rotation', parameter: parameter.url, environment: environment.url, grace_seconds: 0 };
  const created = await organization.owner.post<Rotation>('rotations/', { ...common, ...input });
  const read = async () => (await organization.owner.get<Rotation>(created.body.url)).body;
  const rotate = async () => {
    await organization.owner.post(`${created.body.url}rotate/`, {});
    return waitUntil(read, (rotation) => rotation.state === 'idle' || rotation.state === 'stopped');
  };
  const readText = async () => (await organization.owner.get<Value>(value.url)).body.value ?? '';
  return { created, rotate, readText };
}

describe('a rotation by a command', () => {
  const command = (program: string) => ({ rotator: 'command', command: { program, input: 'account 7' } });
  beforeEach(() => fs.writeFileSync(state, JSON.stringify({ valid: { 1: true }, runs: {}, leavesProcess: true })));

  it('runs the executable, ends the processes that it leaves, and gives it no settings of the core', async () => {
    const { rotate, readText } = await createRotation('password-1', command('numbers'));
    expect(await rotate()).toMatchObject({ state: 'idle', published_credential: '2' });
    expect(await readText()).toBe('password-2');
    const { valid, environment, input } = JSON.parse(fs.readFileSync(state, 'utf8'));
    expect({ valid, input }).toEqual({ valid: { 2: true }, input: 'account 7' });
    expect(environment.filter((name: string) => /STRATA|DATABASE/.test(name))).toEqual([]);
    const left = fs.readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    await waitUntil(
      async () => left.filter(isRunning),
      (running) => running.length === 0,
    );
  });

  it('is not possible with a command that the operator gives to another organization, or that fails', async () => {
    const forbidden = await createRotation('password-1', command('other'));
    expect(await forbidden.rotate()).toMatchObject({ state: 'stopped', reason_code: 'unknown_command' });
    fs.writeFileSync(state, 'no JSON');
    const failing = await createRotation('password-1', command('numbers'));
    expect(await failing.rotate()).toMatchObject({ state: 'stopped', reason_code: 'command_failed' });
    expect(await failing.readText()).toBe('password-1');
  });

  it('requires an ADMIN', async () => {
    const parameter = await organization.parameter({ secret: true });
    const environment = await organization.environmentNamed('production');
    await organization.value({ parameter, environment });
    const input = { name: 'r', parameter: parameter.url, environment: environment.url, ...command('numbers') };
    expect((await organization.as('CONTRIB').post('rotations/', input)).status).toBe(403);
    expect((await organization.as('ADMIN').post('rotations/', input)).status).toBe(201);
  });
});

/** Zombies have ended: their parent, the core, has not read their status yet. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

suite(`a rotation of AWS access keys (${aws.missing ?? 'moto'})`, () => {
  /** An IAM user, with the text and the input of a rotation of its access keys. */
  async function createUser() {
    const user = await createIamUser(aws);
    users.push(user);
    const aws_iam = { account: user.account, role_name: 'strata', user_name: user.name };
    const text = JSON.stringify({ ...user.firstKey, region: 'eu-central-1' });
    return { user, text, input: { rotator: 'aws_iam', aws_iam }, first: user.firstKey.access_key_id };
  }

  it('publishes a new key, deactivates the previous one, and deletes that with the next rotation', async () => {
    const { user, text, input, first } = await createUser();
    const { rotate, readText } = await createRotation(text, input);
    expect(await rotate()).toMatchObject({ state: 'idle', reason: null });
    const second = JSON.parse(await readText());
    expect(second).toMatchObject({ region: 'eu-central-1' });
    expect(await user.keys()).toEqual({ [first]: 'Inactive', [second.access_key_id]: 'Active' });

    expect(await rotate()).toMatchObject({ state: 'idle', reason: null });
    const third = JSON.parse(await readText());
    expect(await user.keys()).toEqual({ [second.access_key_id]: 'Inactive', [third.access_key_id]: 'Active' });
  });

  it('stops at a second key that it did not create, and keeps both', async () => {
    const { user, text, input, first } = await createUser();
    const { access_key_id: secondKey } = await user.createKey();
    const { rotate, readText } = await createRotation(text, input);
    const stopped = await rotate();
    expect(stopped).toMatchObject({ state: 'stopped', reason_code: 'unknown_credential' });
    expect(stopped.reason).toContain(secondKey);
    expect(await user.keys()).toEqual({ [first]: 'Active', [secondKey]: 'Active' });
    expect(await readText()).toBe(text);
  });
});
