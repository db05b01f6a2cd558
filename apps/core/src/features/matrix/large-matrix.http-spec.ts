import type { AppliedChangeset, Matrix } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { cellIn, namesOf } from '../../testing/matrix-shop.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Returns a project whose values are too many to be read for each page, and an override of one of them. */
async function largeProject() {
  const organization = await core.organization();
  const project = await organization.project({ name: 'large' });
  const names = Array.from({ length: 280 }, (_, at) => `NAME_${String(at).padStart(3, '0')}`);
  for (const from of [0, 100, 200]) {
    const some = names.slice(from, from + 100);
    const values = Object.fromEntries(some.map((name) => [name, name.repeat(8_000)]));
    const set = { project: 'large', environment: 'default', create_missing: true, values };
    const { status, text } = await organization.owner.post('changesets/', { operations: [{ set }] });
    if (status !== 201) throw new Error(text);
  }
  const set = { project: 'large', environment: 'staging', values: { NAME_101: 'short' } };
  const { body: applied } = await organization.owner.post<AppliedChangeset>('changesets/', { operations: [{ set }] });
  const read = async (query: string) => {
    const { status, text, body } = await organization.owner.get<Matrix>(`${project.url}matrix/?page_size=3&${query}`);
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return body;
  };
  return { organization, project, read, revision: applied.revision };
}

it('a matrix with many values has the same pages as others', async () => {
  const { organization, project, read, revision } = await largeProject();
  const page = await read('page=34&environment=default&environment=staging');

  expect([page.count, namesOf(page)]).toEqual([280, ['NAME_099', 'NAME_100', 'NAME_101']]);
  expect(cellIn(page, 'NAME_101', 'staging')).toMatchObject({ states: ['own', 'differs'], text: 'short' });
  expect(cellIn(page, 'NAME_100', 'staging')).toMatchObject({ states: ['inherited'], environment_name: 'default' });
  const following = await read(`after=${new URL(page.next ?? '').searchParams.get('after') ?? ''}&page=35`);
  expect(namesOf(following)).toEqual(['NAME_102', 'NAME_103', 'NAME_104']);
  expect(namesOf(await read('name__icontains=name_17&ordering=-name'))).toEqual(['NAME_179', 'NAME_178', 'NAME_177']);
  const grouped = await read('page=34&ordering=prefix');
  expect([namesOf(grouped), grouped.groups]).toEqual([namesOf(page), [{ prefix: 'NAME', count: 280 }]]);
  const byValue = await read('ordering=-value&order_environment=staging&environment=staging');
  expect(namesOf(byValue)).toEqual(['NAME_101', 'NAME_279', 'NAME_278']);

  await organization.parameter({ project, name: 'NAME_100a' });
  const changed = await read('page=34&environment=staging');
  expect([changed.count, namesOf(changed)]).toEqual([281, ['NAME_099', 'NAME_100', 'NAME_100a']]);
  expect(namesOf(await read(`page=34&revision=${revision}`))).toEqual(['NAME_099', 'NAME_100', 'NAME_101']);
});
