import type { Integration, IntegrationTask, Page, Pull, Push, TaskStep } from '@strata/contract';
import { RESOURCE, readPulledValue, runPull } from '../../testing/pattern-pulls.ts';
import { FinishedPush, type PushedShop, setUpAws } from '../../testing/push-fixture.ts';
import { waitUntil } from '../../testing/until.ts';

const { at, suite, standIn } = await setUpAws();

/** Members that a client writes with zero values, because its type has them for requests and responses. */
const ZERO = { url: '', id: '', created_at: '' };
const ENDED: readonly string[] = ['success', 'failure', 'skipped'];

const readTasks = async ({ organization: { owner } }: PushedShop, url: string) =>
  (await owner.get<Page<IntegrationTask>>(`${url}tasks/?page=1&page_size=100`)).body.results;
const readSteps = async ({ organization: { owner } }: PushedShop, { url }: IntegrationTask) =>
  (await owner.get<Page<TaskStep>>(`${url}steps/?page=1&page_size=100`)).body.results;

suite(`the command-line client of the earlier service (${standIn})`, () => {
  it('creates, changes, runs and deletes an import', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    await shop.writeElsewhere('/production/payments/HOST', 'text');
    const location = { region: 'eu-central-1', service: 'secretsmanager' };
    const pulls = `${shop.integration.url}pulls/`;
    const created = await owner.post<Pull>(pulls, {
      ...{ ...ZERO, name: 'import', ...location, resource: `/none${RESOURCE}`, mapped_values: [] },
    });
    expect(created).toMatchObject({ status: 201, body: { mode: 'pattern', mapped_values: [], ...location } });

    // The client does not know the region and the service, and sends others.
    const changed = await owner.put<Pull>(created.body.url, {
      ...{ ...ZERO, name: 'import', description: 'd', resource: RESOURCE, mapped_values: [] },
      ...{ region: 'af-south-1', service: 's3' },
    });

    expect(changed).toMatchObject({ status: 200, body: { description: 'd', resource: RESOURCE, ...location } });
    const { task, steps } = await runPull(owner, changed.body);
    expect([task, steps]).toMatchObject([{ state: 'success' }, [{ operation: 'create', success: true }]]);
    expect(await readPulledValue(shop, 'production', 'payments', 'HOST')).toMatchObject({ text: 'text' });
    expect(await readTasks(shop, created.body.url)).toMatchObject([{ id: task.id }]);
    expect(await owner.delete(created.body.url)).toMatchObject({ status: 204 });
  });

  it('creates, changes, runs and deletes a push, which stops at keys of others', async () => {
    const shop = await at.shop({ HOST: 'ours', PORT: '80' });
    const { owner } = shop.organization;
    await shop.writeElsewhere('/out/shop/PORT', 'theirs');
    const tag = await shop.tag();
    const body = {
      ...{ ...ZERO, name: 'push', projects: [shop.project.url], tags: [tag.url] },
      ...{ region: 'eu-central-1', service: 'secretsmanager', resource: '/in/{{ project }}/{{ parameter }}' },
      ...{ include_parameters: true, include_secrets: true, include_templates: false, force: true, local: false },
    };
    const { body: created, status } = await owner.post<Push>(`${shop.integration.url}pushes/`, body);
    expect(status).toBe(201);
    const push = new FinishedPush(shop.organization, created, tag);
    expect(await push.ended()).toMatchObject({ state: 'success' });
    const { region: _region, service: _service, ...update } = body;
    const resource = '/out/{{ project }}/{{ parameter }}';
    expect(await owner.put(created.url, { ...update, resource })).toMatchObject({ status: 200 });

    expect(await push.ended()).toMatchObject({ state: 'failure', error_code: 'foreign_keys' });

    const [latest] = await readTasks(shop, created.url);
    const steps = await readSteps(shop, latest as IntegrationTask);
    const foreign = steps.filter(({ error_code }) => error_code === 'key_foreign');
    expect(foreign).toMatchObject([{ success: false, fqn: expect.stringContaining('/out/shop/PORT') }]);
    expect(await shop.texts()).toMatchObject({ '/out/shop/HOST': 'ours', '/out/shop/PORT': 'theirs' });
    // The client sends the complete push, whose members have no effect.
    at.aws.clear();
    expect(await owner.post(`${created.url}sync/`, { ...created, ...ZERO, force: true })).toMatchObject({
      status: 202,
    });
    await waitUntil(
      () => readTasks(shop, created.url),
      (tasks) => tasks.length === 3 && tasks.every(({ state }) => ENDED.includes(state)),
    );
    expect(at.aws.calls().filter(({ operation }) => /^(Create|Put|Update|Delete)/.test(operation))).toEqual([]);
    expect(await owner.delete(created.url)).toMatchObject({ status: 204 });
  });
});

suite(`the Terraform provider of the earlier service (${standIn})`, () => {
  it('finds an integration by account and role', async () => {
    const { integration, organization } = await at.shop({});
    const query = `aws_account_id=${integration.aws_account_id}&aws_role_name=strata`;

    const { body } = await organization.owner.get<Page<Integration>>(`integrations/aws/?${query}`);

    expect(body).toMatchObject({ count: 1, results: [{ id: integration.id }] });
  });

  it('creates a push with links of the earlier service, and changes it', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    const { owner } = shop.organization;
    const tag = await shop.tag();
    const { body: created, status } = await owner.post<Push>(`${shop.integration.url}pushes/`, {
      ...{ name: 'push', description: 'd', region: 'eu-central-1', service: 'secretsmanager', resource: RESOURCE },
      ...{ include_parameters: true, include_secrets: false, include_templates: true, coerce_parameters: true },
      ...{ force: true, local: true, dry_run: true, tags: [tag.url] },
      projects: [`https://api.earlier.example/api/v1/projects/${shop.project.id}/`],
    });
    expect(status).toBe(201);
    const push = new FinishedPush(shop.organization, created, tag);
    expect(await push.ended()).toMatchObject({ state: 'success', dry_run: true });
    expect(await shop.texts()).toEqual({});

    const resource = `/prefix${RESOURCE}`;
    const off = { include_parameters: false, include_templates: false, coerce_parameters: false, force: false };
    const changed = await owner.patch<Push>(created.url, {
      ...{ ...off, resource, include_secrets: true, local: false, dry_run: false },
    });

    expect(changed).toMatchObject({ status: 200, body: { ...off, resource, projects: [shop.project.url] } });
    expect(await push.ended()).toMatchObject({ state: 'success', dry_run: false });
    expect(await shop.texts()).toEqual({ '/prefix/production/shop/HOST': 'ours' });
  });

  it('recognizes the error about a push that includes nothing', async () => {
    const shop = await at.shop({});
    const nothing = { include_parameters: false, include_secrets: false, include_templates: false };
    const { status, text } = await shop.organization.owner.post(`${shop.integration.url}pushes/`, {
      ...{ name: 'push', region: 'eu-central-1', service: 'secretsmanager', resource: RESOURCE, ...nothing },
      ...{ projects: [shop.project.url], tags: [(await shop.tag()).url] },
    });

    expect(status).toBe(400);
    expect(text).toMatch(/one of `include_parameters`, `include_secrets`, or `include_templates` must be true/);
  });
});
