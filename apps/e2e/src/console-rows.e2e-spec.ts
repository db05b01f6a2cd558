import type { Page, Parameter, PutValuesAnswer } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import type { ConsolePerson } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { eventually } from './processes.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const [DEFAULT, , PRODUCTION, STAGING] = [0, 1, 2, 3];

/** Creates `web` with two groups, which depends on `base` with another one. */
async function createPlatform() {
  const organization = await core().organization();
  const set = (project: string, values: object) => ({
    set: { project, environment: 'default', create_missing: true, values },
  });
  const base = await organization.project({ name: 'base' });
  const web = await organization.project({ name: 'web', depends_on: base.url });
  const { status, text } = await organization.owner.post('changesets/', {
    operations: [
      set('base', { LOG_COLOR: 'on', LOG_PATH: '/tmp' }),
      set('web', {
        ...{ APP_NAME: 'web', DB_HOST: 'db.example', DB_PORT: '5432', DBA: 'ada' },
        ...{ LOG_FORMAT: 'json', LOG_LEVEL: 'info', LOGGER: 'console' },
        TOKEN: { value: 'canary-rows', secret: true },
      }),
    ],
  });
  if (status !== 201) throw new Error(text);
  return { organization, web };
}

const says = ({ page }: ConsolePerson, words: string | RegExp): Promise<void> =>
  page.getByText(words).first().waitFor();
