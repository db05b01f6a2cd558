import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Integration, Page, PushKey, Rotation } from '@strata/contract';
import { AWS_CREDENTIALS, newAwsAccount, type OwnCore, startCore, startTestAws } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';
import { eventually } from './processes.ts';

const aws = await startTestAws();
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-rotations-'));
const executable = path.join(directory, 'rotate');

/** A system in which every credential works, and `canary-2` follows all others. */
const PROGRAM = `#!${process.execPath}
const { action, text } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const answers = {
  identify: { credential: /^canary-(\\d)$/.exec(text)?.[1] ?? null },
  find_other: { credential: null },
  create: { credential: '2', text: 'canary-2' },
  check: { works: true },
  usage: { last_used_at: null },
  revoke: { is_revoked: true },
};
process.stdout.write(JSON.stringify(answers[action]), () => process.exit(0));
`;

let ownCore: OwnCore;
const { journey, reason, core, signedIn } = await setUpConsoleTests(async () => {
  fs.writeFileSync(executable, PROGRAM, { mode: 0o755 });
  ownCore = await startCore({
    STRATA_PRIVATE_DESTINATIONS: 'true',
    STRATA_AWS_ACCESS_KEY_ID: AWS_CREDENTIALS.accessKeyId,
    STRATA_AWS_SECRET_ACCESS_KEY: AWS_CREDENTIALS.secretAccessKey,
    STRATA_AWS_ENDPOINT_URL: aws.endpoint,
    STRATA_ROTATION_COMMANDS: JSON.stringify({ numbers: { path: executable, organizations: ['*'] } }),
  });
  return ownCore;
});
afterAll(async () => {
  await ownCore?.close();
  await aws.close();
  fs.rmSync(directory, { recursive: true, force: true });
});

/** Creates a secret in production, and a rotation of it. */
async function rotatedSecret(text: string, input: object) {
  const organization = await core().organization();
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'DATABASE', secret: true });
  const environment = await organization.environmentNamed('production');
  await organization.value({ parameter, environment, internal_value: text });
  const rotate = async () => {
    const common = { name: 'database of the shop', parameter: parameter.url, environment: environment.url };
    const { body: rotation } = await organization.owner.post<Rotation>('rotations/', { ...common, ...input });
    await organization.owner.post(`${rotation.url}rotate/`);
    return async () => (await organization.owner.get<Rotation>(rotation.url)).body;
  };
  return { organization, project, environment, rotate };
}

const withAws = aws.missing === null ? journey : journey.skip;

