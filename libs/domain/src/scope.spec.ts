import fc from 'fast-check';
import { ABILITIES, atLeast, ROLES, type Role, roleIncludes } from './access.ts';
import {
  assertAbilityOnScope,
  assertIfControlled,
  canCall,
  canGrantOnScope,
  canGrantRole,
  canOnScope,
  canReadConfiguration,
  findControllingProject,
  forbiddenScopes,
  highestRole,
  NO_SCOPES,
  resolveScopes,
  SCOPE_ABILITIES,
  type ScopeRow,
  withAssumedWrite,
} from './scope.ts';

const S = 's';
const granted = (role: Role, scope: Role | null) => ({ role, scopes: new Map([[S, scope]]) });
const open = (role: Role) => ({ role, scopes: NO_SCOPES });

describe('canOnScope', () => {
  it.each`
    granted      | read     | write    | manage   | grant
    ${null}      | ${false} | ${false} | ${false} | ${false}
    ${'VIEWER'}  | ${true}  | ${false} | ${false} | ${false}
    ${'CONTRIB'} | ${true}  | ${true}  | ${false} | ${false}
    ${'ADMIN'}   | ${true}  | ${true}  | ${true}  | ${false}
    ${'OWNER'}   | ${true}  | ${true}  | ${true}  | ${true}
  `('uses the grant on a controlled scope: $granted', ({ granted: grant, ...expected }) => {
    for (const role of ['VIEWER', 'CONTRIB'] as const) {
      const isAllowed = SCOPE_ABILITIES.map((ability) => [ability, canOnScope(granted(role, grant), ability, S)]);
      expect(Object.fromEntries(isAllowed)).toEqual(expected);
    }
  });

  it.each`
    role         | read    | write    | manage   | grant
    ${'VIEWER'}  | ${true} | ${false} | ${false} | ${false}
    ${'CONTRIB'} | ${true} | ${true}  | ${true}  | ${false}
    ${'ADMIN'}   | ${true} | ${true}  | ${true}  | ${true}
    ${'OWNER'}   | ${true} | ${true}  | ${true}  | ${true}
  `('uses the role in the organization on an open scope: $role', ({ role, ...expected }) => {
    const isAllowed = SCOPE_ABILITIES.map((ability) => [ability, canOnScope(open(role), ability, S)]);
    expect(Object.fromEntries(isAllowed)).toEqual(expected);
  });

  it('gives ADMIN and OWNER of the organization access to every scope, whatever their grants', () => {
    for (const role of ['ADMIN', 'OWNER'] as const) {
      for (const grant of [...ROLES, null]) {
        expect(SCOPE_ABILITIES.every((ability) => canOnScope(granted(role, grant), ability, S))).toBe(true);
        expect(forbiddenScopes(granted(role, grant))).toEqual([]);
      }
    }
  });

  it('lets everyone who manages integrations write all values, which pushes can import', () => {
    for (const role of ROLES.filter((candidate) => roleIncludes(candidate, 'manage_integrations')))
      for (const grant of [...ROLES, null]) expect(canOnScope(granted(role, grant), 'write', S)).toBe(true);
  });

  it('rejects with the error of E2', () => {
    expect(() => assertAbilityOnScope(granted('CONTRIB', 'VIEWER'), 'write', S)).toThrow(
      'You do not have permission to perform this action.',
    );
    expect(() => assertAbilityOnScope(granted('VIEWER', 'CONTRIB'), 'write', S)).not.toThrow();
  });
});

describe('assertIfControlled', () => {
  it('ignores an open scope and checks a controlled one', () => {
    expect(() => assertIfControlled(open('VIEWER'), 'write', S)).not.toThrow();
    expect(() => assertIfControlled(granted('VIEWER', 'CONTRIB'), 'write', S)).not.toThrow();
    expect(() => assertIfControlled(granted('CONTRIB', 'VIEWER'), 'write', S)).toThrow();
    expect(() => assertIfControlled(granted('CONTRIB', null), 'write', S)).toThrow();
  });
});

describe('canGrantOnScope', () => {
  it('allows grants only to owners of the scope and to those who can enter every scope', () => {
    for (const newRole of ROLES) {
      expect(ROLES.map((grant) => canGrantOnScope(granted('CONTRIB', grant), S, newRole))).toEqual([
        false,
        false,
        false,
        true,
      ]);
      expect(canGrantOnScope(granted('VIEWER', null), S, newRole)).toBe(false);
      expect(ROLES.map((role) => canGrantOnScope(open(role), S, newRole))).toEqual([false, false, true, true]);
    }
  });
});

describe('canGrantRole', () => {
  it('allows roles up to the effective one, also with an owned scope', () => {
    for (const [index, ownRole] of ROLES.entries()) {
      expect(ROLES.filter((role) => canGrantRole(granted(ownRole, 'OWNER'), role))).toEqual(ROLES.slice(0, index + 1));
    }
  });
});

