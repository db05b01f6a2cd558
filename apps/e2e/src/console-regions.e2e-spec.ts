import type { Page } from 'playwright-core';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const [DEFAULT, PRODUCTION] = [0, 2];
/** A screen of 1280 × 800 pixels at a zoom of 200 %. */
const ZOOMED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };

/** Returns the name of the region that has the focus: its label, or its tag. */
function focusedRegion(page: Page): Promise<string> {
  return page.locator(':focus').evaluate((focused) => {
    const { closest } = focused as unknown as {
      closest(selector: string): { ariaLabel: string | null; tagName: string };
    };
    const region = closest.call(focused, '[data-region]');
    return region.ariaLabel ?? region.tagName.toLowerCase();
  });
}

/** Presses a key until a region has the focus that had it before, and returns the regions in their order. */
async function cycle(page: Page, key: string): Promise<readonly string[]> {
  const regions: string[] = [];
  for (;;) {
    const before = await page.locator(':focus').elementHandle();
    await page.keyboard.press(key);
    await page.waitForFunction((old) => {
      const { document } = globalThis as unknown as { document: { activeElement: unknown } };
      return old !== document.activeElement;
    }, before);
    const region = await focusedRegion(page);
    if (regions.includes(region)) return regions;
    regions.push(region);
  }
}

describe(`the regions of a page in the console${reason}`, () => {
  journey('are reached with F6, and Shift+F6 goes back', async () => {
    const { organization } = await createPlatform(await core().organization());
    const person = await signedIn(organization, '/projects/web?cell=GREETING&in=production');
    const { page } = person;
    await page.getByRole('heading', { name: 'Resolution order' }).waitFor();
    await person.write('GREETING', PRODUCTION, 'good evening');
    await page.getByRole('region', { name: 'Drafts' }).waitFor();
    const grid = 'Parameters of web, with the effective value in each environment';
    const order = ['Drafts', 'Status', 'How LINK resolves in production', 'Main', 'header', 'Project', 'Filters', grid];

    expect(await cycle(page, 'F6')).toEqual(order);
    expect(await cycle(page, 'Shift+F6')).toEqual([...order].reverse());
    // The grid keeps its active cell.
    await person.cell('LINK', PRODUCTION).focus();
    await page.keyboard.press('F6');
    await page.locator('section :focus').waitFor();
    await page.keyboard.press('Shift+F6');
    await page.locator('[role="gridcell"]:focus').waitFor();
    expect(await page.locator(':focus').getAttribute('data-column')).toBe(String(PRODUCTION));
    expect(await person.accessibilityViolations()).toEqual([]);

    await page.goto('/types');
    await page.getByRole('link', { name: 'boolean' }).waitFor();
    await page.keyboard.press('F6');
    await page.locator(':focus').waitFor();
    expect([...(await cycle(page, 'F6'))].sort()).toEqual(['Main', 'header', 'main']);
    await page.goto('/access/groups');
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
    await page.keyboard.press('F6');
    await page.locator(':focus').waitFor();
    expect([...(await cycle(page, 'F6'))].sort()).toEqual(['Access', 'Main', 'div', 'header']);
    await page.keyboard.press('?');
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await shortcuts.getByText('Shift + F6').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('leave room for two columns at a zoom of 200 %', async () => {
    const { organization } = await createPlatform(await core().organization());
    const person = await signedIn(organization, '/projects/web', { look: ZOOMED });
    const { page } = person;
    await person.cell('GREETING', DEFAULT).waitFor();
    const ends: number[] = [];
    for (const name of ['default', 'development']) {
      const { x, width } = (await page.getByRole('columnheader', { name, exact: false }).first().boundingBox()) ?? {
        x: 0,
        width: 9_999,
      };
      ends.push(x + width);
    }

    expect(Math.max(...ends)).toBeLessThanOrEqual(640);
    await person.cell('GREETING', DEFAULT).click();
    await page.keyboard.press('Space');
    await page.getByRole('heading', { name: 'Resolution order' }).scrollIntoViewIfNeeded();
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.isWiderThanScreen()).toBe(false);
    expect(await person.allErrors()).toEqual([]);
  });
});