describe(`rotations in the console${reason}`, () => {
  journey('are found from their secret, with the reason of a stop, and can be continued and aborted', async () => {
    // Strata connects to no link-local address, so the rotation stops.
    const { organization, rotate } = await rotatedSecret('postgresql://a:canary@db.invalid/shop', {
      ...{ rotator: 'postgresql', credential: 'canary' },
      postgresql: { host: '169.254.169.254', user: 'strata', roles: ['a', 'b'], tls: false },
    });
    const read = await rotate();
    await eventually('the rotation has stopped', async () => (await read()).state === 'stopped');
    const person = await signedIn(organization, '/projects/shop/parameters/DATABASE', { role: 'ADMIN' });
    const { page } = person;

    await page.getByRole('link', { name: '1 rotation' }).click();
    await page.getByRole('heading', { name: 'database of the shop' }).waitFor();
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.getByText('1 rotation needs attention.').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    const messages = async () => {
      const { body } = await organization.owner.get<{ results: { message: string | null }[] }>('changesets/');
      return body.results.filter(({ message }) => message === 'The rotation was requested.').length;
    };
    await page.getByRole('button', { name: 'Continue' }).click();
    await eventually('the rotation was requested again', async () => (await messages()) === 2);
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Abort' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Abort' }).click();
    await page.getByText('Idle', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Rotate now' }).waitFor();
    await page.getByRole('link', { name: 'DATABASE of shop' }).click();
    await page.getByRole('link', { name: '1 rotation' }).waitFor();
    expect(await person.everythingReadable()).not.toContain('canary');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are created, changed and deleted, with errors at their fields', async () => {
    const { organization } = await rotatedSecret('postgresql://shop_a:canary@db.example.com/shop', {});
    const list = async () => (await organization.owner.get<Page<Rotation>>('rotations/')).body.results;
    const person = await signedIn(organization, '/rotations', { role: 'ADMIN' });
    const { page } = person;
    const rail = page.getByRole('navigation', { name: 'Main' });
    await rail.locator('[data-status="active"]', { hasText: 'Integrations' }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);

    const field = (label: string) => page.getByLabel(label, { exact: true });
    await page.getByRole('link', { name: 'Create rotation' }).click();
    await field('Name').fill('database of the shop');
    await field('Project').selectOption('shop');
    await field('Secret').selectOption('DATABASE');
    await field('Environment').selectOption('development');
    await field('Host').fill('no host!');
    await field('Roles').fill('shop_a');
    await field('Administrator').fill('strata');
    await field('Password of the administrator').fill('canary of the administrator');
    expect(await person.violationsInEveryLook()).toEqual([]);
    const create = page.getByRole('button', { name: 'Create rotation' });
    await create.click();
    const errorAt = (label: string) =>
      page
        .locator('div', { has: field(label) })
        .last()
        .getByRole('alert');
    expect(await errorAt('Host').textContent()).toBe('Enter a host name or an address.');
    expect(await errorAt('Roles').textContent()).toBe('Enter two roles.');
    expect(await list()).toEqual([]);
    await field('Host').fill('db.example.com');
    await field('Roles').fill('shop_a, shop_b');
    await create.click();
    await errorAt('Environment').waitFor();
    await field('Environment').selectOption('production');
    await field('Days between rotations').fill('30');
    await create.click();
    await page.getByRole('heading', { name: 'database of the shop' }).waitFor();
    expect(await list()).toMatchObject([
      {
        ...{
          name: 'database of the shop',
          rotator: 'postgresql',
          interval_days: 30,
          grace_seconds: 300,
          silent: 'wait',
        },
        postgresql: {
          host: 'db.example.com',
          port: 5432,
          user: 'strata',
          roles: ['shop_a', 'shop_b'],
          tls: true,
          ca: null,
        },
      },
    ]);
    expect(await person.everythingReadable()).not.toContain('canary');

    await page.getByRole('link', { name: 'Edit' }).click();
    await field('Name').fill('database');
    await field('Days between rotations').fill('');
    await field('If an instance does not report any more').selectOption('revoke_after');
    await field('Seconds to wait for it').fill('1800');
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'database', exact: true }).waitFor();
    expect(await list()).toMatchObject([
      { name: 'database', interval_days: null, grace_seconds: 300, silent: 'revoke_after', silent_after_seconds: 1800 },
    ]);

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete rotation' }).click();
    await page.getByText('No rotations yet').waitFor();
    expect(await list()).toEqual([]);
    await person.open('/destinations/new');
    await rail.locator('[data-status="active"]', { hasText: 'Webhooks' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  withAws('show the push that they wait for, and continue when an administrator dismisses it', async () => {
    const { organization, project, environment, rotate } = await rotatedSecret('canary-1', {
      ...{ rotator: 'command', command: { program: 'numbers' }, grace_seconds: 0 },
    });
    const { body: tag } = await organization.owner.post<{ url: string }>(`${environment.url}tags/`, { name: 'stable' });
    const { body: integration } = await organization.owner.post<Integration>('integrations/aws/', {
      aws_account_id: newAwsAccount(),
      aws_role_name: 'strata',
      aws_enabled_regions: ['eu-central-1'],
      aws_enabled_services: ['secretsmanager'],
      writable: true,
    });
    const { body: push } = await organization.owner.post<{ url: string }>(`${integration.url}pushes/`, {
      name: 'to the store',
      projects: [project.url],
      tags: [tag.url],
      region: 'eu-central-1',
      service: 'secretsmanager',
      resource: '/{{ project }}/{{ parameter }}',
      include_secrets: true,
    });
    await eventually('the push has written the key', async () => {
      const { body } = await organization.owner.get<Page<PushKey>>(`${push.url}keys/`);
      return body.results[0]?.state === 'in_sync';
    });
    const read = await rotate();
    await eventually('the rotation waits for the push', async () => (await read()).state === 'needs_decision');

    const contributor = await signedIn(organization, '/rotations', { role: 'CONTRIB' });
    await contributor.page.getByRole('link', { name: 'to the store' }).waitFor();
    expect(await contributor.page.getByRole('button', { name: /Dismiss|Abort|Rotate|Continue|Delete/ }).count()).toBe(
      0,
    );
    const person = await signedIn(organization, '/rotations', { role: 'ADMIN' });
    const { page } = person;
    await page.getByText('Needs a decision', { exact: true }).waitFor();
    await page.getByText('The tag is older than the publication', { exact: false }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Idle', { exact: true }).waitFor();
    expect(await read()).toMatchObject({ state: 'idle', published_credential: '2' });
    expect(await person.everythingReadable()).not.toContain('canary');
    expect(await person.allErrors()).toEqual([]);
  });
});
