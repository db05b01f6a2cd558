import type { AppliedChangeset, Matrix } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { findCell, listNames } from '../../testing/matrix-shop.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Returns a project whose values in an environment are too many to be read for each page, and another value in staging. */
async function largeProject(environment = 'default') {
  const organization = await core.organization();
  const project = await organization.project({ name: 'large' });
  const names = Array.from({ length: 280 }, (_, index) => `NAME_${String(index).padStart(3, '0')}`);
  for (const from of [0, 100, 200]) {
    const batch = names.slice(from, from + 100);
    const values = Object.fromEntries(batch.map((name) => [name, name.repeat(8_000)]));
    const set = { project: 'large', environment, create_missing: true, values };
    const { status, text } = await organization.owner.post('changesets/', { operations: [{ set }] });
    if (status !== 201) throw new Error(text);
  }
  const set = { project: 'large', environment: 'staging', values: { NAME_101: 'short' } };
  const { body: applied } = await organization.owner.post<AppliedChangeset>('changesets/', { operations: [{ set }] });
  const read = async (query: string) => {
    const size = query.includes('page_size') ? '' : 'page_size=3&';
    const { status, text, body } = await organization.owner.get<Matrix>(`${project.url}matrix/?${size}${query}`);
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return body;
  };
  return { organization, project, read, revision: applied.revision };
}

it('a matrix with many values has the same pages as others', async () => {
  const { organization, project, read, revision } = await largeProject();
  const page = await read('page=34&environment=default&environment=staging');

  expect([page.count, listNames(page)]).toEqual([280, ['NAME_099', 'NAME_100', 'NAME_101']]);
  expect(findCell(page, 'NAME_101', 'staging')).toMatchObject({ states: ['own', 'differs'], text: 'short' });
  expect(findCell(page, 'NAME_100', 'staging')).toMatchObject({ states: ['inherited'], environment_name: 'default' });
  const following = await read(`after=${new URL(page.next ?? '').searchParams.get('after') ?? ''}&page=35`);
  expect(listNames(following)).toEqual(['NAME_102', 'NAME_103', 'NAME_104']);
  expect(listNames(await read('name__icontains=name_17&ordering=-name'))).toEqual(['NAME_179', 'NAME_178', 'NAME_177']);
  const grouped = await read('page=34&ordering=prefix');
  expect([listNames(grouped), grouped.groups]).toEqual([listNames(page), [{ prefix: 'NAME', count: 280 }]]);
  const byValue = await read('ordering=-value&order_environment=staging&environment=staging');
  expect(listNames(byValue)).toEqual(['NAME_101', 'NAME_279', 'NAME_278']);

  await organization.parameter({ project, name: 'NAME_100a' });
  const changed = await read('page=34&environment=staging');
  expect([changed.count, listNames(changed)]).toEqual([281, ['NAME_099', 'NAME_100', 'NAME_100a']]);
  expect(listNames(await read(`page=34&revision=${revision}`))).toEqual(['NAME_099', 'NAME_100', 'NAME_101']);
});

/** The values of one parameter by environment: a literal, null, or a dynamic text in braces. */
const PARTICULAR: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  differs: { default: 'one', staging: 'two' },
  redundant: { default: 'same', staging: 'same' },
  nothing: { staging: null },
  nothing_twice: { default: null, staging: null },
  empty: { default: '', staging: 'Something' },
  dotted: { default: 'İstanbul' },
  kelvin: { default: '300 \u212a' },
  umlaut: { default: 'GRÖSSE' },
  percent: { default: '100%' },
  underscore: { default: 'snake_case' },
  backslash: { default: 'C:\\temp' },
  dynamic: { default: 'is {{ differs }}' },
  dynamic_redundant: { default: 'one', production: '{{ differs }}' },
  dynamic_secret: { default: 'at {{ secret }}' },
  only_production: { production: 'concealed' },
  unset: {},
};
const SEARCHES = [
  'one',
  'TWO',
  'some',
  'istanbul',
  'i̇',
  'k',
  'ö',
  'grö',
  '%',
  '_case',
  '\\',
  'is two',
  'at ',
  'hunter',
  'NAME_10',
];

it('filters of a large matrix select the names whose cells match', async () => {
  const { organization, project, read } = await largeProject('development');
  const environments = await Promise.all(
    ['default', 'staging', 'production'].map((name) => organization.environmentNamed(name)),
  );
  await organization.value({
    parameter: await organization.parameter({ project, name: 'secret', secret: true }),
    internal_value: 'hunter2',
  });
  for (const [name, values] of Object.entries(PARTICULAR)) {
    const parameter = await organization.parameter({ project, name });
    for (const environment of environments) {
      const text = values[environment.name];
      if (text === undefined) continue;
      const interpolated = text?.includes('{{') ?? false;
      await organization.value({ parameter, environment, internal_value: text, interpolated });
    }
  }
  const readAll = async (query: string) => {
    const names: Matrix['results'][number][] = [];
    for (let page = 1; ; page += 1) {
      const body = await read(
        `page=${page}&page_size=100&environment=default&environment=staging&environment=production&${query}`,
      );
      names.push(...body.results);
      if (!body.next) return names;
    }
  };
  const all = await readAll('');
  expect(all).toHaveLength(281 + Object.keys(PARTICULAR).length);

  const states = [...new Set(all.flatMap(({ cells }) => cells.flatMap((cell) => cell.states)))];
  expect(states).toEqual(expect.arrayContaining(['own', 'inherited', 'missing', 'secret', 'differs', 'redundant']));
  for (const state of states) {
    const expected = all.filter(({ cells }) => cells.some((cell) => cell.states.includes(state)));
    expect([state, (await readAll(`state=${state}`)).map(({ name }) => name)]).toEqual([
      state,
      expected.map(({ name }) => name),
    ]);
  }
  for (const searched of SEARCHES) {
    const has = (text: string | null | undefined) => text?.toLowerCase().includes(searched.toLowerCase()) ?? false;
    const expected = all.filter(
      ({ name, cells }) => has(name) || cells.some((cell) => !cell.states.includes('secret') && has(cell.text)),
    );
    const rows = await readAll(`q=${encodeURIComponent(searched)}`);
    expect([searched, rows.map(({ name }) => name)]).toEqual([searched, expected.map(({ name }) => name)]);
  }

  expect(listNames(await read('q=concealed'))).toEqual(['only_production']);
  const production = environments.find(({ name }) => name === 'production');
  await organization.owner.patch(production?.url ?? '', { access_controlled: true });
  const viewer = organization.as('VIEWER');
  for (const query of ['q=concealed', 'state=redundant&q=dynamic']) {
    const { status, body } = await viewer.get<Matrix>(`${project.url}matrix/?${query}`);
    expect([query, status, listNames(body)]).toEqual([query, 200, []]);
  }
});
