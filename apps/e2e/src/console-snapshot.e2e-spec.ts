import { randomUUID } from 'node:crypto';
import type { Effective, Page, Project } from '@strata/contract';
import type { ConsolePerson } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { createForeignSnapshot } from './snapshot-samples.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const CANARY = `canary-${randomUUID()}`;
const SNAPSHOT = createForeignSnapshot({ secret: CANARY });

/** Selects a file as a user does. */
const choose = ({ page }: ConsolePerson, text: string) =>
  page
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'snapshot.json', mimeType: 'application/json', buffer: Buffer.from(text) });

describe(`the import of a snapshot in the console${reason}`, () => {
  journey('shows a plan, imports, and offers nothing the second time', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/start', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('link', { name: 'Import from a snapshot' }).click();
    await page.getByRole('heading', { name: 'Choose a snapshot' }).waitFor();
    await choose(person, SNAPSHOT);
    await page.getByRole('heading', { name: 'Plan of the import' }).waitFor();

    const counts = page.getByRole('region', { name: 'Counts' });
    const row = async (name: string) =>
      (await counts.getByRole('row', { name }).getByRole('cell').allTextContents()).join(' ');
    expect(await counts.getByRole('columnheader').allTextContents()).toEqual(['New', 'Unchanged', 'Left out']);
    expect(await row('Environments')).toBe('1 3 0');
    expect(await row('Projects')).toBe('2 0 0');
    expect(await page.getByRole('region', { name: 'Left out: list' }).textContent()).toContain('FROM_VAULT');
    const differing = page.getByRole('region', { name: 'Imported with differences: list' });
    expect(await differing.textContent()).toContain('PASSWORD_COPY');
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.everythingReadable()).not.toContain(CANARY);

    await page.getByRole('button', { name: /^Import \d+ objects$/ }).click();
    await page.getByText('Nothing was rejected.').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.getByRole('button', { name: 'Plan again' }).click();
    await page.getByText('Everything that can be imported exists already.').waitFor();
    expect(await page.getByRole('button', { name: 'Import 0 objects' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Set 2 existing secrets again' }).waitFor();

    const project = (await organization.owner.get<Page<Project>>('projects/?name=shop')).body.results[0];
    const read = await organization.owner.get<Effective>(`${project?.url}effective/?environment=production`);
    expect(read.body.values).toMatchObject({ PASSWORD: CANARY, PORT: '8443' });
    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('names the first wrong member of a file, and keeps what was imported if the core rejects some', async () => {
    const organization = await core().organization();
    await organization.owner.patch(`organizations/${organization.id}/`, { project_name_pattern: 's.*' });
    const person = await signedIn(organization, '/import', { role: 'ADMIN' });
    const { page } = person;
    await choose(person, SNAPSHOT.replace('"param_type":"high port"', `"param_type":["${CANARY}"]`));
    await page.getByText('`projects.shop.parameters.PORT.param_type` must be a string').waitFor();
    await choose(
      person,
      JSON.stringify({ environments: {}, projects: { base: { name: 'base' }, shop: { name: 'shop' } } }),
    );
    await page.getByRole('button', { name: 'Import 2 objects' }).click();
    await page.getByRole('heading', { name: '1 object imported' }).waitFor();

    await page.getByText('1 object rejected.').waitFor();
    expect(await page.getByRole('region', { name: 'Rejected: list' }).textContent()).toContain('pattern s.*');
    expect(await page.getByRole('main').getByRole('link', { name: 'shop' }).count()).toBe(1);
    expect(await page.getByRole('main').getByRole('link', { name: 'base' }).count()).toBe(0);
    expect((await organization.owner.get<Page<Project>>('projects/?name=shop')).body.count).toBe(1);
    expect((await organization.owner.get<Page<Project>>('projects/?name=base')).body.count).toBe(0);
    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is not offered to members who only read', async () => {
    const person = await signedIn(await core().organization(), '/import', { role: 'VIEWER' });
    await person.page.getByText('This page imports the backup of an organization.').waitFor();
  });
});
