import { type ExistingObjects, listFirstSteps } from './first-steps.ts';

const project = { projectName: 'web', parameterCount: 0, valueCount: 0, instances: [] };
const fresh: ExistingObjects = {
  projects: [project],
  projectCount: 1,
  userCount: 1,
  serviceAccountCount: 0,
  programCount: 0,
};
const doneIn = (more: Partial<ExistingObjects>) =>
  listFirstSteps({ ...fresh, ...more }).flatMap(({ title, isDone }) => (isDone ? [title] : []));

describe('the first steps', () => {
  it.each<[string, Partial<ExistingObjects>, readonly string[]]>([
    ['the initial empty project', {}, []],
    ['no project that the user can read', { projects: [], projectCount: 0 }, []],
    ['a second project', { projectCount: 2 }, ['Create a project']],
    ['a parameter', { projects: [{ ...project, parameterCount: 1 }] }, ['Create a project', 'Add a parameter']],
    [
      'a value',
      { projects: [{ ...project, parameterCount: 1, valueCount: 1 }] },
      ['Create a project', 'Add a parameter', 'Set a value'],
    ],
    [
      'a service account, which is not a colleague',
      { userCount: 2, serviceAccountCount: 1, programCount: 1 },
      ['Connect a program'],
    ],
    ['the service account of the first start', { userCount: 2, serviceAccountCount: 1 }, []],
    ['an instance of a program', { projects: [{ ...project, instances: [{}] }] }, ['Connect a program']],
    ['a second person', { userCount: 2 }, ['Invite a colleague']],
  ])('that are done with %s', (_state, more, done) => {
    expect(doneIn(more)).toEqual(done);
  });
});
