import type { Matrix, Page, Parameter } from '@strata/contract';
import { MASK, type MatrixState } from '@strata/domain';
import { type Reply, type RunningCore, sharedCore } from '@strata/testkit';
import { findCell, findName, listNames, matrixShop, SECRET } from '../../testing/matrix-shop.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('the matrix of a project', () => {
  it('has a row for every name and a column for every environment, parents before their children', async () => {
    const { owner, project, base, root, production, read } = await matrixShop(core);
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
    expect(listNames(matrix)).toEqual(list.body.results.map(({ name }) => name));
    expect([matrix.count, matrix.next, matrix.previous]).toEqual([8, null, null]);
    const { cells: _, ...region } = findName(matrix, 'region');
    expect(region).toMatchObject({ project_id: base.id, project_name: 'base', type: 'string', secret: false });
    expect(findName(matrix, 'port')).toMatchObject({
      ...{ project_id: project.id, project_name: 'shop', type: 'integer', description: 'About port.', expires: null },
    });
    for (const { cells } of matrix.results) expect(cells).toHaveLength(5);
  });

  it('contains for each cell the effective value, its source and its states', async () => {
    const { live, leased, read } = await matrixShop(core);
    const matrix = await read();

    expect(findCell(matrix, 'port', 'production')).toEqual({
      states: ['own', 'differs'],
      text: '443',
      value_id: live.id,
      ledger_id: live.ledger_id,
      next: { state: 'set', text: '80', environment_name: 'default' },
    });
    expect(findCell(matrix, 'port', 'default').next).toEqual({ state: 'unset' });
    // The value equals that of production, so it is redundant.
    expect(findCell(matrix, 'port', 'canary')).toMatchObject({ states: ['own', 'redundant'], text: '443' });
    expect(findCell(matrix, 'port', 'staging')).toEqual({
      states: ['inherited'],
      text: '80',
      environment_name: 'default',
    });
    expect(findCell(matrix, 'region', 'production')).toEqual({
      states: ['inherited', 'differs'],
      text: 'us',
      project_name: 'base',
    });
    expect(findCell(matrix, 'region', 'canary')).toEqual({
      states: ['inherited'],
      text: 'us',
      environment_name: 'production',
      project_name: 'base',
    });
    expect(findCell(matrix, 'proxy', 'production')).toMatchObject({ states: ['own', 'null', 'differs'], text: null });
    expect(findCell(matrix, 'proxy', 'canary')).toEqual({
      states: ['inherited', 'null'],
      text: null,
      environment_name: 'production',
    });
    expect(findCell(matrix, 'unset', 'production')).toEqual({ states: ['missing'] });
    expect(findCell(matrix, 'link', 'canary')).toEqual({
      states: ['inherited', 'dynamic'],
      text: 'http://us:443',
      raw: 'http://{{ region }}:{{ port }}',
      environment_name: 'default',
    });
    // The value is not set in production, but its evaluated text differs there.
    expect(findCell(matrix, 'link', 'production').states).toEqual(['inherited', 'dynamic', 'differs']);
    expect(leased.expires_at).toMatch(/^20/);
    expect(findCell(matrix, 'lease', 'default').expires_at).toBe(leased.expires_at);
    expect(findCell(matrix, 'lease', 'canary').expires_at).toBe(leased.expires_at);
  });

  it('contains neither a secret nor a text with one, and does not reveal whether two secrets are equal', async () => {
    const { path, owner, read } = await matrixShop(core);
    const { text, body } = await owner.get<Matrix>(path);

    expect(text).not.toContain(SECRET);
    const { next, ...password } = findCell(body, 'password', 'production');
    expect(password).toMatchObject({ states: ['own', 'secret', 'differs'], text: MASK });
    expect(next).toEqual({ state: 'set', environment_name: 'default' });
    expect(findCell(body, 'password', 'canary')).toEqual({
      states: ['inherited', 'secret'],
      text: MASK,
      environment_name: 'production',
    });
    expect(findCell(body, 'login', 'default')).toMatchObject({
      states: ['own', 'secret', 'dynamic'],
      text: MASK,
      raw: 'user:{{ password }}',
    });
    // An input of the text is set again in production.
    expect(findCell(body, 'login', 'production').states).toEqual(['inherited', 'secret', 'dynamic', 'differs']);
    expect(findCell(body, 'login', 'canary').states).toEqual(['inherited', 'secret', 'dynamic']);
    expect(await read('?mask_secrets=false')).toEqual(body);
  });

  it('contains the requested environments by name or id, in the order of the request without duplicates', async () => {
    const { root, read } = await matrixShop(core);
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
  it('can be filtered to the names that have one of several states in a visible cell', async () => {
    const { read } = await matrixShop(core);

    for (const [state, names] of Object.entries(byState)) {
      const matrix = await read(`?state=${state}`);
      expect([state, listNames(matrix), matrix.count]).toEqual([state, names, names.length]);
    }
    expect(listNames(await read('?state=redundant,missing'))).toEqual(['port', 'unset']);
    expect(listNames(await read('?state=redundant&environment=production'))).toEqual([]);
    expect(listNames(await read('?state=own&environment=production'))).toEqual(['password', 'port', 'proxy']);
  });

  it('can be filtered like parameters', async () => {
    const { port, read } = await matrixShop(core);

    expect(listNames(await read('?name=port'))).toEqual(['port']);
    expect(listNames(await read('?name__icontains=PO'))).toEqual(['port']);
    expect(listNames(await read('?secret=true'))).toEqual(['password']);
    expect(listNames(await read('?immediate_parameters=true'))).not.toContain('region');
    expect(listNames(await read(`?id__in=${port.id}`))).toEqual(['port']);
    expect(listNames(await read('?description__icontains=about%20LINK'))).toEqual(['link']);
    expect(listNames(await read('?ordering=-name&page_size=2'))).toEqual(['unset', 'region']);
  });

  it('can be searched by name and by visible text, ignoring case, but never by the text of a secret', async () => {
    const { read } = await matrixShop(core);

    expect(listNames(await read('?q=PORT'))).toEqual(['port']);
    // The text is set in production and evaluated as a part of a text that refers to it.
    expect(listNames(await read('?q=443'))).toEqual(['link', 'port']);
    expect(listNames(await read('?q=443&environment=default'))).toEqual([]);
    expect(listNames(await read('?q=443&state=dynamic'))).toEqual(['link']);
    expect(listNames(await read(`?q=${SECRET}`))).toEqual([]);
    expect(listNames(await read('?q=*****'))).toEqual([]);
  });

  it("lists the project's own parameters before inherited ones on request", async () => {
    const { read } = await matrixShop(core);
    const names = listNames(await read('?ordering=project'));

    expect(names.at(-1)).toBe('region');
    expect(names.slice(0, -1)).toEqual(listNames(await read('?immediate_parameters=true')));
    expect(listNames(await read('?ordering=project,-name&page_size=1'))).toEqual(['unset']);
  });

  it('is sorted by the texts in one environment, and the order reveals nothing about secrets', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const values = { nine: '9', ten: '10', word: 'a', above: 'zzz', below: '0' };
    for (const [name, internal_value] of Object.entries(values)) {
      const parameter = await organization.parameter({ project, name, secret: name === 'above' || name === 'below' });
      await organization.value({ parameter, internal_value });
    }
    await organization.parameter({ project, name: 'unset' });
    const ordered = async (ordering: string) =>
      listNames((await organization.owner.get<Matrix>(`${project.url}matrix/?ordering=${ordering}`)).body);

    const last = ['above', 'below', 'unset'];
    expect(await ordered('value&order_environment=default')).toEqual(['nine', 'ten', 'word', ...last]);
    expect(await ordered('-value&order_environment=default&environment=production')).toEqual([
      'word',
      'ten',
      'nine',
      ...last,
    ]);
    expect(await ordered('project,value&order_environment=default&page_size=1&page=2')).toEqual(['ten']);
    expect(await organization.owner.get(`${project.url}matrix/?ordering=value`)).toMatchObject({
      status: 400,
      body: { order_environment: [expect.any(String)] },
    });
  });

  it('has pages of names by number and by cursor, which together contain every name', async () => {
    const { path, owner, read } = await matrixShop(core);
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

  it('contains the reason in the cell of a text that fails, and evaluates all others', async () => {
    const { organization, owner, project, read } = await matrixShop(core);
    const long = await organization.value({ parameter: await organization.parameter({ project, name: 'long' }) });
    const broken = await organization.parameter({ project, name: 'broken' });
    await organization.value({ parameter: broken, internal_value: '{{ long }}'.repeat(17), interpolated: true });
    const after = await organization.parameter({ project, name: 'later' });
    await organization.value({ parameter: after, internal_value: 'x{{ broken }}', interpolated: true });
    expect((await owner.patch(long.url, { internal_value: 'x'.repeat(65_000) })).status).toBe(200);
    const matrix = await read();

    for (const name of ['broken', 'later']) {
      const { text, problem, raw, states } = findCell(matrix, name, 'default');
      expect([name, text, problem, states]).toEqual([name, undefined, expect.any(String), ['own', 'dynamic']]);
      expect(raw).toContain('{{');
    }
    expect(findCell(matrix, 'link', 'canary').text).toBe('http://us:443');
  });
});
