import { MEMBERSHIPS, type Membership } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import type { Call } from '../../platform/http/request.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { type MembershipRow, MembershipsReader } from './memberships.reader.ts';
import { MembershipsService } from './memberships.service.ts';

/**
 * Members may remove their own membership without the ability to manage memberships, so the service checks that
 * ability.
 */
export const MembershipsController = resourceController(
  MEMBERSHIPS,
  { reader: MembershipsReader, memberships: MembershipsService },
  ({ reader, memberships }) => ({
    readKey: ({ id = '' }) => pathId('Membership', id),
    sortedBy: ['person_name', 'id'],
    list: ({ caller, query }) => reader.page(caller.organizationId, query),
    retrieve: ({ caller, key, reader: snapshotReader }) => reader.readOne(caller.organizationId, key, snapshotReader),
    create: ({ caller, input }) => memberships.create(caller, input),
    change: ({ caller, key, input, precondition }) => memberships.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => memberships.remove(caller, key, precondition),
    presentItem: presentMembership,
  }),
);

export function presentMembership(row: MembershipRow, { links, caller }: Call): Membership {
  return {
    url: links.membership(row.id),
    id: row.id,
    user: links.user(row.person_id),
    organization: links.organization(caller.organizationId),
    role: row.role,
    reveals_secrets: row.reveals_secrets,
    only_projects: row.only_project_ids?.map(links.project) ?? null,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}
