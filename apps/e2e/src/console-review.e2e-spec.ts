import { randomUUID } from 'node:crypto';
import type { Page, RecordedChangeset } from '@strata/contract';
import { type ConsolePerson, LOOKS } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { type ConsolePlatform, createPlatform } from './console-platform.ts';
import { eventually } from './processes.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const [DEFAULT, PRODUCTION, CANARY] = [0, 2, 3];

/** Creates a platform with an environment below production. */
async function platform(): Promise<ConsolePlatform> {
  const organization = await core().organization();
  const shop = await createPlatform(organization);
  const production = await organization.environmentNamed('production');
  await organization.environment({ name: 'canary', parent: production.url });
  return shop;
}

const review = ({ page }: ConsolePerson) => page.getByRole('link', { name: 'Review' }).click();

const groupByEnvironment = ({ page }: ConsolePerson) => page.getByRole('link', { name: 'By environment' }).click();

/** Returns the effects that the review page shows for an environment. */
const effectsIn = ({ page }: ConsolePerson, environment: string) =>
  page
    .getByRole('main')
    .locator('section section')
    .filter({ has: page.getByRole('heading', { name: environment }) })
    .getByRole('listitem')
    .allTextContents();

describe(`the review page of the console${reason}`, () => {
  journey('shows the effective values that change, and another window shows them once they are applied', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const secondPerson = await signedIn(organization, '/projects/web');
    await secondPerson.live();
    await person.write('GREETING', PRODUCTION, 'welcome');
    await person.write('PORT', PRODUCTION, '443');

    expect((await person.announced('PORT'))[CANARY]).toBe('443, will inherit from production (was 80, inherited)');
    expect((await person.announced('PORT'))[DEFAULT]).toBe('80');
    await person.page.getByText('2 more cells inherit them').waitFor();
    await review(person);
    await person.page.getByRole('heading', { name: '6 effective values change' }).waitFor();
    const edits = person.page.locator('summary', { hasText: ' in ' });
    expect(await edits.allTextContents()).toEqual([
      'GREETINGgood daywelcomein production · web+1 inherited',
      'PORT80443in production · web+1 inherited',
      'LINKhttp://good dayhttp://welcomein production, canary · web',
    ]);
    await edits.first().click();
    await person.page.getByRole('listitem').filter({ hasText: 'canary · web' }).first().waitFor();
    await groupByEnvironment(person);
    await person.page.waitForURL('**/review?by=environment');
    expect(await effectsIn(person, 'production')).toEqual(['GREETINGgood daywelcome', expect.anything(), 'PORT80443']);
    expect(await effectsIn(person, 'canary')).toEqual([
      'GREETINGgood daywelcome',
      'LINKhttp://good dayhttp://welcome',
      'PORT80443',
    ]);
    await person.page.getByText('No webhook is notified.').waitFor();
    await person.page.getByLabel('Reason').fill('Open for business');
    await person.page.getByLabel('Ticket or commit (optional)').fill('WEB-7');
    await person.apply();
    await person.applied();

    await eventually('the second window sees it', async () =>
      ((await secondPerson.announced('PORT'))[CANARY] ?? '').startsWith('443, inherited from production'),
    );
    expect((await secondPerson.announced('LINK'))[CANARY]).toMatch(/http:\/\/welcome/);
    const { body } = await organization.owner.get<Page<RecordedChangeset>>('changesets/');
    expect(body.results[0]).toMatchObject({ message: 'Open for business', external_ref: 'WEB-7' });
    await person.page.getByRole('button', { name: 'Undo' }).click();
    await person.page.getByText(/^Undone \(revision \d+\)\.$/).waitFor();
    await eventually('the second window sees that it was taken back', async () =>
      ((await secondPerson.announced('PORT'))[CANARY] ?? '').startsWith('80, inherited from default'),
    );
    expect([...(await person.allErrors()), ...(await secondPerson.allErrors())]).toEqual([]);
  });

  journey('shows rejected drafts at their cells, and applies nothing until they are corrected', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    await person.write('PORT', PRODUCTION, 'many');
    await person.write('GREETING', PRODUCTION, 'welcome');
    await review(person);
    await person.page.getByText('One change is rejected').waitFor();

    expect(await person.page.getByRole('button', { name: 'Apply 2 changes' }).isDisabled()).toBe(true);
    // Both drafts are one operation, but the effects of the other one are shown.
    await person.page.getByText('1 draft is not counted, because it is rejected.').waitFor();
    await person.page.getByRole('heading', { name: '4 effective values change' }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await person.page.getByRole('button', { name: 'Apply the other change' }).click();
    await person.applied();
    await person.page.getByRole('region', { name: 'Drafts' }).getByText('1 rejected').waitFor();
    await review(person);
    await person.page.getByText('One change is rejected').waitFor();
    await person.page.getByText('Fix the errors to see the full effect.').waitFor();
    await person.page.getByRole('button', { name: 'Discard the change of PORT in production' }).click();
    await person.page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is updated when a value that it depends on changes, and marks what is new', async () => {
    const { organization, web } = await platform();
    const person = await signedIn(organization, '/projects/web');
    await person.write('GREETING', DEFAULT, 'welcome');
    await review(person);
    await person.page.getByRole('heading', { name: /effective values change/ }).waitFor();
    await groupByEnvironment(person);
    expect(await effectsIn(person, 'canary')).toEqual([]);

    // Deletes the value of production, so that canary inherits the draft.
    const [parameter] = (await organization.owner.get<Page<{ url: string }>>(`${web.url}parameters/?name=GREETING`))
      .body.results;
    const values = (
      await organization.owner.get<Page<{ url: string; environment_name: string }>>(`${parameter?.url}values/`)
    ).body.results;
    const between = values.find(({ environment_name: name }) => name === 'production');
    await organization.owner.delete(between?.url ?? '');
    await person.apply();

    await person.page.getByText('The plan changed before you applied it').waitFor();
    expect((await effectsIn(person, 'canary')).join()).toContain('GREETINGnew');
    await person.apply();
    await person.applied();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is not delayed by constant changes of other values, which are not read again for it', async () => {
    const { organization, web } = await platform();
    const otherProject = await organization.project({ name: 'other' });
    const person = await signedIn(organization, '/projects/web');
    await person.live();
    await person.write('GREETING', PRODUCTION, 'welcome');
    await review(person);
    await person.page.getByRole('heading', { name: '4 effective values change' }).waitFor();
    const operations = person.recordOperations();
    const button = person.page.getByRole('button', { name: 'Apply this change' });
    for (let at = 0; at < 60; at += 1) {
      const { url } = at % 2 === 0 ? web : otherProject;
      const values = { COUNT: String(at) };
      await organization.owner.put(`${url}values/?environment=default`, { values, create_missing: true });
      if (at >= 2) expect(await button.isEnabled()).toBe(true);
    }
    expect(operations.filter((operation) => operation === 'PlanChangeset')).toEqual([]);
    // Only the new parameter of this project can affect the drafts.
    expect(operations.length).toBeLessThan(20);
    await person.apply();
    await person.applied();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('never shows a secret, neither a stored nor a new one', async () => {
    const { organization, secret } = await platform();
    const canary = `canary-${randomUUID()}`;
    const person = await signedIn(organization, '/projects/web');
    await person.write('TOKEN', PRODUCTION, canary);
    await review(person);
    await person.page.getByRole('heading', { name: '2 effective values change' }).waitFor();

    const readable = await person.everythingReadable();
    expect(readable).toContain('a new secret');
    for (const hidden of [secret, canary]) expect(readable).not.toContain(hidden);
    await person.apply();
    await person.applied();
    expect(await person.everythingReadable()).not.toContain(canary);
    expect(await person.allErrors()).toEqual([]);
  });

  journey.each(Object.keys(LOOKS))('is accessible and fits the screen: %s', async (lookName) => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web?env=production', { look: LOOKS[lookName] ?? {} });
    const { page } = person;
    const column = lookName === 'at 375 px' ? 0 : PRODUCTION;
    // The editor saves a text that it knows to be invalid only when the focus leaves it.
    await person.write('PORT', column, 'many');
    await person.write('GREETING', column, 'welcome');
    expect(await person.accessibilityViolations()).toEqual([]);
    await review(person);
    await page.getByText('One change is rejected').waitFor();

    expect(await person.accessibilityViolations()).toEqual([]);
    const width = await page.evaluate(() => {
      const { document } = globalThis as unknown as { document: { documentElement: { scrollWidth: number } } };
      return document.documentElement.scrollWidth;
    });
    expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    await page.getByRole('button', { name: 'Discard the change of PORT in production' }).click();
    await page.getByRole('heading', { name: '4 effective values change' }).waitFor();
    await person.apply();
    await person.applied();
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
