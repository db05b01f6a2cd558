import fs from 'node:fs';
import path from 'node:path';
import type { AuditCheckpoint } from '@strata/contract';
import { CheckpointKey, ledgerOrigin, readCheckpoints } from '@strata/evidence';
import { type OwnCore, startCore, type TestOrganization } from '@strata/testkit';
import { CommandLine } from './command-line.ts';

const SEED = Buffer.alloc(32, 5);
const KEY = new CheckpointKey(SEED);

let core: OwnCore;
let organization: TestOrganization;
let strata: CommandLine;
beforeAll(async () => {
  core = await startCore({ STRATA_CHECKPOINT_KEY: SEED.toString('base64') });
});
afterAll(() => core?.close());
beforeEach(async () => {
  organization = await core.organization();
  strata = await CommandLine.signedIn(core.origin, await organization.authorization('ADMIN'), 'shop');
});
afterEach(() => strata.remove());

const origin = () => ledgerOrigin(organization.id);
const key = () => KEY.verifierKey(origin());
const keep = (...args: readonly string[]) =>
  strata.run(['audit', 'keep', '--file', 'checkpoints.txt', '--key', key(), ...args]);
const file = () => path.join(strata.home, 'checkpoints.txt');
const readSizes = () => readCheckpoints(fs.readFileSync(file(), 'utf8'), [key()]).map(({ size }) => size);
const latest = async () => (await organization.owner.get<AuditCheckpoint>('audit/checkpoints/')).body;

test('adds each new checkpoint to the file once', async () => {
  const { revision } = await latest();
  expect(await keep()).toMatchObject({ code: 0, stdout: `Added the checkpoint of revision ${revision}.\n` });
  expect(await keep()).toMatchObject({ code: 0, stdout: expect.stringContaining('is the latest') });
  await organization.owner.post('environments/', { name: 'another' });
  expect((await keep()).code).toBe(0);
  expect(readSizes()).toEqual([revision, revision + 1]);
});

test('rejects a history that does not continue the one in the file', async () => {
  const { revision } = await latest();
  const forge = (size: number) => KEY.sign({ origin: origin(), size, root: Buffer.alloc(32, 1) });
  for (const [note, message] of [
    [forge(revision - 1), 'does not continue'],
    [forge(revision), 'does not continue'],
    [forge(revision + 1), `has only ${revision}`],
  ] as const) {
    fs.writeFileSync(file(), note);
    expect(await keep()).toMatchObject({ code: 7, stderr: expect.stringContaining(message) });
    expect(fs.readFileSync(file(), 'utf8')).toBe(note);
  }
});

test('rejects other contents of the same revision', async () => {
  const { note, root_hash: root, revision: size } = await latest();
  const contents = Buffer.alloc(32, 1);
  fs.writeFileSync(file(), KEY.sign({ origin: origin(), size, root: Buffer.from(root, 'base64'), contents }));
  expect((await keep()).code).toBe(7);
  fs.writeFileSync(file(), note);
  expect((await keep()).code).toBe(0);
});

test('rejects another key, and checkpoints that a witness has not cosigned', async () => {
  const another = new CheckpointKey(Buffer.alloc(32, 6)).verifierKey(origin());
  const args = ['audit', 'keep', '--file', 'checkpoints.txt', '--key'];
  expect((await strata.run([...args, another])).code).toBe(7);
  const witness = 'witness.example+283095ee+BAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB';
  expect((await keep('--witness', witness)).stderr).toContain('0 of the given witnesses');
  expect(fs.existsSync(file())).toBe(false);
});

test('gives a new checkpoint to a command, and repeats it if the command has failed', async () => {
  expect((await keep('--run', 'exit 3')).code).toBe(1);
  expect(fs.existsSync(file())).toBe(false);
  expect((await keep('--run', 'cat > pushed.txt')).code).toBe(0);
  expect(fs.readFileSync(path.join(strata.home, 'pushed.txt'), 'utf8')).toBe((await latest()).note);
});

test('requires a caller who may read the whole audit', async () => {
  const contrib = await CommandLine.signedIn(core.origin, await organization.authorization('CONTRIB'), 'shop');
  const result = await contrib.run(['audit', 'keep', '--file', 'checkpoints.txt', '--key', key()]);
  contrib.remove();
  expect(result.code).toBe(6);
});
