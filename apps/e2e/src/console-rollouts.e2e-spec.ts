import type { Effective } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const DEFAULT = 0;
const STAGING = 3;

/** Reports as an instance that runs, or rejects, the present configuration of `web` in staging. */
async function report(
  organization: TestOrganization,
  url: string,
  instance: string,
  rejectionReason?: string,
): Promise<number> {
  const path = `${url}effective/?environment=staging&mask_secrets=true`;
  const { revision, digest } = (await organization.owner.get<Effective>(path)).body;
  const body = { project: 'web', environment: 'staging', instance, revision, digest, reason: rejectionReason };
  const { status, text } = await organization.owner.post('rollouts/', body);
  if (status !== 204) throw new Error(text);
  return revision;
}

describe(`instances in the console${reason}`, () => {
  journey('are listed with their status as they report, and a project without them says how to report', async () => {
    const { organization, web } = await createPlatform(await core().organization());
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Instances' }).click();
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('staging');
    await page.getByRole('heading', { name: 'No instances yet' }).waitFor();
    const revision = await report(organization, web.url, 'web-1');
    await page.getByText(`1 instance runs revision ${revision}`).waitFor();
    await report(organization, web.url, '<b>web-2</b>', 'PORT is missing');
    await page.getByText(`1 of 2 instances run revision ${revision}, 1 rejected it`).waitFor();

    const rows = await page.getByRole('region', { name: 'Instances' }).getByRole('row').allInnerTexts();
    expect(rows[1]).toContain('<b>web-2</b>');
    expect(rows[1]).toMatch(/Rejected\s+\d+[\s\S]+PORT is missing/);
    expect(rows[2]).toMatch(/^web-1[\s\S]+Current/);
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('have pages of 100, and a URL with an unknown environment asks for another one', async () => {
    const { organization, web } = await createPlatform(await core().organization());
    for (let at = 100; at <= 200; at += 1) await report(organization, web.url, `web-${at}`);
    const person = await signedIn(organization, '/projects/web/instances?env=unknown');
    const { page } = person;
    await page.getByText('There is no environment named unknown here').waitFor();
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('staging');
    await page.getByText(/^All 101 instances run revision/).waitFor();
    await page.getByRole('row', { name: /^web-199 / }).waitFor();
    await page.getByRole('link', { name: 'More' }).click();
    await page.getByRole('row', { name: /^web-200 / }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: 'First', exact: true }).click();
    await page.getByRole('row', { name: /^web-100 / }).waitFor();

    expect(await person.allErrors()).toEqual([]);
  });

  journey('are counted for the first six configurations that were changed', async () => {
    const { organization } = await createPlatform(await core().organization());
    const person = await signedIn(organization, '/projects/base');
    const { page } = person;
    await person.write('REGION', DEFAULT, 'south');
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('button', { name: /^Apply/ }).click();
    await page.getByText('The instances of 2 more changed configurations are not shown here.').waitFor();

    expect(await person.allErrors()).toEqual([]);
  });

  journey('are counted after drafts were applied, until all of them run the change', async () => {
    const { organization, web } = await createPlatform(await core().organization());
    for (const instance of ['web-1', 'web-2']) await report(organization, web.url, instance);
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await person.write('GREETING', STAGING, 'good evening');
    await page.getByRole('link', { name: 'Review' }).click();
    await person.apply();
    const note = page.getByText('Applied as revision');
    const revision = /\d+/.exec((await note.textContent()) ?? '')?.[0];
    await page.getByText(`0 of 2 instances run revision ${revision}`).waitFor();
    await report(organization, web.url, 'web-1');
    await page.getByText(`1 of 2 instances run revision ${revision}`).waitFor();
    await report(organization, web.url, 'web-2');
    await page.getByText(`All 2 instances run revision ${revision}`).waitFor();
    await page.getByRole('link', { name: 'web in staging' }).click();
    await page.getByRole('region', { name: 'Instances' }).getByText('All 2 instances run').waitFor();

    expect(await person.allErrors()).toEqual([]);
  });
});
