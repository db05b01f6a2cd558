import { randomUUID } from 'node:crypto';
import type { Integration, IntegrationNode, Page, Push } from '@strata/contract';
import { type RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import {
  AWS,
  AZURE,
  createIntegrationFixture,
  integration,
  lastChanges,
  PROVIDERS,
} from '../../testing/integrations.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('integrations', () => {
  it.each(PROVIDERS)('of $path start as an empty list and report that nothing was read yet', async (provider) => {
    const organization = await core.organization();
    const list = `integrations/${provider.path}/`;
    expect(await organization.as('VIEWER').get(list)).toMatchObject({ status: 200, body: { count: 0, results: [] } });

    const created = await integration(organization, provider.path, provider.body);

    expect(created).toMatchObject({
      ...provider.body,
      name: provider.name,
      fqn: provider.fqn,
      status: 'unknown',
      status_last_checked_at: null,
      writable: false,
    });
    expect(created.status_detail).toContain('No run has used this connection');
    expect((await organization.as('VIEWER').get(`${created.url}?refresh_status=true`)).body).toEqual(created);
    expect((await organization.owner.get<Page<Integration>>(list)).body.results).toEqual([created]);
    expect(await lastChanges(core, organization)).toEqual([
      expect.stringMatching(/^create \w+Integration /),
      'create Pull mapped',
    ]);
  });

  it.each(PROVIDERS)('of $path are unique for each target', async ({ path, body, name }) => {
    const organization = await core.organization();
    await integration(organization, path, body);

    const response = await organization.owner.post(`integrations/${path}/`, body);

    expect(response).toMatchObject({ status: 400, body: { non_field_errors: [expect.stringContaining(name)] } });
    expect(response.headers['x-error-code']).toBe('duplicate_name');
  });

  it.each`
    path                 | wrong                                           | field
    ${'aws'}             | ${{ ...AWS, aws_account_id: '12' }}             | ${'aws_account_id'}
    ${'aws'}             | ${{ ...AWS, aws_enabled_regions: ['mars-1'] }}  | ${'aws_enabled_regions'}
    ${'aws'}             | ${{ ...AWS, aws_enabled_services: ['lambda'] }} | ${'aws_enabled_services'}
    ${'aws'}             | ${{ ...AWS, aws_role_name: undefined }}         | ${'aws_role_name'}
    ${'azure/key_vault'} | ${{ ...AZURE, tenant_id: 'x' }}                 | ${'tenant_id'}
    ${'azure/key_vault'} | ${{ ...AZURE, vault_name: 'a'.repeat(25) }}     | ${'vault_name'}
    ${'github'}          | ${{ gh_installation_id: -1 }}                   | ${'gh_installation_id'}
  `('of $path are rejected with a wrong $field', async ({ path, wrong, field }) => {
    const { owner } = await core.organization();

    expect(await owner.post(`integrations/${path}/`, wrong)).toMatchObject({
      status: 400,
      body: { [field]: expect.any(Array) },
    });
  });

  it('of an organization share an external id that members cannot choose', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const created = await integration(organization);
    expect(created.aws_external_id).toMatch(/^[\w-]{43}$/);
    const foreign = { aws_external_id: created.aws_external_id };

    const copied = await integration(otherOrganization, 'aws', { ...AWS, ...foreign });
    const patched = await otherOrganization.owner.patch<Integration>(copied.url, foreign);

    expect(copied.aws_external_id).not.toBe(created.aws_external_id);
    expect(patched).toMatchObject({ status: 200, body: { aws_external_id: copied.aws_external_id } });
    const second = await integration(organization, 'aws', { ...AWS, aws_role_name: 'second' });
    expect(second.aws_external_id).toBe(created.aws_external_id);
  });

  it('show the external id that is sent, also if another one was chosen before', async () => {
    const organization = await core.organization();
    const created = await integration(organization);
    await query(
      core,
      `update integration set settings = settings || '{"aws_external_id": "chosen"}' where organization_id = $1`,
      [organization.id],
    );

    expect((await organization.owner.get(created.url)).body).toEqual(created);
  });

  it('keep omitted members', async () => {
    const organization = await core.organization();
    const created = await integration(organization);

    const changed = await organization.owner.patch<Integration>(created.url, {
      aws_role_name: 'other',
      writable: true,
    });
    const again = await organization.owner.patch<Integration>(created.url, { writable: true });

    expect(changed.body).toMatchObject({
      aws_account_id: AWS.aws_account_id,
      aws_external_id: created.aws_external_id,
      name: 'other@123456789012',
      writable: true,
    });
    expect(again.body).toEqual(changed.body);
    expect(again.headers['x-revision']).toBe(changed.headers['x-revision']);
    expect(await organization.owner.put(created.url, AWS)).toMatchObject({ status: 200, body: { name: created.name } });
  });

  it('never change their vault or tenant', async () => {
    const organization = await core.organization();
    const created = await integration(organization, 'azure/key_vault', AZURE);

    const { body } = await organization.owner.put<Integration>(created.url, {
      ...AZURE,
      vault_name: 'x',
      description: 'd',
    });

    expect(body).toMatchObject({ vault_name: 'vault', name: created.name, description: 'd' });
  });

  it('that are in use can only be deleted without the safety check', async () => {
    const { organization, aws, push } = await createIntegrationFixture(core);
    expect(await organization.owner.delete(`${aws.url}?in_use=maybe`)).toMatchObject({ status: 400 });
    await push();

    const response = await organization.owner.delete(`${aws.url}?in_use=fail`);

    expect(response).toMatchObject({ status: 409, body: { detail: expect.stringContaining('to the store') } });
    expect(response.headers['x-error-code']).toBe('integration_in_use');
    expect(await organization.owner.delete(aws.url)).toMatchObject({ status: 204 });
    expect(await lastChanges(core, organization)).toEqual([
      'delete Pull mapped',
      'delete Push to the store',
      'delete AwsIntegration strata@123456789012',
    ]);
  });

  it('can be scanned, and the response contains the reason why nothing is found', async () => {
    const organization = await core.organization();
    const created = await integration(organization);
    const location = { region: 'eu-central-1', service: 's3', resource: 'bucket' };

    expect(await organization.owner.post(`${created.url}scan/`, location)).toMatchObject({
      status: 200,
      body: { matched: {}, skipped: { [created.fqn]: expect.stringContaining('no AWS credentials') } },
    });
  });

  it('return 401, 403 and 404 on every route', async () => {
    const { organization, aws, push } = await createIntegrationFixture(core);
    const { url } = (await push()).body as Push;
    const otherOrganization = await core.organization();
    const never = (await otherOrganization.owner.get(`integrations/aws/${randomUUID()}/`)).text;

    for (const path of [aws.url, `${aws.url}pulls/`, `${aws.url}pushes/`]) {
      expect(await otherOrganization.owner.get(path)).toMatchObject({ status: 404, text: never });
    }
    expect(await otherOrganization.owner.get(url)).toMatchObject({ status: 404 });
    expect(await otherOrganization.owner.delete(aws.url)).toMatchObject({ status: 404, text: never });
    for (const role of ['VIEWER', 'CONTRIB'] as const) {
      expect(await organization.as(role).post('integrations/aws/', AWS)).toMatchObject({ status: 403 });
      expect(await organization.as(role).post(`${url}sync/`)).toMatchObject({ status: 403 });
    }
  });
});

