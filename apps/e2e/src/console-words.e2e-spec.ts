import fs from 'node:fs';
import path from 'node:path';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const DOCUMENT = fs.readFileSync(path.resolve(import.meta.dirname, '../../../docs/reference/console.md'), 'utf8');

/** Returns each word in the table "Where things are", with the page that the palette must offer for it. */
function readDocumentedWords(): readonly { readonly word: string; readonly title: string }[] {
  const [, section = ''] = DOCUMENT.split('\n## Where things are\n');
  const [part = ''] = section.split('\n## ');
  const rows = part.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| What |'));
  return rows.flatMap((row) => {
    const [, , , title = '', commandText = ''] = row.split('|').map((cell) => cell.trim());
    return commandText.split(', ').map((word) => ({ word, title }));
  });
}

describe(`synonyms of other products in the command palette${reason}`, () => {
  journey('open the page that the documents name', async () => {
    const organization = await core().organization();
    await organization.project({ name: 'shop' });
    const person = await signedIn(organization, '/projects', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('button', { name: 'Search' }).click();
    const searchField = page.getByRole('dialog').getByRole('combobox');
    const documented = readDocumentedWords();
    expect(documented.length).toBeGreaterThan(80);
    const missing: string[] = [];
    for (const { word, title } of documented) {
      await searchField.fill(word);
      // The palette finds every page by the text of its link.
      const titles = await page
        .getByRole('option')
        .evaluateAll((terms) =>
          (terms as unknown as { firstElementChild: { textContent: string } }[]).map(
            (option) => option.firstElementChild.textContent,
          ),
        );
      if (!titles.includes(title)) missing.push(`${word}: ${title}, but ${titles.join(', ')}`);
    }

    expect(missing).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('open the time travel control and the list of keyboard shortcuts', async () => {
    const organization = await core().organization();
    await organization.project({ name: 'shop' });
    const person = await signedIn(organization, '/webhooks', { role: 'ADMIN' });
    const { page } = person;
    const open = async (searchText: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill(searchText);
    };
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await open('shortcuts');
    await page.getByRole('option', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await open('snapshot');
    await page.getByRole('option', { name: 'Time travel' }).click();
    await page.getByLabel('Revision').fill('1');
    await page.getByRole('dialog').getByRole('button', { name: 'Go' }).last().click();
    await page.getByRole('region', { name: 'Point in time' }).getByText('as of revision 1').waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects');

    await page.getByRole('button', { name: 'Back to now' }).click();
    await open('export shop');
    await page.getByRole('option', { name: /^Export.*shop/ }).click();
    await page.waitForURL('**/projects/shop/export**');
    expect(await person.allErrors()).toEqual([]);
  });
});
