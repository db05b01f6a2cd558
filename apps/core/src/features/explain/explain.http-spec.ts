import type { Environment, Explanation, Page, Parameter, Project, Template } from '@strata/contract';
import { type RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { grant, member } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** `web` depends on `base`; canary is below production, which is below default. */
interface Fixture {
  readonly organization: TestOrganization;
  readonly base: Project;
  readonly web: Project;
  readonly root: Environment;
  readonly production: Environment;
  readonly canary: Environment;
}

async function fixture(): Promise<Fixture> {
  const organization = await core.organization();
  const [root, production] = [
    await organization.environmentNamed('default'),
    await organization.environmentNamed('production'),
  ];
  const canary = await organization.environment({ name: 'canary', parent: production.url });
  const base = await organization.project({ name: 'base' });
  const web = await organization.project({ name: 'web', depends_on: base.url });
  return { organization, base, web, root, production, canary };
}

const listOf = (client: RawClient, { id }: Project, query: string) =>
  client.get<Page<Explanation>>(`projects/${id}/explain/?${query}`);

async function explain(client: RawClient, project: Project, query: string): Promise<Explanation> {
  const { status, body, text } = await listOf(client, project, query);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  const [explanation] = body.results;
  if (!explanation) throw new Error(text);
  return explanation;
}

const revisionOf = async (organization: TestOrganization) =>
  Number((await organization.owner.get('users/current/')).headers['x-revision']);

it('says which value applies, which places were asked, and what would be next', async () => {
  const { organization, base, web, root, production, canary } = await fixture();
  const [ofBase, ofWeb] = [
    await organization.parameter({ project: base, name: 'port', type: 'integer' }),
    await organization.parameter({ project: web, name: 'port', type: 'integer', description: 'to listen on' }),
  ];
  await organization.value({ parameter: ofBase, environment: root, internal_value: '80' });
  const winner = await organization.value({ parameter: ofBase, environment: production, internal_value: '443' });
  const next = await organization.value({ parameter: ofWeb, environment: root, internal_value: '8080' });

  const explanation = await explain(organization.owner, web, 'environment=canary&name=port');

  expect(explanation).toMatchObject({
    name: 'port',
    parameter_id: ofWeb.id,
    description: 'to listen on',
    type: 'integer',
    secret: false,
    owner_name: 'web',
    environment_id: canary.id,
    environment_name: 'canary',
    reason: null,
    winner: {
      value_id: winner.id,
      ledger_id: winner.ledger_id,
      value: '443',
      internal_value: '443',
      interpolated: false,
      evaluated: false,
      parameter_id: ofBase.id,
      project_name: 'base',
      environment_name: 'production',
      type: 'integer',
    },
    next: {
      state: 'set',
      value: { value_id: next.id, value: '8080', project_name: 'web', environment_name: 'default' },
    },
    candidates_count: 6,
    made_of: [],
    needed_by: [],
  });
  expect(
    explanation.candidates?.map((each) => [
      each.environment_name,
      each.project_name,
      each.state,
      each.wins ? 'wins' : each.hidden_by,
    ]),
  ).toEqual([
    ['canary', 'web', 'unset', null],
    ['canary', 'base', 'unset', null],
    ['production', 'web', 'unset', null],
    ['production', 'base', 'set', 'wins'],
    ['default', 'web', 'set', 'environment'],
    ['default', 'base', 'set', 'environment'],
  ]);
});

it('shows what a text is made of and who needs it', async () => {
  const { organization, base, web, production } = await fixture();
  const host = await organization.parameter({ project: base, name: 'host' });
  const hostValue = await organization.value({
    parameter: host,
    environment: production,
    internal_value: 'db.example',
  });
  const password = await organization.parameter({ project: base, name: 'password', secret: true });
  await organization.value({ parameter: password, internal_value: 'canary-secret' });
  const url = await organization.parameter({ project: base, name: 'url' });
  const dynamic = await organization
    .value({
      parameter: url,
      internal_value: 'pg://u:{{ password }}@{{ host }}/{{ strata.projects.base.parameters.missing }}',
      interpolated: true,
    })
    .catch(() => null);
  expect(dynamic).toBeNull();
  const missing = await organization.parameter({ project: base, name: 'missing' });
  const urlValue = await organization.value({
    parameter: url,
    internal_value: 'pg://u:{{ password }}@{{ host }}/{{ strata.projects.base.parameters.missing }}',
    interpolated: true,
  });
  const template = await organization.owner.post<Template>(`${web.url}templates/`, {
    name: 'env',
    body: 'H={{ host }}',
  });

  const made = await explain(organization.owner, web, 'environment=canary&name=url&mask_secrets=true');
  const needed = await explain(organization.owner, web, 'environment=canary&name=host');

  expect(made.winner).toMatchObject({ value: '*****', secret: true, evaluated: true, interpolated: true });
  expect(made.made_of).toEqual([
    expect.objectContaining({
      kind: 'parameter',
      name: 'password',
      named: false,
      state: 'set',
      target_id: password.id,
    }),
    expect.objectContaining({
      name: 'host',
      state: 'set',
      winner: expect.objectContaining({ value_id: hostValue.id, value: 'db.example', environment_name: 'production' }),
    }),
    expect.objectContaining({
      name: 'missing',
      named: true,
      project_name: 'base',
      state: 'unset',
      winner: null,
      target_id: missing.id,
    }),
  ]);
  expect(made.made_of?.[0]?.winner).toMatchObject({ value: '*****', secret: true });
  expect(JSON.stringify(made)).not.toContain('canary-secret');
  expect(needed.needed_by).toEqual([
    {
      kind: 'template',
      id: template.body.id,
      name: 'env',
      project_id: web.id,
      project_name: 'web',
      environment_id: null,
      environment_name: null,
      parameter_id: host.id,
    },
    expect.objectContaining({
      kind: 'value',
      id: urlValue.id,
      name: 'url',
      project_name: 'base',
      environment_name: 'default',
    }),
  ]);
  expect(needed.needed_by_hidden).toBe(0);
});

it('tells of a text that cannot be evaluated why, and of the others what they say', async () => {
  const { organization, web } = await fixture();
  const good = await organization.parameter({ project: web, name: 'good' });
  await organization.value({ parameter: good, internal_value: '{{ strata.environment }}!', interpolated: true });
  const long = await organization.value({ parameter: await organization.parameter({ project: web, name: 'long' }) });
  const bad = await organization.parameter({ project: web, name: 'bad' });
  await organization.value({ parameter: bad, internal_value: '{{ long }}'.repeat(17), interpolated: true });
  expect((await organization.owner.patch(long.url, { internal_value: 'x'.repeat(65_000) })).status).toBe(200);
  const revision = await revisionOf(organization);

  const { body } = await listOf(organization.owner, web, 'environment=production&name__iexact=bad&include=since');
  const all = await listOf(organization.owner, web, 'environment=production');

  expect(body.results[0]).toMatchObject({
    winner: { value: null, evaluated: false, problem: expect.stringContaining('bad: ') },
    since: { revision, object_id: long.id },
  });
  expect(all.body.results.map(({ name, winner }) => [name, winner?.value?.length ?? null])).toEqual([
    ['bad', null],
    ['good', 'production!'.length],
    ['long', 65_000],
  ]);
});

/** Does something, and expects what applies in canary to have been so since. */
async function sinceAfter(
  { organization, web }: Pick<Fixture, 'organization' | 'web'>,
  name: string,
  act: () => Promise<unknown>,
  expected: object,
): Promise<void> {
  await act();
  const revision = await revisionOf(organization);
  const { since } = await explain(organization.owner, web, `environment=canary&name=${name}`);
  expect(since).toMatchObject({ revision, exact: true, actor_type: 'interactive', ...expected });
}

it('says since when it has been so, whatever the cause was', async () => {
  const all = await fixture();
  const { organization, base, web, root, production, canary } = all;
  const { owner } = organization;
  const host = await organization.parameter({ project: base, name: 'host' });
  const at = (name: string, act: () => Promise<unknown>, expected: object) => sinceAfter(all, name, act, expected);
  const value = async (parameter: Parameter, environment: Environment, text: string) =>
    organization.value({ parameter, environment, internal_value: text });

  let inRoot = '';
  const set = async () => {
    inRoot = (await value(host, root, 'one')).url;
  };
  await at('host', set, { action: 'create', object_type: 'Value', environment_name: 'default', project_name: 'base' });
  await at('host', () => owner.patch(inRoot, { internal_value: 'two' }), { action: 'update', object_type: 'Value' });
  const before = await explain(owner, web, 'environment=canary&name=host');
  await owner.patch(inRoot, { internal_value: 'two' });
  await owner.patch(canary.url, { description: 'something else' });
  const covered = await organization.parameter({ project: web, name: 'host' });
  const coveredValue = await value(covered, production, 'three');
  const { since } = await explain(owner, web, 'environment=production&name=host');
  expect(since?.object_id).toBe(coveredValue.id);
  await owner.delete(coveredValue.url);
  await owner.delete(covered.url);
  await value(host, production, 'two');
  // the same text since long, wherever it comes from: only while it was covered it was another one
  expect((await explain(owner, base, 'environment=canary&name=host')).since?.revision).toBe(before.since?.revision);

  const [other] = [await organization.environment({ name: 'other', parent: root.url })];
  await value(host, other, 'four');
  await at('host', () => owner.patch(canary.url, { parent: other.url }), {
    action: 'update',
    object_type: 'Environment',
    object_id: canary.id,
  });
  await at(
    'host',
    () => owner.patch(web.url, { depends_on: null }).then(() => owner.patch(web.url, { depends_on: base.url })),
    {
      action: 'update',
      object_type: 'Project',
      object_id: web.id,
    },
  );
  await at(
    'link',
    async () => {
      const link = await organization.parameter({ project: web, name: 'link' });
      await organization.value({ parameter: link, internal_value: 'https://{{ host }}', interpolated: true });
    },
    { object_type: 'Value', action: 'create' },
  );
  const values = await owner.get<Page<{ url: string; environment_name: string }>>(`${host.url}values/`);
  const inOther = values.body.results.find(({ environment_name: name }) => name === 'other')?.url ?? '';
  await at('link', () => owner.patch(inOther, { internal_value: 'five' }), {
    action: 'update',
    object_type: 'Value',
    environment_name: 'other',
  });
  const port = await organization.parameter({ project: base, name: 'port' });
  await value(port, root, '1');
  await at('listen', () => owner.patch(port.url, { name: 'listen' }), {
    action: 'update',
    object_type: 'Parameter',
    object_id: port.id,
  });
});

it('says so when the history is too long to be walked through', async () => {
  const { organization, web, root, production } = await fixture();
  const { owner } = organization;
  const parameter = await organization.parameter({ project: web, name: 'short' });
  await organization.value({ parameter, environment: production, internal_value: 'long since' });
  const revision = await revisionOf(organization);
  const { url } = await organization.value({ parameter, environment: root, internal_value: '' });
  // hidden by production, and more than is read of one history
  for (let at = 0; at < 270; at += 1) await owner.patch(url, { internal_value: `${at}`.padEnd(65_000, 'x') });

  const inCanary = await explain(owner, web, 'environment=canary&name=short');
  const inDefault = await explain(owner, web, 'environment=default&name=short&mask_secrets=true');

  expect(inCanary.winner?.value).toBe('long since');
  expect(inCanary.since).toMatchObject({ exact: false, actor_id: null, object_id: null });
  expect(inCanary.since?.revision).toBeGreaterThan(revision);
  expect(inDefault.since).toMatchObject({ exact: true, action: 'update' });
}, 60_000);

it('says of a name that is not there why, and what looks like it', async () => {
  const { organization, base, web } = await fixture();
  const { owner } = organization;
  const elsewhere = await organization.project({ name: 'elsewhere' });
  await organization.parameter({ project: elsewhere, name: 'only_there' });
  const closed = await organization.project({ name: 'closed' });
  await organization.parameter({ project: closed, name: 'behind_the_door' });
  await owner.patch(closed.url, { access_controlled: true });
  await organization.parameter({ project: web, name: 'LOG_LEVEL' });
  const gone = await organization.parameter({ project: base, name: 'gone' });
  await owner.delete(gone.url);
  const goneAt = await revisionOf(organization);
  const renamed = await organization.parameter({ project: web, name: 'before' });
  await owner.patch(renamed.url, { name: 'after' });
  const lost = await organization.parameter({ project: web, name: 'first' });
  await owner.patch(lost.url, { name: 'second' });
  const lostAt = await revisionOf(organization);
  await owner.delete(lost.url);
  await owner.patch(web.url, { parameter_name_pattern: '[A-Za-z_]+$' });
  const reader = organization.as('VIEWER');
  const reasonFor = async (name: string) => (await explain(reader, web, `environment=production&name=${name}`)).reason;

  expect(await reasonFor('LOGLEVEL')).toMatchObject({ code: 'never_made', nearest_names: ['LOG_LEVEL'] });
  expect(await reasonFor('log_level')).toMatchObject({ nearest_names: ['LOG_LEVEL'] });
  expect(await reasonFor('LOG_LEVEL')).toMatchObject({ code: 'unset', nearest_names: [] });
  expect(await reasonFor('only_there')).toMatchObject({
    code: 'other_project',
    other_projects: [{ project_id: elsewhere.id, project_name: 'elsewhere' }],
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

it('tells of a closed scope that it is there, and shows only the text that applies', async () => {
  const { organization, base, web, root, production, canary } = await fixture();
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
  const { url, client } = await member(core, organization, 'VIEWER');
  for (const scope of [base.url, web.url]) await owner.patch(scope, { access_controlled: true });
  await grant(organization, url, web.url, 'VIEWER');
  for (const environment of [production, root]) await owner.patch(environment.url, { access_controlled: true });

  const explanation = await explain(client, web, 'environment=canary&name=port');
  const made = await explain(client, web, 'environment=canary&name=spy');
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
  expect([made.made_of, made.made_of_hidden, made.winner?.value]).toEqual([[], 1, '*****']);
  expect(explanation.since).toMatchObject({
    revision: whole.since?.revision,
    at: whole.since?.at,
    exact: true,
    actor_id: null,
    object_id: null,
    object_type: null,
  });
  expect(JSON.stringify([explanation, made])).not.toMatch(/hidden-/);
  expect((await listOf(client, web, 'environment=production')).status).toBe(403);
  expect((await listOf(client, base, 'environment=canary')).status).toBe(403);
  expect(canary.name).toBe('canary');
});

it('shows no secret to who asks for masks, and no stored text of one to anybody', async () => {
  const { organization, web, production } = await fixture();
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
    await listOf(owner, web, `${query}&name=token&mask_secrets=true`),
    await listOf(owner, web, `${query}&mask_secrets=true`),
  ];
  const clear = await explain(owner, web, 'environment=canary&name=token');

  for (const { body, text } of masked) {
    expect(text).not.toContain('canary-');
    expect(body.results[0]?.winner).toMatchObject({ value: '*****', internal_value: null, secret: true });
    expect(body.results[0]?.next?.value).toMatchObject({ value: '*****', internal_value: null });
  }
  expect([clear.winner?.value, clear.winner?.internal_value]).toEqual(['canary-winner', null]);
});

it('is closed where a project showed more than who asks may see by now', async () => {
  const { organization, base, web } = await fixture();
  const { owner } = organization;
  await organization.parameter({ project: base, name: 'port' });
  const revision = await revisionOf(organization);
  await owner.patch(web.url, { depends_on: null });
  await owner.patch(base.url, { access_controlled: true });
  const reader = organization.as('VIEWER');

  expect((await listOf(reader, web, `name=port&revision=${revision}`)).status).toBe(403);
  expect((await explain(reader, web, 'name=port')).reason?.code).toBe('never_made');
  expect((await explain(owner, web, `name=port&revision=${revision}`)).reason?.code).toBe('unset');
});

it('looks at any point in time, and answers 304 while nothing has changed', async () => {
  const { organization, web, production } = await fixture();
  const { owner } = organization;
  const parameter = await organization.parameter({ project: web, name: 'port' });
  const { url, modified_at: first } = await organization.value({
    parameter,
    environment: production,
    internal_value: '1',
  });
  const revision = await revisionOf(organization);
  await owner.post(`${production.url}tags/`, { name: 'v1' });
  const path = `projects/${web.id}/explain/?environment=production&name=port`;
  const { etag } = (await owner.get(path)).headers;
  expect((await owner.get(path, { 'if-none-match': etag ?? '' })).status).toBe(304);

  await owner.patch(url, { internal_value: '2' });

  expect((await owner.get(path, { 'if-none-match': etag ?? '' })).status).toBe(200);
  for (const moment of [`revision=${revision}`, `as_of=${first}`, 'tag=v1']) {
    const then = await explain(owner, web, `environment=production&name=port&${moment}`);
    expect([moment, then.winner?.value, then.since?.revision]).toEqual([moment, '1', revision]);
  }
  const unborn = await listOf(owner, web, 'as_of=2000-01-01');
  expect([unborn.status, unborn.text]).toEqual([404, expect.stringContaining('No ProjectLedger matches')]);
});

it('gives all names in pages, with filters and cursors, the latest change of at most a hundred', async () => {
  const { organization, web } = await fixture();
  const { owner } = organization;
  const body = Array.from({ length: 102 }, (_, at) => `name_${String(at).padStart(3, '0')}=${at}`).join('\n');
  await owner.post('import/', { project: web.name, environment: 'default', body, secrets: ['name_007'], ignore: [] });

  const all = await listOf(owner, web, 'environment=canary');
  const since = await listOf(owner, web, 'environment=canary&include=since');
  const rest = await owner.get<Page<Explanation>>(since.body.next ?? '');
  const cursor = await listOf(owner, web, 'environment=canary&after=start&page_size=101');
  const last = await owner.get<Page<Explanation>>(cursor.body.next ?? '');

  expect([all.body.count, all.body.results.length, all.body.next]).toEqual([102, 102, null]);
  expect(all.body.results[3]).toMatchObject({ name: 'name_003', candidates: null, needed_by: null, since: null });
  expect([since.body.results.length, rest.body.results.length]).toEqual([100, 2]);
  expect([...since.body.results, ...rest.body.results].every((each) => each.since?.exact)).toBe(true);
  expect(last.body.results.map(({ name }) => name)).toEqual(['name_101']);
  const secret = await listOf(owner, web, 'environment=canary&secret=true');
  expect(secret.body.results.map(({ name }) => name)).toEqual(['name_007']);
  const few = await listOf(owner, web, 'environment=canary&name__icontains=_01');
  expect(few.body.count).toBe(10);
});

it('refuses what it cannot answer, in words that fit', async () => {
  const { organization, web } = await fixture();
  const other = await core.organization();
  const asked = async (client: RawClient, query: string, project: Project = web) => {
    const { status, headers } = await listOf(client, project, query);
    return [status, headers['x-error-code']];
  };
  const { owner } = organization;

  expect(await asked(owner, 'environment=nowhere')).toEqual([404, 'not_found']);
  expect(await asked(owner, 'include=everything')).toEqual([400, 'invalid']);
  expect(await asked(owner, 'revision=1&as_of=2024-01-01')).toEqual([400, 'two_moments']);
  expect(await asked(owner, 'tag=v1')).toEqual([400, 'tag_without_environment']);
  expect(await asked(owner, 'page=9')).toEqual([404, 'invalid_page']);
  expect(await asked(owner, 'after=rubbish')).toEqual([400, 'invalid_cursor']);
  expect(await asked(other.owner, 'name=x')).toEqual([404, 'not_found']);
  expect(await asked(owner, `name=${'x'.repeat(300)}`)).toEqual([200, undefined]);
});