describe('the explorer', () => {
  it('starts at the integrations', async () => {
    const organization = await core.organization();
    const roots = () => organization.as('VIEWER').get<Page<IntegrationNode>>('integrations/explore/');
    expect((await roots()).body).toMatchObject({ count: 0, results: [] });

    for (const { path, body } of PROVIDERS) await integration(organization, path, body);

    expect((await roots()).body.results.map(({ fqn, node_type: type }) => [fqn, type])).toEqual(
      PROVIDERS.map(({ fqn }) => [fqn, 'directory']).sort(),
    );
  });

  it.each`
    fqn                              | status | code                  | text
    ${'ftp://host/file'}             | ${404} | ${'unknown_provider'} | ${'provider'}
    ${'no place at all'}             | ${404} | ${'unknown_provider'} | ${'provider'}
    ${'github://org/repo/main/file'} | ${404} | ${'no_integration'}   | ${'`github://org/repo/main/file`'}
    ${'aws://123456789012/strata/x'} | ${403} | ${'no_cloud_access'}  | ${'no AWS credentials'}
  `('returns $status $code at $fqn', async ({ fqn, status, code, text }) => {
    const organization = await core.organization();
    await integration(organization);

    const response = await organization.owner.get(`integrations/explore/?fqn=${encodeURIComponent(fqn)}`);

    expect(response).toMatchObject({ status, body: { detail: expect.stringContaining(text) } });
    expect(response.headers['x-error-code']).toBe(code);
  });
});

describe('the list of all integrations', () => {
  const listNames = async (client: RawClient, query = '') => {
    const { status, body, text } = await client.get<Page<Integration>>(`integrations/${query}`);
    if (status !== 200) throw new Error(text);
    return body.results.map(({ name }) => name);
  };

  it('contains those of each provider, as the lists of the providers have them, by name', async () => {
    const organization = await core.organization();
    for (const { path, body } of PROVIDERS) await integration(organization, path, body);

    const { body } = await organization.as('VIEWER').get<Page<Integration>>('integrations/');

    expect(body.results.map(({ name }) => name)).toEqual(PROVIDERS.map(({ name }) => name).sort());
    for (const { path } of PROVIDERS) {
      const [own] = (await organization.owner.get<Page<Integration>>(`integrations/${path}/`)).body.results;
      expect(body.results).toContainEqual(own);
      expect(own?.url).toContain(`/integrations/${path}/`);
    }
  });

  it('has pages and filters', async () => {
    const organization = await core.organization();
    for (const { path, body } of PROVIDERS) await integration(organization, path, body);
    const { owner } = organization;
    const [aws] = (await owner.get<Page<Integration>>('integrations/aws/')).body.results;
    await query(core, `update integration set tested_at = now(), test_error = 'Denied.' where id = $1`, [aws?.id]);
    const names = await listNames(owner);

    expect(await listNames(owner, '?provider=github')).toEqual(['installation-7']);
    expect(await listNames(owner, '?name__icontains=SHOP')).toEqual(['shop-production']);
    expect(await listNames(owner, `?name=${encodeURIComponent(aws?.name ?? '')}`)).toEqual([aws?.name]);
    expect(await listNames(owner, '?status=errored')).toEqual([aws?.name]);
    expect(await listNames(owner, '?status=unknown')).toEqual(names.filter((name) => name !== aws?.name));
    expect(await listNames(owner, '?status=connected')).toEqual([]);
    expect(await listNames(owner, '?page_size=3&page=2')).toEqual(names.slice(3));
    expect((await owner.get('integrations/?provider=unknown')).status).toBe(400);
  });

  it('contains only those of the organization', async () => {
    const [mine, theirs] = [await core.organization(), await core.organization()];
    await integration(theirs);

    expect(await listNames(mine.owner)).toEqual([]);
  });
});
