import type { Page, Push } from '@strata/contract';
import { sharedCore } from '@strata/testkit';
import { AWS, createIntegrationFixture, integration, tag } from '../../testing/integrations.ts';

const core = await sharedCore();

/** A push of the parameter `HOST` to `/{{ parameter }}`, and a function that creates another one. */
async function pushedShop() {
  const shop = await createIntegrationFixture(core);
  await shop.organization.owner.patch(shop.aws.url, { writable: true });
  await shop.organization.parameter({ project: shop.project, name: 'HOST' });
  const first = (await shop.push({ name: 'first' })).body as Push;
  const pushAgain = (input: object = {}) => shop.push({ name: 'second', ...input });
  return { ...shop, first, pushAgain };
}

const OVERLAP = {
  status: 400,
  body: { resource: [expect.stringMatching(/^The push first writes the key \/HOST, too\./)] },
};

describe('a push that can write a key of another push', () => {
  it('is rejected when it is created (E99), and the error names the push and the key', async () => {
    const { organization, aws, pushAgain } = await pushedShop();

    const rejected = await pushAgain();

    expect(rejected).toMatchObject(OVERLAP);
    expect(rejected.headers['x-error-code']).toBe('push_overlaps');
    expect((await organization.owner.get<Page<Push>>(`${aws.url}pushes/`)).body.count).toBe(1);
  });

  it('is rejected when it is changed, and keeps its resource', async () => {
    const { organization, pushAgain } = await pushedShop();
    const second = (await pushAgain({ resource: '/own/{{ parameter }}' })).body as Push;

    expect(await organization.owner.patch(second.url, { resource: '/{{ parameter }}' })).toMatchObject(OVERLAP);

    expect((await organization.owner.get<Push>(second.url)).body.resource).toBe('/own/{{ parameter }}');
    expect(await organization.owner.patch(second.url, { description: 'ours' })).toMatchObject({ status: 200 });
  });

  it('can be changed as before if the overlap is older than the change', async () => {
    const { organization, aws, first, push, pushAgain } = await pushedShop();
    await organization.owner.patch(aws.url, { writable: false });
    const second = (await pushAgain()).body as Push;
    await push({ name: 'third', resource: '/own/{{ parameter }}' });
    await organization.owner.patch(aws.url, { writable: true });

    for (const change of [{ description: 'ours' }, { force: true }, { name: 'renamed' }])
      expect(await organization.owner.patch(second.url, change)).toMatchObject({ status: 200 });
    expect(await organization.owner.patch(first.url, { resource: '/own/{{ parameter }}' })).toMatchObject({
      status: 400,
      body: { resource: [expect.stringMatching(/^The push third writes the key \/own\/HOST, too\./)] },
    });
  });

  it('cannot write if it only plans', async () => {
    const { organization, pushAgain } = await pushedShop();
    const { url } = (await pushAgain({ dry_run: true })).body as Push;

    const rejected = await organization.owner.post(`${url}run/`, { dry_run: false });

    expect(rejected).toMatchObject({ status: 400, body: { dry_run: [expect.stringContaining('only plans')] } });
    expect(rejected.headers['x-error-code']).toBe('push_only_plans');
    for (const input of [{}, { dry_run: true }])
      expect(await organization.owner.post(`${url}run/`, input)).toMatchObject({
        status: 202,
        body: { dry_run: true },
      });
  });

  it('is accepted by an integration that is not writable', async () => {
    const { organization, aws, pushAgain } = await pushedShop();
    await organization.owner.patch(aws.url, { writable: false });

    expect(await pushAgain()).toMatchObject({ status: 201 });
  });

  it('is rejected with another integration of the same account, and with an inherited parameter', async () => {
    const { organization, project, environment, push } = await pushedShop();
    const role = await integration(organization, 'aws', { ...AWS, aws_role_name: 'second', writable: true });
    const heir = await organization.project({ name: 'heir', depends_on: project.url });
    const secondTag = await tag(organization, environment, 'other');
    const input = { name: 'second', projects: [heir.url], tags: [secondTag.url] };
    const createWithRole = (more: object) =>
      organization.owner.post(`${role.url}pushes/`, {
        ...{ region: 'eu-central-1', service: 'ssm', resource: '/{{ parameter }}' },
        ...{ ...input, ...more },
      });

    expect(await createWithRole({})).toMatchObject(OVERLAP);
    expect(await push({ ...input, resource: '/{{ project }}/{{ parameter }}' })).toMatchObject({ status: 201 });
    expect(await createWithRole({ local: true })).toMatchObject({ status: 201 });
  });

  it.each`
    difference                    | input
    ${'only plans'}               | ${{ dry_run: true }}
    ${'leaves out the parameter'} | ${{ include_parameters: false, include_secrets: true }}
    ${'has another region'}       | ${{ region: 'us-east-1' }}
    ${'has another service'}      | ${{ service: 'secretsmanager' }}
  `('is accepted if it $difference', async ({ input }) => {
    const { pushAgain } = await pushedShop();

    expect(await pushAgain(input)).toMatchObject({ status: 201 });
  });
});
