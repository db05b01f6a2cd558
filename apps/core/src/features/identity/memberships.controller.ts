import { MEMBERSHIPS } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { presentMembership } from './memberships.presenter.ts';
import { MembershipsReader } from './memberships.reader.ts';
import { MembershipsService } from './memberships.service.ts';

/** Members may remove their own membership without the ability; the service requires it for others. */
export const MembershipsController = resourceController(
  MEMBERSHIPS,
  { reader: MembershipsReader, memberships: MembershipsService },
  ({ reader, memberships }) => ({
    keyOf: ({ id = '' }) => pathId('Membership', id),
    sortedBy: ['person_name', 'id'],
    list: ({ caller, query }) => reader.page(caller.organizationId, query),
    retrieve: ({ caller, key, reader: within }) => reader.one(caller.organizationId, key, within),
    create: ({ caller, input }) => memberships.create(caller, input),
    change: ({ caller, key, input, precondition }) => memberships.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => memberships.remove(caller, key, precondition),
    present: presentMembership,
  }),
);
