import { setTimeout as sleep } from 'node:timers/promises';
import { BreakableConnection } from './breakable-connection.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { type ConsolePlatform, createPlatform } from './console-platform.ts';
import { eventually } from './processes.ts';

const { journey, reason, core, gateway, signedIn } = await setUpConsoleTests();
const platform = async () => createPlatform(await core().organization());

const [DEFAULT, DEVELOPMENT, PRODUCTION, STAGING] = [0, 1, 2, 3];

/** The seconds without a connection. `npm run soak` tests more of them. */
const CUT_SECONDS = Number(process.env.STRATA_SOAK_SECONDS ?? 2);

const lines: BreakableConnection[] = [];
afterEach(async () => {
  for (const line of lines.splice(0)) await line.close();
});

const set = ({ organization, web }: ConsolePlatform, environment: string, values: object) =>
  organization.owner.put(`${web.url}values/?environment=${environment}`, { values });

type Person = Awaited<ReturnType<typeof signedIn>>;
const shows = (person: Person, name: string, column: number, text: string) =>
  eventually(`${name} says ${text}`, async () => ((await person.announced(name))[column] ?? '').startsWith(text));

describe(`changes of other users in the console${reason}`, () => {
  journey(
    'are shown and highlighted at once, also in cells that inherit or reference them, with one request',
    async () => {
      const shop = await platform();
      const person = await signedIn(shop.organization, '/projects/web');
      await person.live();
      const operations = person.recordOperations();

      await set(shop, 'default', { GREETING: 'bonjour' });

      await shows(person, 'GREETING', DEVELOPMENT, 'bonjour, inherited from default, changed just now');
      expect(await person.announced('GREETING')).toEqual([
        'bonjour, changed just now',
        'bonjour, inherited from default, changed just now',
        'good day, set here',
        'bonjour, inherited from default, changed just now',
      ]);
      expect((await person.announced('LINK'))[DEFAULT]).toBe('dynamic: http://bonjour, changed just now');
      expect((await person.announced('PORT')).join()).not.toContain('changed');
      expect(operations.filter((name) => name.startsWith('Matrix'))).toEqual(['MatrixPart']);
      await person.page.getByText(/^at revision \d+$/).waitFor();
      const [lit, unlit] = [person.cell('GREETING', DEFAULT), person.cell('PORT', DEFAULT)];
      expect(await lit.evaluate(readColour)).not.toBe(await unlit.evaluate(readColour));
      await person.page.locator('[data-fresh]').first().waitFor({ state: 'detached' });
      expect((await person.announced('GREETING'))[DEFAULT]).toBe('bonjour');
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('are shown in the lists of projects, environments and parameters', async () => {
    const shop = await platform();
    const person = await signedIn(shop.organization, '/projects/web');
    await person.live();

    const later = await shop.organization.parameter({ project: shop.web, name: 'LATER' });
    await shop.organization.project({ name: 'billing' });
    await shop.organization.environment({ name: 'canary' });

    await person.row('LATER').waitFor();
    await person.page.getByRole('link', { name: 'billing' }).waitFor();
    await person.page.getByRole('columnheader', { name: 'canary' }).waitFor();
    await shop.organization.owner.delete(later.url);
    await person.row('LATER').waitFor({ state: 'detached' });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('do not move or lose the draft of another parameter', async () => {
    const shop = await platform();
    const person = await signedIn(shop.organization, '/projects/web');
    await person.live();
    await person.cell('GREETING', STAGING).click();
    await person.page.keyboard.type('good ');

    await shop.organization.parameter({ project: shop.web, name: 'ABOVE' });
    await shop.organization.environment({ name: 'before' });
    await person.row('ABOVE').waitFor();
    await person.page.getByRole('columnheader', { name: 'before' }).waitFor();
    await set(shop, 'staging', { GREETING: 'theirs' });
    await person.page.keyboard.type('evening');
    await person.page.keyboard.press('Enter');

    await shows(person, 'GREETING', STAGING + 1, 'good evening, changed by someone else');
    expect((await person.announced('ABOVE')).join()).not.toContain('evening');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are shown after the connection was lost, and drafts are kept', async () => {
    const shop = await platform();
    const line = await BreakableConnection.to(gateway().origin);
    lines.push(line);
    const person = await signedIn(shop.organization, `${line.origin}/projects/web`);
    await person.live();
    await person.cell('PORT', STAGING).click();
    await person.page.keyboard.type('8080');

    line.cut();
    await person.page.getByRole('status').filter({ hasText: 'Not live' }).waitFor();
    await set(shop, 'staging', { GREETING: 'hej' });
    await sleep(CUT_SECONDS * 1_000);
    expect((await person.announced('GREETING'))[STAGING]).toBe('hello, inherited from default');
    line.restore();

    await person.live();
    await shows(person, 'GREETING', STAGING, 'hej, set here');
    expect(await person.page.locator('textarea').inputValue()).toBe('8080');
    await person.page.keyboard.press('Enter');
    expect((await person.announced('PORT'))[STAGING]).toBe('8080, draft (was 80, inherited)');
    // The browser logs each request that failed without a connection.
    person.clearErrors();
  });

  journey('are no longer received in any tab after the user signs out in one of them', async () => {
    const shop = await platform();
    const person = await signedIn(shop.organization, '/projects/web');
    await person.live();
    const secondPage = await person.page.context().newPage();
    await secondPage.goto('/projects');
    await secondPage
      .getByRole('status')
      .filter({ hasText: /^Live$/ })
      .waitFor();
    await secondPage.getByRole('button', { name: 'Sign out' }).click();

    await person.page.waitForURL('**/sign-in?back=**');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are no longer received after a sign-out everywhere, and drafts are kept', async () => {
    const shop = await platform();
    const person = await signedIn(shop.organization, '/projects/web');
    await person.live();
    await person.cell('GREETING', PRODUCTION).click();
    await person.page.keyboard.type('mine');
    await person.page.keyboard.press('Enter');
    await person.send('SignOutEverywhere');

    await person.page.waitForURL('**/sign-in?back=**');
    expect(await person.everythingReadable()).toContain('mine');
    expect(await person.allErrors()).toEqual([]);
  });
});

const readColour = (element: unknown): string => {
  const page = globalThis as unknown as { getComputedStyle(element: unknown): { backgroundColor: string } };
  return page.getComputedStyle(element).backgroundColor;
};
