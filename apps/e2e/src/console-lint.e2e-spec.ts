import { randomUUID } from 'node:crypto';
import type { AppliedChangeset, Effective, Page } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

/** A part of a text that looks like a secret. No finding may quote it. */
const CANARY = `canary${randomUUID().replaceAll('-', '')}`;

const set = (environment: string, values: object) => ({
  set: { project: 'web', environment, create_missing: true, values },
});

async function apply(organization: TestOrganization, operations: readonly object[]): Promise<number> {
  const response = await organization.owner.post<AppliedChangeset>('changesets/', { operations });
  if (response.status !== 201) throw new Error(response.text);
  return response.body.revision;
}

const projectCreation = { operation: 'projects_create', body: { name: 'web' } };

/** Creates `web` with two redundant values, a password in plain text, and a parameter without a value. */
async function createFindings() {
  const organization = await core().organization();
  const values = { LANGUAGE: 'en', REGION: 'north', PUSH_URL: `https://metrics:${CANARY}@metrics.example/push` };
  const web = { $ref: 'web' };
  const revision = await apply(organization, [
    { ...projectCreation, as: 'web' },
    { set: { ...set('default', values).set, project: web } },
    { set: { ...set('staging', { LANGUAGE: 'en', REGION: 'north' }).set, project: web } },
    { operation: 'projects_parameters_create', path: { project_pk: web }, body: { name: 'FORMER_FEATURE' } },
  ]);
  return { organization, revision };
}

async function readIn(organization: TestOrganization, environment: string) {
  const { body: projects } = await organization.owner.get<Page<{ id: string }>>('projects/?name=web');
  const address = `projects/${projects.results[0]?.id}/effective/?environment=${environment}`;
  return (await organization.owner.get<Effective>(address)).body.values;
}

describe(`the lint page of the console${reason}`, () => {
  journey('lists findings by rule, without quoting values', async () => {
    const { organization } = await createFindings();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Lint' }).click();
    const redundant = page.getByRole('region', { name: 'Redundant values 2' });
    await redundant.getByText('LANGUAGE says in staging what it would inherit from default.').waitFor();
    await page
      .getByRole('region', { name: 'Secrets in plain text 1' })
      .getByText('PUSH_URL is not secret, and is a URL with a password in it in default.')
      .waitFor();
    expect(await person.everythingReadable()).not.toContain(CANARY);

    await page.getByLabel('Rule').selectOption('Redundant values');
    await page.getByRole('region', { name: 'Secrets in plain text 1' }).waitFor({ state: 'detached' });
    await page.getByText('2 findings · revision').waitFor();
    expect(new URL(page.url()).searchParams.get('rule')).toBe('redundant_override');
    await redundant.getByRole('link', { name: 'REGION' }).click();
    await page.waitForURL('**/projects/web?cell=REGION&in=staging');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('applies the selected fixes as one changeset after a preview', async () => {
    const { organization } = await createFindings();
    const before = await readIn(organization, 'staging');
    const person = await signedIn(organization, '/projects/web/lint');
    const { page } = person;
    const review = page.getByRole('button', { name: /^Review/ });
    await review.waitFor();
    expect(await review.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: /^Fix: REGION/ }).check();
    expect(await review.textContent()).toBe('Review 1 fix');
    await page.getByRole('checkbox', { name: 'Select all 2 fixable findings of Redundant values' }).check();
    await page.getByRole('button', { name: 'Review 2 fixes' }).click();
    await page.getByRole('heading', { name: 'No effective values change' }).waitFor();
    expect(await page.getByRole('list', { name: 'Fixes' }).getByRole('listitem').allTextContents()).toEqual([
      'Delete the value of LANGUAGE in staging',
      'Delete the value of REGION in staging',
    ]);
    expect(await person.accessibilityViolations()).toEqual([]);
    // The selection is kept when the user returns to the list by a link or by the back button.
    await page.getByRole('link', { name: 'Back to findings' }).click();
    await page.getByRole('button', { name: 'Review 2 fixes' }).click();
    await page.getByRole('heading', { name: 'Apply 2 fixes' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Review 2 fixes' }).click();
    await page.getByRole('button', { name: 'Fix', exact: true }).click();
    await page.getByRole('heading', { name: 'Fix lint findings' }).waitFor();

    expect(await readIn(organization, 'staging')).toEqual(before);
    await page.goto('/projects/web/lint?rule=redundant_override');
    await page.getByRole('heading', { name: 'Redundant values: none found' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows fixes of other users at once, and is read-only for the past', async () => {
    const { organization, revision } = await createFindings();
    const person = await signedIn(organization, '/projects/web/lint');
    const { page } = person;
    await page.getByText('REGION says in staging').waitFor();
    await person.live();
    await apply(organization, [{ unset: { project: 'web', environment: 'staging', names: ['REGION'] } }]);
    await page.getByText('REGION says in staging').waitFor({ state: 'detached' });

    await page.goto(`/projects/web/lint?at=r${revision}`);
    await page.getByText('REGION says in staging').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('offers no fixes to a viewer', async () => {
    const { organization } = await createFindings();
    const person = await signedIn(organization, '/projects/web/lint', { role: 'VIEWER' });
    await person.page.getByText('LANGUAGE says in staging').waitFor();
    expect(await person.page.getByRole('checkbox').count()).toBe(0);
    expect(await person.page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('explains its rules when there is nothing to fix', async () => {
    const organization = await core().organization();
    await apply(organization, [projectCreation]);
    const person = await signedIn(organization, '/projects/web/lint');
    const { page } = person;
    await page.getByRole('heading', { name: 'Nothing to fix' }).waitFor();
    expect(await page.getByRole('main').getByRole('term').allTextContents()).toEqual([
      'Secrets in plain text',
      'Missing values',
      'Expired values',
      'Redundant values',
      'Unused parameters',
    ]);
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows that the project does not exist, instead of an empty list of findings', async () => {
    const organization = await core().organization();
    const { page } = await signedIn(organization, '/projects/nowhere/lint');
    await page.getByText('There is no project named nowhere').waitFor();

    expect(await page.getByRole('heading', { name: 'Nothing to fix' }).count()).toBe(0);
  });

  journey('splits its findings into pages, each with a URL', async () => {
    const organization = await core().organization();
    const names = Array.from({ length: 101 }, (_, at) => `SAME_${String(at).padStart(3, '0')}`);
    const values = Object.fromEntries(names.map((name) => [name, 'same']));
    await apply(organization, [projectCreation]);
    await apply(organization, [set('default', values)]);
    await apply(organization, [set('staging', values)]);
    const person = await signedIn(organization, '/projects/web/lint');
    const { page } = person;
    await page.getByText('100 findings on this page').waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('1 finding on this page').waitFor();
    await page.getByText('SAME_100 says in staging').waitFor();
    await page.reload();
    await page.getByText('SAME_100 says in staging').waitFor();
    await page.getByRole('link', { name: 'Start over' }).click();
    await page.getByText('SAME_000 says in staging').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is accessible and fits the screen in every theme and screen size', async () => {
    const { organization } = await createFindings();
    const person = await signedIn(organization, '/projects/web/lint');
    const { page } = person;
    await page.getByText('LANGUAGE says in staging').waitFor();
    await page.getByRole('checkbox', { name: /^Fix: REGION/ }).check();
    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
