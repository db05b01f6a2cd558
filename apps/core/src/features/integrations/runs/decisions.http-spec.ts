import type { Page, PushKey, PushRunPlan, TaskStep } from '@strata/contract';
import { createPerson } from '../../../testing/people.ts';
import { setUpAws } from '../../../testing/push-fixture.ts';

const { at, suite, standIn } = await setUpAws();

const decide = (key: PushKey | undefined, action: string) => ({ key: key?.key, version: key?.version, action });

suite(`the keys of a push (${standIn})`, () => {
  it('have a state, a reason and the value that they come from', async () => {
    const shop = await at.shop({ A: 'ours', B: 'ours', C: 'ours' });
    await shop.writeElsewhere('/shop/C', 'theirs');
    const push = await shop.push();
    await shop.writeElsewhere('/shop/B', 'theirs');
    await push.run();

    expect(await push.states()).toEqual([
      '/shop/A in_sync none equal',
      '/shop/B drifted none changed_elsewhere',
      '/shop/C foreign none not_written_by_strata',
    ]);
    const [first, , foreign] = await push.keys();
    expect(first).toMatchObject({
      project: shop.project.url,
      project_name: 'shop',
      environment_name: 'production',
      parameter: shop.parameter('A').url,
      parameter_name: 'A',
      written_at: expect.any(String),
      detail: null,
      decisions: [],
    });
    expect(foreign).toMatchObject({ written_at: null, decisions: ['overwrite', 'leave'], parameter_name: 'C' });
    expect((await push.keys('?state=drifted')).map(({ key }) => key)).toEqual(['/shop/B']);
    expect((await push.keys('?pending=true')).map(({ key }) => key)).toEqual(['/shop/B', '/shop/C']);
    const { body } = await shop.organization.owner.get<Page<PushKey>>(`${push.push.url}keys/?after=start&page_size=2`);
    expect(body.results).toHaveLength(2);
    expect((await shop.organization.owner.get<Page<PushKey>>(body.next ?? '')).body).toMatchObject({
      results: [{ key: '/shop/C' }],
      next: null,
    });
  });

  it('say when the push tries again', async () => {
    const shop = await at.shop({ A: 'ours' });
    at.aws.interfere(({ operation }) =>
      operation === 'CreateSecret' ? { kind: 'error', code: 'InternalServiceError', status: 500 } : null,
    );
    const push = await shop.startPush();
    const shown = await push.untilKeys((rows) => rows[0]?.state === 'failed');
    expect(shown[0]).toMatchObject({
      state: 'failed',
      action: 'create',
      detail: expect.stringContaining('InternalServiceError'),
      next_attempt_at: expect.any(String),
    });
  });
});

suite(`a push that plans first (${standIn})`, () => {
  it('writes nothing before its plan is approved, and then exactly what the plan shows', async () => {
    const shop = await at.shop({ A: 'one', B: 'two' });

    const push = await shop.push({}, '?plan_first=true');

    expect(await push.latest()).toMatchObject({ state: 'skipped', error_code: 'approval_required', dry_run: false });
    expect(await shop.texts()).toEqual({});
    const first = await push.plan();
    expect(first).toMatchObject({ waits_for_approval: true, creates: 2, updates: 0, deletes: 0, hidden: 0 });
    expect(await push.runWith({ plan_hash: first.hash })).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/A': 'one', '/shop/B': 'two' });
    expect(await push.plan()).toMatchObject({ waits_for_approval: false, creates: 0, in_sync: 2 });
  });

  it('updates its keys by itself later, and stops before a deletion', async () => {
    const shop = await at.shop({ A: 'one', B: 'two' });
    const push = await shop.push({}, '?plan_first=true');
    await push.runWith({ plan_hash: (await push.plan()).hash });
    await shop.set('A', 'new');
    expect(await push.move()).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/A': 'new', '/shop/B': 'two' });

    await shop.remove('B');

    expect(await push.move()).toMatchObject({ state: 'skipped', error_code: 'approval_required' });
    expect(await push.states()).toContain('/shop/B pending delete unused');
    const { hash } = await push.plan();
    expect(await push.runWith({ plan_hash: hash })).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/A': 'new' });
  });

  it('stops with a new plan if the store has changed since the plan was approved', async () => {
    const shop = await at.shop({ A: 'ours', B: 'ours' });
    const push = await shop.push({}, '?plan_first=true');
    const { hash } = await push.plan();
    await shop.writeElsewhere('/shop/A', 'theirs');

    expect(await push.runWith({ plan_hash: hash })).toMatchObject({ state: 'skipped', error_code: 'plan_changed' });

    expect(await shop.texts()).toEqual({ '/shop/A': 'theirs' });
    const changed = await push.plan();
    expect(changed).toMatchObject({ waits_for_approval: true, creates: 1, foreign: 1 });
    expect(changed.hash).not.toBe(hash);
  });

  it('finishes an approved plan after a temporary error', async () => {
    const shop = await at.shop({ A: 'one', B: 'two' });
    const push = await shop.push({}, '?plan_first=true');
    let creations = 0;
    at.aws.interfere(({ operation }) => {
      creations += operation === 'CreateSecret' ? 1 : 0;
      const isFault = operation === 'CreateSecret' && creations > 1 && creations < 6;
      return isFault ? { kind: 'error', code: 'InternalServiceError', status: 500 } : null;
    });

    expect(await push.runWith({ plan_hash: (await push.plan()).hash })).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/A': 'one', '/shop/B': 'two' });
  });
});

