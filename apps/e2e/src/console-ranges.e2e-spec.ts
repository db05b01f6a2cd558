import type { PutValuesAnswer } from '@strata/contract';
import type { ConsolePerson } from './console-browser.ts';
import { allowClipboard, putOnClipboard, readClipboard, untilCleared } from './console-clipboard.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const [DEFAULT, DEVELOPMENT, PRODUCTION, STAGING] = [0, 1, 2, 3];

/** Opens the matrix of a new platform, with access to the clipboard. */
async function openMatrix() {
  const platform = await createPlatform(await core().organization());
  const person = await signedIn(platform.organization, '/projects/web');
  await allowClipboard(person);
  await person.cell('GREETING', DEFAULT).waitFor();
  return { ...platform, person, press: (key: string) => person.page.keyboard.press(key) };
}

const says = ({ page }: ConsolePerson, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
const noDrafts = ({ page }: ConsolePerson): Promise<void> =>
  page.getByRole('region', { name: 'Drafts' }).waitFor({ state: 'detached' });
const selectedCells = ({ page }: ConsolePerson): Promise<number> => page.locator('[aria-selected="true"]').count();

describe(`ranges of cells in the matrix${reason}`, () => {
  journey('are selected by keys, clicks and dragging', async () => {
    const { person, press } = await openMatrix();
    const { page } = person;
    await person.cell('BLANK', DEFAULT).click();
    await press('Shift+ArrowDown');
    await press('Shift+End');
    await says(person, '8 cells selected: 2 parameters × 4 environments');
    expect(await selectedCells(person)).toBe(8);
    expect(await page.locator(':focus').getAttribute('data-column')).toBe(String(STAGING));
    expect(await page.getByRole('grid').getAttribute('aria-multiselectable')).toBe('true');
    expect(await person.accessibilityViolations()).toEqual([]);

    await press('Escape');
    await page.getByText('8 cells selected').waitFor({ state: 'detached' });
    await person.cell('BLANK', DEVELOPMENT).click({ modifiers: ['Shift'] });
    await says(person, '6 cells selected: 2 parameters × 3 environments');
    await person.cell('LINK', PRODUCTION).hover();
    await page.mouse.down();
    await person.cell('NOTHING', STAGING).hover();
    await page.mouse.up();
    await says(person, '4 cells selected: 2 parameters × 2 environments');
    await press('Control+a');
    await says(person, '32 cells selected: 8 parameters × 4 environments');
    await press('ArrowLeft');
    expect(await selectedCells(person)).toBe(1);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are copied for spreadsheets, with an empty cell for each secret, drafted ones too', async () => {
    const { person, press, secret } = await openMatrix();
    await person.write('TOKEN', PRODUCTION, 'canary-typed');
    await person.write('PORT', STAGING, '8080');
    await person.cell('GREETING', PRODUCTION).click();
    await press('Shift+ArrowRight');
    for (let row = 0; row < 5; row += 1) await press('Shift+ArrowDown');
    await press('Control+c');
    await says(person, 'Copied 12 cells. Secrets are not copied: 2 cells left empty.');

    expect((await readClipboard(person)).split('\n')).toEqual([
      'good day\thello',
      'http://good day\thttp://hello',
      '\t',
      '80\t8080',
      '\t',
      '\t',
    ]);
    expect(await person.everythingReadable()).not.toContain('canary-typed');
    expect(await person.everythingReadable()).not.toContain(secret);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('take a block from a spreadsheet, and show what does not fit before anything is drafted', async () => {
    const { person, press } = await openMatrix();
    const { page } = person;
    await putOnClipboard(person, 'a\tb\r\n"two\nlines"\t\r\nx\ty\r\nmany\t81\r\nsecret\tsecret\r\n');
    await person.cell('GREETING', PRODUCTION).click();
    await press('Control+v');
    const dialog = page.getByRole('dialog', { name: 'Paste values' });
    await dialog.getByText('The value is not of type integer').waitFor();
    await dialog.getByText('Secrets are set one at a time').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Draft 6 cells' }).click();

    await says(person, '6 changes');
    expect((await person.announced('GREETING')).slice(PRODUCTION)).toEqual([
      'a, draft (was good day, set here)',
      'b, draft (was hello, inherited)',
    ]);
    expect((await person.announced('PORT'))[STAGING]).toBe('81, draft (was 80, inherited)');
    await press('Control+z');
    await noDrafts(person);
    await press('Control+Shift+z');
    await says(person, '6 changes');

    await putOnClipboard(person, '{{ PORT }}\nhttp://{{ PORT }}\n');
    await person.cell('BLANK', DEVELOPMENT).click();
    await press('Control+v');
    const references = page.getByRole('dialog', { name: 'Resolve references' });
    await references.getByText('development: GREETING refers to PORT').waitFor();
    await references.getByRole('button', { name: 'Resolve references' }).click();
    await says(person, '8 changes');
    expect((await person.announced('GREETING'))[DEVELOPMENT]).toMatch(/^dynamic: http:\/\/\{\{ PORT \}\}, draft/);
    await putOnClipboard(person, '{{ PORT }} {{ GONE }}');
    await press('Control+v');
    await says(person, 'Drafted');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are filled with one value, downwards and to the right, and emptied, each as one step', async () => {
    const { person, press } = await openMatrix();
    const drafts = (text: string) => person.page.getByText(text, { exact: true }).first().waitFor();
    await putOnClipboard(person, 'same');
    await person.cell('BLANK', DEVELOPMENT).click();
    await person.cell('GREETING', PRODUCTION).click({ modifiers: ['Shift'] });
    await press('Control+v');
    await drafts('4 changes');
    await press('Control+z');

    await person.cell('BLANK', PRODUCTION).click();
    await person.cell('LINK', PRODUCTION).click({ modifiers: ['Shift'] });
    await press('Control+d');
    await says(person, 'Drafted 2 cells.');
    expect((await person.announced('LINK'))[PRODUCTION]).toBe('empty, draft (was http://good day, inherited)');
    await press('Control+z');
    await person.cell('GREETING', PRODUCTION).click();
    await press('Shift+ArrowRight');
    await press('Control+r');
    await drafts('1 change');
    expect((await person.announced('GREETING'))[STAGING]).toBe('good day, draft (was hello, inherited)');
    await press('Control+z');
    await press('Control+a');
    await press('Delete');
    await drafts('7 changes');
    await press('Control+z');
    await noDrafts(person);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('contain secrets only if they are revealed and copied one at a time, for a minute', async () => {
    const { person, press, secret } = await openMatrix();
    const { page } = person;
    await page.clock.install();
    await person.cell('TOKEN', DEFAULT).click();
    await press('Control+c');
    await says(person, 'Copied 1 cell. Secrets are not copied: 1 cell left empty.');
    await page.getByRole('button', { name: 'Reveal secret' }).click();
    expect(await readClipboard(person)).toBe('');
    await page.getByRole('button', { name: 'Copy secret' }).click();
    await page.getByText('Copied for 60 s').waitFor();
    expect(await readClipboard(person)).toBe(secret);

    await page.clock.fastForward(59_000);
    expect(await readClipboard(person)).toBe(secret);
    await page.clock.fastForward(2_000);
    await untilCleared(person);
    expect(await readClipboard(person)).toBe('');
    expect(await person.everythingReadable()).not.toContain(secret);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('have the same actions in the menu of a cell and in its buttons', async () => {
    const { person, press } = await openMatrix();
    const { page } = person;
    const menu = page.getByRole('menu');
    await person.cell('GREETING', PRODUCTION).click();
    await press('Shift+F10');
    await menu.getByRole('menuitem', { name: 'Explain' }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    // A narrow screen shows one environment only.
    await menu.getByRole('menuitem', { name: 'Open production' }).waitFor();
    await press('ArrowUp');
    expect(await page.locator(':focus').textContent()).toBe('Open production');
    await press('Escape');
    expect(await page.locator(':focus').getAttribute('data-column')).toBe(String(PRODUCTION));

    await person.cell('PORT', DEFAULT).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Copy' }).click();
    await says(person, 'Copied 1 cell.');
    expect(await readClipboard(person)).toBe('80');
    await person.cell('GREETING', STAGING).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Paste' }).click();
    await says(person, 'Drafted 1 cell.');
    await person.cell('GREETING', PRODUCTION).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Remove value' }).click();
    await says(person, '2 changes');

    await person.cell('GREETING', DEFAULT).hover();
    await page.getByTitle('Explain (Space)').click();
    await page.getByRole('heading', { name: 'Resolution order' }).waitFor();
    await page.getByRole('button', { name: 'Copy value', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    expect(await readClipboard(person)).toBe('hello');
    await page.getByRole('button', { name: 'Close the explanation' }).click();
    await person.row('PORT').getByText('PORT', { exact: true }).click();
    await page.getByRole('complementary', { name: 'How PORT resolves in default' }).waitFor();
    await page.getByRole('columnheader').getByRole('link', { name: 'staging' }).click();
    await page.waitForURL('**/environments/staging');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('of whole rows copy values to an environment, change types and delete parameters', async () => {
    const { person, press } = await openMatrix();
    const { page } = person;
    const choose = async (item: string) => {
      await press('Shift+F10');
      await page.getByRole('menuitem', { name: item }).click();
    };
    await person.cell('GREETING', PRODUCTION).click();
    await press('Shift+Space');
    await says(person, '4 cells selected: 1 parameter × 4 environments');
    await choose('Copy to environment');
    await page.getByLabel('From').selectOption({ label: 'production' });
    await page.getByLabel('To', { exact: true }).selectOption({ label: 'staging' });
    await page.getByRole('button', { name: 'Draft the values' }).click();
    await says(person, 'Drafted 1 cell.');
    expect((await person.announced('GREETING'))[STAGING]).toBe('good day, draft (was hello, inherited)');
    await press('Control+z');

    await person.cell('PORT', DEFAULT).click();
    await person.cell('REGION', DEFAULT).click({ modifiers: ['Shift'] });
    await choose('Delete parameters');
    const dialog = page.getByRole('dialog', { name: 'Delete 3 parameters' });
    await dialog.getByText('Left out: 1 parameter of other projects.').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await person.cell('BLANK', DEFAULT).click();
    await press('Shift+Space');
    await choose('Delete parameters');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 parameter' }).click();
    await person.row('BLANK').waitFor({ state: 'detached' });

    // The counts of rows may still be refreshed, which would end the selection.
    await page.reload();
    await person.cell('UNSET', DEFAULT).click();
    await press('Shift+Space');
    await choose('Change type');
    await page.getByLabel('Type', { exact: true }).selectOption('integer');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Change type' }).click();
    await person.row('UNSET').getByText('integer').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey(
    'follow the order of columns and rows, and end when the rows are sorted, where rows can be added too',
    async () => {
      const { organization } = await createPlatform(await core().organization());
      const person = await signedIn(
        organization,
        '/projects/web?envs=staging,production,default&pin=default&sort=production',
      );
      const { page } = person;
      await allowClipboard(person);
      // the pinned column is the first one: default, staging, production
      await person.cell('PORT', 0).click();
      await person.cell('GREETING', 2).click({ modifiers: ['Shift'] });
      await says(person, '9 cells selected: 3 parameters × 3 environments');
      await page.keyboard.press('Control+c');
      await says(person, 'Copied 9 cells.');
      expect(await readClipboard(person)).toBe('80\t80\t80\n\t\t\nhello\thello\tgood day');

      await page.getByRole('button', { name: 'Sort by production' }).click();
      await page.waitForURL((url) => url.searchParams.get('order') === 'desc');
      await page.locator('[data-row="0"]').filter({ hasText: 'LINK' }).waitFor();
      expect(await selectedCells(person)).toBe(1);
      await putOnClipboard(person, 'a\tb\nc\td');
      await person.cell('LINK', 1).click();
      await page.keyboard.press('Control+v');
      await says(person, '4 changes');
      expect(await person.announced('GREETING')).toEqual([
        'hello',
        'c, draft (was hello, inherited)',
        'd, draft (was good day, set here)',
      ]);

      await page.getByRole('button', { name: 'Add parameter' }).click();
      await page.getByLabel('Name of the new parameter').fill('ADDED');
      await page.getByRole('button', { name: 'ADDED in production' }).press('5');
      await page.keyboard.press('Enter');
      await page.getByText('Draft of ADDED added.').waitFor();
      expect((await person.announced('ADDED')).map((text) => text.includes('5'))).toEqual([false, false, true]);
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('contain rows that are not loaded, and are rejected if they are too large', async () => {
    const organization = await core().organization();
    const project = await organization.project({ name: 'large' });
    const values = Object.fromEntries(Array.from({ length: 350 }, (_, at) => [`P${1_000 + at}`, `${at}`]));
    const path = `${project.url}values/?environment=default`;
    expect((await organization.owner.put<PutValuesAnswer>(path, { values, create_missing: true })).status).toBe(200);
    const person = await signedIn(organization, '/projects/large');
    await allowClipboard(person);
    await person.cell('P1000', DEFAULT).click();
    await person.page.keyboard.press('Control+a');
    await person.page.keyboard.press('Control+c');
    await says(person, 'Copied 1,400 cells.');
    const lines = (await readClipboard(person)).split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([350, '0\t0\t0\t0', '349\t349\t349\t349']);
    await person.page.keyboard.press('Delete');
    await says(person, 'Select at most 1,000 cells to change them. 1,400 cells are selected.');

    await person.cell('P1000', DEFAULT).click();
    await person.page.keyboard.press('Shift+Control+End');
    await person.cell('P1349', DEFAULT).click({ modifiers: ['Shift'] });
    await person.page.keyboard.press('Delete');
    await says(person, '350 changes');
    expect(await person.allErrors()).toEqual([]);
  });
});
