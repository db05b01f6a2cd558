import type { Project, Template, Webhook } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';
import { findLayoutProblems } from './console-layout-problems.ts';
import { createNamedObjects } from './console-named-objects.ts';
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
async function addressesOf(organization: TestOrganization): Promise<readonly string[]> {
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

describe(`the layout of the console on phones${reason}`, () => {
  journey('cuts off and covers nothing on any page, whatever the names are', async () => {
    const organization = await createNamedObjects(core(), NAME);
    const person = await signedIn(organization, '/projects', { role: 'OWNER' });
    const { page } = person;
    const found: Record<string, readonly string[]> = {};
    for (const address of await addressesOf(organization)) {
      await page.goto(address);
      await waitForContent(page);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        const problems = await findLayoutProblems(page);
        if (await person.isWiderThanScreen()) problems.push('wider than the screen');
        if (problems.length > 0) found[`${size.width} px: ${address}`] = problems;
      }
    }

    expect(found).toEqual({});
    expect(await person.allErrors()).toEqual([]);
  });

  journey('has room for the editor of a cell while its explanation is open, and shows the current tab', async () => {
    const { organization } = await createPlatform(await core().organization());
    const look = { viewport: { width: 375, height: 740 }, isMobile: true, hasTouch: true };
    const person = await signedIn(organization, '/projects/web?cell=UNSET&in=default', { look });
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

    await page.goto('/projects/web/settings');
    const tab = page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' });
    await page.getByRole('heading', { name: 'Access' }).waitFor();
    const { x = 999, width = 0 } = (await tab.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(375);
    expect(await person.allErrors()).toEqual([]);
  });
});
