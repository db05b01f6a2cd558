import { AUDIT_OBJECT_TYPES, CONTENT_TYPES, eventOf, TYPES_BESIDE_CONFIGURATION } from './object-type.ts';

describe('the event of a change', () => {
  it.each([
    ['Environment', 'create', 'environment_created'],
    ['Project', 'update', 'project_updated'],
    ['Parameter', 'delete', 'parameter_deleted'],
    ['Value', 'update', 'value_updated'],
    ['ParameterRule', 'delete', 'parameter_updated'],
    ['Template', 'update', null],
    ['Tag', 'create', null],
    ['Value', 'push', null],
  ] as const)('of %s to %s is %s', (type, action, event) => {
    expect(eventOf(type, action)).toBe(event);
  });
});

describe('kinds of objects', () => {
  it('are in audit lists as existing clients know them', () => {
    expect(AUDIT_OBJECT_TYPES).toHaveLength(19);
    expect([...AUDIT_OBJECT_TYPES]).toEqual([...AUDIT_OBJECT_TYPES].sort());
    for (const unknown of ['AzureKeyVaultIntegration', 'Group', 'Webhook']) {
      expect(AUDIT_OBJECT_TYPES).not.toContain(unknown);
    }
  });

  it('that show in a configuration are never taken for ones beside it', () => {
    const shown = [
      'Environment',
      'Parameter',
      'ParameterRule',
      'ParameterType',
      'Project',
      'Template',
      'Value',
    ] as const;
    for (const type of shown) expect(TYPES_BESIDE_CONFIGURATION).not.toContain(type);
  });

  it('that say who may do what are no content', () => {
    expect([...CONTENT_TYPES].sort()).toEqual(['Parameter', 'Value']);
  });
});
