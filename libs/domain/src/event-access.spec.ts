import { ROLES, type Role } from './access.ts';
import type { ConfigurationEvent } from './event.ts';
import { canReceive } from './event-access.ts';
import { NO_SCOPES } from './scope.ts';

const OURS = '0b9f4c5e-1f5a-4f0e-8a43-6f1f4f3b2a10';
const THEIRS = '1b9f4c5e-1f5a-4f0e-8a43-6f1f4f3b2a10';

const event: ConfigurationEvent = {
  cursor: 'c',
  type: 'value_updated',
  action: 'update',
  revision: 2,
  at: '2026-11-20T10:00:00.000000Z',
  actor: { id: 'u', name: 'dana', type: 'interactive' },
  object: { type: 'Value', id: 'v', name: 'PORT' },
  project: { id: 'p', name: 'billing' },
  environment: { id: 'e', name: 'production' },
  parameter: { id: 'x', name: 'PORT' },
  changeset: 2,
  message: null,
};

describe('canReceive', () => {
  it.each(ROLES)('%s receives events of their own organization', (role) => {
    expect(canReceive({ organizationId: OURS, role, scopes: NO_SCOPES }, { organizationId: OURS, event })).toBe(true);
  });

  it.each(ROLES)('%s receives no events of another organization', (role) => {
    expect(canReceive({ organizationId: OURS, role, scopes: NO_SCOPES }, { organizationId: THEIRS, event })).toBe(
      false,
    );
  });

  it.each([
    ['project', 'p'],
    ['environment', 'e'],
  ])('allows events of a restricted %s only for members with access', (_, scope) => {
    const receives = (role: Role, granted: Role | null) =>
      canReceive({ organizationId: OURS, role, scopes: new Map([[scope, granted]]) }, { organizationId: OURS, event });

    expect([receives('VIEWER', null), receives('CONTRIB', null)]).toEqual([false, false]);
    expect([receives('VIEWER', 'VIEWER'), receives('ADMIN', null), receives('OWNER', null)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(receives('CONTRIB', 'OWNER')).toBe(true);
  });

  it('a member with access to the project but not to the environment receives no events about its values', () => {
    const scopes = new Map<string, Role | null>([
      ['p', 'OWNER'],
      ['e', null],
    ]);
    expect(canReceive({ organizationId: OURS, role: 'CONTRIB', scopes }, { organizationId: OURS, event })).toBe(false);
    expect(
      canReceive(
        { organizationId: OURS, role: 'CONTRIB', scopes },
        { organizationId: OURS, event: { ...event, environment: null } },
      ),
    ).toBe(true);
  });
});
