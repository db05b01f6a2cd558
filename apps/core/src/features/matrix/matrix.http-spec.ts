import type { Environment, Matrix, MatrixCell, MatrixName, Page, Parameter, Value } from '@strata/contract';
import { MASK, type MatrixState } from '@strata/domain';
import { RawClient, type Reply, type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const SECRET = 'canary-never-shown';

/** `shop` depends on `base`; canary inherits from production. Every state a cell can be in occurs. */
async function shop() {
  const organization = await core.organization();
  const { owner } = organization;
  const [root, production] = [
    await organization.environmentNamed('default'),
    await organization.environmentNamed('production'),
  ];
  const canary = await organization.environment({ name: 'canary', parent: production.url });
  const base = await organization.project({ name: 'base' });
  const project = await organization.project({ name: 'shop', depends_on: base.url });
  const of = (name: string, more = {}) =>
    organization.parameter({ project, name, description: `About ${name}.`, ...more });
  const set = (parameter: Parameter, environment: Environment, internal_value: string | null, more = {}) =>
    organization.value({ parameter, environment, internal_value, ...more });

  const region = await organization.parameter({ project: base, name: 'region' });
  await set(region, root, 'eu');
  await set(region, production, 'us');
  const port = await of('port', { type: 'integer' });
  await set(port, root, '80');
  const live = await set(port, production, '443');
  await set(port, canary, '443');
  const password = await of('password', { secret: true });
  await set(password, root, SECRET);
  await set(password, production, SECRET);
  const link = await of('link');
  await set(link, root, 'http://{{ region }}:{{ port }}', { interpolated: true });
  const login = await of('login');
  await set(login, root, 'user:{{ password }}', { interpolated: true });
  const proxy = await of('proxy');
  await set(proxy, root, 'proxy:3128');
  await set(proxy, production, null);
  await of('unset');
  const lease = await of('lease', { expires: 'P30D' });
  const leased = await set(lease, root, 'soon');

  const path = `${project.url}matrix/`;
  const read = async (query = '', client: RawClient = owner) => (await client.get<Matrix>(path + query)).body;
  return { organization, owner, root, production, canary, base, project, port, live, leased, path, read };
}

const nameIn = ({ results }: Matrix, name: string): MatrixName => {
  const found = results.find((row) => row.name === name);
  if (!found) throw new Error(`The matrix has no ${name}.`);
  return found;
};
/** The cell of a name in an environment. */
const cell = (matrix: Matrix, name: string, environment: string): MatrixCell => {
  const found = nameIn(matrix, name).cells[matrix.environments.findIndex((column) => column.name === environment)];
  if (!found) throw new Error(`The matrix has no ${environment}.`);
  return found;
};
const namesOf = ({ results }: Matrix) => results.map(({ name }) => name);
const detailOf = ({ status, body }: Reply) => [status, (body as { detail?: string }).detail];

describe('the matrix of a project', () => {
  it('has every name down and every environment across, parents before their children', async () => {
    const { owner, project, base, root, production, read } = await shop();
    const matrix = await read();

    expect(matrix.environments.map(({ name }) => name)).toEqual([
      'default',
      'development',
      'production',
      'canary',
      'staging',
    ]);
    expect(matrix.environments[3]).toEqual({
      id: expect.any(String),
      name: 'canary',
      parent_id: production.id,
      closed: false,
    });
    expect(matrix.environments[0]).toEqual({ id: root.id, name: 'default', parent_id: null, closed: false });
    const list = await owner.get<Page<Parameter>>(`${project.url}parameters/?values=false`);
    expect(namesOf(matrix)).toEqual(list.body.results.map(({ name }) => name));
    expect([matrix.count, matrix.next, matrix.previous]).toEqual([8, null, null]);
    const { cells: _, ...region } = nameIn(matrix, 'region');
    expect(region).toMatchObject({ project_id: base.id, project_name: 'base', type: 'string', secret: false });
    expect(nameIn(matrix, 'port')).toMatchObject({
      ...{ project_id: project.id, project_name: 'shop', type: 'integer', description: 'About port.', expires: null },
    });
    for (const { cells } of matrix.results) expect(cells).toHaveLength(5);
  });

  it('says of each cell what applies, where it comes from, and what a person wants to know of it', async () => {
    const { live, leased, read } = await shop();
    const matrix = await read();

    expect(cell(matrix, 'port', 'production')).toEqual({
      states: ['own', 'differs'],
      text: '443',
      value_id: live.id,
      ledger_id: live.ledger_id,
    });
    // it says the same as production, so that nothing would change without it
    expect(cell(matrix, 'port', 'canary')).toMatchObject({ states: ['own', 'redundant'], text: '443' });
    expect(cell(matrix, 'port', 'staging')).toEqual({ states: ['inherited'], text: '80', environment_name: 'default' });
    expect(cell(matrix, 'region', 'production')).toEqual({
      states: ['inherited', 'differs'],
      text: 'us',
      project_name: 'base',
    });
    expect(cell(matrix, 'region', 'canary')).toEqual({
      states: ['inherited'],
      text: 'us',
      environment_name: 'production',
      project_name: 'base',
    });
    expect(cell(matrix, 'proxy', 'production')).toMatchObject({ states: ['own', 'null', 'differs'], text: null });
    expect(cell(matrix, 'proxy', 'canary')).toEqual({
      states: ['inherited', 'null'],
      text: null,
      environment_name: 'production',
    });
    expect(cell(matrix, 'unset', 'production')).toEqual({ states: ['missing'] });
    expect(cell(matrix, 'link', 'canary')).toEqual({
      states: ['inherited', 'dynamic'],
      text: 'http://us:443',
      raw: 'http://{{ region }}:{{ port }}',
      environment_name: 'default',
    });
    // nothing is set in production, yet it reads otherwise there
    expect(cell(matrix, 'link', 'production').states).toEqual(['inherited', 'dynamic', 'differs']);
    expect(leased.expires_at).toMatch(/^20/);
    expect(cell(matrix, 'lease', 'default').expires_at).toBe(leased.expires_at);
    expect(cell(matrix, 'lease', 'canary').expires_at).toBe(leased.expires_at);
  });

  it('shows no secret text, nor what is made of one, and does not tell whether two secrets are equal', async () => {
    const { path, owner, read } = await shop();
    const { text, body } = await owner.get<Matrix>(path);

    expect(text).not.toContain(SECRET);
    expect(cell(body, 'password', 'production')).toMatchObject({ states: ['own', 'secret', 'differs'], text: MASK });
    expect(cell(body, 'password', 'canary')).toEqual({
      states: ['inherited', 'secret'],
      text: MASK,
      environment_name: 'production',
    });
    expect(cell(body, 'login', 'default')).toMatchObject({
      states: ['own', 'secret', 'dynamic'],
      text: MASK,
      raw: 'user:{{ password }}',
    });
    // what it is made of is set anew in production
    expect(cell(body, 'login', 'production').states).toEqual(['inherited', 'secret', 'dynamic', 'differs']);
    expect(cell(body, 'login', 'canary').states).toEqual(['inherited', 'secret', 'dynamic']);
    expect(await read('?mask_secrets=false')).toEqual(body);
  });

  it('shows the environments that are asked for, by name or id, each once and in that order', async () => {
    const { root, read } = await shop();
    const { environments, results } = await read(`?environment=canary&environment=${root.id}&environment=canary`);

    expect(environments.map(({ name }) => name)).toEqual(['canary', 'default']);
    expect(results.find(({ name }) => name === 'port')?.cells.map(({ text }) => text)).toEqual(['443', '80']);
  });

  const byState: Readonly<Record<MatrixState, readonly string[]>> = {
    own: ['lease', 'link', 'login', 'password', 'port', 'proxy'],
    inherited: ['lease', 'link', 'login', 'password', 'port', 'proxy', 'region'],
    missing: ['unset'],
    null: ['proxy'],
    secret: ['login', 'password'],
    dynamic: ['link', 'login'],
    differs: ['link', 'login', 'password', 'port', 'proxy', 'region'],
    redundant: ['port'],
  };
  it('can be narrowed to the names that are in a state somewhere, in one of several, and in what is shown', async () => {
    const { read } = await shop();

    for (const [state, names] of Object.entries(byState)) {
      const found = await read(`?state=${state}`);
      expect([state, namesOf(found), found.count]).toEqual([state, names, names.length]);
    }
    expect(namesOf(await read('?state=redundant,missing'))).toEqual(['port', 'unset']);
    expect(namesOf(await read('?state=redundant&environment=production'))).toEqual([]);
    expect(namesOf(await read('?state=own&environment=production'))).toEqual(['password', 'port', 'proxy']);
  });

  it('takes the filters of parameters', async () => {
    const { port, read } = await shop();

    expect(namesOf(await read('?name=port'))).toEqual(['port']);
    expect(namesOf(await read('?name__icontains=PO'))).toEqual(['port']);
    expect(namesOf(await read('?secret=true'))).toEqual(['password']);
    expect(namesOf(await read('?immediate_parameters=true'))).not.toContain('region');
    expect(namesOf(await read(`?id__in=${port.id}`))).toEqual(['port']);
    expect(namesOf(await read('?description__icontains=about%20LINK'))).toEqual(['link']);
    expect(namesOf(await read('?ordering=-name&page_size=2'))).toEqual(['unset', 'region']);
  });

  it('is searched by name and by what is shown, whatever the letter case, and never by the text of a secret', async () => {
    const { read } = await shop();

    expect(namesOf(await read('?q=PORT'))).toEqual(['port']);
    // set in production, and evaluated in what refers to it
    expect(namesOf(await read('?q=443'))).toEqual(['link', 'port']);
    expect(namesOf(await read('?q=443&environment=default'))).toEqual([]);
    expect(namesOf(await read('?q=443&state=dynamic'))).toEqual(['link']);
    expect(namesOf(await read(`?q=${SECRET}`))).toEqual([]);
    expect(namesOf(await read('?q=*****'))).toEqual([]);
  });

  it('shows what the project has itself before what it has from others, when asked to', async () => {
    const { read } = await shop();
    const names = namesOf(await read('?ordering=project'));

    expect(names.at(-1)).toBe('region');
    expect(names.slice(0, -1)).toEqual(namesOf(await read('?immediate_parameters=true')));
    expect(namesOf(await read('?ordering=project,-name&page_size=1'))).toEqual(['unset']);
  });

  it('has pages of names, by number and by cursor, that show what the whole shows', async () => {
    const { path, owner, read } = await shop();
    const whole = await read();
    const walk = async (start: string) => {
      const pages: Matrix[] = [];
      for (let next: string | null = start; next !== null; ) {
        const { body }: Reply<Matrix> = await owner.get<Matrix>(next);
        pages.push(body);
        next = body.next;
      }
      return pages;
    };
    for (const start of ['?page_size=3', '?page_size=3&after=start', '?page_size=3&state=own,missing,inherited']) {
      const pages = await walk(path + start);
      expect(pages.map(({ results }) => results.length)).toEqual([3, 3, 2]);
      expect(pages.flatMap(({ results }) => results)).toEqual(whole.results);
      for (const { environments, count } of pages) expect([environments, count]).toEqual([whole.environments, 8]);
    }
  });

  it('says in the cell of a text that fails why, and shows all others', async () => {
    const { organization, owner, project, read } = await shop();
    const long = await organization.value({ parameter: await organization.parameter({ project, name: 'long' }) });
    const broken = await organization.parameter({ project, name: 'broken' });
    await organization.value({ parameter: broken, internal_value: '{{ long }}'.repeat(17), interpolated: true });
    const after = await organization.parameter({ project, name: 'later' });
    await organization.value({ parameter: after, internal_value: 'x{{ broken }}', interpolated: true });
    expect((await owner.patch(long.url, { internal_value: 'x'.repeat(65_000) })).status).toBe(200);
    const matrix = await read();

    for (const name of ['broken', 'later']) {
      const { text, problem, raw, states } = cell(matrix, name, 'default');
      expect([name, text, problem, states]).toEqual([name, undefined, expect.any(String), ['own', 'dynamic']]);
      expect(raw).toContain('{{');
    }
    expect(cell(matrix, 'link', 'canary').text).toBe('http://us:443');
  });
});

describe('a matrix is of one point in time', () => {
  it('a revision, an instant or a tag of the one environment', async () => {
    const { owner, production, live, path, read } = await shop();
    const { headers, body: before } = await owner.get<Matrix>(path);
    await owner.post(`${production.url}tags/`, { name: 'release' });
    const changed = await owner.patch<Value>(live.url, { internal_value: '8443' });
    await owner.delete(live.url);

    expect(cell(await read(), 'port', 'canary').states).toEqual(['own', 'differs']);
    expect(await read(`?revision=${headers['x-revision']}`)).toEqual(before);
    const then = await read(`?as_of=${changed.body.modified_at}`);
    expect(cell(then, 'port', 'production').text).toBe('8443');
    expect(cell(then, 'port', 'canary').states).toEqual(['own', 'differs']);
    const tagged = await read('?environment=production&tag=release');
    expect(tagged.environments).toHaveLength(1);
    expect(cell(tagged, 'port', 'production')).toEqual(cell(before, 'port', 'production'));
    expect(detailOf(await owner.get(`${path}?environment=production&environment=default&tag=release`))).toEqual([
      400,
      'A tag belongs to one environment: give exactly one environment.',
    ]);
    expect((await owner.get(`${path}?as_of=2000-01-01`)).status).toBe(404);
  });
});

describe('a matrix that is known already', () => {
  it('is 304 until something shows differently, and never older than the last write', async () => {
    const { organization, owner, live, path } = await shop();
    const first = await owner.get<Matrix>(path);
    const ask = () => owner.get<Matrix>(path, { 'if-none-match': first.headers.etag ?? '' });
    expect([(await ask()).status, (await ask()).text]).toEqual([304, '']);
    await organization.value();
    expect((await ask()).status).toBe(304);

    for (const text of ['1', '2']) {
      await owner.patch(live.url, { internal_value: text });
      const { status, body } = await ask();
      expect([status, cell(body, 'port', 'production').text]).toEqual([200, text]);
    }
  });
});

describe('what is closed to who asks', () => {
  it('is a column without cells, and nothing is told by comparing with it', async () => {
    const { organization, owner, production, path, read } = await shop();
    const all = await read();
    await owner.patch(production.url, { access_controlled: true });
    const viewer = organization.as('VIEWER');
    const matrix = await read('', viewer);

    expect(matrix.environments.map(({ name, closed }) => [name, closed])).toEqual([
      ...[
        ['default', false],
        ['development', false],
        ['production', true],
        ['canary', false],
        ['staging', false],
      ],
    ]);
    for (const { cells } of matrix.results) expect(cells[2]).toEqual({ states: ['closed'] });
    // as before, but for what would tell what production has
    expect(cell(all, 'port', 'canary').states).toEqual(['own', 'redundant']);
    expect(cell(matrix, 'port', 'canary').states).toEqual(['own']);
    expect(cell(matrix, 'port', 'default')).toEqual(cell(all, 'port', 'default'));
    expect(cell(matrix, 'region', 'canary')).toEqual(cell(all, 'region', 'canary'));
    expect(namesOf(await read('?state=redundant', viewer))).toEqual([]);
    expect(namesOf(await read('?state=own&environment=production', viewer))).toEqual([]);
    expect(await read()).toEqual({
      ...all,
      results: all.results,
    });
    expect((await viewer.get(`${path}?environment=production&tag=none`)).status).toBe(403);
  });

  it('is refused as a project, whoever was a member of what it depends on', async () => {
    const { organization, owner, project, path } = await shop();
    await owner.patch(project.url, { access_controlled: true });

    expect(detailOf(await organization.as('VIEWER').get(path))).toEqual([
      403,
      'You do not have permission to perform this action.',
    ]);
  });

  it('a text that depends on a closed project is masked and not compared by what lies there', async () => {
    const { organization, owner, project, root, production, read } = await shop();
    const vault = await organization.project({ name: 'vault' });
    const hidden = await organization.parameter({ project: vault, name: 'hidden' });
    await organization.value({ parameter: hidden, environment: root, internal_value: SECRET });
    await organization.value({ parameter: hidden, environment: production, internal_value: `${SECRET} too` });
    const parameter = await organization.parameter({ project, name: 'peek' });
    const text = '{{ strata.projects.vault.parameters.hidden }}';
    await organization.value({ parameter, environment: root, internal_value: text, interpolated: true });
    expect(cell(await read(), 'peek', 'production')).toMatchObject({ states: ['inherited', 'dynamic', 'differs'] });
    await owner.patch(vault.url, { access_controlled: true });
    const matrix = await read('', organization.as('VIEWER'));

    expect(JSON.stringify(matrix)).not.toContain(SECRET);
    expect(cell(matrix, 'peek', 'production')).toMatchObject({
      states: ['inherited', 'secret', 'dynamic'],
      text: MASK,
    });
  });
});

describe('a question that cannot be answered', () => {
  it('is refused by its name', async () => {
    const { organization, owner, project, path } = await shop();

    expect(detailOf(await owner.get(`${path}?environment=nowhere`))).toEqual([
      404,
      'No Environment matches the given query.',
    ]);
    expect(await owner.get(`${path}?state=own,odd`)).toMatchObject({
      status: 400,
      body: { state: [expect.stringContaining('Choose from: own, inherited')] },
    });
    const many = Array.from({ length: 201 }, () => 'environment=default').join('&');
    expect(await owner.get(`${path}?${many}`)).toMatchObject({
      status: 400,
      body: { environment: ['Give this at most 200 times.'] },
    });
    expect(await owner.get(`${path}?environment=%00`)).toMatchObject({
      status: 400,
      body: { environment: [expect.any(String)] },
    });
    expect((await owner.get(`${path}?page=9`)).status).toBe(404);
    const outsider = (await core.organization()).owner;
    expect((await outsider.get(path)).status).toBe(404);
    expect((await outsider.get(`${path}?environment=production`)).status).toBe(404);
    expect((await new RawClient(core.origin, null).get(path)).status).toBe(401);
    expect((await organization.as('VIEWER').get(`${project.url}matrix/`)).status).toBe(200);
  });
});
