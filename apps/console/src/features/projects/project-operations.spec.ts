import { projectCopyOperations } from './project-operations.ts';

it('a copy of a project includes its dependents only on request', () => {
  const copy = { name: 'twin', description: '', dependsOnId: null };

  expect(projectCopyOperations('1', { ...copy, childNames: null })).toEqual([
    { operation: 'projects_copy_create', path: { id: '1' }, body: { name: 'twin', description: '', depends_on: null } },
  ]);
  expect(projectCopyOperations('1', { ...copy, childNames: { api: 'twin-api' } })).toMatchObject([
    { body: { recursive: true, child_project_names: { api: 'twin-api' } } },
  ]);
});
