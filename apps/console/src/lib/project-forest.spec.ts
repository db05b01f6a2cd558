import { asForest, type UnlistedProject } from './project-forest.ts';

const project = (name: string, dependsOnId: string | null = null): UnlistedProject => ({
  id: name,
  name,
  description: '',
  dependsOnId,
});

it('projects are listed below their parents', () => {
  const listed = asForest([project('web', 'base'), project('api', 'base'), project('base'), project('admin', 'web')]);

  expect(listed.map(({ name, depth, dependsOnName }) => [name, depth, dependsOnName])).toEqual([
    ['base', 0, null],
    ['api', 1, 'base'],
    ['web', 1, 'base'],
    ['admin', 2, 'web'],
  ]);
});

it('a project with a hidden parent is a root', () => {
  expect(asForest([project('web', 'hidden')])).toMatchObject([{ name: 'web', depth: 0, dependsOnName: null }]);
});
