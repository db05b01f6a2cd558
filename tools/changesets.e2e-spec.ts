import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import {
  type RunningCore,
  type RunningGateway,
  sharedCore,
  sharedGateway,
  type TestOrganization,
} from '../libs/testkit/src/index.ts';
import { connect } from './seed/client.mjs';
import { load } from './seed/load.mjs';

/** The blocks of a page below a heading that are in a language. */
function blocksOf(page: string, heading: string, language: string): string[] {
  const [, after = ''] = fs
    .readFileSync(path.resolve(import.meta.dirname, '..', page), 'utf8')
    .split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  return [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, of, code = '']) =>
    of === language ? [code] : [],
  );
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
  await load(api, () => {});
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
    return lines(await text(shell.stdout));
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

const heading = 'Plan, apply and revert in one script';
const [rest = '', graphql = ''] = blocksOf('docs/guides/roll-back-a-change.md', heading, 'sh');
const [said = ''] = blocksOf('docs/guides/roll-back-a-change.md', heading, 'json');
const lines = (text: string): unknown[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));

/** Revisions are counted by the organization. */
const withoutRevision = (line: unknown) =>
  typeof line === 'string' ? line.replace(/revision \d+/, 'revision N') : line;

describe('one pasted block plans a change of production, applies it with two others by its hash, and takes all three back', () => {
  const shown = lines(said).map(withoutRevision);

  it.each([
    ['REST', rest, shown],
    ['GraphQL', graphql, shown.filter((line) => typeof line !== 'number')],
  ])('over %s, and says what the page shows', async (_, block, expected) => {
    const before = await state();

    expect((await pasted(block)).map(withoutRevision)).toEqual(expected);
    expect(await state()).toEqual(before);
  });

  it('shows the effect of a change of production on the canary below it', () => {
    expect(shown[0]).toEqual(
      expect.arrayContaining(['production wal_compression lz4 zstd', 'canary wal_compression lz4 zstd']),
    );
  });
});
