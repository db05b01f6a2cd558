import type { Page } from 'playwright-core';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';
import { eventually } from './processes.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const LONG = 'an-environment-with-a-name-that-is-much-longer-than-every-menu-could-be-on-any-screen';

/** Creates the platform with more environments than fit on a screen. */
async function platform() {
  const { organization } = await createPlatform(await core().organization());
  const operations = [LONG, 'e1', 'e2', 'e3', 'e4', 'e5'].map((name) => ({
    operation: 'environments_create',
    body: { name },
  }));
  await organization.owner.post('changesets/', { operations });
  return organization;
}

/** Waits until the columns have these names, without the word for the parent. */
const showsColumns = (page: Page, names: string) =>
  eventually(`the columns are ${names}`, async () => {
    const shown = await page.getByRole('columnheader').getByRole('link').allTextContents();
    return shown.join() === names;
  });
const column = (page: Page, name: string) => page.getByRole('columnheader').filter({ hasText: new RegExp(`^${name}`) });
const measureWidth = async (page: Page, name: string) => (await column(page, name).boundingBox())?.width ?? 0;
const check = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });

describe(`the columns of the matrix${reason}`, () => {
  journey(
    'below a collapsed environment are hidden for this member, until a link or the member shows them',
    async () => {
      const organization = await platform();
      const { url } = await organization.environment({ name: 'previews' });
      for (const name of ['pr-1', 'pr-2', 'pr-3']) await organization.environment({ name, parent: url });
      const ada = await signedIn(organization, '/projects/web?envs=default,previews,pr-1,pr-2,pr-3');
      const { page } = ada;
      const collapsing = (expanded: boolean) =>
        page.getByRole('button', { name: '3 environments below previews', exact: true, expanded });
      // It appears when the preferences of the member are loaded.
      await collapsing(true).waitFor();
      await page.getByRole('button', { name: 'Sort by previews' }).focus();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Enter');
      await showsColumns(page, 'default,previews');
      await collapsing(false).and(page.locator(':focus')).waitFor();
      await column(page, 'previews').getByText('3 hidden').waitFor();
      await page.keyboard.press('Enter');
      await showsColumns(page, 'default,previews,pr-1,pr-2,pr-3');
      await page.keyboard.press('Enter');
      await showsColumns(page, 'default,previews');
      expect(await ada.violationsInEveryLook()).toEqual([]);

      const others = `${LONG},development,e1,e2,e3,e4,e5`;
      await page.goto('/projects/web');
      await showsColumns(page, `default,${others},previews,production,staging`);
      await page.goto('/projects/web?cell=GREETING&in=pr-2');
      await showsColumns(page, `default,${others},previews,pr-2,production,staging`);
      await column(page, 'previews').getByText('2 hidden').waitFor();
      await page.locator('[role="gridcell"]:focus').press('Escape');
      await page.getByText('12 of 14').click();
      await page.getByRole('button', { name: 'Show all' }).click();
      await showsColumns(page, `default,${others},previews,pr-1,pr-2,pr-3,production,staging`);

      await page.goto('/environments');
      const link = (name: string) => page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) });
      await link('previews').getByText('3 environments hidden').waitFor();
      expect(await link('pr-1').count()).toBe(0);
      expect(await ada.violationsInEveryLook()).toEqual([]);
      await collapsing(false).press('Enter');
      await link('pr-1').waitFor();
      await collapsing(true).press('Enter');
      await link('pr-1').waitFor({ state: 'detached' });
      expect(await ada.allErrors()).toEqual([]);
      const bob = await signedIn(organization, '/environments');
      await bob.page.getByRole('main').getByRole('link', { name: /^pr-1/ }).waitFor();
    },
  );

  journey('are found, chosen alone, ordered and pinned in the menu, with the keyboard too', async () => {
    const ada = await signedIn(await platform(), '/projects/web');
    const { page } = ada;
    await page.getByText('All environments').click();
    await page.getByLabel('Filter environments by name').fill('sta');
    await page.getByRole('button', { name: 'Show only staging' }).click();
    await showsColumns(page, 'staging');
    await page.getByLabel('Filter environments by name').fill('');
    expect(await check(page, 'staging').isDisabled()).toBe(true);

    await page.getByRole('button', { name: 'None', exact: true }).click();
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await check(page, 'default').check();
    await check(page, 'production').check();
    await check(page, 'e1').check();
    await showsColumns(page, 'default,e1,production');
    await check(page, 'production').press('Alt+ArrowUp');
    await eventually('production is before e1', async () => {
      await check(page, 'production').press('Alt+ArrowUp');
      return page.url().includes('envs=default,production,e1');
    });
    await showsColumns(page, 'default,production,e1');
    await page.getByRole('button', { name: 'Pin e1' }).click();
    await showsColumns(page, 'e1,default,production');
    const before = await measureWidth(page, 'production');
    await check(page, 'production').press('Alt+ArrowRight');
    await eventually('the width changes', async () => (await measureWidth(page, 'production')) !== before);
    expect(await ada.violationsInEveryLook()).toEqual([]);
    expect(await ada.allErrors()).toEqual([]);
  });

  journey('are a plain list in the URL; older links work; a pinned column stays visible', async () => {
    const organization = await platform();
    const ada = await signedIn(organization, '/projects/web?envs=staging,default');
    const { page } = ada;
    await showsColumns(page, 'staging,default');
    expect(await ada.announced('GREETING')).toEqual(['hello, inherited from default', 'hello']);
    await page.goto(`/projects/web?envs=${encodeURIComponent('["production","default"]')}`);
    await showsColumns(page, 'production,default');

    const all = `e5,e4,e3,e2,e1,development,${LONG},default,production,staging`;
    await page.goto(`/projects/web?envs=${all}&pin=production`);
    await ada.cell('GREETING', 0).filter({ hasText: 'good day' }).waitFor();
    await ada.cell('GREETING', 0).click();
    await page.keyboard.press('End');
    await page.locator(':focus[data-column="9"]').waitFor();
    const place = async (at: number) => ada.cell('GREETING', at).boundingBox();
    const [pinned, last] = [await place(0), await place(9)];
    expect(pinned && last && pinned.x + pinned.width <= last.x).toBe(true);
    const name = await ada.row('GREETING').getByRole('rowheader').boundingBox();
    expect(pinned?.x).toBe((name?.x ?? 0) + (name?.width ?? 0));
    expect(await ada.allErrors()).toEqual([]);
  });

  journey('are moved and resized with the mouse', async () => {
    const ada = await signedIn(await platform(), '/projects/web?envs=default,production,staging');
    const { page } = ada;
    await showsColumns(page, 'default,production,staging');
    await column(page, 'staging').dragTo(column(page, 'default'));
    await showsColumns(page, 'staging,default,production');

    const before = await measureWidth(page, 'default');
    const box = await column(page, 'default').boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) - 1, (box?.y ?? 0) + 10];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y, { steps: 3 });
    await page.mouse.up();
    await page.waitForURL((url) => url.searchParams.has('width'));
    expect(Math.round(before - (await measureWidth(page, 'default')))).toBe(60);
    // a double click fits the column to its texts
    await page.mouse.dblclick(x - 60, y);
    await eventually('the column fits', async () => (await measureWidth(page, 'default')) < before - 100);
    await showsColumns(page, 'staging,default,production');
    const isWhole = await ada
      .cell('LINK', 1)
      .getByText('http://hello')
      .evaluate((text) => {
        const { scrollWidth, clientWidth } = text as unknown as { scrollWidth: number; clientWidth: number };
        return scrollWidth <= clientWidth;
      });
    expect(isWhole).toBe(true);

    await page.getByRole('button', { name: 'Sort by production' }).click();
    // numbers first, and secrets in the order of their names
    const sorted = 'PORT,BLANK,GREETING,LINK,NOTHING,TOKEN,UNSET,REGION';
    await eventually('the rows are sorted by value', async () => {
      const names = await page.getByRole('rowheader').allTextContents();
      return names.map((text) => /^\w+/.exec(text)?.[0]).join() === sorted;
    });
    expect(await column(page, 'production').getAttribute('aria-sort')).toBe('ascending');
    expect(page.url()).toContain('sort=production');

    // The buttons of all heads are one tab stop.
    const stops = page.locator('[role="columnheader"] button[tabindex="0"]');
    const focused = () => page.locator(':focus').getAttribute('aria-label');
    await stops.focus();
    expect(await focused()).toBe('Sort by production');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe('Sort by default');
    await page.keyboard.press('Home');
    expect([await focused(), await stops.count()]).toEqual(['Sort by name', 1]);
    await page.keyboard.press('Enter');
    await eventually('the rows are sorted by name', async () => !page.url().includes('sort='));
    expect(await ada.allErrors()).toEqual([]);
  });

  journey('are saved as views of the user, which are applied, renamed and deleted', async () => {
    const organization = await platform();
    const ada = await signedIn(organization, '/projects/web?envs=staging,default&state=differs&q=day');
    const { page } = ada;
    await page.getByText('Views', { exact: true }).click();
    await page.getByLabel('Name of the view').fill('Before release');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByText('View: Before release').waitFor();
    expect(await ada.violationsInEveryLook()).toEqual([]);

    await page.goto('/projects/web');
    await ada.row('GREETING').waitFor();
    await page.getByText('Views', { exact: true }).click();
    await page.getByRole('button', { name: 'Before release', exact: true }).click();
    await showsColumns(page, 'staging,default');
    expect(page.url()).toContain('envs=staging,default');
    expect(page.url()).not.toContain('day');
    await page.getByRole('button', { name: 'Rename Before release' }).click();
    await page.getByLabel('New name').fill('Release');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByText('View: Release').waitFor();
    await page.getByRole('button', { name: 'Delete Release' }).click();
    await page.getByText('Only you see it.').waitFor();
    expect(await ada.allErrors()).toEqual([]);
  });
});
