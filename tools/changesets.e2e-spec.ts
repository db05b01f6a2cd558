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

const read = (page: string) => fs.readFileSync(path.resolve(import.meta.dirname, '..', page), 'utf8');

/** Returns the section of a page below a heading. */
const readSection = (page: string, heading: string) =>
  read(page).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** Returns the code blocks of a section that have the given language tag. */
function listBlocks(section: string, language: string): string[] {
  return [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, blockLanguage, code = '']) =>
    blockLanguage === language ? [code] : [],
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
});

/** Runs code as if it were pasted into a shell, and returns the output. */
async function pasted(code: string): Promise<string> {
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
    return await text(shell.stdout);
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
const section = readSection('docs/guides/roll-back-a-change.md', heading);
const [rest = '', graphql = ''] = listBlocks(section, 'sh');
const [jsonBlock = ''] = listBlocks(section, 'json');
const lines = (text: string): unknown[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));

/** Each organization counts its own revisions. */
const withoutRevision = (line: unknown) =>
  typeof line === 'string' ? line.replace(/revision \d+/, 'revision N') : line;

describe('one pasted block plans a change of production, applies it with two others by its hash, and takes all three back', () => {
  const shown = lines(jsonBlock).map(withoutRevision);

  it.each([
    ['REST', rest, shown],
    ['GraphQL', graphql, shown.filter((line) => typeof line !== 'number')],
  ])('over %s, and says what the page shows', async (_, block, expected) => {
    const before = await state();

    expect(lines(await pasted(block)).map(withoutRevision)).toEqual(expected);
    expect(await state()).toEqual(before);
  });

  it('shows the effect of a change of production on the canary below it', () => {
    expect(shown[0]).toEqual(
      expect.arrayContaining(['production wal_compression lz4 zstd', 'canary wal_compression lz4 zstd']),
    );
  });
});

it('the commands of the tutorial work on the sample platform, one after the other', async () => {
  // The other blocks start Strata, watch without an end, or need the bot token of a chat service.
  const commands = listBlocks(read('docs/tutorial.md'), 'sh').filter((block) => !/^npm |graphql-ws|xoxb/m.test(block));
  const code = commands
    .join('\n')
    .replace(/^(API|KEY)=.*$/gm, '')
    .replaceAll('http://127.0.0.1:4000/graphql', `${gateway.origin}/graphql`);
  const output = await pasted(`set -o pipefail\n${code}`);

  expect(output).not.toContain('undefined');
  const shownTexts = ['16MB', '32MB', 'Smaller logs', 'zstd', 'lz4', 'Watch me', 'integer', '1024'];
  expect(output.split('\n')).toEqual(expect.arrayContaining(shownTexts));
  expect(output).toContain('"effective":{"value":"32MB","inherited":false,"environmentName":"canary"}');
  expect(output).toContain('server { listen 8080; server_name www.shop.example; }\n');
});
