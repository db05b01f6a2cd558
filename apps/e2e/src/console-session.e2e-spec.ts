import type { ConsolePerson } from './console-browser.ts';
import { consoleJourneys } from './console-journeys.ts';
import { givenPlatform } from './console-platform.ts';

const { journey, reason, core, visitor, memberOf } = await consoleJourneys();
const STAGING = 3;

/** Until somebody signs in once more, the page is told that its session ends soon. */
async function endSoon({ page }: ConsolePerson, inMs: number): Promise<void> {
  await page.route('**/session', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { signedIn?: boolean };
    const endsAt = new Date(Date.now() + inMs).toISOString();
    await route.fulfill({ response, json: body.signedIn ? { ...body, endsAt } : body });
  });
}

const drafts = ({ page }: ConsolePerson) => page.getByRole('region', { name: 'Drafts' });

async function write(person: ConsolePerson, name: string, column: number, text: string): Promise<void> {
  await person.cell(name, column).click();
  await person.page.keyboard.type(text);
  await person.page.keyboard.press('Enter');
}

describe(`a session that ends soon${reason}`, () => {
  journey('is begun anew by signing in again, and the drafts are there', async () => {
    const { organization } = await givenPlatform(await core().organization());
    const member = await memberOf(organization, 'CONTRIB');
    const person = await visitor('/sign-in');
    const { page } = person;
    await page.clock.install();
    await endSoon(person, 60_000);
    await page.goto('/projects/web');
    await person.signIn(member);
    await write(person, 'GREETING', STAGING, 'good evening');
    const notice = page.getByText('Your session ends at');
    await notice.waitFor();

    await page.unroute('**/session');
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await person.signIn(member);
    await drafts(person).getByText('1 change', { exact: true }).waitFor();
    expect(await notice.count()).toBe(0);
    // beyond what was the end
    await page.clock.fastForward('02:00');
    await drafts(person).getByText('1 change', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects/web');
  });

  journey('shows nothing of who was signed in before to who signs in there', async () => {
    const { organization } = await givenPlatform(await core().organization());
    const [ada, other] = [await memberOf(organization, 'CONTRIB'), await memberOf(organization, 'VIEWER')];
    const person = await visitor('/sign-in');
    const { page } = person;
    await endSoon(person, 60_000);
    await page.goto('/projects/web');
    await person.signIn(ada);
    await write(person, 'GREETING', STAGING, 'good evening');
    await page.unroute('**/session');
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await person.signIn(other);

    await person.row('GREETING').waitFor();
    await page.getByText('viewer, read only').waitFor();
    expect(await drafts(person).count()).toBe(0);
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.getByText(other.email).waitFor();
    expect(await person.allComplaints()).toEqual([]);
  });
});
