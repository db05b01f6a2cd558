import { ORGANIZATIONS } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { presentOrganization } from './organizations.presenter.ts';
import { OrganizationsReader } from './organizations.reader.ts';
import { OrganizationsService } from './organizations.service.ts';

/** The role in this organization does not decide about another organization of the caller. */
export const OrganizationsController = resourceController(
  ORGANIZATIONS,
  { reader: OrganizationsReader, organizations: OrganizationsService },
  ({ reader, organizations }) => ({
    keyOf: ({ id = '' }) => pathId('Organization', id),
    list: ({ caller, query }) => reader.page(caller, query),
    retrieve: ({ caller, key, reader: within }) => reader.one(caller, key, within),
    createOutsideLedger: async ({ caller, input }) => reader.one(caller, await organizations.create(caller, input)),
    change: ({ caller, key, input, precondition }) => organizations.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => organizations.remove(caller, key, precondition),
    present: presentOrganization,
  }),
);
