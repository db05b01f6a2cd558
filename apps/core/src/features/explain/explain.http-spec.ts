import type { Explanation, Page, Project, Template } from '@strata/contract';
import { type RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { createExplainFixture, explain, readRevision, requestExplanations } from '../../testing/explain.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

it('explain returns the effective value, the cells that were checked, and the value that would be next', async () => {
  const { organization, base, web, root, production, canary } = await createExplainFixture(core);
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
    explanation.candidates?.map((candidate) => [
      candidate.environment_name,
      candidate.project_name,
      candidate.state,
      candidate.wins ? 'wins' : candidate.hidden_by,
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

it('explain returns the inputs of a text and its dependents', async () => {
  const { organization, base, web, production } = await createExplainFixture(core);
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

  const explained = await explain(organization.owner, web, 'environment=canary&name=url&mask_secrets=true');
  const needed = await explain(organization.owner, web, 'environment=canary&name=host');

  expect(explained.winner).toMatchObject({ value: '*****', secret: true, evaluated: true, interpolated: true });
  expect(explained.made_of).toEqual([
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
  expect(explained.made_of?.[0]?.winner).toMatchObject({ value: '*****', secret: true });
  expect(JSON.stringify(explained)).not.toContain('canary-secret');
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

it('explain leaves out texts that look the name up in a project above the override', async () => {
  const { organization, base, web, root } = await createExplainFixture(core);
  const far = await organization.parameter({ project: base, name: 'a' });
  await organization.value({ parameter: far, environment: root, internal_value: 'far' });
  const near = await organization.parameter({ project: web, name: 'a' });
  const dynamic = async (name: string, internal_value: string) => {
    const parameter = await organization.parameter({ project: web, name });
    await organization.value({ parameter, internal_value, interpolated: true });
  };
  await dynamic('above', '{{ strata.projects["base"].parameters.a }}');
  await dynamic('here', '{{ a }}');
  const needing = async (environment = 'default') =>
    (await explain(organization.owner, web, `environment=${environment}&name=a`)).needed_by?.map(({ name }) => name);

  // No value is set in this project, so both texts depend on the value above.
  expect(await needing()).toEqual(['above', 'here']);
  await organization.value({ parameter: near, environment: root, internal_value: 'near' });
  expect(await needing()).toEqual(['here']);
  const inheritedExplanation = await explain(organization.owner, base, 'environment=default&name=a');
  expect(inheritedExplanation.needed_by?.map(({ name }) => name)).toEqual(['above']);
});

it('explain reports why a text cannot be evaluated, and evaluates the others', async () => {
  const { organization, web } = await createExplainFixture(core);
  const good = await organization.parameter({ project: web, name: 'good' });
  await organization.value({ parameter: good, internal_value: '{{ strata.environment }}!', interpolated: true });
  const long = await organization.value({ parameter: await organization.parameter({ project: web, name: 'long' }) });
  const bad = await organization.parameter({ project: web, name: 'bad' });
  await organization.value({ parameter: bad, internal_value: '{{ long }}'.repeat(17), interpolated: true });
  expect((await organization.owner.patch(long.url, { internal_value: 'x'.repeat(65_000) })).status).toBe(200);
  const revision = await readRevision(organization);

  const { body } = await requestExplanations(
    organization.owner,
    web,
    'environment=production&name__iexact=bad&include=since',
  );
  const all = await requestExplanations(organization.owner, web, 'environment=production');

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

it('explain supports any point in time, and returns 304 while nothing has changed', async () => {
  const { organization, web, production } = await createExplainFixture(core);
  const { owner } = organization;
  const parameter = await organization.parameter({ project: web, name: 'port' });
  const { url, modified_at: first } = await organization.value({
    parameter,
    environment: production,
    internal_value: '1',
  });
  const revision = await readRevision(organization);
  await owner.post(`${production.url}tags/`, { name: 'v1' });
  const path = `projects/${web.id}/explain/?environment=production&name=port`;
  const { etag } = (await owner.get(path)).headers;
  expect((await owner.get(path, { 'if-none-match': etag ?? '' })).status).toBe(304);

  await owner.patch(url, { internal_value: '2' });

  expect((await owner.get(path, { 'if-none-match': etag ?? '' })).status).toBe(200);
  for (const pointInTime of [`revision=${revision}`, `as_of=${first}`, 'tag=v1']) {
    const then = await explain(owner, web, `environment=production&name=port&${pointInTime}`);
    expect([pointInTime, then.winner?.value, then.since?.revision]).toEqual([pointInTime, '1', revision]);
  }
  const unborn = await requestExplanations(owner, web, 'as_of=2000-01-01');
  expect([unborn.status, unborn.text]).toEqual([404, expect.stringContaining('No ProjectLedger matches')]);
});

it('explain returns all names in pages, with filters and cursors, and the latest change of at most a hundred names', async () => {
  const { organization, web } = await createExplainFixture(core);
  const { owner } = organization;
  const body = Array.from({ length: 102 }, (_, index) => `name_${String(index).padStart(3, '0')}=${index}`).join('\n');
  await owner.post('import/', { project: web.name, environment: 'default', body, secrets: ['name_007'], ignore: [] });

  const all = await requestExplanations(owner, web, 'environment=canary');
  const explanations = await requestExplanations(owner, web, 'environment=canary&include=since');
  const rest = await owner.get<Page<Explanation>>(explanations.body.next ?? '');
  const cursor = await requestExplanations(owner, web, 'environment=canary&after=start&page_size=101');
  const last = await owner.get<Page<Explanation>>(cursor.body.next ?? '');

  expect([all.body.count, all.body.results.length, all.body.next]).toEqual([102, 102, null]);
  expect(all.body.results[3]).toMatchObject({ name: 'name_003', candidates: null, needed_by: null, since: null });
  expect([explanations.body.results.length, rest.body.results.length]).toEqual([100, 2]);
  expect([...explanations.body.results, ...rest.body.results].every((explanation) => explanation.since?.exact)).toBe(
    true,
  );
  expect(last.body.results.map(({ name }) => name)).toEqual(['name_101']);
  const secret = await requestExplanations(owner, web, 'environment=canary&secret=true');
  expect(secret.body.results.map(({ name }) => name)).toEqual(['name_007']);
  const filteredPage = await requestExplanations(owner, web, 'environment=canary&name__icontains=_01');
  expect(filteredPage.body.count).toBe(10);
});

it('explain rejects invalid requests with a specific error', async () => {
  const { organization, web } = await createExplainFixture(core);
  const otherOrganization = await core.organization();
  const readStatus = async (client: RawClient, query: string, project: Project = web) => {
    const { status, headers } = await requestExplanations(client, project, query);
    return [status, headers['x-error-code']];
  };
  const { owner } = organization;

  expect(await readStatus(owner, 'environment=nowhere')).toEqual([404, 'not_found']);
  expect(await readStatus(owner, 'include=everything')).toEqual([400, 'invalid']);
  expect(await readStatus(owner, 'revision=1&as_of=2024-01-01')).toEqual([400, 'two_moments']);
  expect(await readStatus(owner, 'tag=v1')).toEqual([400, 'tag_without_environment']);
  expect(await readStatus(owner, 'page=9')).toEqual([404, 'invalid_page']);
  expect(await readStatus(owner, 'after=rubbish')).toEqual([400, 'invalid_cursor']);
  expect(await readStatus(otherOrganization.owner, 'name=x')).toEqual([404, 'not_found']);
  expect(await readStatus(owner, `name=${'x'.repeat(300)}`)).toEqual([200, undefined]);
});
