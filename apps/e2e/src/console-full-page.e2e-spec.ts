import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { AppliedChangeset, Effective } from '@strata/contract';
import type { ConsolePerson } from './console-browser.ts';
import { allowClipboard, putOnClipboard, readClipboard, untilCleared } from './console-clipboard.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { blurWindow, untilRevealed } from './console-reveals.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const DEFAULT = 0;
const JSON_TEXT = '{"host":"a","port":80}';
/** A private key that no program can read, because its content is missing. */
const PRIVATE_KEY = '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n';
const CHAIN = fs.readFileSync(
  path.resolve(import.meta.dirname, '../../console/src/kit/editing/sample-chain.pem'),
  'utf8',
);

/** Creates `web` with JSON, a certificate chain, a text of Windows and a secret. */
async function createValues() {
  const organization = await core().organization();
  const secret = randomUUID();
  const values = {
    ...{ CONFIG: JSON_TEXT, CHAIN, NOTES: 'one\r\ntwo', PORT: '80', PRIVATE_KEY },
    ...{ TOKEN: { value: secret, secret: true }, KEY: { value: 'one\r\ntwo', secret: true } },
  };
  const web = await organization.project({ name: 'web' });
  const operations = [{ set: { project: 'web', environment: 'default', create_missing: true, values } }];
  const { body } = await organization.owner.post<AppliedChangeset>('changesets/', { operations });
  return { organization, web, secret, revision: body.revision };
}

const locateDialog = ({ page }: ConsolePerson, name: string) =>
  page.getByRole('dialog', { name: `${name} in default` });
/** Returns the text of the open editor, which is in a shadow root. */
const textIn = async ({ page }: ConsolePerson): Promise<string> =>
  (await page.locator('dialog .cm-line').allTextContents()).join('\n');
const isHidden = async ({ page }: ConsolePerson): Promise<boolean> =>
  (await page.locator('dialog [data-hidden]').count()) === 1;

async function openCell(person: ConsolePerson, name: string): Promise<void> {
  await person.cell(name, DEFAULT).click();
  await person.page.keyboard.press('Control+Enter');
  await locateDialog(person, name).locator('.cm-content').waitFor();
}