suite(`decisions about keys (${standIn})`, () => {
  it('take over a foreign key, delete a drifted one and leave another, in one run only', async () => {
    const shop = await at.shop({ A: 'ours', B: 'ours', C: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    const push = await shop.push();
    await shop.writeElsewhere('/shop/B', 'theirs');
    await shop.writeElsewhere('/shop/C', 'theirs');
    await shop.remove('C');
    await push.move();
    const [a, b, c] = await push.keys();
    expect([a?.decisions, b?.decisions, c?.decisions]).toEqual([
      ['overwrite', 'leave'],
      ['overwrite', 'leave'],
      ['delete', 'leave'],
    ]);

    const decisions = [decide(a, 'overwrite'), decide(b, 'leave'), decide(c, 'delete')];
    expect(await push.runWith({ decisions })).toMatchObject({ state: 'success' });

    expect(await shop.texts()).toEqual({ '/shop/A': 'ours', '/shop/B': 'theirs' });
    expect(await push.run()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });
  });

  it('are rejected for keys that are not listed, and for other versions of a key', async () => {
    const shop = await at.shop({ A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    const push = await shop.push();
    const [key] = await push.keys();

    const answer = await shop.organization.owner.post(`${push.push.url}run/`, {
      decisions: [
        { ...decide(key, 'overwrite'), version: 'another' },
        { key: '/shop/NONE', action: 'leave', version: null },
      ],
    });

    expect(answer.status).toBe(400);
    expect(answer.headers['x-error-code']).toBe('unknown_push_key');
    expect(answer.text).toContain('/shop/NONE');
    expect(await shop.texts()).toEqual({ '/shop/A': 'theirs' });
  });

  it('have no effect on a version that is newer than the listed one', async () => {
    const shop = await at.shop({ A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    const push = await shop.push();
    const [key] = await push.keys();
    await shop.writeElsewhere('/shop/A', 'theirs, changed');

    const task = await push.runWith({ decisions: [decide(key, 'overwrite')] });

    expect(task).toMatchObject({ state: 'failure', error_code: 'foreign_keys' });
    expect(await shop.texts()).toEqual({ '/shop/A': 'theirs, changed' });
  });

  it('with a dry run write nothing, and list what they would do', async () => {
    const shop = await at.shop({ A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    const push = await shop.push();
    const [key] = await push.keys();

    expect(await push.runWith({ dry_run: true, decisions: [decide(key, 'overwrite')] })).toMatchObject({
      state: 'success',
      dry_run: true,
    });
    expect(await push.states()).toEqual(['/shop/A pending take_over decided']);
    expect(await shop.texts()).toEqual({ '/shop/A': 'theirs' });
  });
});

suite(`access to the keys of a push (${standIn})`, () => {
  it('hides keys of forbidden projects and environments, and their names', async () => {
    const shop = await at.shop({ OPEN: 'ours' });
    const { organization } = shop;
    const hidden = await organization.project({ name: 'confidential' });
    const parameter = await organization.parameter({ project: hidden, name: 'HUSH', secret: true });
    const environment = await organization.environmentNamed('production');
    await organization.value({ parameter, environment, internal_value: 'text' });
    const push = await shop.push({
      projects: [shop.project.url, hidden.url],
      resource: '/{{ project }}/{{ parameter }}',
    });
    expect(await push.keys()).toHaveLength(2);
    const { client } = await createPerson(at.core, organization.id, 'CONTRIB');
    const granted = await organization.owner.post('grants/', {
      principal: (await organization.owner.get<{ url: string }>('users/current/')).body.url,
      scope: hidden.url,
      role: 'OWNER',
    });
    expect(granted.status).toBe(201);

    const list = await client.get<Page<PushKey>>(`${push.push.url}keys/`);
    const counts = await client.get<PushRunPlan>(`${push.push.url}plan/`);

    expect(list.body.results.map(({ key }) => key)).toEqual(['/shop/OPEN']);
    expect(counts.body).toMatchObject({ hidden: 1, in_sync: 2 });
    const task = await push.latest();
    const steps = await client.get<Page<TaskStep>>(`${task.url}steps/`);
    const ofEnvironment = await client.get<Page<TaskStep>>(`${environment.url}pushes/`);
    expect(await push.steps()).toHaveLength(2);
    expect([steps.body.count, ofEnvironment.body.count]).toEqual([1, 1]);
    const all = await organization.owner.get<Page<TaskStep>>(`${task.url}steps/`);
    const hiddenStep = all.body.results.find(({ parameter_name: name }) => name === 'HUSH');
    expect((await client.get(hiddenStep?.url ?? '')).status).toBe(404);
    for (const { text } of [list, counts, steps, ofEnvironment]) expect(text).not.toMatch(/confidential|HUSH/);
  });

  it('requires the organization, the right to manage integrations, and the right to reveal secrets', async () => {
    const shop = await at.shop({ A: 'ours' });
    const push = await shop.push();
    const { url } = push.push;
    const stranger = (await at.core.organization()).owner;
    for (const path of ['keys/', 'plan/', 'policy/'])
      expect([path, (await stranger.get(`${url}${path}`)).status]).toEqual([path, 404]);
    expect((await stranger.post(`${url}run/`, {})).status).toBe(404);
    expect((await stranger.patch(`${url}policy/`, { plan_first: true })).status).toBe(404);
    const viewer = shop.organization.as('VIEWER');
    expect((await viewer.get(`${url}keys/`)).status).toBe(200);
    expect((await viewer.post(`${url}run/`, {})).status).toBe(403);
    expect((await viewer.patch(`${url}policy/`, { plan_first: true })).status).toBe(403);
    const { client, membershipId } = await createPerson(at.core, shop.organization.id, 'ADMIN');
    await shop.organization.owner.patch(`memberships/${membershipId}/`, { reveals_secrets: false });
    expect((await client.post(`${url}run/`, {})).status).toBe(403);
    expect((await client.patch(`${url}policy/`, { drift: 'overwrite' })).status).toBe(403);
  });
});

suite(`the policy of a push (${standIn})`, () => {
  it('decides what happens to drift', async () => {
    const shop = await at.shop({ A: 'ours' });
    const push = await shop.push();
    const { owner } = shop.organization;
    expect((await owner.get(`${push.push.url}policy/`)).body).toEqual({ plan_first: false, drift: 'report' });

    expect((await owner.patch(`${push.push.url}policy/`, { drift: 'overwrite' })).body).toEqual({
      plan_first: false,
      drift: 'overwrite',
    });

    await shop.writeElsewhere('/shop/A', 'theirs');
    expect(await push.run()).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/A': 'ours' });
    await owner.patch(`${push.push.url}policy/`, { plan_first: true });
    await shop.writeElsewhere('/shop/A', 'theirs');
    expect(await push.run()).toMatchObject({ state: 'skipped', error_code: 'approval_required' });
    expect(await shop.texts()).toEqual({ '/shop/A': 'theirs' });
  });
});
