import type { ConsolePerson } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { check, createGroups, createLarge, expectText } from './console-selectable-rows.ts';
import { eventually } from './processes.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const DEFAULT = 0;

async function openGroups(address: string) {
  const organization = await core().organization();
  await createGroups(organization);
  const person = await signedIn(organization, address);
  await person.row('DBA').waitFor();
  return { person, page: person.page, press: (key: string) => person.page.keyboard.press(key) };
}

/** Returns the line of a group, by the name that screen readers announce. */
const group = ({ page }: ConsolePerson, name: string) => page.getByRole('row', { name, exact: true });

/** Returns the names of the rows in their order, and the words of groups. */
const shownRows = async ({ page }: ConsolePerson) => {
  const rows = await page.locator('[role="row"][data-row]').evaluateAll((rowElements) =>
    (rowElements as unknown as ShownRow[]).map((row) => ({
      at: Number(row.ariaRowIndex),
      text: row.ariaLabel ?? row.querySelector('[role="rowheader"]')?.textContent ?? '',
    })),
  );
  return rows
    .toSorted((left, right) => left.at - right.at)
    .map(({ text }) => (text.includes('parameters') ? text : /^\S+/.exec(text)?.[0]));
};
interface ShownRow {
  readonly ariaRowIndex: string;
  readonly ariaLabel: string | null;
  querySelector(selector: string): { readonly textContent: string } | null;
}
const hasRows = (person: ConsolePerson, rows: readonly string[]) =>
  eventually(`the rows are ${rows.join()}`, async () => (await shownRows(person)).join() === rows.join());

const GROUPED = [
  ...['APP_NAME', 'DB, 2 parameters', 'DB_HOST', 'DB_PORT', 'DBA', 'LOG, 2 parameters', 'LOG_FORMAT', 'LOG_LEVEL'],
  ...['LOGGER', 'TOKEN', 'LOG, 2 parameters', 'LOG_COLOR', 'LOG_PATH'],
];

describe(`groups of rows in the matrix${reason}`, () => {
  journey('contain names with the same prefix, and are collapsed and expanded', async () => {
    const { person, page } = await openGroups('/projects/web');
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
    const { person, page, press } = await openGroups('/projects/web?group=prefix');
    const focused = () => page.locator(':focus');
    await hasRows(person, GROUPED);
    await person.cell('APP_NAME', DEFAULT).click();
    await press('ArrowDown');
    expect(await focused().getAttribute('aria-expanded')).toBe('true');
    expect(await page.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('14');
    const about = ['aria-level', 'aria-rowindex', 'aria-expanded'];
    const readAttributes = async (name: string) =>
      Promise.all(about.map((attribute) => person.row(name).getAttribute(attribute)));
    expect([await readAttributes('APP_NAME'), await readAttributes('DB_HOST')]).toEqual([
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
    await expectText(person, '4 cells selected: 4 parameters × 1 environment, 2 in collapsed groups');
    await press('ArrowDown');
    await press('ArrowRight');
    await person.row('DB_HOST').waitFor();
    await press(' ');
    await expectText(person, '2 rows selected');
    expect(await check(person, 'Select the 2 rows of DB').isChecked()).toBe(true);
    await press(' ');
    await page.getByText('2 rows selected').waitFor({ state: 'detached' });
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are part of a saved view', async () => {
    const { person, page } = await openGroups('/projects/web?group=prefix');
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
    await expectText(person, 'All 400 rows selected, 400 in collapsed groups');
    expect(operations.filter((name) => name === 'MatrixPart')).toEqual([]);
    await group(person, 'P3, 100 parameters').click();
    await person.cell('P3_000', DEFAULT).filter({ hasText: 'v300' }).waitFor();
    expect(operations.filter((name) => name === 'MatrixPart').length).toBeLessThan(3);
    expect(await person.allErrors()).toEqual([]);
  });
});
