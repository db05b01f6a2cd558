import { can, type Role } from './access.ts';
import type { Event } from './event.ts';
import type { OrganizationId } from './ids.ts';

/** Somebody who follows what happens, with the role of this very moment. */
export interface Listener {
  readonly organizationId: OrganizationId;
  readonly role: Role;
}

/** An event, and whose it is. */
export interface Happening {
  readonly organizationId: OrganizationId;
  readonly event: Event;
}

/**
 * Whether a listener may learn that this happened. Asked for each event on its way out, never once per connection:
 * a role may change while somebody listens.
 */
export function mayHear(listener: Listener, { organizationId }: Happening): boolean {
  return listener.organizationId === organizationId && can(listener.role, 'read');
}
