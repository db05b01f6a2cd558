import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { samplePlatform } from '../apps/console/src/sample-platform/platform.ts';
import {
  type RunningCore,
  type RunningGateway,
  sharedCore,
  sharedGateway,
  type TestOrganization,
} from '../libs/testkit/src/index.ts';
import { connect } from './seed/client.mjs';
import { load } from './seed/load.mjs';

const { environments, types, webhook, projects, examples } = samplePlatform;

/** The blocks for the shell of a page, from a heading on. */
function blocksOf(page: string, heading: string): string[] {
  const [, after = ''] = fs
    .readFileSync(path.resolve(import.meta.dirname, '..', page), 'utf8')
    .split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
}

let core: RunningCore;
let gateway: RunningGateway;
let organization: TestOrganization;
let key: string;
beforeAll(async () => {
  [core, gateway] = [await sharedCore(), await sharedGateway()];
  organization = await core.organization();
  key = (await organization.authorization('OWNER')).replace(/^Api-Key /, '');
  const api = connect(core.origin, key);
  // what every program has in common, and the program of the examples
  await load(api, () => {}, { environments, types, webhook, projects: projects.slice(0, 2), examples });
}, 120_000);

/** Pastes a block into a shell, and answers the lines that it says. */
async function pasted(code: string): Promise<unknown[]> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-pasted-'));
  try {
    const env = {
      PATH: process.env.PATH,
      API: `${core.origin}/api/v1`,
      GRAPHQL: `${gateway.origin}/graphql`,
      KEY: key,
    };
    const shell = spawn('bash', ['-e'], { cwd: directory, env, stdio: ['pipe', 'pipe', 'inherit'] });
    shell.stdin.end(code);
    const said = await text(shell.stdout);
    const lines = said.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line));
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

const state = async () => {
  const { body } = await organization.owner.get<{ results: { url: string }[] }>('projects/?name=postgresql');
  const texts = async (environment: string) =>
    (await organization.owner.get<{ values: object }>(`${body.results[0]?.url}effective/?environment=${environment}`))
      .body.values;
  const names = (await organization.owner.get<{ results: { name: string }[] }>('environments/?page_size=100')).body
    .results;
  return [names.map(({ name }) => name), await texts('production'), await texts('canary'), await texts('staging')];
};

const [rest = '', graphql = ''] = blocksOf('docs/changesets.md', 'All of it in one go');

describe('one pasted block plans a change of production, applies it with two others by its hash, and takes all three back', () => {
  it('over REST', async () => {
    const before = await state();
    const [planned, count, reverted, message, ...others] = await pasted(rest);
    expect(planned).toEqual(
      expect.arrayContaining([
        'production wal_compression lz4 zstd',
        'canary wal_compression lz4 zstd',
        'staging work_mem 4MB 8MB',
      ]),
    );
    expect(count).toBe((planned as unknown[]).length);
    expect(reverted).toEqual(
      expect.arrayContaining(['production wal_compression zstd lz4', 'canary wal_compression zstd lz4']),
    );
    expect([message, others]).toEqual([expect.stringMatching(/^Revert of revision \d+: Three at once$/), []]);
    expect(await state()).toEqual(before);
  });

  it('over GraphQL', async () => {
    const before = await state();
    const [planned, reverted, message, ...others] = await pasted(graphql);
    expect(planned).toEqual(
      expect.arrayContaining([
        'production wal_compression lz4 zstd',
        'canary wal_compression lz4 zstd',
        'staging work_mem 4MB 8MB',
      ]),
    );
    expect(reverted).toEqual(
      expect.arrayContaining(['production wal_compression zstd lz4', 'canary wal_compression zstd lz4']),
    );
    expect([message, others]).toEqual([expect.stringMatching(/^Revert of revision \d+: Three at once$/), []]);
    expect(await state()).toEqual(before);
  });
});