describe(`the full page editor of the console${reason}`, () => {
  journey('formats and checks JSON, and returns to the cell without loss', async () => {
    const { organization } = await createValues();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    const press = (key: string) => page.keyboard.press(key);
    await person.cell('CONFIG', DEFAULT).click();
    await press('Enter');
    await page.getByRole('button', { name: 'full page' }).click();
    const dialog = locateDialog(person, 'CONFIG');
    await dialog.getByText('JSON, 1 line, 22 characters').waitFor();
    await dialog.getByRole('button', { name: 'Format' }).click();
    expect(await textIn(person)).toBe('{\n  "host": "a",\n  "port": 80\n}');
    await press('Control+End');
    await page.keyboard.type(' x');
    await page.getByText('This is not valid JSON at line 4, column 3.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Format' }).isDisabled()).toBe(true);
    expect(await dialog.locator('.cm-problem').textContent()).toBe('x');
    expect(await person.violationsInEveryLook()).toEqual([]);
    await press('Backspace');
    await press('Backspace');
    await dialog.getByTitle('Fold line', { exact: true }).first().click();
    expect(await textIn(person)).toBe('{…}');

    await press('Escape');
    const field = page.getByRole('textbox', { name: 'CONFIG in default' });
    expect(await field.inputValue()).toBe('{\n  "host": "a",\n  "port": 80\n}');
    await press('Control+Enter');
    await dialog.locator('.cm-content').waitFor();
    await press('Control+Enter');
    await page.getByText('1 change').waitFor();
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByText('Only the formatting of the JSON differs.').first().waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey(
    'keeps line breaks, saves nothing without a change, checks the type, and drafts the text if the user leaves',
    async () => {
      const { organization } = await createValues();
      const person = await signedIn(organization, '/projects');
      const { page } = person;
      await page.getByRole('main').getByRole('link', { name: 'web' }).first().click();
      await openCell(person, 'NOTES');
      await page.keyboard.press('Control+Enter');
      await locateDialog(person, 'NOTES').waitFor({ state: 'detached' });
      await openCell(person, 'NOTES');
      await page.keyboard.press('Escape');
      await locateDialog(person, 'NOTES').waitFor({ state: 'detached' });
      expect(await page.getByRole('region', { name: 'Drafts' }).count()).toBe(0);

      await openCell(person, 'NOTES');
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('{{ PO');
      await page.locator('dialog .cm-completionLabel', { hasText: 'PORT' }).click();
      await page.getByLabel('resolve {{ references }}').and(page.locator(':checked')).waitFor();
      await page.goBack();
      await page.goForward();
      await page.getByText('1 change').waitFor();
      await page.getByRole('link', { name: 'Review' }).click();
      const added = page.locator('section', { hasText: '1 draft' }).locator('ins[data-line="new"]');
      await added.first().waitFor();
      // The second line was the last one, and now has a break of Windows like the first one.
      expect(await added.allTextContents()).toEqual(['+ two\r\n', '+ {{ PORT }}\n']);
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('summarizes certificates and warns about private keys, also for users who may not change them', async () => {
    const { organization, revision } = await createValues();
    const person = await signedIn(organization, `/projects/web?at=r${revision}`, { role: 'VIEWER' });
    const { page } = person;
    await allowClipboard(person);
    await openCell(person, 'CHAIN');
    const summary = page.getByRole('region', { name: 'Summary' });
    await summary.getByText('CN=shop.example.com').waitFor();
    await summary.getByText('shop.example.com, *.shop.example.com, 192.0.2.7, a@example.com').waitFor();
    expect(await summary.getByText(/^Expires in [\d,]+ days$|^Not valid yet/).count()).toBe(2);
    expect(await summary.getByText('C=DE, O=Example, CN=Example Root (self-signed)').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Save draft' }).count()).toBe(0);
    await page.keyboard.type('x');
    expect(await textIn(person)).toContain('-----BEGIN CERTIFICATE-----\nMIIB3TCCAYOg');
    await page.getByRole('button', { name: 'Copy the whole text' }).click();
    await page.getByText('Copied').first().waitFor();
    expect(await readClipboard(person)).toBe(CHAIN);
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.keyboard.press('Escape');
    await locateDialog(person, 'CHAIN').waitFor({ state: 'detached' });
    expect(await person.cell('CHAIN', DEFAULT).evaluate((cell) => cell === cell.ownerDocument.activeElement)).toBe(
      true,
    );
    await openCell(person, 'PRIVATE_KEY');
    await summary.getByText('Private key (RSA)').waitFor();
    await summary.getByText('This parameter is not secret').waitFor();
    expect(await summary.textContent()).not.toContain('AAAA');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows a secret only if it is revealed, hides it again, and keeps what was typed', async () => {
    const { organization, secret } = await createValues();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await allowClipboard(person);
    await openCell(person, 'TOKEN');
    await page.clock.install();
    expect(await textIn(person)).toBe('');
    await page.getByRole('button', { name: 'Reveal the current value' }).click();
    await page.locator('dialog .cm-line', { hasText: secret }).waitFor();
    expect(await untilRevealed(organization, 'Ada')).toEqual(['Ada']);
    await page.clock.runFor(31_000);
    await page.getByRole('button', { name: 'Reveal the current value' }).waitFor();
    expect(await textIn(person)).toBe('');

    await page.getByRole('button', { name: 'Reveal the current value' }).click();
    await page.locator('dialog .cm-line', { hasText: secret }).waitFor();
    await blurWindow(person);
    await page.getByRole('button', { name: 'Reveal the current value' }).waitFor();
    expect(await textIn(person)).toBe('');
    // The steps of undo contain the secret no longer.
    await page.locator('dialog .cm-content').press('Control+z');
    expect(await textIn(person)).toBe('');

    await page.getByRole('button', { name: 'Reveal the current value' }).click();
    await page.locator('dialog .cm-line', { hasText: secret }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('-new');
    await page.getByRole('button', { name: 'Copy the whole text' }).click();
    await page.getByText('Copied for 60 s').first().waitFor();
    await page.clock.runFor(31_000);
    await page.getByRole('button', { name: 'Show' }).waitFor();
    expect([await isHidden(person), await textIn(person)]).toEqual([true, `${secret}-new`]);
    const editor = page.locator('dialog .cm-content');
    await editor.press('Control+a');
    await page.keyboard.press('Control+c');
    // This copies nothing, so the text that was copied before is still removed.
    await page.clock.runFor(30_000);
    await untilCleared(person);
    expect(await readClipboard(person)).toBe('');
    await putOnClipboard(person, 'before');
    await page.keyboard.press('Control+c');
    expect(await readClipboard(person)).toBe('before');
    expect(await editor.evaluate(draggedText)).toBe('');
    expect(await person.violationsInEveryLook()).toEqual([]);

    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('1 change').waitFor();
    expect((await person.announced('TOKEN'))[DEFAULT]).toMatch(/^secret/);
    expect(await page.locator('.cm-content').count()).toBe(0);
    expect(await person.everythingReadable()).not.toContain(secret);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('keeps what is typed while a secret is being loaded, and the line breaks of the secret', async () => {
    const { organization, web } = await createValues();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    let answer = () => {};
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('RevealValue')) return route.continue();
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.continue().catch(() => undefined);
    });
    await openCell(person, 'KEY');
    await Promise.all([
      page.waitForRequest((request) => request.postData()?.includes('RevealValue') ?? false),
      page.getByRole('button', { name: 'Reveal the current value' }).click(),
    ]);
    await page.locator('dialog .cm-content').click();
    await page.keyboard.type('mine');
    answer();
    await page.waitForLoadState('networkidle');
    expect(await textIn(person)).toBe('mine');
    await page.unroute('**/graphql');

    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('button', { name: 'Reveal the current value' }).click();
    await page.locator('dialog .cm-line', { hasText: 'two' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('!');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Apply this change' }).click();
    await page.getByText('Applied').first().waitFor();
    const { body } = await organization.owner.get<Effective>(`${web.url}effective/?environment=default`);
    expect(body.values.KEY).toBe('one\r\ntwo!');
    expect(await person.allErrors()).toEqual([]);
  });
});

interface DragWindow {
  readonly DataTransfer: new () => { getData(type: string): string };
  readonly DragEvent: new (type: string, options: object) => object;
}

/** Starts to drag the selected text of an editor, and returns the dragged text. */
function draggedText(editor: object): string {
  const { DataTransfer, DragEvent } = globalThis as unknown as DragWindow;
  const dataTransfer = new DataTransfer();
  const drag = new DragEvent('dragstart', { dataTransfer, bubbles: true, cancelable: true });
  (editor as { dispatchEvent(event: object): void }).dispatchEvent(drag);
  return dataTransfer.getData('text/plain');
}
