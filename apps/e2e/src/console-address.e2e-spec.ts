import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const platform = async () => createPlatform(await core().organization());

describe(`the URL of a console page${reason}`, () => {
  journey('contains what the page shows, so that it can be shared', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await person.row('PORT').waitFor();
    await page.getByLabel('Filter by name or value').fill('E');
    await page.getByLabel('Set here').check();
    await page.getByText('All environments').click();
    await page.getByRole('checkbox', { name: 'development' }).uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'development' }).waitFor({ state: 'detached' });
    await person.cell('GREETING', 1).click();
    await page.keyboard.press('Space');
    await page.getByRole('complementary').waitFor();
    await page.waitForURL((url) => ['q', 'state', 'envs', 'cell'].every((name) => url.searchParams.has(name)));
    const address = page.url();

    const secondPage = await page.context().newPage();
    await secondPage.goto(address);
    await secondPage.getByRole('complementary').getByText('good day').first().waitFor();
    await secondPage.getByRole('row').filter({ hasText: 'TOKEN' }).waitFor();
    const headers = await secondPage.getByRole('columnheader').allTextContents();
    expect(headers).toEqual(['Parameter', 'defaultroot', 'productioninherits default', 'staginginherits default']);
    const names = (await secondPage.getByRole('rowheader').allTextContents()).map((name) => name.trim());
    expect(names).toEqual(['GREETING', 'LINK', 'TOKEN']);
    expect(await secondPage.locator('[role="gridcell"][tabindex="0"]').textContent()).toBe('good day, set here');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('contains the explained cell until another link of the same page is followed', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    const panel = page.getByRole('complementary');
    const explainedCell = () => new URL(page.url()).searchParams.get('cell');
    const tab = page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Matrix' });
    await person.cell('GREETING', 1).click();
    await page.keyboard.press('Space');
    await page.waitForURL(/[?&]cell=GREETING(&|$)/);
    await tab.click();
    await panel.waitFor({ state: 'detached' });
    // The URL follows an open explanation after 150 ms.
    await page.waitForTimeout(500);
    expect([await panel.count(), explainedCell()]).toEqual([0, null]);

    await page.goBack();
    await panel.getByText('good day').first().waitFor();
    await person.cell('GREETING', 1).click();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.searchParams.has('cell'));
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    await page.waitForTimeout(500);
    expect([await panel.count(), explainedCell()]).toEqual([0, null]);

    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Time travel' }).click();
    await page.waitForURL(/[?&]cell=GREETING(&|$)/);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('opens every page as of a tag or a revision, marked as the past and read-only', async () => {
    const { organization, web } = await platform();
    const production = await organization.environmentNamed('production');
    await organization.owner.post(`${production.url}tags/`, { name: 'v1' });
    const { headers } = await organization.owner.get(web.url);
    const path = `${web.url}values/?environment=production`;
    await organization.owner.put(path, { values: { GREETING: 'good night', PORT: '443' } });
    await organization.project({ name: 'later' });
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await person.cell('GREETING', 2).click();
    await page.keyboard.type('mine');
    await page.keyboard.press('Enter');

    await page.getByRole('button', { name: 'Time travel' }).click();
    await page.getByRole('button', { name: /v1 of production/ }).click();
    await page.getByText('as of tag v1 of production').waitFor();
    await person.cell('GREETING', 2).filter({ hasText: 'good day, set here' }).waitFor();
    expect(await page.getByRole('button', { name: 'Review' }).count()).toBe(0);
    await person.cell('GREETING', 2).click();
    await page.keyboard.press('Enter');
    await page.getByText('You can’t change the past').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);

    await page.getByRole('navigation').getByRole('link', { name: 'base' }).click();
    await person.row('REGION').waitFor();
    await page.getByText('as of tag v1 of production').waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'later' }).count()).toBe(0);

    await page.goto(`/projects/web?at=r${headers['x-revision']}`);
    await person.cell('PORT', 2).filter({ hasText: '80' }).waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await person.cell('PORT', 2).filter({ hasText: '443' }).waitFor();
    expect((await person.announced('GREETING'))[2]).toBe('mine, draft (was good night, set here)');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('explains what to do when the point in time does not exist', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web?at=tag:production/never');
    await person.page.getByRole('alert').getByText('There is no tag never of production').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
  });

  journey(
    'leaves time travel on pages that only show the present, so that nothing is written in the past',
    async () => {
      const { organization, web } = await platform();
      const { headers } = await organization.owner.get(web.url);
      const then = `r${headers['x-revision']}`;
      const person = await signedIn(organization, `/projects/web?at=${then}`);
      const { page } = person;
      await page.getByText('(read-only)').waitFor();
      for (const place of ['/review', '/history', '/start', `/history/${headers['x-revision']}/revert`]) {
        await page.goto(`${place}?at=${then}`);
        await page.waitForURL((url) => url.pathname === place && !url.searchParams.has('at'));
        await page.getByRole('button', { name: 'Search' }).waitFor();
        expect(await page.getByText('(read-only)').count()).toBe(0);
      }
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('does not allow undoing a draft that a page of the past does not show', async () => {
    const { organization, web } = await platform();
    const { headers } = await organization.owner.get(web.url);
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await person.cell('GREETING', 2).click();
    await page.keyboard.type('mine');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Drafts' }).waitFor();
    await page.goto(`/projects/web?at=r${headers['x-revision']}`);
    await person.cell('GREETING', 2).click();
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: 'Back to now' }).click();
    await person.cell('GREETING', 2).filter({ hasText: 'mine' }).waitFor();
  });

  journey('follows a rename of a project or an environment by another user, and drafts are kept', async () => {
    const { organization, web } = await platform();
    const production = await organization.environmentNamed('production');
    const person = await signedIn(organization, '/projects/web?envs=%5B%22production%22%5D');
    const { page } = person;
    await person.cell('GREETING', 0).click();
    await page.keyboard.type('half a sen');
    await page.getByText('Live').waitFor();
    await organization.owner.patch(web.url, { name: 'shop' });
    await page.waitForURL(/\/projects\/shop/);
    await page.keyboard.type('tence');
    await organization.owner.patch(production.url, { name: 'live' });
    await page.waitForURL(/envs=.*live/);
    await page.getByRole('columnheader', { name: /^live/ }).waitFor();
    await page.keyboard.press('Enter');
    await person.cell('GREETING', 0).filter({ hasText: 'half a sentence' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});
