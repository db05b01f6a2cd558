import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

/** Addresses that have no page or no object, with the heading and the link that leads on. */
const ADDRESSES = [
  ['/nowhere/at/all', 'This address has no page', 'Go to projects'],
  ['/projects/nowhere', 'Project not found', 'All projects'],
  ['/projects/nowhere/lint', 'Project not found', 'All projects'],
  ['/projects/nowhere/templates/app.conf', 'Project not found', 'All projects'],
  ['/compare?left=default&right=production&project=nowhere', 'Project not found', 'All projects'],
  ['/projects/web/parameters/NOWHERE', 'Parameter not found', 'Open the matrix'],
  ['/projects/web/parameters/NOWHERE/rules', 'Parameter not found', 'Open the history'],
  ['/projects/web/history/NOWHERE', 'Parameter not found', 'Open the matrix'],
] as const;

describe(`an unknown address in the console${reason}`, () => {
  journey('keeps the navigation and says what to do', async () => {
    const { organization } = await createPlatform(await core().organization());
    const person = await signedIn(organization, '/projects');
    const { page } = person;
    for (const [address, heading, link] of ADDRESSES) {
      await page.goto(address);
      await page.getByRole('main').getByRole('heading', { name: heading }).waitFor();
      await page.getByRole('main').getByRole('link', { name: link }).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Types' }).waitFor();
    }
    await page.goto('/projects/nowhere');
    await page.getByRole('heading', { name: 'Project not found' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Project' }).count()).toBe(0);
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.goto('/nowhere');
    await page.getByRole('heading', { name: 'This address has no page' }).waitFor();
    expect(await page.title()).toBe('Page not found · Strata');
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Types' }).click();
    await page.getByRole('heading', { name: 'Types', level: 1 }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});
