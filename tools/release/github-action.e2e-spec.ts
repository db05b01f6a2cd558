import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { releasedAction } from '../../integrations/github-action/src/testing/job.ts';

const root = path.resolve(import.meta.dirname, '../..');

let folder: string;
beforeAll(async () => {
  folder = await releasedAction();
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const read = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8');

test('the action contains the command line of the same build, byte for byte', () => {
  const program = path.join(root, 'apps/cli/dist');
  const files = fs.readdirSync(program);
  expect(fs.readdirSync(path.join(folder, 'strata'))).toEqual(files);
  for (const file of files) expect(read(`strata/${file}`)).toBe(fs.readFileSync(path.join(program, file), 'utf8'));
});

test.each(['plan', 'apply', 'export'])('%s has a description of each input and output, and its program', (name) => {
  const { inputs, outputs, runs } = parse(read(`${name}/action.yml`));
  for (const part of Object.values({ ...inputs, ...outputs }))
    expect(part).toMatchObject({ description: expect.stringMatching(/^[A-Z]/) });
  expect(runs).toEqual({ using: 'node24', main: `../dist/${name}.js` });
  expect(fs.existsSync(path.join(folder, name, runs.main))).toBe(true);
});

test('the licences of bundled packages are listed, and no package is left to install', () => {
  const notices = read('THIRD-PARTY-NOTICES.txt');
  for (const part of ['@actions/core', '@actions/http-client', 'undici', 'commander', 'yaml'])
    expect(notices).toMatch(new RegExp(`^${part} \\d\\S* \\(`, 'm'));
  expect(JSON.parse(read('package.json'))).not.toHaveProperty('dependencies');
  expect(fs.existsSync(path.join(folder, 'node_modules'))).toBe(false);
});