const check = ({ page }: ConsolePerson, name: string) => page.getByRole('checkbox', { name, exact: true });
/** Returns the line of a group, by the name that screen readers announce. */
const group = ({ page }: ConsolePerson, name: string) => page.getByRole('row', { name, exact: true });
const act = async ({ page }: ConsolePerson, item: string) => {
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

async function openRows(address = '/projects/web') {
  const { organization, web } = await createPlatform();
  const person = await signedIn(organization, address);
  await person.row('DBA').waitFor();
  return { organization, web, person, page: person.page, press: (key: string) => person.page.keyboard.press(key) };
}

/** Returns the names of the rows in their order, and the words of groups. */
const shownRows = async ({ page }: ConsolePerson) => {
  const rows = await page.locator('[role="row"][data-row]').evaluateAll((found) =>
    (found as unknown as ShownRow[]).map((row) => ({
      at: Number(row.ariaRowIndex),
      text: row.ariaLabel ?? row.querySelector('[role="rowheader"]')?.textContent ?? '',
    })),
  );
  return rows
    .toSorted((one, other) => one.at - other.at)
    .map(({ text }) => (text.includes('parameters') ? text : /^\S+/.exec(text)?.[0]));
};
interface ShownRow {
  readonly ariaRowIndex: string;
  readonly ariaLabel: string | null;
  querySelector(of: string): { readonly textContent: string } | null;
}
const hasRows = (person: ConsolePerson, rows: readonly string[]) =>
  eventually(`the rows are ${rows.join()}`, async () => (await shownRows(person)).join() === rows.join());

const GROUPED = [
  ...['APP_NAME', 'DB, 2 parameters', 'DB_HOST', 'DB_PORT', 'DBA', 'LOG, 2 parameters', 'LOG_FORMAT', 'LOG_LEVEL'],
  ...['LOGGER', 'TOKEN', 'LOG, 2 parameters', 'LOG_COLOR', 'LOG_PATH'],
];

describe(`groups of rows in the matrix${reason}`, () => {
  journey('contain names with the same prefix, and are collapsed and expanded', async () => {
    const { person, page } = await openRows();
    await page.getByText('All environments').click();
    await page.getByRole('checkbox', { name: 'Group by prefix' }).check();
    await page.waitForURL((url) => url.searchParams.get('group') === 'prefix');
    await hasRows(person, GROUPED);
    // The menu has another place on narrow screens, so it is closed.
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.getByText('All environments').click();
    await page.getByRole('button', { name: 'Collapse all' }).click();
    const collapsed = [
      'APP_NAME',
      'DB, 2 parameters',
      'DBA',
      'LOG, 2 parameters',
      'LOGGER',
      'TOKEN',
      'LOG, 2 parameters',
    ];
    await hasRows(person, collapsed);
    await page.getByRole('button', { name: 'Expand all' }).click();
    await hasRows(person, GROUPED);
    await page.keyboard.press('Escape');
    await group(person, 'DB, 2 parameters').click();
    await person.row('DB_HOST').waitFor({ state: 'detached' });
    expect(await group(person, 'DB, 2 parameters').getAttribute('aria-expanded')).toBe('false');

    await page.getByLabel('Filter by name or value').fill('log_');
    await hasRows(person, [...['LOG, 2 parameters', 'LOG_FORMAT', 'LOG_LEVEL'], ...GROUPED.slice(-3)]);
    await page.getByRole('button', { name: 'Sort by production' }).click();
    await hasRows(person, ['LOG_LEVEL', 'LOG_FORMAT', 'LOG_PATH', 'LOG_COLOR']);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are used with the keyboard alone, and announced with their level and state', async () => {
    const { person, page, press } = await openRows('/projects/web?group=prefix');
    const focused = () => page.locator(':focus');
    await hasRows(person, GROUPED);
    await person.cell('APP_NAME', DEFAULT).click();
    await press('ArrowDown');
    expect(await focused().getAttribute('aria-expanded')).toBe('true');
    expect(await page.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('14');
    const about = ['aria-level', 'aria-rowindex', 'aria-expanded'];
    const of = async (name: string) => Promise.all(about.map((one) => person.row(name).getAttribute(one)));
    expect([await of('APP_NAME'), await of('DB_HOST')]).toEqual([
      ['1', '2', null],
      ['2', '4', null],
    ]);
    await press('ArrowDown');
    await page.locator('[data-row="1"] :focus').waitFor();
    await press('ArrowUp');
    await press('ArrowLeft');
    await person.row('DB_HOST').waitFor({ state: 'detached' });
    await press('Enter');
    await person.row('DB_HOST').waitFor();
    await press('ArrowLeft');
    await press('ArrowDown');
    await press('Shift+ArrowUp');
    // The range passes over the collapsed group and says what it contains.
    await says(person, '4 cells selected: 4 parameters × 1 environment, 2 in collapsed groups');
    await press('ArrowDown');
    await press('ArrowRight');
    await person.row('DB_HOST').waitFor();
    await press(' ');
    await says(person, '2 rows selected');
    expect(await check(person, 'Select the 2 rows of DB').isChecked()).toBe(true);
    await press(' ');
    await page.getByText('2 rows selected').waitFor({ state: 'detached' });
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are part of a saved view', async () => {
    const { person, page } = await openRows('/projects/web?group=prefix');
    await hasRows(person, GROUPED);
    await page.getByText('Views', { exact: true }).click();
    await page.getByLabel('Name of the view').fill('By area');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByText('View: By area').waitFor();
    await page.goto('/projects/web');
    await page.getByText('Views', { exact: true }).click();
    await page.getByRole('button', { name: 'By area', exact: true }).click();
    await hasRows(person, GROUPED);
    expect(page.url()).toContain('group=prefix');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('of a project with many parameters load only visible rows', async () => {
    const organization = await core().organization();
    await createLarge(organization);
    const person = await signedIn(organization, '/projects/large?group=prefix');
    const { page } = person;
    await person.row('P0_000').waitFor();
    const operations = person.recordOperations();
    await page.getByText('All environments').click();
    await page.getByRole('button', { name: 'Collapse all' }).click();
    await hasRows(person, ['P0, 100 parameters', 'P1, 100 parameters', 'P2, 100 parameters', 'P3, 100 parameters']);
    await page.keyboard.press('Escape');
    await check(person, 'Select all 400 rows').check();
    await says(person, 'All 400 rows selected, 400 in collapsed groups');
    expect(operations.filter((name) => name === 'MatrixPart')).toEqual([]);
    await group(person, 'P3, 100 parameters').click();
    await person.cell('P3_000', DEFAULT).filter({ hasText: 'v300' }).waitFor();
    expect(operations.filter((name) => name === 'MatrixPart').length).toBeLessThan(3);
    expect(await person.allErrors()).toEqual([]);
  });
});

/** Creates `large` with four groups of 100 parameters. */
async function createLarge(organization: TestOrganization) {
  const project = await organization.project({ name: 'large' });
  const names = Array.from({ length: 400 }, (_, at) => `P${Math.floor(at / 100)}_${String(at % 100).padStart(3, '0')}`);
  const values = Object.fromEntries(names.map((name, at) => [name, `v${at}`]));
  const path = `${project.url}values/?environment=default`;
  expect((await organization.owner.put<PutValuesAnswer>(path, { values, create_missing: true })).status).toBe(200);
  return project;
}

describe(`rows that are not adjacent${reason}`, () => {
  journey('are selected by checkboxes, with Shift a range of them, and cleared', async () => {
    const { person, page } = await openRows();
    await person.row('DB_HOST').hover();
    await check(person, 'Select DB_HOST').click();
    await says(person, '1 row selected');
    await check(person, 'Select LOGGER').click();
    await says(person, '2 rows selected');
    await check(person, 'Select TOKEN').click({ modifiers: ['Shift'] });
    await says(person, '4 rows selected');
    expect(await person.row('LOGGER').locator('[aria-selected="true"]').count()).toBe(4);
    expect(await check(person, 'Select all 10 rows').evaluate((box) => (box as unknown as Box).indeterminate)).toBe(
      true,
    );
    expect(await person.violationsInEveryLook()).toEqual([]);

    // A click on a cell, and scrolling, keep the rows.
    await person.cell('APP_NAME', PRODUCTION).click();
    await says(person, '4 rows selected');
    await check(person, 'Select LOGGER').click();
    await says(person, '3 rows selected');
    await check(person, 'Select all 10 rows').click();
    await says(person, 'All 10 rows selected');
    await check(person, 'Select DBA').click();
    await says(person, '9 rows selected');
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
    await says(person, '2 rows selected');
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

  journey('are no longer selected when another user deletes a parameter or the filter changes', async () => {
    const { person, page, organization, web } = await openRows();
    await person.live();
    await check(person, 'Select DB_HOST').click();
    await check(person, 'Select TOKEN').click();
    await says(person, '2 rows selected');
    const { body } = await organization.owner.get<Page<Parameter>>(`${web.url}parameters/?name=DBA`);
    await organization.owner.delete(body.results[0]?.url ?? '');
    await says(person, 'The rows are no longer selected, because the list of parameters has changed.');
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);

    await check(person, 'Select TOKEN').click();
    await says(person, '1 row selected');
    await page.getByLabel('Filter by name or value').fill('LOG');
    await page.getByText('1 row selected').waitFor({ state: 'detached' });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('include rows that are not loaded, and too many are rejected before anything happens', async () => {
    const organization = await core().organization();
    await createLarge(organization);
    const person = await signedIn(organization, '/projects/large');
    const { page } = person;
    await check(person, 'Select all 400 rows').click();
    await check(person, 'Select P0_001').click();
    await says(person, '399 rows selected');
    await act(person, 'Remove values');
    await says(person, 'Select at most 1,000 cells to change them. 1,596 cells are selected.');
    await act(person, 'Delete parameters');
    await page.getByRole('dialog', { name: 'Delete 399 parameters' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});

interface Box {
  readonly indeterminate: boolean;
}

describe(`the export of selected rows${reason}`, () => {
  journey('contains only them, in each format, also after a reload; a copied link says what it lacks', async () => {
    const { person, page } = await openRows();
    const file = page.getByRole('region', { name: 'File', exact: true }).locator('pre');
    await check(person, 'Select DB_PORT').click();
    await check(person, 'Select TOKEN').click();
    await act(person, 'Export');
    await page.getByText('2 selected parameters: DB_PORT, TOKEN.').waitFor();
    await page.getByText('DB_PORT="5432"').waitFor();
    expect(await file.textContent()).toBe('DB_PORT="5432"\nTOKEN="*****"\n');
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
