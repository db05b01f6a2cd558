import type { FeedEvent } from './event.ts';
import type { OrganizationId } from './ids.ts';
import { can, canOnScope, type Permissions } from './scope.ts';

/** A subscriber of the feed with its current permissions. */
export interface Subscriber extends Permissions {
  readonly organizationId: OrganizationId;
}

/** An event and the organization that it belongs to. */
interface OwnedEvent {
  readonly organizationId: OrganizationId;
  readonly event: Pick<FeedEvent, 'project' | 'environment'>;
}

/**
 * Returns whether a subscriber may receive the event: only if it may read the project and the environment of the event.
 * Checked for each event when it is sent, not once per connection, because a role may change while the connection is
 * open.
 */
export function canReceive(listener: Subscriber, { organizationId, event }: OwnedEvent): boolean {
  if (listener.organizationId !== organizationId || !can(listener, 'read')) return false;
  return [event.project, event.environment].every((scope) => scope === null || canOnScope(listener, 'read', scope.id));
}
