import type { Matrix } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { listNames, statusAndDetail } from '../../testing/matrix-shop.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Creates `shop`, which depends on `base`, with names that `ordering=name` would mix. */
async function shop() {
  const organization = await core.organization();
  const base = await organization.project({ name: 'base' });
  const project = await organization.project({ name: 'shop', depends_on: base.url });
  for (const [name, text] of Object.entries({
    ...{ LOG_LEVEL: 'info', LOGGER: 'console', LOG_FORMAT: 'json' },
    ...{ DB_PORT: '5432', DB_HOST: 'db.example', DBA: 'ada', APP_NAME: 'shop' },
  })) {
    await organization.value({ parameter: await organization.parameter({ project, name }), internal_value: text });
  }
  for (const name of ['DB_USER', 'LOG_COLOR', 'LOG_PATH']) await organization.parameter({ project: base, name });
  const path = `${project.url}matrix/`;
  const read = async (query: string, client: RawClient = organization.owner) => {
    const { status, text, body } = await client.get<Matrix>(`${path}?${query}`);
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return body;
  };
  return { organization, project, base, path, read };
}

const listGroups = ({ groups = [] }: Matrix) => groups.map(({ prefix, count }) => [prefix, count]);

describe('the groups of a matrix', () => {
  it('are names with the same prefix, next to each other, in the order of the prefixes', async () => {
    const { read } = await shop();
    const matrix = await read('ordering=prefix&immediate_parameters=true');

    expect(listNames(matrix)).toEqual(['APP_NAME', 'DB_HOST', 'DB_PORT', 'DBA', 'LOG_FORMAT', 'LOG_LEVEL', 'LOGGER']);
    expect(listGroups(matrix)).toEqual([
      [null, 1],
      ['DB', 2],
      [null, 1],
      ['LOG', 2],
      [null, 1],
    ]);
    expect((await read('ordering=name')).groups).toBeUndefined();
  });

  it('belong to one project each if the rows are sorted by project', async () => {
    const { read } = await shop();

    expect(listGroups(await read('ordering=prefix'))).toEqual([
      [null, 1],
      ['DB', 3],
      [null, 1],
      ['LOG', 4],
      [null, 1],
    ]);
    expect(listGroups(await read('ordering=project,prefix'))).toEqual([
      ...[
        [null, 1],
        ['DB', 2],
        [null, 1],
        ['LOG', 2],
        [null, 1],
      ],
      ...[
        [null, 1],
        ['LOG', 2],
      ],
    ]);
  });

  it('are reversed with their names', async () => {
    const { read } = await shop();
    const matrix = await read('ordering=-prefix,-name&immediate_parameters=true');

    expect(listNames(matrix)).toEqual(['LOGGER', 'LOG_LEVEL', 'LOG_FORMAT', 'DBA', 'DB_PORT', 'DB_HOST', 'APP_NAME']);
    expect(listGroups(matrix)).toEqual(
      listGroups(await read('ordering=prefix&immediate_parameters=true')).toReversed(),
    );
  });

  it('are those of all pages, whose rows follow the same order', async () => {
    const { read } = await shop();
    const whole = await read('ordering=project,prefix');
    const pages = [1, 2, 3, 4].map((page) => read(`ordering=project,prefix&page_size=3&page=${page}`));
    const read3 = await Promise.all(pages);

    expect(read3.flatMap(listNames)).toEqual(listNames(whole));
    for (const page of read3) expect([page.count, listGroups(page)]).toEqual([10, listGroups(whole)]);
  });

  it.each([
    [
      'a part of the name',
      'name__icontains=log',
      [
        ['LOG', 4],
        [null, 1],
      ],
    ],
    ['a text in a cell', 'q=example', [[null, 1]]],
    [
      'a state',
      'state=missing',
      [
        [null, 1],
        ['LOG', 2],
      ],
    ],
    ['ids that do not exist', 'id__in=00000000-0000-4000-8000-000000000000', []],
  ])('follow the filter by %s', async (_, filter, expected) => {
    const { read } = await shop();

    expect(listGroups(await read(`ordering=prefix&${filter}`))).toEqual(expected);
  });

  it('are not available in other orders: by value, and by cursor', async () => {
    const { read, path, organization } = await shop();

    expect((await read('ordering=value&order_environment=default')).groups).toBeUndefined();
    expect((await organization.owner.get(`${path}?after=start&ordering=prefix`)).status).toBe(400);
  });

  it('require the permission to read the project', async () => {
    const { organization, project, path, read } = await shop();
    const query = 'ordering=prefix';

    expect(listGroups(await read(query, organization.as('VIEWER')))).toEqual(listGroups(await read(query)));
    expect((await (await core.organization()).owner.get(`${path}?${query}`)).status).toBe(404);
    expect((await new RawClient(core.origin, null).get(`${path}?${query}`)).status).toBe(401);
    await organization.owner.patch(project.url, { access_controlled: true });
    const response = await organization.as('VIEWER').get(`${path}?${query}`);
    expect(statusAndDetail(response)).toEqual([403, 'You do not have permission to perform this action.']);
    expect(response.text).not.toContain('LOG');
  });
});
