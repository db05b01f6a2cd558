import { asForest, type UnlistedProject } from './project-forest.ts';

const project = (name: string, dependsOnId: string | null = null): UnlistedProject => ({
  id: name,
  name,
  description: '',
  dependsOnId,
});

it('projects are listed below what they depend on, and say so', () => {
  const listed = asForest([project('web', 'base'), project('api', 'base'), project('base'), project('admin', 'web')]);

  expect(listed.map(({ name, depth, dependsOnName }) => [name, depth, dependsOnName])).toEqual([
    ['base', 0, null],
    ['api', 1, 'base'],
    ['web', 1, 'base'],
    ['admin', 2, 'web'],
  ]);
});

it('a project whose dependency is not shown is listed by itself', () => {
  expect(asForest([project('web', 'hidden')])).toMatchObject([{ name: 'web', depth: 0, dependsOnName: null }]);
});
