import type { DestinationCreated, Explanation, Integration, Page, Plan, Push, PushRunPlan } from '@strata/contract';
import { createGrant, createMember } from '../../../testing/members.ts';
import { type FinishedPush, type PushedShop, setUpAws } from '../../../testing/push-fixture.ts';
import { waitUntil } from '../../../testing/until.ts';

const { at, suite, standIn } = await setUpAws();

const failWrites = () =>
  at.aws.interfere(({ operation }) =>
    operation === 'CreateSecret' ? { kind: 'error', code: 'InternalServiceError', status: 500 } : null,
  );
const readIntegration = async ({ organization, integration }: PushedShop) =>
  (await organization.owner.get<Integration>(integration.url)).body;
const explained = async (
  { project }: PushedShop,
  client: PushedShop['organization']['owner'],
  query = '',
): Promise<Explanation | undefined> => {
  const url = `${project.url}explain/?environment=production&name=A${query}`;
  return (await client.get<Page<Explanation>>(url)).body.results[0];
};

suite(`the state of a push (${standIn})`, () => {
  it('is the status of its integration: errored with the reason, connected', async () => {
    const shop = await at.shop({ A: 'ours' });
    at.aws.interfere(({ operation }) =>
      operation === 'AssumeRole' ? { kind: 'error', code: 'AccessDenied', status: 403 } : null,
    );
    const push = await shop.push();
    expect(await readIntegration(shop)).toMatchObject({
      status: 'errored',
      status_detail: expect.stringContaining('AccessDenied'),
      status_last_checked_at: expect.any(String),
    });
    at.aws.interfere(() => null);
    await push.run();

    expect(await readIntegration(shop)).toMatchObject({ status: 'connected', status_detail: '' });
    const { body } = await shop.organization.owner.get<Page<Integration>>('integrations/aws/');
    expect(body.results.map(({ status }) => status)).toEqual(['connected']);
  });

  it('has the time of the next attempt, which is null after the run has ended', async () => {
    const shop = await at.shop({ A: 'ours' });
    failWrites();
    const push = await shop.startPush();
    await push.untilKeys((rows) => rows[0]?.state === 'failed');
    const waiting = await waitUntil(
      () => push.latest(),
      ({ state, error_code: code }) => state === 'queued' && code !== null,
    );
    expect(waiting.next_attempt_at).toEqual(expect.any(String));
    at.aws.interfere(() => null);

    expect(await push.ended()).toMatchObject({ state: 'success', next_attempt_at: null });
  });

  it('is part of the explanation of a name that has a value at the tag only', async () => {
    const shop = await at.shop({ A: 'ours' });
    await shop.push();
    const { owner } = shop.organization;
    const values = await owner.get<Page<{ url: string }>>(`${shop.parameter('A').url}values/`);
    for (const { url } of values.body.results) await owner.delete(url);

    const explanation = await explained(shop, owner);
    expect(explanation).toMatchObject({
      winner: null,
      pushed_to: [expect.objectContaining({ state: 'in_sync' })],
      pushed_to_count: 1,
    });
  });

  it('still waits for approval after a dry run', async () => {
    const shop = await at.shop({ A: 'ours' });
    const push = await shop.push({}, '?plan_first=true');
    const { owner } = shop.organization;
    const stopped = await push.latest();
    await owner.post(`${push.push.url}run/`, { dry_run: true });
    expect(await push.ended()).toMatchObject({ state: 'success', dry_run: true });

    const { body: plan } = await owner.get<PushRunPlan>(`${push.push.url}plan/`);
    expect(plan.waits_for_approval).toBe(true);
    const { body } = await owner.get<Push>(push.push.url);
    expect(body.latest_result).toEqual(stopped);
    await owner.post(`${push.push.url}run/`, { plan_hash: plan.hash });
    expect(await push.ended()).toEqual((await owner.get<Push>(push.push.url)).body.latest_result);
  });

  it('is part of the explanation of the value, for callers who can access its scopes', async () => {
    const shop = await at.shop({ A: 'ours' });
    const { organization, project, integration } = shop;
    const web = await organization.project({ name: 'web', depends_on: project.url });
    const resource = '/{{ project }}/{{ parameter }}';
    const push = await shop.push({ projects: [project.url, web.url], resource });
    await shop.writeElsewhere('/shop/A', 'theirs');
    await push.run();

    expect((await explained(shop, organization.owner))?.pushed_to).toEqual([
      expect.objectContaining({
        push_id: push.push.id,
        integration_id: integration.id,
        provider: 'aws',
        key: '/shop/A',
        state: 'drifted',
        reason: 'changed_elsewhere',
        tag_name: push.tag.name,
        written_at: expect.any(String),
      }),
    ]);
    expect((await explained(shop, organization.owner, `&as_of=${new Date().toISOString()}`))?.pushed_to).toBeNull();
    const reader = await createMember(at.core, organization, 'VIEWER');
    const url = `${web.url}explain/?environment=production&name=A`;
    const keys = async (client: typeof reader.client) => {
      const { body, status, text } = await client.get<Page<Explanation>>(url);
      if (status !== 200) throw new Error(text);
      return body.results[0]?.pushed_to?.map(({ key, state }) => `${key} ${state}`);
    };
    expect(await keys(reader.client)).toEqual(['/web/A in_sync']);
    for (const scope of [project, web]) await organization.owner.patch(scope.url, { access_controlled: true });
    await createGrant(organization, reader.url, web.url, 'VIEWER');
    expect(await keys(reader.client)).toEqual([]);
    expect(await keys(organization.owner)).toEqual(['/web/A in_sync']);
  });
});

