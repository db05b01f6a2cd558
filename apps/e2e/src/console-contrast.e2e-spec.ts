import type { ElementHandle, Locator, Page } from 'playwright-core';
import type { ConsolePerson } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const [DEFAULT, , PRODUCTION, STAGING] = [0, 1, 2, 3];
const CONTRASTS = {
  'forced colours': { forcedColors: 'active' },
  'more contrast': { contrast: 'more' },
  'more contrast, dark': { contrast: 'more', colorScheme: 'dark' },
} as const;

/** The attributes of a cell for each meaning that has no text or icon of its own. Conflicts have an icon. */
const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  inherited: {},
  own: { 'data-origin': 'own' },
  override: { 'data-origin': 'override' },
  'from another project': { 'data-origin': 'project' },
  forbidden: { 'data-origin': 'closed' },
  draft: { 'data-draft': 'staged' },
  'inherits a draft': { 'data-draft': 'follows' },
  rejected: { 'data-draft': 'rejected' },
  'just changed': { 'data-fresh': 'true' },
  'source of the inspected cell': { 'data-source': 'true' },
  selected: { 'data-selected': 'true' },
  active: { tabindex: '0' },
};

interface ChangeableElement {
  checked?: boolean;
  blur(): void;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  readonly style: { visibility: string };
}
type Change = (element: ChangeableElement) => void;

/** Takes a picture of an element. The defaults of Playwright would add a style element, which the policy of the page forbids. */
async function picture(target: Locator | ElementHandle): Promise<string> {
  const image = await target.screenshot({ animations: 'allow', caret: 'initial' });
  return image.toString('base64');
}

/** Returns the pictures of a cell by meaning. */
async function takePictures(cell: Locator): Promise<ReadonlyMap<string, string>> {
  const pictures = new Map<string, string>();
  for (const [meaning, attributes] of Object.entries(MEANINGS)) {
    const marks = { 'data-origin': 'inherited', tabindex: '-1', ...attributes };
    await cell.evaluate((element, all) => {
      const changedElement = element as unknown as ChangeableElement;
      for (const name of ['data-draft', 'data-fresh', 'data-source', 'data-selected'])
        changedElement.removeAttribute(name);
      for (const [name, value] of Object.entries(all)) changedElement.setAttribute(name, value);
    }, marks);
    pictures.set(meaning, await picture(cell));
  }
  return pictures;
}

/** Returns whether an element, or the one around it, looks different after a change. */
async function looksDifferent(target: Locator, change: Change, around: Locator = target): Promise<boolean> {
  // The locator may not find the element after the change.
  const [element, pictured] = [await target.elementHandle(), await around.elementHandle()];
  if (!element || !pictured) throw new Error('There is no such element.');
  const before = await picture(pictured);
  expect(await picture(pictured)).toBe(before);
  await element.evaluate(change as unknown as (changed: object) => void);
  return (await picture(pictured)) !== before;
}

async function openMatrix(contextOptions: object): Promise<ConsolePerson> {
  const { organization } = await createPlatform(await core().organization());
  const person = await signedIn(organization, '/projects/web?cell=GREETING&in=staging', { look: contextOptions });
  await person.page.getByRole('heading', { name: 'Resolution order' }).waitFor();
  await person.cell('GREETING', STAGING).waitFor();
  await person.live();
  return person;
}

const unselect: Change = (element) => element.removeAttribute('data-status');
const hide: Change = (element) => {
  element.style.visibility = 'hidden';
};

/** Returns the marks of the page that are not part of cells, each with a change that removes its meaning. */
function listMarks(page: Page, person: ConsolePerson): Readonly<Record<string, readonly [Locator, Change, Locator?]>> {
  const states = page.getByRole('group', { name: 'Show' });
  const live = page.getByTitle('Changes by others appear immediately.');
  const secret = person.cell('TOKEN', STAGING);
  return {
    'dots of a secret': [secret.getByRole('img', { name: 'secret' }), hide, secret],
    'selected tab': [page.getByRole('link', { name: 'Matrix' }), unselect],
    'page in the navigation': [
      page.getByRole('list', { name: 'All projects' }).getByRole('link', { name: 'web', exact: true }),
      unselect,
    ],
    'selected filter': [
      states.getByRole('radio', { name: 'All' }),
      (element) => {
        element.checked = false;
      },
      states,
    ],
    'cell that applies': [page.locator('[data-wins]'), (element) => element.removeAttribute('data-wins')],
    'live updates': [live, (element) => element.setAttribute('data-state', 'cut')],
    'column of the active cell': [
      page.getByRole('columnheader', { name: 'staging' }),
      (element) => element.removeAttribute('data-active'),
    ],
  };
}