describe('canCall', () => {
  it('uses the role in the organization outside of scopes', () => {
    for (const role of ROLES) {
      for (const ability of ABILITIES)
        expect(canCall(granted(role, null), ability, null)).toBe(roleIncludes(role, ability));
    }
  });

  it.each`
    part          | ability            | role         | granted      | may
    ${'itself'}   | ${'read'}          | ${'VIEWER'}  | ${null}      | ${true}
    ${'contents'} | ${'read'}          | ${'CONTRIB'} | ${null}      | ${false}
    ${'contents'} | ${'read'}          | ${'VIEWER'}  | ${'VIEWER'}  | ${true}
    ${'contents'} | ${'write_content'} | ${'CONTRIB'} | ${'VIEWER'}  | ${false}
    ${'contents'} | ${'write_content'} | ${'VIEWER'}  | ${'CONTRIB'} | ${true}
    ${'itself'}   | ${'write_content'} | ${'CONTRIB'} | ${'CONTRIB'} | ${false}
    ${'itself'}   | ${'write_content'} | ${'VIEWER'}  | ${'ADMIN'}   | ${true}
    ${'copy'}     | ${'write_content'} | ${'VIEWER'}  | ${'OWNER'}   | ${false}
    ${'copy'}     | ${'write_content'} | ${'CONTRIB'} | ${'VIEWER'}  | ${true}
    ${'copy'}     | ${'write_content'} | ${'CONTRIB'} | ${null}      | ${false}
    ${'contents'} | ${'manage_grants'} | ${'CONTRIB'} | ${'OWNER'}   | ${false}
    ${'contents'} | ${'read'}          | ${'ADMIN'}   | ${null}      | ${true}
  `('$ability of $part as $role with a grant of $granted: $may', ({ part, ability, role, granted: grant, may }) => {
    expect(canCall(granted(role, grant), ability, { id: S, part })).toBe(may);
  });
});

describe('resolveScopes', () => {
  const row = (id: string, dependsOnId: string | null, roles: Role[] | null): ScopeRow => ({
    id,
    dependsOnId,
    controlled: roles !== null,
    roles: roles ?? [],
  });

  it('inherits control from the nearest controlled project unless the project is controlled itself', () => {
    const scopes = resolveScopes([
      row('top', null, ['CONTRIB']),
      row('open', 'top', null),
      row('cut', 'open', []),
      row('below cut', 'cut', null),
      row('environment', null, ['VIEWER', 'ADMIN']),
    ]);
    expect(Object.fromEntries(scopes)).toEqual({
      top: 'CONTRIB',
      open: 'CONTRIB',
      cut: null,
      'below cut': null,
      environment: 'ADMIN',
    });
    expect(forbiddenScopes({ role: 'CONTRIB', scopes })).toEqual(['cut', 'below cut']);
  });

  it('forbids projects outside of a limit, whatever the grants on them are', () => {
    const scopes = resolveScopes([
      row('granted', null, ['OWNER']),
      row('inside', 'above', null),
      row('above', null, ['VIEWER']),
      { ...row('granted', null, null), outside: true },
      { ...row('open', null, null), outside: true },
    ]);
    expect(Object.fromEntries(scopes)).toEqual({ granted: null, inside: 'VIEWER', above: 'VIEWER', open: null });
  });

  it('ends on corrupt data, and leaves projects without a controlled ancestor open', () => {
    expect(resolveScopes([row('a', 'b', null), row('b', 'a', null), row('c', 'gone', null)])).toEqual(new Map());
  });
});

describe('highestRole', () => {
  it('returns one of the roles that is at least as high as all others', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ROLES)), (roles) => {
        const best = highestRole(roles);
        if (best === null) expect(roles).toEqual([]);
        else expect([roles.includes(best), roles.every((role) => atLeast(best, role))]).toEqual([true, true]);
      }),
    );
  });
});

describe('findControllingProject', () => {
  const dependsOn = new Map([
    ['top', null],
    ['middle', 'top'],
    ['low', 'middle'],
    ['free', null],
    ['a', 'b'],
    ['b', 'a'],
  ]);
  it('returns the nearest controlled project, starting with the project itself', () => {
    const controlled = new Set(['top', 'low']);
    const controllingProjects = ['top', 'middle', 'low', 'free', 'a', 'gone', null].map((start) =>
      findControllingProject(dependsOn, controlled, start),
    );
    expect(controllingProjects).toEqual(['top', 'top', 'low', null, null, null, null]);
  });
});

describe('canReadConfiguration', () => {
  const at = { projectId: 'p', environmentId: 'e' };
  it.each`
    project      | environment  | revealsSecrets | masked   | clear
    ${undefined} | ${undefined} | ${undefined}   | ${true}  | ${true}
    ${undefined} | ${undefined} | ${false}       | ${true}  | ${false}
    ${'VIEWER'}  | ${'VIEWER'}  | ${true}        | ${true}  | ${true}
    ${null}      | ${undefined} | ${true}        | ${false} | ${false}
    ${undefined} | ${null}      | ${true}        | ${false} | ${false}
  `(
    'with the grants $project and $environment, and the ability to reveal: $revealsSecrets',
    ({ project, environment, revealsSecrets, masked, clear }) => {
      const grants = Object.entries({ p: project, e: environment }).filter(([, grant]) => grant !== undefined);
      const permissions = { role: 'VIEWER' as const, scopes: new Map(grants), revealsSecrets };

      expect(canReadConfiguration(permissions, { ...at, reveal: false })).toBe(masked);
      expect(canReadConfiguration(permissions, { ...at, reveal: true })).toBe(clear);
    },
  );
});

describe('withAssumedWrite', () => {
  it('lets a viewer write exactly the scopes that they may read', () => {
    const scopes = new Map<string, Role | null>([
      ['hidden', null],
      ['read', 'VIEWER'],
    ]);
    const permissions = withAssumedWrite({ role: 'VIEWER', scopes, revealsSecrets: false });
    expect(permissions).toMatchObject({ role: 'CONTRIB', revealsSecrets: false });
    const written = ['open', 'read', 'hidden'].map((scope) => canOnScope(permissions, 'write', scope));
    expect(written).toEqual([true, true, false]);
    expect(forbiddenScopes(permissions)).toEqual(['hidden']);
  });

  it('raises no other role', () => {
    for (const role of ROLES.slice(1)) {
      expect(withAssumedWrite(granted(role, role))).toEqual(granted(role, role));
    }
  });
});
