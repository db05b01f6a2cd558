import { changingProject, copyingProject } from './project-operations.ts';

const IS = {
  id: '1',
  ledgerId: 'v1',
  name: 'web',
  description: 'The shop',
  parameter_name_pattern: '',
  depends_on: null,
};

it('a change of a project says only what is otherwise', () => {
  expect(changingProject(IS, { name: 'web', description: 'The shop' })).toEqual([]);
  expect(changingProject(IS, { depends_on: '2', description: 'The shop' })).toEqual([
    { operation: 'projects_partial_update', path: { id: '1' }, body: { depends_on: '2' }, ifMatch: 'v1' },
  ]);
});

it('a copy of a project takes what depends on it along only where that is asked for', () => {
  const given = { name: 'twin', description: '', dependsOnId: null };

  expect(copyingProject('1', { ...given, childNames: null })).toEqual([
    { operation: 'projects_copy_create', path: { id: '1' }, body: { name: 'twin', description: '', depends_on: null } },
  ]);
  expect(copyingProject('1', { ...given, childNames: { api: 'twin-api' } })).toMatchObject([
    { body: { recursive: true, child_project_names: { api: 'twin-api' } } },
  ]);
});
