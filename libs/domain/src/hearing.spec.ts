import { ROLES, type Role } from './access.ts';
import type { Event } from './event.ts';
import { mayHear } from './hearing.ts';
import { NO_SCOPES } from './scope.ts';

const OURS = '0b9f4c5e-1f5a-4f0e-8a43-6f1f4f3b2a10';
const THEIRS = '1b9f4c5e-1f5a-4f0e-8a43-6f1f4f3b2a10';

const event: Event = {
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
};

describe('who may hear of an event', () => {
  it.each(ROLES)('%s hears what happens in the own organization', (role) => {
    expect(mayHear({ organizationId: OURS, role, scopes: NO_SCOPES }, { organizationId: OURS, event })).toBe(true);
  });

  it.each(ROLES)('%s hears nothing of another organization', (role) => {
    expect(mayHear({ organizationId: OURS, role, scopes: NO_SCOPES }, { organizationId: THEIRS, event })).toBe(false);
  });

  it.each(['p', 'e'])('what happens in a controlled scope (%s) is heard by those with access only', (scope) => {
    const hears = (role: Role, granted: Role | null) =>
      mayHear({ organizationId: OURS, role, scopes: new Map([[scope, granted]]) }, { organizationId: OURS, event });

    expect([hears('VIEWER', null), hears('CONTRIB', null)]).toEqual([false, false]);
    expect([hears('VIEWER', 'VIEWER'), hears('ADMIN', null), hears('OWNER', null)]).toEqual([true, true, true]);
    expect(hears('CONTRIB', 'OWNER')).toBe(true);
  });

  it('who may read the project but not the environment hears nothing of what is set there', () => {
    const scopes = new Map<string, Role | null>([
      ['p', 'OWNER'],
      ['e', null],
    ]);
    expect(mayHear({ organizationId: OURS, role: 'CONTRIB', scopes }, { organizationId: OURS, event })).toBe(false);
    expect(
      mayHear(
        { organizationId: OURS, role: 'CONTRIB', scopes },
        { organizationId: OURS, event: { ...event, environment: null } },
      ),
    ).toBe(true);
  });
});
