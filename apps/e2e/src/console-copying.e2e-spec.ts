import { randomUUID } from 'node:crypto';
import type { AppliedChangeset } from '@strata/contract';
import type { Locator } from 'playwright-core';
import type { ConsolePerson } from './console-browser.ts';
import { allowClipboard, putOnClipboard, readClipboard, untilCleared } from './console-clipboard.ts';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const DEFAULT = 0;
const [PLAIN, LONGER] = ['first\nsecond\nthird', 'first\nsecond, changed\nthird'];
const [ONE_LINE, FORMATTED] = ['{"host":"a","port":80}', '{\n  "host": "a",\n  "port": 80\n}'];

/** Creates `web` with texts, JSON and a secret in `default`, which the second changeset overrides in `production`. */
async function createValues() {
  const organization = await core().organization();
  const secret = randomUUID();
  const apply = async (operations: readonly object[]) =>
    (await organization.owner.post<AppliedChangeset>('changesets/', { operations })).body.revision;
  const set = (environment: string, values: object) => ({
    set: { project: 'web', environment, create_missing: true, values },
  });
  await apply([
    { operation: 'projects_create', body: { name: 'web' } },
    set('default', { PORT: '80', NOTES: PLAIN, CONFIG: ONE_LINE, TOKEN: { value: secret, secret: true } }),
  ]);
  const overridden = await apply([
    set('production', { PORT: '443', NOTES: LONGER, CONFIG: FORMATTED, TOKEN: 'other' }),
  ]);
  return { organization, secret, overridden };
}

/** Presses the button that copies a value, with the keyboard, and returns what is on the clipboard. */
async function copied(person: ConsolePerson, button: Locator): Promise<string> {
  await putOnClipboard(person, '');
  await button.focus();
  await person.page.keyboard.press('Enter');
  for (let tries = 0; tries < 100 && (await readClipboard(person)) === ''; tries += 1)
    await person.page.waitForTimeout(50);
  return readClipboard(person);
}
const copyButton = ({ page }: ConsolePerson, name: string): Locator => page.getByRole('button', { name, exact: true });

describe(`copying values in the console${reason}`, () => {
  journey(
    'works in histories, comparisons and plans, with buttons that appear below the pointer or the focus',
    async () => {
      const { organization, overridden } = await createValues();
      const person = await signedIn(organization, `/history/${overridden}`);
      const { page } = person;
      await allowClipboard(person);
      const button = copyButton(person, 'Copy new value of PORT in production');
      const opacity = () =>
        button.evaluate((buttonElement) => {
          const { getComputedStyle } = globalThis as unknown as {
            getComputedStyle(element: unknown): { opacity: string };
          };
          return getComputedStyle((buttonElement as unknown as { parentElement: unknown }).parentElement).opacity;
        });
      await button.waitFor();
      expect(await opacity()).toBe('0');
      await page.getByText('443').hover();
      expect(await opacity()).toBe('1');
      expect(await copied(person, button)).toBe('443');
      await page.getByText('Only the formatting of the JSON differs.').waitFor();
      expect(await copied(person, copyButton(person, 'Copy old value of CONFIG in production'))).toBe(ONE_LINE);
      expect(await page.getByRole('button', { name: /TOKEN/ }).count()).toBe(0);
      expect(await person.violationsInEveryLook()).toEqual([]);

      await person.open('/projects/web/history/NOTES');
      expect(await copied(person, copyButton(person, 'Copy new value of NOTES in default'))).toBe(PLAIN);

      await person.open('/compare?project=web&left=default&right=production');
      expect(await copied(person, copyButton(person, 'Copy left value of NOTES'))).toBe(PLAIN);
      expect(await page.getByRole('button', { name: /TOKEN/ }).count()).toBe(0);
      await page.getByText('Lines that differ').last().click();
      await page.locator('ins[data-line="new"]', { hasText: 'second, changed' }).waitFor();
      expect(await person.violationsInEveryLook()).toEqual([]);

      await person.open('/projects/web');
      await person.write('PORT', DEFAULT, '8080');
      await person.write('TOKEN', DEFAULT, 'drafted');
      await page.getByRole('link', { name: 'Review' }).click();
      expect(await copied(person, copyButton(person, 'Copy new value of PORT in default').first())).toBe('8080');
      expect(await page.getByRole('button', { name: /Copy .*TOKEN/ }).count()).toBe(0);
      expect(await person.violationsInEveryLook()).toEqual([]);
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('removes a secret at the next click if the browser does not allow it after a minute', async () => {
    const { organization, secret } = await createValues();
    const person = await signedIn(organization, '/projects/web', { role: 'OWNER' });
    const { page } = person;
    await allowClipboard(person);
    await page.clock.install();
    await person.cell('TOKEN', DEFAULT).click();
    await page.getByRole('button', { name: 'Reveal secret' }).click();
    await page.getByRole('button', { name: 'Copy secret' }).click();
    await page.getByText('Copied for 60 s').waitFor();
    // Firefox and Safari let a page write to the clipboard only during a click; all browsers, only with the focus.
    await page.evaluate(denyClipboard);
    await page.clock.fastForward(61_000);
    await page.waitForFunction(() => (globalThis as unknown as PageWithDenials).denials === 1);
    expect(await readClipboard(person)).toBe(secret);

    await person.cell('PORT', DEFAULT).click();
    await untilCleared(person);
    expect(await readClipboard(person)).toBe('');
    expect(await person.allErrors()).toEqual([]);
  });
});

interface PageWithDenials {
  denials: number;
  readonly navigator: { readonly clipboard: { writeText(text: string): Promise<void> } };
}

/** Denies the page to write to the clipboard once, as browsers do without the focus or a click. */
function denyClipboard(): void {
  const page = globalThis as unknown as PageWithDenials;
  const { clipboard } = page.navigator;
  const write = clipboard.writeText.bind(clipboard);
  page.denials = 0;
  clipboard.writeText = async (text) => {
    if (page.denials > 0) return write(text);
    page.denials += 1;
    throw new Error('NotAllowedError');
  };
}
