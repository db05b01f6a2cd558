import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { RawClient } from '@strata/testkit';
import type { Page } from 'playwright-core';
import { parse } from 'yaml';
import { PROGRAM } from './command-line.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';
import { buildMissingApps } from './processes.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../../..');

const readRegion = async (page: Page, title: string) =>
  (await page.getByRole('region', { name: title, exact: true }).locator('pre').textContent()) ?? '';

/** Creates an empty folder, in which `packages` are those of the repository, and removes it after the test. */
async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-connect-'));
  try {
    return await use(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program with the packages of the repository, until its first output. */
const firstOutput = (program: string, key: string): Promise<string> =>
  inFolder(async (folder) => {
    const sdk = path.join(ROOT, 'libs/sdk');
    await run(process.execPath, [path.join(ROOT, 'tools/build-sdk.mjs')], { cwd: sdk });
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    fs.writeFileSync(path.join(folder, 'program.mjs'), program);
    const child = spawn(process.execPath, ['program.mjs'], { cwd: folder, env: { ...process.env, KEY: key } });
    try {
      return await new Promise((resolve, reject) => {
        let errors = '';
        child.stdout.on('data', (text) => resolve(String(text)));
        child.stderr.on('data', (text) => {
          errors += text;
        });
        child.on('exit', () => reject(new Error(errors)));
      });
    } finally {
      child.kill('SIGKILL');
    }
  });

/** Replaces programs that not every machine has, and the download of `npx` by the built program. `kubectl create` prints its arguments and the file that it reads. */
const PROGRAMS = {
  jq: `#!/usr/bin/env node
process.stdout.write(JSON.parse(require('node:fs').readFileSync(0, 'utf8'))[process.argv.at(-1).slice(1)] + '\\n');`,
  npx: `#!/usr/bin/env node
const { spawnSync } = require('node:child_process');
process.exit(spawnSync(process.execPath, [${JSON.stringify(PROGRAM)}, ...process.argv.slice(3)], { stdio: 'inherit' }).status);`,
  kubectl: `#!/usr/bin/env node
const text = require('node:fs').readFileSync(0, 'utf8');
const args = process.argv.slice(2);
process.stdout.write(args[0] === 'create' ? JSON.stringify({ args, text }) : text);`,
};

/** Runs a shell script in an empty folder. Returns its output and the text of a file that it writes. */
const shell = (script: string, file = 'none') =>
  inFolder(async (folder) => {
    for (const [name, text] of Object.entries(PROGRAMS))
      fs.writeFileSync(path.join(folder, name), text, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${path.dirname(process.execPath)}:${process.env.PATH}` };
    const { stdout } = await run('sh', ['-ec', script], { cwd: folder, env });
    const written = path.join(folder, file);
    return { stdout, written: fs.existsSync(written) ? fs.readFileSync(written, 'utf8') : null };
  });

/** Creates a key in the dialog of the page. */
async function createKey(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create service account' }).click();
  await dialog.getByRole('button', { name: 'Done' }).waitFor();
  const key = (await dialog.getByRole('code').last().textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  return key;
}

const openProgram = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Program' }).getByRole('link', { name, exact: true }).click();

describe(`connecting a program in the console${reason}`, () => {
  journey('creates a key that is shown once, and each shown text reads the configuration with it', async () => {
    const { organization, web } = await createPlatform(await core().organization());
    const person = await signedIn(organization, '/projects/web', { role: 'CONTRIB' });
    const { page } = person;
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Connect' }).click();
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('production');
    const key = await createKey(page);
    expect(await person.everythingReadable()).not.toContain(key);
    expect(key.length).toBeGreaterThan(20);
    expect(await person.violationsInEveryLook()).toEqual([]);

    const settings = (await readRegion(page, 'Settings')).replace("'…'", key);
    const inShell = async (title: string, file?: string) =>
      shell(`${settings}\n${await readRegion(page, title)}`, file);
    const values = { GREETING: 'good day', PORT: '80', REGION: 'north' };
    expect(JSON.parse((await inShell('curl')).stdout).values).toMatchObject(values);

    await openProgram(page, 'Command line');
    await buildMissingApps('cli');
    const signIn = await readRegion(page, 'Sign in');
    const program = await shell(`${settings}\n${signIn}\n${await readRegion(page, 'Run a program')}`);
    expect(program.stdout).toMatch(/^PORT=80$/m);
    const file = await shell(`${settings}\n${signIn}\n${await readRegion(page, 'Write a file')}`, '.env');
    expect(file.written).toContain("\nPORT='80'\n");

    await openProgram(page, 'TypeScript SDK');
    expect(await firstOutput(await readRegion(page, 'program.mjs'), key)).toContain("GREETING: 'good day'");

    await openProgram(page, 'OpenFeature');
    const flag = await organization.parameter({ project: web, name: 'new_checkout', type: 'boolean' });
    await organization.value({ parameter: flag, internal_value: 'true' });
    expect(await firstOutput(await readRegion(page, 'program.mjs'), key)).toBe('true\n');

    await openProgram(page, 'Kubernetes');
    const { args, text } = JSON.parse((await inShell('Shell')).stdout);
    expect(args.join(' ')).toBe(
      'create secret generic web-production --from-env-file=/dev/stdin --dry-run=client -o yaml',
    );
    expect(text).toContain('\nPORT=80\n');
    const container = parse(await readRegion(page, 'Container of the pod'));
    expect(container).toEqual({ envFrom: [{ secretRef: { name: 'web-production' } }] });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('creates a key that reads only this project and those that it depends on', async () => {
    const { organization, web } = await createPlatform(await core().organization());
    const otherProject = await organization.project({ name: 'other' });
    const person = await signedIn(organization, '/projects/web/connect', { role: 'CONTRIB' });
    const { page } = person;
    const key = await createKey(page);
    const program = new RawClient(core().origin, `Api-Key ${key}`);
    const statuses = [];
    for (const id of [web.id, web.depends_on ?? '', otherProject.id]) {
      const response = await program.get(
        `projects/${id.split('/').findLast(Boolean)}/effective/?environment=production`,
      );
      statuses.push(response.status);
    }
    expect(statuses).toEqual([200, 200, 403]);

    await page.goto('/access/service-accounts');
    const row = page.getByRole('row', { name: /^web default/ });
    await row.getByText('only web').last().waitFor();
    await row.getByRole('button', { name: 'Projects of' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'other' }).check();
    expect(await person.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('only other and web').last().waitFor();
    expect((await program.get(`${otherProject.url}parameters/`)).status).toBe(200);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('tells a member who may not create keys whom to ask', async () => {
    const { organization } = await createPlatform(await core().organization());
    const address = '/projects/web/connect?with=kubernetes&env=staging';
    const { page } = await signedIn(organization, address, { role: 'VIEWER' });
    await page
      .getByText(
        'You can read how programs connect but not create keys. Your role is Viewer. Changes require Contributor or',
      )
      .waitFor();
    expect(await page.getByRole('button', { name: 'Create a key' }).count()).toBe(0);
    expect(await readRegion(page, 'Shell')).toContain('kubectl create secret generic web-staging');
  });
});
