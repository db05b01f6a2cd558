import { randomUUID } from 'node:crypto';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const [DEFAULT, , PRODUCTION] = [0, 1, 2];
const platform = async () => createPlatform(await core().organization());

describe(`the row that adds parameters in the console${reason}`, () => {
  journey('stages a parameter with its values, and pasted lines, which are applied as one revision', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    const name = page.getByLabel('Name of the new parameter');
    const secret = `canary-${randomUUID()}`;
    await page.getByRole('button', { name: 'Add parameter' }).click();
    await name.fill('RETRIES');
    await page.getByLabel('Type').selectOption('integer');
    await page.getByRole('button', { name: 'RETRIES in default' }).press('3');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'RETRIES in production' }).press('5');
    await page.keyboard.press('Enter');
    await page.getByText('Draft of RETRIES added.').waitFor();
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Name of the new parameter');
    expect((await person.announced('RETRIES'))[PRODUCTION]).toContain('5');

    await person.paste(
      name,
      `# pasted\nURL=http://{{ PORT }}/\${RETRIES}\nDB_PASSWORD=${secret}\nnot an assignment\nLIMIT=10\nCODE=007\n`,
    );
    const dialog = page.getByRole('dialog', { name: 'Resolve references' });
    await dialog.getByText('Line 2: URL refers to PORT, RETRIES').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Resolve references' }).click();
    await page
      .getByText(
        '1 skipped. Line 4: expected NAME=value. 4 drafts added in default. Secret: DB_PASSWORD (named like a credential).',
      )
      .waitFor();
    await page.getByText('Integer: LIMIT.').waitFor();
    await person.row('LIMIT').getByText('integer').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Integer: LIMIT.').waitFor({ state: 'detached' });
    await person.row('LIMIT').getByText('string').waitFor();
    expect(await name.isVisible()).toBe(true);
    await person.paste(name, `A=${'x'.repeat(1_000_000)}`);
    await page.getByText('The copied text has 1,000,002 characters.').waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.everythingReadable()).not.toContain(secret);
    await page.getByRole('button', { name: 'Undo' }).click();
    await person.row('LIMIT').getByText('integer').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await person.row('DB_PASSWORD').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Redo' }).click();
    await person.row('DB_PASSWORD').waitFor();

    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Apply 6 changes' }).click();
    await person.applied();
    await person.row('RETRIES').waitFor();
    expect((await person.announced('RETRIES')).slice(DEFAULT, PRODUCTION + 1)).toEqual([
      '3',
      '3, inherited from default',
      '5, set here',
    ]);
    expect((await person.announced('URL'))[DEFAULT]).toBe('dynamic: http://80/3');
    expect((await person.announced('DB_PASSWORD'))[DEFAULT]).toContain('secret');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('says that a name is taken, also if another member has taken it meanwhile', async () => {
    const { organization, web } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    const name = page.getByLabel('Name of the new parameter');
    await person.live();
    await page.getByRole('button', { name: 'Add parameter' }).click();
    await name.fill('GREETING');
    await name.press('Enter');
    await page.getByText('web already has a parameter named GREETING.').waitFor();
    await name.fill('FRESH');
    await page.getByRole('button', { name: 'FRESH in default' }).press('x');
    await page.keyboard.press('Enter');
    await page.getByText('Draft of FRESH added.').waitFor();

    await organization.parameter({ project: web, name: 'FRESH' });
    await page.getByText('the project already has a parameter with this name').waitFor();
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Set it in that parameter' }).click();
    await page.getByRole('button', { name: 'Apply this change' }).click();
    await person.applied();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('generates secrets, which are only sent when they are applied', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    const operations = person.recordOperations();
    await person.cell('TOKEN', PRODUCTION).click();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'generate' }).click();
    const generated = await page.getByRole('textbox', { name: 'TOKEN in production' }).inputValue();
    expect(generated).toMatch(/^[A-Za-z0-9]{32}$/);
    await page.keyboard.press('Enter');
    await page.getByText('1 change').waitFor();
    expect(operations.filter((operation) => /Password|Apply|Plan/.test(operation))).toEqual([]);
    expect(await person.everythingReadable()).not.toContain(generated);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('compares values of several lines by lines, in the review and in the history', async () => {
    const { organization, web } = await platform();
    const parameter = await organization.parameter({ project: web, name: 'NOTE' });
    await organization.value({ parameter, internal_value: 'first\nsecond' });
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    const added = page.locator('ins[data-line="new"]').first();
    await person.cell('NOTE', DEFAULT).click();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' line');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Review' }).click();
    expect(await added.textContent()).toBe('+ second line\n');
    await page.getByRole('button', { name: 'Apply this change' }).click();
    await person.applied();
    await page.goto('/projects/web/history/NOTE');
    expect(await added.textContent()).toBe('+ second line\n');
    expect(await person.allErrors()).toEqual([]);
  });
});
