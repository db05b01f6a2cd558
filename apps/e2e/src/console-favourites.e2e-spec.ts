import type { Preferences } from '@strata/contract';
import type { Page } from 'playwright-core';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const list = (page: Page, title: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('list', { name: title });
const star = (page: Page, name: string) => page.getByRole('button', { name: `Favourite: ${name}`, exact: true });

describe(`the navigation of the console${reason}`, () => {
  journey('shows favourites and the last visits of the user, on every computer and to nobody else', async () => {
    const { organization } = await createPlatform(await core().organization());
    const ada = await signedIn(organization, '/projects/web');
    const { page } = ada;
    await star(page, 'web').click();
    await page.getByRole('button', { name: 'Favourite: web', pressed: true }).waitFor();
    // The open project is only listed among all projects.
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^(project )?web$/ });
    expect(await links.count()).toBe(1);

    await page.goto('/environments/production');
    await list(page, 'Favourites').getByRole('link', { name: 'web' }).waitFor();
    await list(page, 'Recent').getByRole('link', { name: 'production' }).waitFor();
    await page.goto('/projects/web/parameters/PORT');
    await list(page, 'Recent').getByRole('link', { name: 'PORT' }).waitFor();
    // a favourite is not repeated among the recents
    const recents = list(page, 'Recent').getByRole('link');
    expect(await recents.allTextContents()).toEqual(['PORTweb', 'production']);
    expect(await ada.violationsInEveryLook()).toEqual([]);

    await recents.getByText('production').click();
    await page.getByRole('heading', { name: 'production', level: 1 }).waitFor();
    await list(page, 'Recent').getByRole('link').first().getByText('production').waitFor();
    await list(page, 'Favourites').getByRole('link', { name: 'web' }).click();
    await star(page, 'web').click();
    await page.getByRole('button', { name: 'Favourite: web', pressed: false }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Environments' }).click();
    await list(page, 'Recent').getByRole('link', { name: 'project web' }).waitFor();
    expect(await list(page, 'Favourites').count()).toBe(0);
    expect(await ada.allErrors()).toEqual([]);

    const { body: ofOwner } = await organization.owner.get<Preferences>('users/current/preferences/');
    expect(ofOwner).toEqual({ recents: [], favourites: [], views: [], collapsed_environment_ids: [] });
  });

  journey('stays short with many projects, and is filtered by name', async () => {
    const organization = await core().organization();
    const operations = Array.from({ length: 120 }, (_, at) => ({
      operation: 'projects_create',
      body: { name: `service-${String(at).padStart(3, '0')}` },
    }));
    await organization.owner.post('changesets/', { operations });
    const ada = await signedIn(organization, '/projects/service-100');
    const { page } = ada;
    const projects = list(page, 'All projects').getByRole('link');
    await projects.getByText('service-100').waitFor();
    // the first ones and the open one
    expect(await projects.count()).toBe(41);

    await page.getByLabel('Filter the navigation').fill('11');
    await projects.getByText('service-119').waitFor();
    expect(await projects.count()).toBe(11);
    await page.getByLabel('Filter the navigation').fill('');
    await page.getByRole('button', { name: /^Show all 12\d$/ }).click();
    await projects.getByText('service-119').waitFor();
    expect(await ada.allErrors()).toEqual([]);
  });
});
