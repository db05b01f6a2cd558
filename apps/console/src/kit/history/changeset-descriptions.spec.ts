import {
  type DescribedChange,
  describeChange,
  describeChanges,
  describeInterface,
  describeObjectType,
  listProjects,
} from './changeset-descriptions.ts';

const change = (
  action: DescribedChange['action'],
  objectType: string,
  objectName: string,
  more: Partial<DescribedChange> = {},
) => ({
  action,
  objectType,
  objectName,
  projectName: null,
  environmentName: null,
  ...more,
});
const value = (name: string, environmentName: string, action: DescribedChange['action'] = 'update') =>
  change(action, 'Value', name, { environmentName, projectName: 'web' });

describe('the description of a changeset', () => {
  it.each([
    [value('PORT', 'production'), 'set PORT in production'],
    [value('PORT', 'production', 'create'), 'set PORT in production'],
    [value('PORT', 'canary', 'delete'), 'unset PORT in canary'],
    [change('create', 'Environment', 'canary', { environmentName: 'canary' }), 'created environment canary'],
    [change('update', 'ParameterTypeRule', 'port'), 'changed type rule port'],
    [change('delete', 'ServiceAccount', 'ci'), 'deleted service account ci'],
  ])('names the object of a single change', (change, sentence) => {
    expect(describeChange(change)).toBe(sentence);
    expect(describeChanges([change], 1, 2)).toBe(sentence);
  });

  it('names a few values and counts many', () => {
    expect(describeChanges([value('A', 'x'), value('B', 'y')], 2, 2)).toBe('set A in x, set B in y');
    expect(
      describeChanges(
        ['A', 'B', 'C', 'D'].map((name) => value(name, 'x')),
        4,
        2,
      ),
    ).toBe('changed 4 values');
  });

  it('counts objects by kind, and names single ones', () => {
    const changes = [
      change('create', 'Project', 'web'),
      change('create', 'Parameter', 'A'),
      change('create', 'Parameter', 'B'),
      value('A', 'x', 'create'),
      value('B', 'x', 'delete'),
    ];
    expect(describeChanges(changes, 5, 2)).toBe('created project web, 2 parameters, 1 value; deleted 1 value');
  });

  it('contains only counts if the list of changes is incomplete', () => {
    expect(describeChanges([value('A', 'x'), value('B', 'x')], 987, 2)).toBe('987 changes');
    expect(describeChanges([], 12, 2)).toBe('12 changes');
    expect(describeChanges([], 0, 2)).toBe('hidden (no access)');
    expect(describeChanges([], 0, 1)).toBe('created the organization');
  });

  it('names each of its projects once', () => {
    expect(listProjects([value('A', 'x'), value('B', 'x'), change('create', 'Environment', 'y')])).toEqual(['web']);
  });

  it('shows unknown kinds of objects and interfaces by their own names', () => {
    expect(describeObjectType('BackupSnapshot')).toBe('backup snapshot');
    expect([
      describeInterface('rest'),
      describeInterface('graphql'),
      describeInterface('job'),
      describeInterface(null),
    ]).toEqual(['REST', 'GraphQL', 'job', '']);
  });
});
