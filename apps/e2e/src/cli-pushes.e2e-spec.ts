import type { Integration, PushKey, PushRunPlan } from '@strata/contract';
import { AWS_CREDENTIALS, newAwsAccount, type OwnCore, startCore, startTestAws } from '@strata/testkit';
import { CommandLineShop } from './command-line.ts';
import { eventually } from './processes.ts';

const aws = await startTestAws();
const suite = aws.missing === null ? describe : describe.skip;
const CANARY = 'canary-51c0d7';

let core: OwnCore;
beforeAll(async () => {
  core = await startCore({
    STRATA_PRIVATE_DESTINATIONS: 'true',
    STRATA_AWS_ACCESS_KEY_ID: AWS_CREDENTIALS.accessKeyId,
    STRATA_AWS_SECRET_ACCESS_KEY: AWS_CREDENTIALS.secretAccessKey,
    STRATA_AWS_ENDPOINT_URL: aws.endpoint,
  });
});
afterAll(async () => {
  await core?.close();
  await aws.close();
});

/** Creates a push of one secret that plans first, and returns the program of an ADMIN. */
async function createPush(account: string) {
  const shop = await CommandLineShop.create(core, 'ADMIN', 'production');
  await shop.set('PASSWORD', CANARY, true);
  const { organization, project } = shop;
  const environment = await organization.environmentNamed('production');
  const { body: tag } = await organization.owner.post<{ url: string }>(`${environment.url}tags/`, { name: 'stable' });
  const { body: integration } = await organization.owner.post<Integration>('integrations/aws/', {
    aws_account_id: account,
    aws_role_name: 'strata',
    aws_enabled_regions: ['eu-central-1'],
    aws_enabled_services: ['secretsmanager'],
    writable: true,
  });
  const { body: push } = await organization.owner.post<{ url: string }>(`${integration.url}pushes/?plan_first=true`, {
    name: 'to-aws',
    projects: [project.url],
    tags: [tag.url],
    region: 'eu-central-1',
    service: 'secretsmanager',
    resource: '/shop/{{ parameter }}',
    include_secrets: true,
  });
  await eventually('the first run has planned', async () => {
    const { body } = await organization.owner.get<{ latest_task: { state: string } }>(push.url);
    return body.latest_task.state === 'skipped';
  });
  return { ...shop, strata: shop.strata, integration };
}

suite(`pushes on the command line (${aws.missing ?? 'moto'})`, () => {
  test('have a connection that can be tested', async () => {
    const { strata, integration } = await createPush(newAwsAccount());
    const isConnected = await strata.run(['integration', 'test', integration.name]);
    expect(isConnected).toMatchObject({ code: 0, stdout: `The connection of "${integration.name}" works.\n` });
    const unknown = await strata.run(['integration', 'test', 'nope']);
    expect(unknown.stderr).toContain('nope');
    expect(unknown.code).not.toBe(0);
  });

  test('are listed, planned, run with the approved plan, and explained', async () => {
    const { strata, integration } = await createPush(newAwsAccount());
    const listed = await strata.run(['push', 'list']);
    expect(listed.stdout).toMatch(new RegExp(`to-aws +${integration.name} +skipped .*waits for approval`));
    const plan = await strata.json<PushRunPlan & { readonly keys: readonly PushKey[] }>(['push', 'plan', 'to-aws']);
    expect(plan).toMatchObject({ creates: 1, keys: [{ key: '/shop/PASSWORD', state: 'pending', action: 'create' }] });
    const outdated = await strata.run(['push', 'run', 'to-aws', '--plan', 'another']);
    expect([outdated.code, outdated.stderr]).toEqual([1, expect.stringContaining('Nothing was written.')]);

    const run = await strata.run(['push', 'run', 'to-aws', '--plan', plan.hash]);

    expect(run).toEqual({ code: 0, stdout: 'The push "to-aws" has run.\n', stderr: '' });
    expect((await strata.run(['push', 'keys', 'to-aws'])).stdout).toMatch(/\/shop\/PASSWORD +in_sync +none/);
    expect((await strata.run(['integration', 'list'])).stdout).toMatch(/aws +connected +yes/);
    const { stdout } = await strata.run(['explain', 'PASSWORD']);
    expect(stdout).toContain(`Pushed to\n  /shop/PASSWORD by to-aws to ${integration.name}: in_sync at the tag stable`);
    expect(stdout).not.toContain(CANARY);
    strata.remove();
  });

  test('take over a key of another program only if --overwrite names it', async () => {
    const account = newAwsAccount();
    const otherPush = await createPush(account);
    const { hash } = await otherPush.strata.json<PushRunPlan>(['push', 'plan', 'to-aws']);
    await otherPush.strata.run(['push', 'run', 'to-aws', '--plan', hash]);
    const { strata } = await createPush(account);

    const keys = await strata.run(['push', 'keys', 'to-aws', '--state', 'foreign']);
    expect(keys.stdout).toMatch(/\/shop\/PASSWORD +foreign +none +not_written_by_strata/);
    const unseen = await strata.run(['push', 'run', 'to-aws', '--overwrite', '/shop/PASSWORD']);
    expect([unseen.code, unseen.stderr]).toEqual([2, expect.stringContaining('require --plan')]);
    const plan = await strata.json<PushRunPlan>(['push', 'plan', 'to-aws']);
    const unknown = await strata.run(['push', 'run', 'to-aws', '--plan', plan.hash, '--overwrite', '/shop/NONE']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('has no key "/shop/NONE"')]);
    const run = await strata.run(['push', 'run', 'to-aws', '--plan', plan.hash, '--overwrite', '/shop/PASSWORD']);

    expect(run.code).toBe(0);
    expect((await strata.run(['push', 'keys', 'to-aws'])).stdout).toMatch(/\/shop\/PASSWORD +in_sync/);
    for (const program of [strata, otherPush.strata]) program.remove();
  });

  test('have no plan if the store cannot be listed, and end after the time to wait', async () => {
    const { strata } = await createPush(newAwsAccount());
    const calls: string[] = [];
    aws.interfere(({ operation }) => {
      calls.push(operation);
      return operation === 'ListSecrets' ? { kind: 'error', code: 'AccessDeniedException', status: 400 } : null;
    });
    const unlisted = await strata.run(['push', 'plan', 'to-aws']);
    aws.interfere(() => ({ kind: 'no_response', isExecuted: false }));
    const late = await strata.run(['push', 'run', 'to-aws', '--timeout', '1']);
    aws.interfere(() => null);

    expect(calls).toContain('ListSecrets');
    expect(unlisted).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('There is no plan') });
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('after 1 s.')]);
    strata.remove();
  });
});
