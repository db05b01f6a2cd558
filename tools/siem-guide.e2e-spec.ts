import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type RunningCore, sharedCore } from '../libs/testkit/src/index.ts';

const GUIDE = path.resolve(import.meta.dirname, '../docs/guides/send-the-audit-to-a-siem.md');

/** Returns the shell code of a section of the guide. */
const codeOf = (heading: string) =>
  /^```sh\n([\s\S]*?)^```$/m.exec(fs.readFileSync(GUIDE, 'utf8').split(`\n## ${heading}\n`)[1] ?? '')?.[1] ?? '';

let core: RunningCore;
let directory: string;
beforeAll(async () => {
  core = await sharedCore();
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-siem-'));
});
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

/** Runs code as if it were pasted into a shell, and returns the output. */
async function pasted(code: string, keys: Readonly<Record<string, string>>): Promise<string> {
  const env = { PATH: process.env.PATH, API: `${core.origin}/api/v1`, ...keys };
  const shell = spawn('bash', [], { cwd: directory, env, stdio: ['pipe', 'pipe', 'inherit'] });
  shell.stdin.end(code);
  return text(shell.stdout);
}

it('the guide collects each record once', async () => {
  const organization = await core.organization();
  const KEY = (await organization.authorization('OWNER')).replace(/^Api-Key /, '');
  const { apikey: SIEM_KEY } = JSON.parse(await pasted(codeOf('Create a key'), { KEY }));
  const collected = async () => {
    const lines = await pasted(`${codeOf('Collect in intervals')}\ncat records.ndjson`, { SIEM_KEY });
    const records = lines.split('\n').filter(Boolean);
    return records.map((line) => JSON.parse(line).object.name);
  };
  await organization.project({ name: 'first' });
  expect(await collected()).toContain('first');
  await organization.project({ name: 'second' });

  expect(await collected()).toEqual(['second']);
  expect(await collected()).toEqual([]);
});
