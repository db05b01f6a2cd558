import { type RunningCore, sharedCore } from '@strata/testkit';
import { createExplainFixture, explain, readRevision, requestExplanations } from '../../testing/explain.ts';
import { createGrant, createMember } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

it('explain reports why a name does not exist, and similar names', async () => {
  const { organization, base, web } = await createExplainFixture(core);
  const { owner } = organization;
  const otherProject = await organization.project({ name: 'elsewhere' });
  await organization.parameter({ project: otherProject, name: 'only_there' });
  const closed = await organization.project({ name: 'closed' });
  await organization.parameter({ project: closed, name: 'behind_the_door' });
  await owner.patch(closed.url, { access_controlled: true });
  await organization.parameter({ project: web, name: 'LOG_LEVEL' });
  const deletedParameter = await organization.parameter({ project: base, name: 'gone' });
  await owner.delete(deletedParameter.url);
  const goneAt = await readRevision(organization);
  const renamed = await organization.parameter({ project: web, name: 'before' });
  await owner.patch(renamed.url, { name: 'after' });
  const lost = await organization.parameter({ project: web, name: 'first' });
  await owner.patch(lost.url, { name: 'second' });
  const lostAt = await readRevision(organization);
  await owner.delete(lost.url);
  await owner.patch(web.url, { parameter_name_pattern: '[A-Za-z_]+$' });
  const reader = organization.as('VIEWER');
  const reasonFor = async (name: string) => (await explain(reader, web, `environment=production&name=${name}`)).reason;

  expect(await reasonFor('LOGLEVEL')).toMatchObject({ code: 'never_made', nearest_names: ['LOG_LEVEL'] });
  expect(await reasonFor('log_level')).toMatchObject({ nearest_names: ['LOG_LEVEL'] });
  expect(await reasonFor('LOG_LEVEL')).toMatchObject({ code: 'unset', nearest_names: [] });
  expect(await reasonFor('only_there')).toMatchObject({
    code: 'other_project',
    other_projects: [{ project_id: otherProject.id, project_name: 'elsewhere' }],
  });
  expect(await reasonFor('behind_the_door')).toMatchObject({ code: 'never_made', other_projects: [] });
  expect(await reasonFor('gone')).toMatchObject({ code: 'deleted', revision: goneAt, renamed_to: null });
  expect((await reasonFor('gone'))?.actor_name).toEqual(expect.any(String));
  expect(await reasonFor('before')).toMatchObject({ code: 'renamed', renamed_to: 'after', nearest_names: [] });
  expect(await reasonFor('first')).toMatchObject({ code: 'renamed', renamed_to: 'second', revision: lostAt });
  expect(await reasonFor('not-allowed-9')).toMatchObject({ code: 'name_pattern' });
  const inFull = await explain(owner, web, 'name=behind_the_door');
  expect(inFull.reason).toMatchObject({ code: 'other_project', other_projects: [{ project_name: 'closed' }] });
});

it('explain shows that a forbidden scope exists, and only the effective text of its value', async () => {
  const { organization, base, web, root, production, canary } = await createExplainFixture(core);
  const { owner } = organization;
  const parameter = await organization.parameter({ project: base, name: 'port' });
  await organization.value({ parameter, environment: production, internal_value: 'applies' });
  await organization.value({ parameter, environment: root, internal_value: 'hidden-text' });
  const hiddenOne = await organization.parameter({ project: base, name: 'hidden-parameter' });
  await organization.value({
    parameter: hiddenOne,
    environment: root,
    internal_value: 'x{{ port }}',
    interpolated: true,
  });
  await organization.owner.post(`${base.url}templates/`, { name: 'hidden-template', body: '{{ port }}' });
  const spy = await organization.parameter({ project: web, name: 'spy' });
  await organization.value({
    parameter: spy,
    internal_value: '{{ strata.projects.base.parameters.port }}',
    interpolated: true,
  });
  const { url, client } = await createMember(core, organization, 'VIEWER');
  for (const scope of [base.url, web.url]) await owner.patch(scope, { access_controlled: true });
  await createGrant(organization, url, web.url, 'VIEWER');
  for (const environment of [production, root]) await owner.patch(environment.url, { access_controlled: true });

  const explanation = await explain(client, web, 'environment=canary&name=port');
  const explained = await explain(client, web, 'environment=canary&name=spy');
  const whole = await explain(owner, web, 'environment=canary&name=port');

  expect(explanation.winner).toMatchObject({ value: 'applies', environment_name: 'production', project_name: 'base' });
  expect(explanation.candidates?.map(({ state, wins }) => (wins ? 'wins' : state))).toEqual([
    'unset',
    'closed',
    'closed',
    'wins',
    'closed',
    'closed',
  ]);
  expect(explanation.next).toEqual({ state: 'closed', value: null });
  expect([explanation.needed_by, explanation.needed_by_hidden]).toEqual([[], 3]);
  expect([explained.made_of, explained.made_of_hidden, explained.winner?.value]).toEqual([[], 1, '*****']);
  expect(explanation.since).toMatchObject({
    revision: whole.since?.revision,
    at: whole.since?.at,
    exact: true,
    actor_id: null,
    object_id: null,
    object_type: null,
  });
  expect(JSON.stringify([explanation, explained])).not.toMatch(/hidden-/);
  expect((await requestExplanations(client, web, 'environment=production')).status).toBe(403);
  expect((await requestExplanations(client, base, 'environment=canary')).status).toBe(403);
  expect(canary.name).toBe('canary');
});

it('explain shows no secret to a caller who requests masked secrets, and the stored text of a secret to no caller', async () => {
  const { organization, web, production } = await createExplainFixture(core);
  const secret = await organization.parameter({ project: web, name: 'token', secret: true });
  for (const [environment, text] of [
    [production, 'canary-winner'],
    [await organization.environmentNamed('default'), 'canary-next'],
  ] as const) {
    await organization.value({ parameter: secret, environment, internal_value: text });
  }
  const { owner } = organization;
  const query = 'environment=canary&include=since';

  const masked = [
    await requestExplanations(owner, web, `${query}&name=token&mask_secrets=true`),
    await requestExplanations(owner, web, `${query}&mask_secrets=true`),
  ];
  const clear = await explain(owner, web, 'environment=canary&name=token');

  for (const { body, text } of masked) {
    expect(text).not.toContain('canary-');
    expect(body.results[0]?.winner).toMatchObject({ value: '*****', internal_value: null, secret: true });
    expect(body.results[0]?.next?.value).toMatchObject({ value: '*****', internal_value: null });
  }
  expect([clear.winner?.value, clear.winner?.internal_value]).toEqual(['canary-winner', null]);
});

it('explain returns 403 if the project in the past showed more than the caller may read today', async () => {
  const { organization, base, web } = await createExplainFixture(core);
  const { owner } = organization;
  await organization.parameter({ project: base, name: 'port' });
  const revision = await readRevision(organization);
  await owner.patch(web.url, { depends_on: null });
  await owner.patch(base.url, { access_controlled: true });
  const reader = organization.as('VIEWER');

  expect((await requestExplanations(reader, web, `name=port&revision=${revision}`)).status).toBe(403);
  expect((await explain(reader, web, 'name=port')).reason?.code).toBe('never_made');
  expect((await explain(owner, web, `name=port&revision=${revision}`)).reason?.code).toBe('unset');
});
