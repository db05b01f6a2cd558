import type { Project, Template, Webhook } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import type { Page } from 'playwright-core';
import { setUpConsoleTests } from './console-journeys.ts';
import { findLayoutProblems } from './console-layout-problems.ts';
import { createNamedObjects } from './console-named-objects.ts';
import { createOneOfEach } from './console-one-of-each.ts';
import { createPlatform } from './console-platform.ts';
import { routePaths, waitForContent } from './console-routes.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

/** Two phones, and a screen of 1280 × 800 pixels at a zoom of 200 %. */
const SIZES = [
  { width: 375, height: 740 },
  { width: 320, height: 740 },
  { width: 640, height: 400 },
];
/** Right-to-left letters, an emoji, and more letters without a blank than fit on a phone. */
const NAME = `\u05d0\u05d1\u05d2\u{1f680}${'name_without_blanks_'.repeat(4)}`;
const PART = encodeURIComponent(NAME);

/** Returns the addresses of all pages, and of some open forms, for objects whose names are long. */
async function listAddresses(organization: TestOrganization): Promise<readonly string[]> {
  const { owner } = organization;
  const [webhook] = (await owner.get<{ results: Webhook[] }>('webhooks/')).body.results;
  const [project] = (await owner.get<{ results: Project[] }>(`projects/?name=${PART}`)).body.results;
  const input = { name: NAME, body: `{{ ${NAME} }}` };
  const { headers } = await owner.post<Template>(`${project?.url}templates/`, input);
  const revision = headers['x-revision'] ?? '2';
  const pages = routePaths().map((pattern) =>
    pattern.replaceAll(/\$(\w*)/g, (_, key) => {
      if (key === 'webhook') return webhook?.id ?? '';
      return key === 'revision' ? revision : PART;
    }),
  );
  return [
    ...pages,
    `/projects/${PART}?cell=${PART}&in=${PART}&env=${PART}`,
    `/projects/${PART}/settings?do=delete`,
    `/projects/${PART}/export?env=${PART}`,
    `/environments/${PART}?do=access`,
    `/environments/${PART}?do=delete`,
    `/compare?left=default&right=${PART}&project=${PART}`,
    `/history/return?to=r1&project=${PART}`,
    '/search?q=name',
  ];
}

/** The width of the content of a page, in pixels, if the screen is wide enough. */
const CONTENT = 1_152;
/** Pages that show two things side by side, or a grid. They use the whole width. */
const WHOLE_WIDTH = [
  '/history/$revision/revert',
  '/history/return',
  '/projects/$name',
  '/projects/$name/templates/$template',
  '/review',
];
/** Pages with a few sentences only. */
const NARROW = ['/$'];

/** Returns how far the content of a page extends to the right, in pixels. Tabs always use the whole width. */
function contentWidth(page: Page): Promise<number> {
  return page.getByRole('main').evaluate((main) => {
    interface Shown {
      readonly tagName: string;
      readonly children: Iterable<Shown>;
      getBoundingClientRect(): { readonly left: number; readonly right: number };
    }
    const { children, getBoundingClientRect } = main as unknown as Shown;
    const { left } = getBoundingClientRect.call(main);
    const ends = [...children]
      .filter(({ tagName }) => tagName !== 'NAV')
      .map((child) => child.getBoundingClientRect().right);
    return Math.round(Math.max(...ends) - left);
  });
}

describe(`the layout of the console on a desktop${reason}`, () => {
  journey('has the same width of content on every page, except those that need the whole screen', async () => {
    const { organization, addresses } = await createOneOfEach(core());
    const person = await signedIn(organization, '/projects/web', {
      role: 'OWNER',
      look: { viewport: { width: 1_440, height: 900 } },
    });
    const { page } = person;
    await person.write('GREETING', 0, 'a draft');
    const whole = (await page.getByRole('main').boundingBox())?.width;
    const widths: Record<string, number> = {};
    for (const [path, address] of addresses) {
      await person.open(address);
      await waitForContent(page);
      widths[path] = await contentWidth(page);
    }
    const { [NARROW[0] ?? '']: narrow = CONTENT, ...others } = widths;
    const expected = (path: string) => (WHOLE_WIDTH.includes(path) ? whole : CONTENT);

    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((path) => [path, expected(path)])));
    expect(narrow).toBeLessThan(CONTENT);
    expect(whole).toBeGreaterThan(CONTENT);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('aligns the values of a search result with its name, and their environments with the end', async () => {
    const { organization } = await createPlatform(await core().organization());
    const person = await signedIn(organization, '/search?q=GREETING');
    const { page } = person;
    const hit = page.getByRole('main').getByRole('listitem').filter({ hasText: 'GREETING' }).first();
    const [name, value, environment] = [
      hit.getByRole('link', { name: 'GREETING' }),
      hit.getByText('good day'),
      hit.getByText('production'),
    ];
    await value.waitFor();
    const [box, ofName, ofValue, ofEnvironment] = [
      await hit.boundingBox(),
      await name.boundingBox(),
      await value.boundingBox(),
      await environment.boundingBox(),
    ];
    if (!box || !ofName || !ofValue || !ofEnvironment) throw new Error('The result is not shown.');

    expect(Math.round(ofValue.x)).toBe(Math.round(ofName.x));
    expect(Math.round(ofEnvironment.x + ofEnvironment.width)).toBe(Math.round(box.x + box.width));
  });
});

describe(`the layout of the console on phones${reason}`, () => {
  journey('cuts off and covers nothing on any page, whatever the names are', async () => {
    const organization = await createNamedObjects(core(), NAME);
    const person = await signedIn(organization, '/projects', { role: 'OWNER' });
    const { page } = person;
    const problemsByView: Record<string, readonly string[]> = {};
    for (const address of await listAddresses(organization)) {
      await person.open(address);
      await waitForContent(page);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        const problems = await findLayoutProblems(page);
        if (await person.isWiderThanScreen()) problems.push('wider than the screen');
        if (problems.length > 0) problemsByView[`${size.width} px: ${address}`] = problems;
      }
    }

    expect(problemsByView).toEqual({});
    expect(await person.allErrors()).toEqual([]);
  });

  journey('has room for the editor of a cell while its explanation is open, and shows the current tab', async () => {
    const { organization } = await createPlatform(await core().organization());
    const contextOptions = { viewport: { width: 375, height: 740 }, isMobile: true, hasTouch: true };
    const person = await signedIn(organization, '/projects/web?cell=UNSET&in=default', { look: contextOptions });
    const { page } = person;
    await page.getByRole('heading', { name: 'Resolution order' }).waitFor();
    await person.write('BLANK', 0, 'a draft');
    await person.cell('UNSET', 0).click();
    await page.keyboard.press('Enter');
    const editor = page.getByRole('group', { name: 'UNSET in default' });
    const [box, bar, grid] = [
      await editor.boundingBox(),
      await page.getByRole('region', { name: 'Drafts' }).boundingBox(),
      await page.getByRole('grid').boundingBox(),
    ];
    if (!box || !bar || !grid) throw new Error('The editor is not shown.');
    expect(box.y).toBeGreaterThanOrEqual(grid.y);
    expect(box.y + box.height).toBeLessThanOrEqual(bar.y);
    expect(box.x + box.width).toBeLessThanOrEqual(375);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Resolution order' }).waitFor();

    await person.open('/projects/web/settings');
    const tab = page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' });
    await page.getByRole('heading', { name: 'Access' }).waitFor();
    const { x = 999, width = 0 } = (await tab.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(375);
    expect(await person.allErrors()).toEqual([]);
  });
});
