import { randomUUID } from 'node:crypto';
import type { AppliedChangeset, Effective, Page } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { type ConsolePerson } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { untilRevealed } from './console-reveals.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const CANARY = `canary-${randomUUID()}`;
const OLD_CANARY = `canary-${randomUUID()}`;

const set = (environment: string, values: object) => ({
  set: { project: 'web', environment, create_missing: true, values },
});

async function apply(organization: TestOrganization, ...operations: readonly object[]): Promise<number> {
  const response = await organization.owner.post<AppliedChangeset>('changesets/', { operations });
  if (response.status !== 201) throw new Error(response.text);
  return response.body.revision;
}

async function projectId(organization: TestOrganization): Promise<string> {
  const { body } = await organization.owner.get<Page<{ id: string }>>('projects/?name=web');
  return body.results[0]?.id ?? '';
}

async function readIn(organization: TestOrganization, environment: string) {
  const address = `projects/${await projectId(organization)}/effective/?environment=${environment}`;
  return (await organization.owner.get<Effective>(address)).body.values;
}

/**
 * Creates `web`, in which staging is ahead of production in a text, a dynamic text and a secret, and does not set one value that production
 * sets.
 */
async function createStaging() {
  const organization = await core().organization();
  const firstRevision = await apply(
    organization,
    { operation: 'projects_create', body: { name: 'web' } },
    set('default', { HOST: 'old.example', TOKEN: { value: OLD_CANARY, secret: true }, LEVEL: 'info' }),
  );
  await apply(organization, set('staging', { HOST: 'new.example', TOKEN: CANARY }), set('production', { EXTRA: 'x' }));
  const parameter = (await organization.owner.get<Page<{ url: string }>>('projects/?name=web')).body.results[0]?.url;
  const url = await organization.owner.post<{ url: string }>(`${parameter}parameters/`, { name: 'URL' });
  await organization.owner.post(`${url.body.url}values/`, {
    environment: (await organization.environmentNamed('staging')).url,
    internal_value: 'https://{{ HOST }}',
    interpolated: true,
  });
  return { organization, firstRevision };
}

