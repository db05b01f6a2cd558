import type { Integration, IntegrationTask, Page, PushKey } from '@strata/contract';
import {
  AWS_CREDENTIALS,
  newAwsAccount,
  type OwnCore,
  startCore,
  startTestAws,
  startTestGitHub,
  type TestOrganization,
} from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';
import { eventually } from './processes.ts';

const aws = await startTestAws();
const github = await startTestGitHub();
let ownCore: OwnCore;
const { journey, reason, core, signedIn } = await setUpConsoleTests(async () => {
  ownCore = await startCore({
    ...github.settings,
    STRATA_PRIVATE_DESTINATIONS: 'true',
    STRATA_AWS_ACCESS_KEY_ID: AWS_CREDENTIALS.accessKeyId,
    STRATA_AWS_SECRET_ACCESS_KEY: AWS_CREDENTIALS.secretAccessKey,
    STRATA_AWS_ENDPOINT_URL: aws.endpoint,
  });
  return ownCore;
});
afterAll(async () => {
  await ownCore?.close();
  await aws.close();
  await github.close();
});

const REGION = 'eu-central-1';

/** Creates a project with one secret in production at the tag `stable`, and an integration with an account. */
async function shop(organization: TestOrganization, account: string, text: string) {
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'PASSWORD', secret: true });
  const environment = await organization.environmentNamed('production');
  await organization.value({ parameter, environment, internal_value: text });
  const { body: tag } = await organization.owner.post<{ url: string }>(`${environment.url}tags/`, { name: 'stable' });
  const { body: integration } = await organization.owner.post<Integration>('integrations/aws/', {
    aws_account_id: account,
    aws_role_name: 'strata',
    aws_enabled_regions: [REGION],
    aws_enabled_services: ['secretsmanager'],
    writable: true,
  });
  const push = (options: object = {}) =>
    organization.owner.post<{ id: string; url: string }>(`${integration.url}pushes/`, {
      name: 'to the store',
      projects: [project.url],
      tags: [tag.url],
      region: REGION,
      service: 'secretsmanager',
      resource: '/{{ project }}/{{ parameter }}',
      include_secrets: true,
      ...options,
    });
  return { project, environment, integration, push };
}

const withAws = aws.missing === null ? journey : journey.skip;

describe(`integrations in the console${reason}`, () => {
  withAws('are created, and push values after a person has approved the plan', async () => {
    const organization = await core().organization();
    const { environment } = await shop(organization, newAwsAccount(), 'first-secret-text');
    const person = await signedIn(organization, '/integrations', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('link', { name: 'Create integration' }).click();
    await page.getByLabel('Account id').fill('12');
    await page.getByLabel('Role').fill('strata');
    await page.getByRole('checkbox', { name: REGION }).check();
    await page.getByRole('button', { name: 'Create integration' }).click();
    await page.getByRole('alert').filter({ hasText: '12 digits' }).waitFor();
    expect(await page.getByLabel('Account id').getAttribute('aria-invalid')).toBe('true');
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.getByLabel('Account id').fill(newAwsAccount());
    await page.getByRole('button', { name: 'Create integration' }).dblclick();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('The trust policy of the role must require it.').waitFor();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('The connection works.').waitFor();

    await page.getByRole('link', { name: 'Create push' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await page.getByRole('button', { name: 'Create push' }).click();
    await page.getByRole('alert').filter({ hasText: 'Select at least one project.' }).waitFor();
    await page.getByRole('checkbox', { name: 'shop', exact: true }).check();
    await page.getByRole('checkbox', { name: 'stable of production' }).check();
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.getByRole('button', { name: 'Create push' }).click();
    await page.getByText('The plan waits for approval.', { exact: true }).waitFor();
    await page.getByText('1 key is created.').waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.getByRole('button', { name: 'Approve and run' }).click();
    await page
      .getByRole('row', { name: /shop\/production\/PASSWORD/ })
      .getByText('In sync')
      .waitFor();
    await page.getByText('Done', { exact: true }).first().waitFor();
    await page.getByText('Steps').first().click();
    await page.getByText('Created', { exact: false }).first().waitFor();
    expect(await person.everythingReadable()).not.toContain('first-secret-text');

    await page.getByRole('link', { name: 'Integrations', exact: true }).first().click();
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    const { body: steps } = await organization.owner.get<Page<{ success: boolean }>>(`${environment.url}pushes/`);
    expect(steps.results.map(({ success }) => success)).toContain(true);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('with GitHub are created, have the name of the GitHub organization, and take pushes', async () => {
    const organization = await core().organization();
    const { gh_installation_id: id, organization: login } = github.newInstallation(organization.id);
    const person = await signedIn(organization, '/integrations', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('link', { name: 'Create integration' }).click();
    await page.getByLabel('Provider').selectOption('GitHub');
    await page.getByLabel('Installation id').fill(String(id));
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.getByRole('button', { name: 'Create integration' }).click();
    await page.getByRole('heading', { name: login }).waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Create push' }).click();
    expect(await page.getByLabel('Keys').inputValue()).toBe('{{ project }}/{{ parameter }}');
    await page.goBack();
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    expect(await page.getByLabel('Installation id').isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Pushes may write' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('May not write', { exact: true }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  withAws('list keys of others, and take them over if a person decides so', async () => {
    const account = newAwsAccount();
    const otherOrganization = await core().organization();
    const { body: theirs } = await (await shop(otherOrganization, account, 'theirs')).push();
    await eventually('another organization has written the key', async () => {
      const { body } = await otherOrganization.owner.get<Page<PushKey>>(`${theirs.url}keys/`);
      return body.results[0]?.state === 'in_sync';
    });
    const organization = await core().organization();
    const { integration, push } = await shop(organization, account, 'ours');
    const { body: ours } = await push();
    const person = await signedIn(organization, `/integrations/aws/${integration.id}/pushes/${ours.id}`, {
      role: 'ADMIN',
    });
    const { page } = person;
    const row = page.getByRole('row', { name: /\/shop\/PASSWORD/ });
    await row.getByText('Foreign').waitFor();
    await page.getByText('1 key was not written by this push.').first().waitFor();
    await row.getByLabel(/^Decision about/).selectOption('Take over');
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.getByRole('button', { name: 'Run with 1 decision' }).click();
    await row.getByText('In sync').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  withAws('write nothing with "Run now" if the push only plans', async () => {
    const organization = await core().organization();
    const { integration, push } = await shop(organization, newAwsAccount(), 'planned');
    const { body: created } = await push({ dry_run: true });
    const runs = async () =>
      (await organization.owner.get<Page<IntegrationTask>>(`${created.url}tasks/`)).body.results.map(
        ({ dry_run: isDryRun, state }) => ({ isDryRun, state }),
      );
    const planned = { isDryRun: true, state: 'success' };
    await eventually('the first run has planned', async () => (await runs())[0]?.state === 'success');
    const { page } = await signedIn(organization, `/integrations/aws/${integration.id}/pushes/${created.id}`, {
      role: 'ADMIN',
    });
    await page.getByRole('button', { name: 'Run now' }).click();
    await eventually('the second run has ended', async () => {
      const [latest, ...earlier] = await runs();
      return earlier.length === 1 && latest?.state === 'success';
    });
    expect(await runs()).toEqual([planned, planned]);
    const { body: keys } = await organization.owner.get<Page<PushKey>>(`${created.url}keys/`);
    expect(keys.results.map(({ state }) => state)).toEqual(['pending']);
  });
});
