import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import type { AppliedChangeset, User } from '@strata/contract';
import type { Locator, Page } from 'playwright-core';
import { LOOKS } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const CANARY = `canary-${randomUUID()}`;

/** Creates the project `web` with a port and a token that was revealed. */
async function createRecords() {
  const organization = await core().organization();
  const { id } = await organization.project({ name: 'web' });
  const values = { PORT: '80', TOKEN: { value: CANARY, secret: true } };
  const set = { project: 'web', environment: 'production', create_missing: true, values };
  await organization.owner.post<AppliedChangeset>('changesets/', { message: 'A shop', operations: [{ set }] });
  await organization.owner.get(`projects/${id}/effective/?environment=production&name=TOKEN`);
  return organization;
}

/** Reloads the page until it shows the rows. It counts them only when the response has arrived. */
async function reloadUntil(page: Page, rows: Locator): Promise<void> {
  const isLoaded = page.getByText(/^\d+ records?$/);
  await isLoaded.waitFor();
  while ((await rows.count()) === 0) {
    await page.reload();
    await isLoaded.waitFor();
  }
}

describe(`the audit log in the console${reason}`, () => {
  journey('shows who changed which object and who revealed secrets, filtered by the URL', async () => {
    const organization = await createRecords();
    const person = await signedIn(organization, '/access/audit', { role: 'VIEWER' });
    const { page } = person;
    await page.getByText(/It shows at most [\d,]+ days/).waitFor();
    const rows = page.getByRole('row');
    await rows.filter({ hasText: 'created' }).filter({ hasText: 'value TOKEN' }).waitFor();
    // The core writes audit records of reveals within a second.
    await page.getByLabel('Action').selectOption('reveal');
    const revealed = rows.filter({ hasText: 'revealed' });
    await reloadUntil(page, revealed);
    await revealed.getByText(/^ ?in web/).waitFor();
    expect(new URL(page.url()).searchParams.get('action')).toBe('reveal');
    await page.getByLabel('Action').selectOption('create');
    await page.getByLabel('Object type').selectOption('Parameter');
    await page.getByText('2 records').waitFor();
    await page.getByLabel('Project', { exact: true }).selectOption('web');
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('staging');
    await page.getByText('No records match this filter').waitFor();
    await page.goBack();
    await page.getByText('2 records').waitFor();
    await page.getByRole('link', { name: 'PORT' }).click();
    await page.getByText('1 record', { exact: true }).waitFor();
    await rows.filter({ hasText: 'PORT' }).getByRole('link', { name: /^\d+$/ }).click();
    await page.getByRole('heading', { name: 'A shop' }).waitFor();

    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows denied requests with the rule and the operation', async () => {
    const organization = await core().organization();
    expect((await organization.as('VIEWER').post('webhooks/', {})).status).toBe(403);
    const person = await signedIn(organization, '/access/audit?action=request_refused', { role: 'VIEWER' });
    const { page } = person;
    const deniedRequests = page.getByRole('row').filter({ hasText: 'was denied' });
    await page.getByText(/It shows at most [\d,]+ days/).waitFor();
    // The core writes records of denied requests within a second.
    await reloadUntil(page, deniedRequests);

    await deniedRequests.getByText('forbidden · POST /api/v1/webhooks/').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be filtered by date and by person, and shows no entries for an unknown project', async () => {
    const organization = await createRecords();
    const { body: owner } = await organization.owner.get<User>('users/current/');
    const person = await signedIn(organization, '/access/audit?since=2099-01-01', { role: 'VIEWER' });
    const { page } = person;
    await page.getByText('No records match this filter').waitFor();
    await page.goto('/access/audit?since=2026-13-45');
    await page.getByRole('row').filter({ hasText: 'value TOKEN' }).waitFor();
    await page.getByLabel('From').fill('2020-01-01');
    await page.getByLabel('To').fill('2020-01-02');
    await page.getByText('No records match this filter').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('row').filter({ hasText: 'value TOKEN' }).waitFor();
    await page.getByLabel('Author').selectOption({ label: 'Ada' });
    await page.getByText('No records match this filter').waitFor();
    await page.getByLabel('Author').selectOption({ label: owner.name ?? '' });
    await page.getByText('No records match this filter').waitFor({ state: 'detached' });
    await page.goto('/access/audit?project=nowhere');
    await page.getByText('No records match this filter').waitFor();

    expect(await page.getByText('0 records', { exact: true }).count()).toBe(1);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be downloaded as a file with all pages that match the filter', async () => {
    const organization = await createRecords();
    const values = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`NAME_${at}`, 'x']));
    const set = { project: 'web', environment: 'default', create_missing: true, values };
    await organization.owner.post('changesets/', { operations: [{ set }] });
    const person = await signedIn(organization, '/access/audit?type=Value', { role: 'VIEWER' });
    const { page } = person;
    const saved = async (kind: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Export as ${kind}` }).click(),
      ]);
      return fs.readFileSync(await download.path(), 'utf8');
    };
    const lines = (await saved('CSV')).trim().split('\r\n');
    const records = JSON.parse(await saved('JSON'));

    expect(lines[0]).toBe('when,who,e-mail,user id,did,to,name,object id,project,environment,revision,refusal');
    expect([lines.length, records.length]).toEqual([63, 62]);
    expect(records.map(({ objectName }: { objectName: string }) => objectName)).toEqual(
      expect.arrayContaining(['PORT', 'TOKEN', 'NAME_0', 'NAME_59']),
    );
    expect(lines.join()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is split into pages', async () => {
    const organization = await createRecords();
    const values = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`NAME_${at}`, 'x']));
    const set = { project: 'web', environment: 'default', create_missing: true, values };
    await organization.owner.post('changesets/', { operations: [{ set }] });
    const { page } = await signedIn(organization, '/access/audit?type=Value', { role: 'VIEWER' });
    await page.getByText('62 records').waitFor();
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByRole('row').filter({ hasText: 'TOKEN' }).waitFor();
    await page.getByRole('link', { name: 'Newest' }).click();
    await page.getByRole('row').filter({ hasText: 'TOKEN' }).waitFor({ state: 'detached' });

    expect(new URL(page.url()).searchParams.get('type')).toBe('Value');
  });

  journey('shows the user and the time below each entry on a phone, without horizontal scrolling', async () => {
    const organization = await createRecords();
    const name = 'A_NAME_THAT_IS_MUCH_LONGER_THAN_ANY_TELEPHONE_IS_WIDE_AND_BREAKS_NOWHERE_BY_ITSELF';
    const set = { project: 'web', environment: 'production', create_missing: true, values: { [name]: 'x' } };
    const { body } = await organization.owner.post<AppliedChangeset>('changesets/', { operations: [{ set }] });
    const person = await signedIn(organization, '/access/audit', { look: LOOKS['at 375 px'] ?? {} });
    const { page } = person;
    const row = page.getByRole('row').filter({ hasText: `value ${name}` });
    await row.getByRole('link', { name: 'Owner' }).waitFor();
    await row.getByText(/ · revision/).waitFor();
    await row.getByRole('link', { name: String(body.revision) }).waitFor();
    const isScrolled = await page.getByRole('table').evaluate((table) => {
      const { clientWidth, scrollWidth } = table.parentElement ?? table;
      return scrollWidth > clientWidth;
    });

    expect(isScrolled).toBe(false);
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['Action', 'Object']);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is accessible and fits the screen in every theme and screen size', async () => {
    const organization = await createRecords();
    const person = await signedIn(organization, '/access/audit');
    await person.page.getByRole('row').filter({ hasText: 'value TOKEN' }).waitFor();

    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
