import { can } from './access.ts';
import type { FeedEvent } from './event.ts';
import type { OrganizationId } from './ids.ts';
import { canOnScope, type Permissions } from './scope.ts';

/** Somebody who follows what happens, with the permissions of this very moment. */
export interface Listener extends Permissions {
  readonly organizationId: OrganizationId;
}

/** An event, and whose it is. */
export interface Happening {
  readonly organizationId: OrganizationId;
  readonly event: FeedEvent;
}

/**
 * Whether a listener may learn that this happened: only if they may read the project and the environment that it
 * happened in. Asked for each event on its way out, never once per connection: a role may change while somebody listens.
 */
export function canReceive(listener: Listener, { organizationId, event }: Happening): boolean {
  if (listener.organizationId !== organizationId || !can(listener.role, 'read')) return false;
  return [event.project, event.environment].every((scope) => scope === null || canOnScope(listener, 'read', scope.id));
}