describe(`the console with high contrast${reason}`, () => {
  journey.each(Object.keys(CONTRASTS))('shows each meaning of a cell differently: %s', async (name) => {
    const person = await openMatrix(CONTRASTS[name as keyof typeof CONTRASTS]);
    const cell = person.cell('GREETING', 1);
    const pictures = await takePictures(cell);
    // The same meaning looks the same, so that the comparison means something.
    expect((await takePictures(cell)).get('inherited')).toBe(pictures.get('inherited'));
    const meaningsByPicture = Map.groupBy(pictures, ([, image]) => image);
    const alike = [...meaningsByPicture.values()].filter(({ length }) => length > 1);

    expect(alike.map((alikeMarks) => alikeMarks.map(([meaning]) => meaning))).toEqual([]);
    await person.cell('GREETING', DEFAULT).focus();
    expect(await looksDifferent(person.cell('GREETING', DEFAULT), (element) => element.blur())).toBe(true);
    expect(await person.allErrors()).toEqual([]);
  });

  journey.each(Object.keys(CONTRASTS))('shows what is selected, secret, live and effective: %s', async (name) => {
    const person = await openMatrix(CONTRASTS[name as keyof typeof CONTRASTS]);
    const same: string[] = [];
    for (const [meaning, [target, change, within]] of Object.entries(listMarks(person.page, person))) {
      if (!(await looksDifferent(target, change, within))) same.push(meaning);
    }

    expect(same).toEqual([]);
    expect(await person.accessibilityViolations({ type: 'rule', values: ['color-contrast'] })).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey.each(Object.keys(CONTRASTS))('shows states on other pages: %s', async (name) => {
    const { organization } = await createPlatform(await core().organization());
    const person = await signedIn(organization, '/projects/web', { look: CONTRASTS[name as keyof typeof CONTRASTS] });
    const { page } = person;
    const same: string[] = [];
    const check = async (meaning: string, target: Locator, change: Change, around?: Locator) => {
      await target.first().waitFor();
      if (!(await looksDifferent(target.first(), change, around))) same.push(meaning);
    };
    await person.cell('GREETING', DEFAULT).waitFor();
    await person.write('GREETING', DEFAULT, 'good evening');
    await person.write('PORT', DEFAULT, '81');
    await page.getByRole('link', { name: 'Review' }).click();
    const group = page.getByRole('listitem').filter({ hasText: 'inherit' });
    await check('inherited draft in review', group.getByText(/^\+\d+ inherited$/), (element) =>
      element.removeAttribute('class'),
    );

    await person.open('/types/integer');
    await page.getByLabel('Test a value').fill('many');
    const invalid = page.getByLabel('Test a value');
    await page.getByText('The value is not of type integer').waitFor();
    // The picture of a focused field changes with its caret.
    await invalid.blur();
    await check('invalid input', invalid, (element) => element.removeAttribute('aria-invalid'));
    await person.open('/search?q=hello');
    await check('value that matches', page.locator('[data-matched]'), (element) =>
      element.removeAttribute('data-matched'),
    );
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('option', { name: 'Home' }).waitFor();
    await check('chosen entry of the palette', page.getByRole('option', { selected: true }), (element) =>
      element.removeAttribute('aria-selected'),
    );

    await page.goto('/compare?left=default&right=production&project=web');
    await page.getByRole('checkbox', { name: /GREETING/ }).check();
    await check('chosen difference', page.locator('tr[data-chosen]'), (element) =>
      element.removeAttribute('data-chosen'),
    );

    await page.goto('/history');
    const currentLink = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'History' });
    await check('current page', currentLink, unselect);
    await currentLink.focus();
    await check('focus', currentLink, (element) => element.blur(), page.getByRole('navigation', { name: 'Main' }));

    expect(same).toEqual([]);
    expect(await person.accessibilityViolations({ type: 'rule', values: ['color-contrast'] })).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey.each(Object.keys(CONTRASTS))('shows conflicts and problems of templates: %s', async (name) => {
    const { organization, web } = await createPlatform(await core().organization());
    await organization.owner.post(`${web.url}templates/`, { name: 'page', body: '{{ GREETING }}' });
    const person = await signedIn(organization, '/projects/web', { look: CONTRASTS[name as keyof typeof CONTRASTS] });
    const { page } = person;
    await person.live();
    await person.write('GREETING', DEFAULT, 'mine');
    await organization.owner.put(`${web.url}values/?environment=default`, { values: { GREETING: 'theirs' } });
    await page.getByText('1 conflict').waitFor();
    await page.getByRole('link', { name: 'Review' }).click();
    const mine = page.locator('[data-side="mine"]');
    await mine.waitFor();
    expect(await looksDifferent(mine, (element) => element.removeAttribute('data-side'))).toBe(true);

    await person.open('/projects/web/templates/page');
    await page.locator('.cm-content').click();
    await page.keyboard.type('{{ NOPE }}');
    const problem = page.locator('.cm-problem');
    await problem.waitFor();
    expect(await looksDifferent(problem, (element) => element.removeAttribute('class'))).toBe(true);
  });

  journey('has a contrast of 7:1 in both themes if the user requests more', async () => {
    const person = await openMatrix({ contrast: 'more' });
    const { page } = person;
    await person.write('GREETING', PRODUCTION, 'good evening');
    await person.write('LINK', DEFAULT, 'http://example.com');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, contrast: 'more' });
      const only = { type: 'rule', values: ['color-contrast-enhanced'] } as const;
      expect(await person.accessibilityViolations(only)).toEqual([]);
    }
    expect(await person.allErrors()).toEqual([]);
  });
});