/** Returns the visible texts of the lines, without texts for screen readers. */
async function lines({ page }: ConsolePerson): Promise<readonly string[]> {
  const rows = page.getByRole('region', { name: 'Differences' }).locator('tbody tr');
  await rows.first().waitFor();
  return (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
}

describe(`the comparison in the console${reason}`, () => {
  journey(
    'lists only the differences of two environments, and promotes the selected values as one changeset',
    async () => {
      const { organization } = await createStaging();
      const person = await signedIn(organization, '/compare');
      const { page } = person;
      await page.getByRole('heading', { name: 'Compare environments or points in time' }).waitFor();
      await page.getByRole('link', { name: 'staging and production' }).click();
      await page.getByRole('link', { name: 'web', exact: true }).last().click();
      await page.getByText('4 parameters differ').waitFor();
      const { searchParams } = new URL(page.url());
      expect(Object.fromEntries(searchParams)).toEqual({ project: 'web', left: 'staging', right: 'production' });

      expect(await lines(person)).toEqual([
        'EXTRA not set x removes the value',
        'HOST new.example old.example inherited from default sets a value',
        'TOKEN inherited from default copies the secret without showing it',
        'URL https://new.example not set sets a value',
      ]);
      await page.getByLabel('Select all of this page').check();
      await page.getByRole('button', { name: 'Promote 4 values …' }).click();
      await page.getByRole('heading', { name: 'Promote 4 values of web from staging to production' }).waitFor();
      await page.getByRole('heading', { name: '4 effective values change' }).waitFor();
      await page.getByText('copied by the server without being shown').waitFor();
      expect(await person.accessibilityViolations()).toEqual([]);
      // The pages and the plan reveal no secret. The owner reveals one, because once that is audited, all earlier reveals are, too.
      await readIn(organization, 'production');
      expect(await untilRevealed(organization, 'Owner')).not.toContain('Ada');
      await page.getByLabel('Reason').fill('Out of staging');
      await page.getByRole('button', { name: 'Promote', exact: true }).click();
      await page.getByRole('heading', { name: 'Out of staging' }).waitFor();

      expect(await readIn(organization, 'production')).toEqual({
        HOST: 'new.example',
        TOKEN: CANARY,
        LEVEL: 'info',
        URL: 'https://new.example',
      });
      await page.goBack();
      await page.getByText('1 parameter differs').waitFor();
      const readable = await person.everythingReadable();
      for (const secret of [CANARY, OLD_CANARY]) expect(readable).not.toContain(secret);
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('keeps the selection when the user goes back from a plan', async () => {
    const { organization } = await createStaging();
    const { page } = await signedIn(organization, '/compare?project=web&left=staging&right=production');
    await page.getByRole('checkbox', { name: 'HOST' }).check();
    await page.getByRole('button', { name: 'Promote 1 value …' }).click();
    await page.getByRole('heading', { name: /^Promote 1 value of web/ }).waitFor();
    await page.goBack();
    await page.getByText('4 parameters differ').waitFor();
    expect(await page.getByRole('checkbox', { name: 'HOST' }).isChecked()).toBe(true);
  });

  journey('restores earlier values, including secrets, by comparing a revision with the present', async () => {
    const { organization, firstRevision } = await createStaging();
    await apply(organization, set('default', { HOST: 'third.example', TOKEN: CANARY }));
    const person = await signedIn(organization, `/compare?project=web&left=default&from=r${firstRevision}`);
    const { page } = person;
    await page.getByText('2 parameters differ').waitFor();
    expect(await page.getByRole('columnheader', { name: `default at revision ${firstRevision}` }).count()).toBe(1);

    await page.getByLabel('Select all of this page').check();
    await page.getByRole('button', { name: 'Promote 2 values …' }).click();
    await page.getByRole('button', { name: 'Promote', exact: true }).click();
    await page.waitForURL(/history\/\d+$/);

    expect(await readIn(organization, 'default')).toMatchObject({ HOST: 'old.example', TOKEN: OLD_CANARY });
    expect(await person.everythingReadable()).not.toContain(OLD_CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('accepts a tag, a revision or a date and time, keeps them in the URL, and swaps the sides', async () => {
    const { organization, firstRevision } = await createStaging();
    const staging = await organization.environmentNamed('staging');
    await organization.owner.post(`${staging.url}tags/`, { name: 'v1' });
    await apply(organization, set('staging', { LEVEL: 'debug' }));
    const person = await signedIn(organization, '/compare?project=web');
    const { page } = person;
    await page.getByLabel('Left: environment').selectOption('staging');
    await page.getByLabel('Left: when').selectOption('tag v1 of staging');
    await page.getByText('1 parameter differs').waitFor();
    expect(await lines(person)).toEqual(['LEVEL info inherited from default debug changes the value']);
    await page.getByRole('button', { name: 'Swap left and right' }).click();
    await page.getByText('The right side is in the past').waitFor();
    expect(new URL(page.url()).searchParams.get('to')).toBe('tag:staging/v1');

    await page.goto('/compare?project=web&left=staging');
    await page.getByLabel('Left: when').selectOption('at a revision');
    await page.getByLabel('Left: revision').fill(String(firstRevision));
    await page.getByLabel('Left: revision').press('Enter');
    await page.getByText('4 parameters differ').waitFor();
    await page.getByLabel('Filter by name').fill('level');
    await page.getByLabel('Filter by name').press('Enter');
    await page.getByText('1 parameter differs').waitFor();
    await page.getByLabel('Left: when').selectOption('at a date and time');
    await page.getByLabel('Left: date and time').fill('2001-01-01T00:00:00');
    await page.getByLabel('Left: date and time').press('Enter');
    await page.getByText('did not exist at one of these times').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('counts the differences of all projects, and redirects from its former URL', async () => {
    const { organization, firstRevision } = await createStaging();
    await organization.project({ name: 'quiet' });
    const person = await signedIn(organization, '/compare?left=staging&right=production');
    const { page } = person;
    await page.getByRole('row', { name: 'web 4' }).waitFor();
    await page.getByRole('row', { name: 'quiet none' }).waitFor();

    await person.open(`/history/compare?project=web&from=${firstRevision - 1}&to=${firstRevision + 1}`);
    await page.getByText('did not exist at one of these times').waitFor();
    expect(new URL(page.url()).pathname).toBe('/compare');
    await person.open(`/history/compare?project=web&from=${firstRevision}&to=${firstRevision + 1}`);
    await page.getByText('3 parameters differ').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows changes of other users at once, and promotes no value that the user has not seen', async () => {
    const { organization } = await createStaging();
    const person = await signedIn(organization, '/compare?project=web&left=staging&right=production');
    const { page } = person;
    await page.getByText('4 parameters differ').waitFor();
    await apply(organization, set('production', { HOST: 'third.example' }));
    await page.getByText('third.example').waitFor();

    await page.getByLabel('HOST', { exact: true }).check();
    await page.getByRole('button', { name: 'Promote 1 value …' }).click();
    await page.getByRole('heading', { name: '1 effective value changes' }).waitFor();
    await apply(organization, set('production', { HOST: 'fourth.example' }));
    await page.getByRole('button', { name: 'Promote', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'HOST' }).waitFor();
    expect(await readIn(organization, 'production')).toMatchObject({ HOST: 'fourth.example' });
    await page.getByRole('button', { name: 'Back to differences' }).click();
    await page.getByText('fourth.example').waitFor();
    await page.getByRole('button', { name: 'Promote 1 value …' }).click();
    await page.getByRole('heading', { name: '1 effective value changes' }).waitFor();
    await page.getByRole('button', { name: 'Promote', exact: true }).click();
    await page.waitForURL(/history\/\d+$/);
    expect(await readIn(organization, 'production')).toMatchObject({ HOST: 'new.example' });
  });

  journey('shows a viewer the differences, and copies them as API requests without a credential', async () => {
    const { organization } = await createStaging();
    const address = '/compare?project=web&left=staging&right=production';
    const person = await signedIn(organization, address, { role: 'VIEWER' });
    const { page } = person;
    await page.getByText('You need write access to the environment on the right').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Promote' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Copy as …' }).click();
    const id = await projectId(organization);
    const request = await page.getByRole('region', { name: 'curl' }).locator('pre').textContent();
    expect(request).toBe(
      `curl -fsS -H "Authorization: Api-Key $KEY" "$API/projects/${id}/compare/?left=staging&right=production"`,
    );
    expect(await page.getByRole('region', { name: 'GraphQL' }).locator('pre').textContent()).toContain(
      'differences(left',
    );
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('does not show values of a forbidden environment', async () => {
    const { organization } = await createStaging();
    const production = await organization.environmentNamed('production');
    await organization.owner.patch(production.url, { access_controlled: true });
    const person = await signedIn(organization, '/compare?project=web&left=staging&right=production');

    await person.page.getByRole('alert').waitFor();
    expect(await person.everythingReadable()).not.toContain('EXTRA');
  });

  journey('is accessible and fits the screen in every theme and screen size', async () => {
    const { organization, firstRevision } = await createStaging();
    const person = await signedIn(organization, '/compare');
    const pages = {
      '/compare': 'Compare environments or points in time',
      '/compare?left=staging&right=production': 'Parameters that differ',
      '/compare?project=web&left=staging&right=production': '4 parameters differ',
      [`/compare?project=web&from=r${firstRevision}`]: 'parameters differ',
    };
    await person.page.getByRole('heading', { name: 'Compare environments or points in time' }).waitFor();
    for (const [address, expectedText] of Object.entries(pages)) {
      await person.open(address);
      await person.page.getByText(expectedText).first().waitFor();
      expect([address, await person.violationsInEveryLook()]).toEqual([address, []]);
    }
    expect(await person.allErrors()).toEqual([]);
  });
});
