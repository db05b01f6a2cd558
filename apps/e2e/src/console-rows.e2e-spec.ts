import type { Page, Parameter } from '@strata/contract';
import type { ConsolePerson } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { check, createGroups, createLarge, expectText } from './console-selectable-rows.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const [DEFAULT, , PRODUCTION, STAGING] = [0, 1, 2, 3];

const act = async ({ page }: ConsolePerson, item: string) => {
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

async function openRows() {
  const organization = await core().organization();
  const web = await createGroups(organization);
  const person = await signedIn(organization, '/projects/web');
  await person.row('DBA').waitFor();
  return { organization, web, person, page: person.page, press: (key: string) => person.page.keyboard.press(key) };
}

describe(`rows that are not adjacent${reason}`, () => {
  journey('are selected by checkboxes, with Shift a range of them, and cleared', async () => {
    const { person, page } = await openRows();
    await person.row('DB_HOST').hover();
    await check(person, 'Select DB_HOST').click();
    await expectText(person, '1 row selected');
    await check(person, 'Select LOGGER').click();
    await expectText(person, '2 rows selected');
    await check(person, 'Select TOKEN').click({ modifiers: ['Shift'] });
    await expectText(person, '4 rows selected');
    expect(await person.row('LOGGER').locator('[aria-selected="true"]').count()).toBe(4);
    expect(await check(person, 'Select all 10 rows').evaluate((box) => (box as unknown as Box).indeterminate)).toBe(
      true,
    );
    expect(await person.violationsInEveryLook()).toEqual([]);

    // A click on a cell, and scrolling, keep the rows.
    await person.cell('APP_NAME', PRODUCTION).click();
    await expectText(person, '4 rows selected');
    await check(person, 'Select LOGGER').click();
    await expectText(person, '3 rows selected');
    await check(person, 'Select all 10 rows').click();
    await expectText(person, 'All 10 rows selected');
    await check(person, 'Select DBA').click();
    await expectText(person, '9 rows selected');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('9 rows selected').waitFor({ state: 'detached' });
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are selected with the keyboard; keys apply to them only if the active cell is one of them', async () => {
    const { person, page, press } = await openRows();
    await person.cell('DBA', DEFAULT).click();
    await press('Control+ ');
    await press('ArrowDown');
    await press('ArrowDown');
    await press('Control+ ');
    await expectText(person, '2 rows selected');
    await press('ArrowDown');
    await press('Delete');
    await page.getByText('1 change', { exact: true }).first().waitFor();
    await press('Control+z');
    await press('ArrowUp');
    await press('Delete');
    await page.getByText('2 changes', { exact: true }).first().waitFor();
    await press('Control+z');
    await page.getByRole('region', { name: 'Drafts' }).waitFor({ state: 'detached' });
    await press('Escape');
    await page.getByText('2 rows selected').waitFor({ state: 'detached' });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are copied to an environment, retyped and deleted, after a plan, and each can be undone', async () => {
    const { person, page } = await openRows();
    await check(person, 'Select APP_NAME').click();
    await check(person, 'Select TOKEN').click();
    await act(person, 'Copy to environment');
    await page.getByLabel('From').selectOption({ label: 'default' });
    await page.getByLabel('To', { exact: true }).selectOption({ label: 'staging' });
    await page.getByRole('button', { name: 'Draft the values' }).click();
    await page.getByText('Secrets are set one at a time').waitFor();
    await page.getByRole('button', { name: 'Draft 1 cell' }).click();
    expect((await person.announced('APP_NAME'))[STAGING]).toContain('draft');
    await person.cell('APP_NAME', STAGING).click();
    await page.keyboard.press('Control+z');

    await act(person, 'Delete parameters');
    const dialog = page.getByRole('dialog', { name: 'Delete 2 parameters' });
    await dialog.getByRole('button', { name: 'Delete 2 parameters' }).click();
    await person.row('APP_NAME').waitFor({ state: 'detached' });
    await page.getByText('rows selected').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await person.row('APP_NAME').waitFor();
    await person.row('TOKEN').waitFor();

    await check(person, 'Select DB_PORT').click();
    await act(person, 'Change type');
    await page.getByLabel('Type', { exact: true }).selectOption('integer');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Change type' }).click();
    await person.row('DB_PORT').getByText('integer').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await person.row('DB_PORT').getByText('integer').waitFor({ state: 'detached' });
    expect(await person.everythingReadable()).not.toContain('canary-rows');
    expect(await person.allErrors()).toEqual([]);
  });

  journey(
    'are no longer selected when another user deletes a parameter, or the filter or the order changes',
    async () => {
      const { person, page, organization, web } = await openRows();
      await person.live();
      await check(person, 'Select DB_HOST').click();
      await check(person, 'Select TOKEN').click();
      await expectText(person, '2 rows selected');
      const { body } = await organization.owner.get<Page<Parameter>>(`${web.url}parameters/?name=DBA`);
      await organization.owner.delete(body.results[0]?.url ?? '');
      await expectText(person, 'The rows are no longer selected, because the list of parameters has changed.');
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);

      await check(person, 'Select TOKEN').click();
      await expectText(person, '1 row selected');
      await page.getByLabel('Filter by name or value').fill('LOG');
      await page.getByText('1 row selected').waitFor({ state: 'detached' });

      await page.getByLabel('Filter by name or value').fill('');
      await check(person, 'Select APP_NAME').click();
      await expectText(person, '1 row selected');
      await page.getByText('All environments').click();
      await page.getByRole('checkbox', { name: 'Group by prefix' }).check();
      await page.getByText('1 row selected').waitFor({ state: 'detached' });
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('include rows that are not loaded, and too many are rejected before anything happens', async () => {
    const organization = await core().organization();
    await createLarge(organization);
    const person = await signedIn(organization, '/projects/large');
    const { page } = person;
    await check(person, 'Select all 400 rows').click();
    await check(person, 'Select P0_001').click();
    await expectText(person, '399 rows selected');
    await act(person, 'Remove values');
    await expectText(person, 'Select at most 1,000 cells to change them. 1,596 cells are selected.');
    await act(person, 'Delete parameters');
    await page.getByRole('dialog', { name: 'Delete 399 parameters' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});

interface Box {
  readonly indeterminate: boolean;
}

describe(`the export of selected rows${reason}`, () => {
  journey('contains only them, in each format, also after a reload; a copied link exports all parameters', async () => {
    const { person, page } = await openRows();
    const file = page.getByRole('region', { name: 'File', exact: true }).locator('pre');
    await check(person, 'Select DB_PORT').click();
    await check(person, 'Select TOKEN').click();
    await act(person, 'Export');
    await page.getByText('2 selected parameters: DB_PORT, TOKEN.').waitFor();
    await page.getByText("DB_PORT='5432'").waitFor();
    expect(await file.textContent()).toBe("DB_PORT='5432'\nTOKEN='*****'\n");
    expect(new URL(page.url()).search).toBe('?env=default&selected=2');
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.getByLabel('Format').selectOption('JSON');
    await page.getByText('"DB_PORT": "5432"').waitFor();
    expect(JSON.parse((await file.textContent()) ?? '')).toEqual({ DB_PORT: '5432', TOKEN: '*****' });
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('production');
    await page.reload();
    await page.getByText('"DB_PORT": "5432"').waitFor();
    expect(JSON.parse((await file.textContent()) ?? '')).toEqual({ DB_PORT: '5432', TOKEN: '*****' });
    await page.getByRole('button', { name: 'Show for 30 seconds' }).click();
    await page.getByText('canary-rows').waitFor();
    expect(JSON.parse((await page.getByLabel('File with secrets').textContent()) ?? '')).toEqual({
      DB_PORT: '5432',
      TOKEN: 'canary-rows',
    });

    const link = page.url();
    await page.goto('/');
    await page.goto(link);
    await page.getByText('This link does not contain which 2 parameters were selected').waitFor();
    await page.getByText('"APP_NAME": "web"').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});
