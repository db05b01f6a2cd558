import { findRoute } from './operations.ts';

test('the path of an operation contains its placeholders encoded', () => {
  expect(findRoute('changesets_retrieve', { revision: '7/?a=b' })).toEqual({
    method: 'GET',
    path: '/api/v1/changesets/7%2F%3Fa%3Db/',
  });
});

test.each(['', '.', '..'])('%j is no placeholder, because the path would lead to another operation', (id) => {
  expect(() => findRoute('projects_destroy', { id })).toThrow('projects_destroy');
});
