import { restorableProjects } from './restorable.ts';

const changeset = (revision: number, projects: readonly string[], changeCount = projects.length) => ({
  revision,
  changeCount,
  changes: projects.map((projectName) => ({ projectName })),
});

describe('the projects that can be restored to a revision', () => {
  it.each([
    ['none, if it is the newest', [changeset(5, ['web'])], []],
    [
      'those that changed later',
      [changeset(7, ['web']), changeset(6, ['bank']), changeset(5, ['web', 'shop'])],
      ['web'],
    ],
    ['all, if later changes are not all listed', [changeset(6, ['bank'], 9), changeset(5, ['web'])], ['web', 'shop']],
    ['all, if the list does not reach back to it', [changeset(9, ['bank']), changeset(8, ['bank'])], ['web', 'shop']],
  ])('are %s', (_, newest, expected) => {
    expect(restorableProjects(['web', 'shop'], 5, newest)).toEqual(expected);
  });
});
