import { AUDIT_OBJECT_TYPES, CONTENT_TYPES, contractEventType, TYPES_BESIDE_CONFIGURATION } from './object-type.ts';

describe('contractEventType', () => {
  it.each([
    ['Environment', 'create', 'environment_created'],
    ['Project', 'update', 'project_updated'],
    ['Parameter', 'delete', 'parameter_deleted'],
    ['Value', 'update', 'value_updated'],
    ['ParameterRule', 'delete', 'parameter_updated'],
    ['Template', 'update', null],
    ['Tag', 'create', null],
    ['Value', 'push', null],
  ] as const)('maps %s and %s to %s', (type, action, event) => {
    expect(contractEventType(type, action)).toBe(event);
  });
});

describe('object types', () => {
  it('have the audit names that existing clients know', () => {
    expect(AUDIT_OBJECT_TYPES).toHaveLength(19);
    expect([...AUDIT_OBJECT_TYPES]).toEqual([...AUDIT_OBJECT_TYPES].sort());
    for (const unknown of ['AzureKeyVaultIntegration', 'Group', 'Webhook']) {
      expect(AUDIT_OBJECT_TYPES).not.toContain(unknown);
    }
  });

  it('are never beside the configuration if a configuration shows them', () => {
    const shownTypes = [
      'Environment',
      'Parameter',
      'ParameterRule',
      'ParameterType',
      'Project',
      'Template',
      'Value',
    ] as const;
    for (const type of shownTypes) expect(TYPES_BESIDE_CONFIGURATION).not.toContain(type);
  });

  it('are not content if they affect permissions', () => {
    expect([...CONTENT_TYPES].sort()).toEqual(['Parameter', 'Value']);
  });
});
