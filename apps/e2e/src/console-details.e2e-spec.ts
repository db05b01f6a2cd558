import type { Effective } from '@strata/contract';
import type { Page } from 'playwright-core';
import { setUpConsoleTests } from './console-journeys.ts';
import { applyChangesetTo, createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

/** Returns the fact with a label on the page of an object. */
const fact = (page: Page, label: string) =>
  page
    .getByRole('main')
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
    .locator('dd');

/** Returns a function that waits until the fact with a label has a text. */
const findFacts = (page: Page) => (label: string, text: string | RegExp) =>
  fact(page, label).filter({ hasText: text }).waitFor();

describe(`the page of an object in the console${reason}`, () => {
  journey('shows the counts and the last change of an environment, and follows changes', async () => {
    const { organization, web } = await createPlatform(await core().organization());
    const path = `${web.url}effective/?environment=production&mask_secrets=true`;
    const { revision, digest } = (await organization.owner.get<Effective>(path)).body;
    const running = { project: 'web', environment: 'production', instance: 'web-1', revision, digest };
    expect((await organization.owner.post('rollouts/', running)).status).toBe(204);
    const person = await signedIn(organization, '/environments/production', { role: 'ADMIN' });
    const { page } = person;
    const has = findFacts(page);
    await has('Values', '1 set here, in 1 project');
    await has('Programs', '1 instance');
    await has('Access', 'Everyone, by role');
    await person.live();
    const set = { project: 'base', environment: 'production', values: { REGION: 'south' } };
    const changedRevision = await applyChangesetTo(organization, [{ set }]);
    await has('Values', '2 set here, in 2 projects');
    await has('Last change', /^(just now|1 minute ago) by Owner$/);
    expect(await person.violationsInEveryLook()).toEqual([]);
    await fact(page, 'Last change').getByRole('link').click();
    await page.waitForURL(`**/history/${changedRevision}`);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows where a parameter is set, what refers to it, its last change and its last read', async () => {
    const { organization, web } = await createPlatform(await core().organization());
    const person = await signedIn(organization, '/projects/web/parameters/GREETING');
    const { page } = person;
    const has = findFacts(page);
    await has('Type', 'string');
    await has('Set in', 'default, production');
    await has('Used by', '1 value');
    await has('Last change', /^(just now|\d minutes? ago) by Owner$/);
    await has('Last read of the project', 'not in the last 90 days');
    await organization.as('VIEWER').get(`${web.url}effective/?environment=production`);
    await page.goto('/projects/web/parameters/TOKEN');
    await has('Type', 'string, secret');
    await has('Used by', 'no value or template');
    // Reads are stored after two seconds, and no event reports them.
    const isRead = () => fact(page, 'Last read of the project').filter({ hasText: 'by viewer' }).count();
    while ((await isRead()) === 0) {
      await page.reload();
      await fact(page, 'Last read of the project').waitFor();
    }
    expect(await person.violationsInEveryLook()).toEqual([]);
    await fact(page, 'Set in').getByRole('link', { name: 'default' }).click();
    await page.waitForURL('**/projects/web?q=TOKEN&cell=TOKEN&in=default');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows the counts of a project', async () => {
    const { organization } = await createPlatform(await core().organization());
    const person = await signedIn(organization, '/projects/web/settings');
    const { page } = person;
    const has = findFacts(page);
    await has('Parameters', '7');
    await has('Values', '7 set, in 2 environments');
    await has('Programs', 'None');
    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