suite(`a plan of changes (${standIn})`, () => {
  const plan = async ({ organization }: PushedShop, operations: readonly object[]) => {
    const { status, body, text } = await organization.owner.post<Plan>('changesets/plan/', { operations });
    if (status !== 200 || body.refusals.length > 0) throw new Error(text);
    return body;
  };
  const moveTag = ({ tag }: FinishedPush) => ({
    operation: 'environments_tags_partial_update',
    path: { environment_pk: tag.url.split('/').at(-4), id: tag.id },
    body: { timestamp: new Date().toISOString() },
  });
  const setValue = { set: { values: { A: 'new' }, project: 'shop', environment: 'production' } };

  it('lists the pushes that run, because their tags move, and starts none', async () => {
    const shop = await at.shop({ A: 'ours' });
    const push = await shop.push();
    const before = await push.latest();

    const moved = await plan(shop, [moveTag(push)]);

    expect([moved.totals.pushes, moved.pushes]).toEqual([
      1,
      [
        {
          id: push.push.id,
          name: push.push.name,
          integration_id: shop.integration.id,
          integration_name: shop.integration.name,
          provider: 'aws',
        },
      ],
    ]);
    expect((await push.latest()).id).toBe(before.id);
  });

  it('lists the destinations whose filter selects one of the changes', async () => {
    const shop = await at.shop({ A: 'ours' });
    const { owner } = shop.organization;
    const destination = async (name: string, filter: object) =>
      (
        await owner.post<DestinationCreated>('destinations/', {
          name,
          type: 'http',
          address: 'https://hooks.example.com/strata',
          event_types: ['value_updated'],
          ...filter,
        })
      ).body;
    const all = await destination('all', {});
    await destination('others', { parameter_names: ['B*'] });
    await destination('projects', { event_types: ['project_updated'] });

    const planned = await plan(shop, [setValue]);

    expect([planned.totals.destinations, planned.destinations]).toEqual([
      1,
      [{ id: all.id, name: 'all', type: 'http' }],
    ]);
    expect(planned.pushes).toEqual([]);
    await owner.patch(shop.project.url, { access_controlled: true });
    expect((await plan(shop, [setValue])).destinations).toEqual([]);
  });
});
