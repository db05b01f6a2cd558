import type { Page, ParameterType } from '@strata/contract';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const DEFAULT = 0;

/** Creates the type `level`, which lists its values, and `web` with a parameter of several types. */
async function createParameters() {
  const organization = await core().organization();
  const { owner } = organization;
  const { body } = await owner.get<Page<ParameterType>>('types/?name=string');
  const { body: level } = await owner.post<ParameterType>('types/', { name: 'level', parent: body.results[0]?.url });
  await owner.post(`${level.url}rules/`, { type: 'regex', constraint: '^(debug|info|warn)$' });
  const project = await organization.project({ name: 'web' });
  const value = async (name: string, type: string, internal_value: string) =>
    organization.value({ parameter: await organization.parameter({ project, name, type }), internal_value });
  await value('DEBUG', 'boolean', 'yes');
  await value('HOST', 'string', 'example.com');
  await value('LEVEL', 'level', 'info');
  await value('PORT', 'integer', '80');
  await value('LITERAL', 'string', '{{ PORT }}');
  return organization;
}

describe(`the editor of a cell in the console${reason}`, () => {
  journey('toggles booleans with a switch, offers the listed values of a type, and checks what is typed', async () => {
    const person = await signedIn(await createParameters(), '/projects/web');
    const { page } = person;
    const press = (key: string) => page.keyboard.press(key);
    const drafted = async (name: string) => (await person.announced(name))[DEFAULT];

    await person.cell('DEBUG', DEFAULT).click();
    await press('Enter');
    await page.getByRole('switch', { name: 'DEBUG in default', checked: true }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await press('Space');
    expect(await drafted('DEBUG')).toBe('no, draft (was yes, set here)');
    await press('Enter');
    await press('Enter');
    expect(await drafted('DEBUG')).toBe('yes');

    await person.cell('LEVEL', DEFAULT).click();
    await press('Enter');
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').allTextContents()).toEqual(['debug', 'info', 'warn']);
    expect(await person.accessibilityViolations()).toEqual([]);
    await press('ArrowDown');
    await press('Enter');
    expect(await drafted('LEVEL')).toBe('debug, draft (was info, set here)');
    await person.cell('LEVEL', DEFAULT).click();
    await page.keyboard.type('loud');
    await page.getByText('The value must match the pattern ^(debug|info|warn)$').waitFor();
    await press('Enter');
    await page.getByText('Not saved. Press Enter again').waitFor();
    await press('Escape');
    expect(await drafted('LEVEL')).toBe('debug, draft (was info, set here)');

    // The second Enter saves the draft, which says that it is rejected.
    await person.cell('PORT', DEFAULT).click();
    await page.keyboard.type('many');
    await press('Enter');
    await press('Enter');
    await page.getByText('1 rejected').waitFor();
    expect(await drafted('PORT')).toMatch(/^many, rejected: The value is not of type integer/);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('completes references after {{ and proposes to resolve them', async () => {
    const person = await signedIn(await createParameters(), '/projects/web');
    const { page } = person;
    const resolve = page.getByLabel('resolve {{ references }}');
    await person.cell('HOST', DEFAULT).click();
    await page.keyboard.type('http://{{ PO');
    await page.getByRole('option', { name: 'PORT' }).waitFor();
    expect(await page.getByRole('option', { name: 'HOST' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('textbox', { name: 'HOST in default' }).inputValue()).toBe('http://{{ PORT }}');
    expect(await resolve.isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    expect((await person.announced('HOST'))[DEFAULT]).toMatch(/^dynamic: http:\/\/\{\{ PORT \}\}, draft/);

    // The stored text is literal, although it contains braces. A completion turns resolving on.
    await person.cell('LITERAL', DEFAULT).click();
    await page.keyboard.press('Enter');
    await resolve.waitFor();
    expect(await resolve.isChecked()).toBe(false);
    await page.keyboard.press('End');
    await page.keyboard.type('{{ LE');
    await page.getByRole('option', { name: 'LEVEL' }).waitFor();
    await page.keyboard.press('Enter');
    await resolve.and(page.locator(':checked')).waitFor();
    await page.keyboard.press('Control+Enter');
    const editor = page.getByRole('dialog', { name: 'LITERAL in default' });
    await editor.getByLabel('resolve {{ references }}').uncheck();
    await editor.getByRole('textbox').press('Control+End');
    await page.keyboard.type(' {{ HO');
    // The editor ignores Enter for a moment after it proposes names, so that users do not accept one by accident.
    await editor.getByRole('option', { name: 'HOST' }).click();
    await editor.getByLabel('resolve {{ references }}').and(page.locator(':checked')).waitFor();
    await editor.getByRole('button', { name: 'Save draft' }).click();
    expect((await person.announced('LITERAL'))[DEFAULT]).toMatch(
      /^dynamic: \{\{ PORT \}\}\{\{ LEVEL \}\} \{\{ HOST \}\}, draft/,
    );

    // A text with unknown names is not proposed. If it is resolved all the same, the reason is shown.
    await person.cell('LEVEL', DEFAULT).click();
    await page.keyboard.type('{{ NOPE }}');
    await resolve.waitFor();
    await resolve.and(page.locator(':not(:checked)')).waitFor();
    await resolve.check();
    await page.getByText('web has no own or inherited parameter named NOPE.').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});
