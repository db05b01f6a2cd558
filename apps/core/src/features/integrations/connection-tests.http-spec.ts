import type { ConnectionTest, Integration, Page } from '@strata/contract';
import { AWS_CREDENTIALS, newAwsAccount } from '@strata/testkit';
import { AWS } from '../../testing/integrations.ts';
import { type PushedShop, setUpAws } from '../../testing/push-fixture.ts';
import { query } from '../../testing/query.ts';

const { at, suite, standIn } = await setUpAws();

/** The account that the stand-in gives to the operator's credentials. */
const OWN_ACCOUNT = '123456789012';
const PROBLEM = { accept: 'application/json, application/problem+json' };

const newAws = (more: object = {}) => ({ ...AWS, aws_account_id: newAwsAccount(), ...more });
const failRole = (code: string, status: number) =>
  at.aws.interfere(({ operation }) => (operation === 'AssumeRole' ? { kind: 'error', code, status } : null));
const test = ({ organization, integration }: PushedShop) =>
  organization.owner.post<ConnectionTest>(`${integration.url}test/`);
const read = async ({ organization, integration }: PushedShop) =>
  (await organization.owner.get<Integration>(integration.url)).body;
const writes = () => at.aws.calls().filter(({ operation }) => /^(Create|Put|Update|Delete|Tag)/.test(operation));

suite(`a test of the connection (${standIn})`, () => {
  it('finds a connection that works, without a write, and stores the status', async () => {
    const shop = await at.shop({});
    at.aws.clear();

    const response = await test(shop);

    const { status, status_detail, status_last_checked_at } = await read(shop);
    expect(response.body).toEqual({ status, status_detail, status_last_checked_at, error_code: null, pointer: null });
    expect(response).toMatchObject({ status: 200, body: { status: 'connected', status_detail: '' } });
    expect(at.aws.calls().map(({ operation }) => operation)).toEqual([
      ...['AssumeRole', 'DescribeParameters', 'DescribeParameters', 'AssumeRole', 'ListSecrets'],
    ]);
    expect(writes()).toEqual([]);
  });

  it('stores the reason of the provider, without a credential', async () => {
    const shop = await at.shop({});
    failRole('AccessDenied', 403);

    const { text, body } = await test(shop);

    expect(body).toMatchObject({ status: 'errored', error_code: 'provider_denied', pointer: null });
    expect(body.status_detail).toContain('AccessDenied: The role arn:aws:iam::');
    expect(await read(shop)).toMatchObject({ status: 'errored', status_detail: body.status_detail });
    expect(text).not.toContain(AWS_CREDENTIALS.secretAccessKey);
  });

  it('runs once at a time, and at most every ten seconds', async () => {
    const shop = await at.shop({});
    const responses = await Promise.all([test(shop), test(shop), test(shop)]);

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    const rejected = responses.find(({ status }) => status === 429);
    expect(rejected?.headers).toMatchObject({
      'x-error-code': 'rate_limited',
      'retry-after': expect.stringMatching(/^([1-9]|10)$/),
    });
  });

  it('needs the permission to manage integrations, and waits after a restore', async () => {
    const shop = await at.shop({});
    at.aws.clear();
    const { organization, integration } = shop;
    expect((await organization.as('CONTRIB').post(`${integration.url}test/`)).status).toBe(403);
    await query(at.core, `update integration set held_because = 'restored' where id = '${integration.id}'`);

    const response = await test(shop);

    expect(response).toMatchObject({ status: 409, headers: { 'x-error-code': 'integration_held' } });
    expect(at.aws.calls()).toEqual([]);
  });
});

suite(`settings that AWS rejects for good (${standIn})`, () => {
  it.each`
    member              | input                              | code
    ${'aws_account_id'} | ${{ aws_account_id: OWN_ACCOUNT }} | ${null}
    ${'aws_role_name'}  | ${{ aws_role_name: 'two@@signs' }} | ${'ValidationError'}
  `('are not stored: $member', async ({ member, input, code }) => {
    const { owner } = await at.core.organization();
    if (code !== null) failRole(code, 400);

    const plain = await owner.post('integrations/aws/', newAws(input));
    const problem = await owner.post('integrations/aws/', newAws(input), PROBLEM);

    expect(plain).toMatchObject({ status: 400, headers: { 'x-error-code': 'settings_rejected' } });
    expect(plain.body).toEqual({ [member]: [expect.stringMatching(/^The provider rejects this: .{20}/)] });
    expect(problem.body).toMatchObject({
      code: 'settings_rejected',
      pointer: `/${member}`,
      params: { reason: expect.any(String) },
    });
    expect((await owner.get<Page<Integration>>('integrations/aws/')).body.count).toBe(0);
  });

  it('do not replace earlier ones', async () => {
    const shop = await at.shop({});
    failRole('ValidationError', 400);

    const changed = await shop.organization.owner.patch(shop.integration.url, { aws_role_name: 'wrong' });

    expect(changed).toMatchObject({ status: 400, body: { aws_role_name: [expect.any(String)] } });
    expect(await read(shop)).toMatchObject({ aws_role_name: 'strata', status: 'connected' });
    const described = await shop.organization.owner.patch(shop.integration.url, { description: 'the shop' });
    expect(described).toMatchObject({ status: 200, body: { description: 'the shop', status: 'connected' } });
  });

  it.each`
    problem                           | fault
    ${'a role that trusts later'}     | ${{ kind: 'error', code: 'AccessDenied', status: 403 }}
    ${'a provider that is not there'} | ${{ kind: 'lost_response' }}
  `('are not those of $problem', async ({ fault }) => {
    const { owner } = await at.core.organization();
    at.aws.interfere(({ operation }) => (operation === 'AssumeRole' ? fault : null));

    const created = await owner.post<Integration>('integrations/aws/', newAws());
    expect(created).toMatchObject({ status: 201, body: { status: 'errored', status_detail: expect.any(String) } });
    at.aws.interfere(() => null);
    const changed = await owner.patch<Integration>(created.body.url, { aws_role_name: 'second' });

    expect(changed).toMatchObject({ status: 200, body: { status: 'connected', status_detail: '' } });
  });
});
