import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../../..');

const textOf = async (page: Page, title: string) =>
  (await page.getByRole('region', { name: title, exact: true }).locator('pre').textContent()) ?? '';

/** Runs a program in a new folder with the packages of the repository, until its first output. */
async function firstOutput(program: string, key: string): Promise<string> {
  const sdk = path.join(ROOT, 'libs/sdk');
  await run(process.execPath, [path.join(ROOT, 'tools/build-sdk.mjs')], { cwd: sdk });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-connect-'));
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
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

describe(`connecting a program in the console${reason}`, () => {
  journey('creates a key that is shown once, and the shown texts read the configuration with it', async () => {
    const { organization } = await createPlatform(await core().organization());
    const person = await signedIn(organization, '/projects/web', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Connect' }).click();
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('production');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('web production');
    await dialog.getByRole('button', { name: 'Create service account' }).click();
    const key = (await dialog.getByRole('code').last().textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await person.everythingReadable()).not.toContain(key);
    expect(key.length).toBeGreaterThan(20);

    const settings = (await textOf(page, 'Settings')).replace("'…'", key);
    const { stdout } = await run('sh', ['-c', `${settings}\n${await textOf(page, 'curl')}`]);
    expect(JSON.parse(stdout).values).toMatchObject({ GREETING: 'good day', PORT: '80', REGION: 'north' });

    await page.getByRole('link', { name: 'TypeScript SDK' }).click();
    const output = await firstOutput(await textOf(page, 'program.mjs'), key);
    expect(output).toContain("GREETING: 'good day'");
    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('tells a member who may not create keys whom to ask', async () => {
    const { organization } = await createPlatform(await core().organization());
    const { page } = await signedIn(organization, '/projects/web/connect?with=kubernetes&env=staging');
    await page.getByText('Admins and owners create keys.').waitFor();
    expect(await page.getByRole('button', { name: 'Create a key' }).count()).toBe(0);
    expect(await textOf(page, 'Shell')).toContain('kubectl create secret generic web-staging');
  });
});
