import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

/** Changes the hashes in requests, as if the page belonged to another release. */
const ofAnotherRelease = (body: string) => body.replace(/("sha256Hash":")\w{8}/, '$100000000');

describe(`a console page that was opened before an upgrade${reason}`, () => {
  journey('shows that a new version exists, and works again after a reload', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/projects');
    const { page } = person;
    await person.live();
    await page.route('**/graphql', (route) =>
      route.continue({ postData: ofAnotherRelease(route.request().postData() ?? '') }),
    );
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'History' }).click();
    const alertBox = page.getByRole('alert');
    await alertBox.getByText('Strata was upgraded after you opened this page. Reload the page.').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.unroute('**/graphql');
    await alertBox.getByRole('button', { name: 'Reload' }).click();

    await page.getByLabel('Message').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
