import { ABILITIES, atLeast, isRole, ROLES, roleIncludes } from './access.ts';

describe('roleIncludes', () => {
  it.each`
    ability                      | VIEWER   | CONTRIB  | ADMIN    | OWNER
    ${'read'}                    | ${true}  | ${true}  | ${true}  | ${true}
    ${'write_content'}           | ${false} | ${true}  | ${true}  | ${true}
    ${'create_service_account'}  | ${false} | ${true}  | ${true}  | ${true}
    ${'manage_service_accounts'} | ${false} | ${false} | ${true}  | ${true}
    ${'manage_groups'}           | ${false} | ${false} | ${true}  | ${true}
    ${'manage_grants'}           | ${false} | ${false} | ${true}  | ${true}
    ${'manage_integrations'}     | ${false} | ${false} | ${true}  | ${true}
    ${'manage_webhooks'}         | ${false} | ${false} | ${true}  | ${true}
    ${'back_up'}                 | ${false} | ${false} | ${true}  | ${true}
    ${'read_audit_stream'}       | ${false} | ${false} | ${true}  | ${true}
    ${'invite'}                  | ${false} | ${false} | ${true}  | ${true}
    ${'change_membership'}       | ${false} | ${false} | ${true}  | ${true}
    ${'change_organization'}     | ${false} | ${false} | ${false} | ${true}
    ${'enter_every_scope'}       | ${false} | ${false} | ${true}  | ${true}
  `('grants $ability to the right roles', ({ ability, ...expected }) => {
    expect(Object.fromEntries(ROLES.map((role) => [role, roleIncludes(role, ability)]))).toEqual(expected);
  });

  it('gives a higher role every ability of a lower one', () => {
    for (const ability of ABILITIES) {
      const isIncluded = ROLES.map((role) => roleIncludes(role, ability));
      expect(isIncluded).toEqual([...isIncluded].sort());
    }
  });
});

describe('the audit stream', () => {
  it('is readable only for roles with access to every scope, because it leaves out no record', () => {
    const readers = ROLES.filter((role) => roleIncludes(role, 'read_audit_stream'));
    expect(readers.filter((role) => !roleIncludes(role, 'enter_every_scope'))).toEqual([]);
  });
});

describe('atLeast', () => {
  it.each`
    own          | VIEWER  | CONTRIB  | ADMIN    | OWNER
    ${'VIEWER'}  | ${true} | ${false} | ${false} | ${false}
    ${'CONTRIB'} | ${true} | ${true}  | ${false} | ${false}
    ${'ADMIN'}   | ${true} | ${true}  | ${true}  | ${false}
    ${'OWNER'}   | ${true} | ${true}  | ${true}  | ${true}
  `('compares $own with each role', ({ own, ...expected }) => {
    expect(Object.fromEntries(ROLES.map((role) => [role, atLeast(own, role)]))).toEqual(expected);
  });
});

describe('isRole', () => {
  it.each(['VIEWER', 'CONTRIB', 'ADMIN', 'OWNER'])('accepts %s', (text) => expect(isRole(text)).toBe(true));
  it.each(['viewer', 'Owner', 'ROOT', '', ' ADMIN', 'toString', '0'])('rejects %j', (text) =>
    expect(isRole(text)).toBe(false),
  );
});
