import { affectedInProject, dependencyChain, findAffectedData, type ReportedChangeScope } from './affected-data.ts';

const value = (project: string, name: string): ReportedChangeScope => ({
  type: 'value_updated',
  object: { id: `value of ${name}` },
  project: { id: project },
  parameter: { id: `${project}/${name}`, name },
});
const PROJECTS = [
  { id: 'web', dependsOnId: 'base' },
  { id: 'base', dependsOnId: 'root' },
  { id: 'root', dependsOnId: null },
];

describe('the data that a change may affect', () => {
  it('includes the name of a changed value in its project and its dependents', () => {
    const touched = findAffectedData([value('base', 'PORT'), value('base', 'HOST'), value('other', 'PORT')]);

    expect(affectedInProject(dependencyChain('web', PROJECTS), touched)).toEqual(new Set(['PORT', 'HOST']));
    expect(affectedInProject(dependencyChain('root', PROJECTS), touched)).toBeNull();
    expect(touched.kinds).toEqual(new Set(['value']));
  });

  it.each(['parameter_created', 'parameter_updated', 'parameter_deleted'])('includes all rows after %s', (type) => {
    const touched = findAffectedData([{ ...value('base', 'PORT'), type }]);

    expect(affectedInProject(['web', 'base'], touched)).toBe('whole');
    expect(affectedInProject(['other'], touched)).toBeNull();
  });

  it('includes everything after a change of environments', () => {
    const touched = findAffectedData([
      { type: 'environment_updated', object: { id: 'e' }, project: null, parameter: null },
    ]);

    expect(touched.kinds).toEqual(new Set(['environment']));
    expect(affectedInProject(['web'], touched)).toBe('whole');
  });

  it('includes the list of projects and the changed project', () => {
    const touched = findAffectedData([
      { type: 'project_updated', object: { id: 'base' }, project: null, parameter: null },
    ]);

    expect(touched.kinds).toEqual(new Set(['project']));
    expect(affectedInProject(['web', 'base'], touched)).toBe('whole');
  });

  it.each([
    ['webhook_updated', 'webhook'],
    ['service_account_created', 'service_account'],
  ])('is only the data of the kind after %s, and nothing of a project', (type, kind) => {
    const touched = findAffectedData([{ type, object: { id: 'o' }, project: { id: 'web' }, parameter: null }]);

    expect([...touched.kinds]).toEqual([kind]);
    expect(affectedInProject(['web'], touched)).toBeNull();
  });
});

it('a chain of projects ends at a cycle', () => {
  const circle = [
    { id: 'a', dependsOnId: 'b' },
    { id: 'b', dependsOnId: 'a' },
  ];
  expect(dependencyChain('a', circle)).toEqual(['a', 'b']);
});
