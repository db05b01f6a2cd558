import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AuditCheckpoint } from '@strata/contract';
import { type OwnCore, startCore, type TestOrganization, testCredentials } from '@strata/testkit';
import pg from 'pg';
import { buildMissingApps } from './processes.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../cli/dist/main.js');

let core: OwnCore;
let folder: string;
let organization: TestOrganization;
let checkpoint: AuditCheckpoint;
beforeAll(async () => {
  await buildMissingApps('core', 'cli');
  core = await startCore();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-'));
  organization = await core.organization();
  await organization.parameter({ name: 'P' });
  checkpoint = (await organization.owner.get<AuditCheckpoint>('audit/checkpoints/')).body;
  fs.writeFileSync(path.join(folder, 'checkpoints.txt'), checkpoint.note);
});
afterAll(async () => {
  await core?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Runs `strata audit verify` with the settings of the core. */
function verify(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { rootKey } = testCredentials();
  const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: core.database.url, STRATA_ROOT_KEY: rootKey };
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, 'audit', 'verify', ...args], { env, cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: `${stdout}${stderr}` }),
    );
  });
}

const withCheckpoints = (key = checkpoint.key) => ['--checkpoints', 'checkpoints.txt', '--key', key];

async function query(text: string, values = [organization.id]): Promise<void> {
  const client = new pg.Client({ connectionString: core.database.url });
  await client.connect();
  await client.query(text, values).finally(() => client.end());
}

test('verifies the ledgers of all organizations, and one of them against its checkpoint', async () => {
  const { code, text } = await verify(...withCheckpoints());
  expect([code, text]).toEqual([
    0,
    expect.stringMatching(/^✓ Ledger +.*: \d+ revisions with \d+ changes match their links and 1 checkpoint$/m),
  ]);
  expect(text).toMatch(/match their links$/m);
  expect(text).toContain('No problems found.');
});

test('continues the last verification with a file', async () => {
  for (const name of ['Q', 'R']) {
    await organization.parameter({ name });
    expect((await verify('--state', 'state.json')).code).toBe(0);
  }
  const states = Object.values(JSON.parse(fs.readFileSync(path.join(folder, 'state.json'), 'utf8')) as object);
  expect(Math.max(...states.map(({ revision }) => revision))).toBeGreaterThan(checkpoint.revision);
});

test('rejects a checkpoint that another key has signed, and a file that is not there', async () => {
  const { key } = (await (await core.organization()).owner.get<AuditCheckpoint>('audit/checkpoints/')).body;
  expect(await verify(...withCheckpoints(key))).toEqual({
    code: 1,
    text: expect.stringContaining('No given key has signed'),
  });
  expect((await verify('--checkpoints', 'nowhere.txt')).code).toBe(1);
});

test('requires cosignatures of witnesses', async () => {
  const witness = 'witness.example+283095ee+BAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB';
  const { code, text } = await verify(...withCheckpoints(), '--witness', witness);
  expect([code, text]).toEqual([1, expect.stringContaining('0 of the given witnesses have cosigned the checkpoint')]);
  expect((await verify(...withCheckpoints(), '--witness', witness, '--quorum', '2')).code).toBe(1);
  expect((await verify(...withCheckpoints(), '--witness', witness, '--quorum', '0')).code).toBe(0);
  expect((await verify(...withCheckpoints(), '--witness', checkpoint.key)).text).toContain('type 4');
});

test('reports a value that was changed in the database', async () => {
  const { id } = organization;
  await organization.value({ internal_value: 'a' });
  const { note, key } = (await organization.owner.get<AuditCheckpoint>('audit/checkpoints/')).body;
  fs.writeFileSync(path.join(folder, 'latest.txt'), note);
  const withLatest = ['--checkpoints', 'latest.txt', '--key', key];
  expect((await verify(...withLatest)).code).toBe(0);
  await query(`alter table value disable trigger user`, []);
  await query(`update value set text = 'b' where organization_id = $1`, [id]);
  await query(`alter table value enable trigger user`, []);
  const { code, text } = await verify(...withLatest);
  expect([code, text]).toEqual([
    1,
    expect.stringContaining('the contents up to here are not those that the checkpoint'),
  ]);
});

test('reports a changed row with its organization and its revision', async () => {
  const last = checkpoint.revision;
  await query(`update change set object_name = 'Q' where organization_id = $1 and object_name = 'P'`);
  const { code, text } = await verify();
  expect([code, text]).toEqual([1, expect.stringMatching(/^✗ Ledger +.*, revision \d+: its link does not match/m)]);
  const { text: json } = await verify(...withCheckpoints(), '--json');
  expect(JSON.parse(json)).toContainEqual(
    expect.objectContaining({
      isFine: false,
      text: expect.stringContaining(`revision ${last}: the revisions up to here`),
    }),
  );
});
