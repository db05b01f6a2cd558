import { ROLES } from './access.ts';
import type { Event } from './event.ts';
import { mayHear } from './hearing.ts';

const OURS = '0b9f4c5e-1f5a-4f0e-8a43-6f1f4f3b2a10';
const THEIRS = '1b9f4c5e-1f5a-4f0e-8a43-6f1f4f3b2a10';

const event: Event = {
  cursor: 'c',
  type: 'project_created',
  action: 'create',
  revision: 2,
  at: '2026-11-20T10:00:00.000000Z',
  actor: { id: 'u', name: 'dana', type: 'interactive' },
  object: { type: 'Project', id: 'p', name: 'billing' },
  project: { id: 'p', name: 'billing' },
  environment: null,
  parameter: null,
};

describe('who may hear of an event', () => {
  it.each(ROLES)('%s hears what happens in the own organization', (role) => {
    expect(mayHear({ organizationId: OURS, role }, { organizationId: OURS, event })).toBe(true);
  });

  it.each(ROLES)('%s hears nothing of another organization', (role) => {
    expect(mayHear({ organizationId: OURS, role }, { organizationId: THEIRS, event })).toBe(false);
  });
});
