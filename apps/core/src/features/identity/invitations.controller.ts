import { INVITATIONS, RESEND_INVITATION } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { pathId } from '../../platform/http/links.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { presentInvitation, presentInvitationWithToken } from './invitations.presenter.ts';
import { InvitationsReader } from './invitations.reader.ts';
import { InvitationsService } from './invitations.service.ts';

const invitationId = (path: { readonly id?: string }) => pathId('Invitation', path.id ?? '');

export const InvitationsController = resourceController(
  INVITATIONS,
  { reader: InvitationsReader, invitations: InvitationsService },
  ({ reader, invitations }) => ({
    readKey: (path) => invitationId(path),
    sortedBy: ['email', 'id'],
    list: ({ caller, query }) => reader.page(caller.organizationId, query),
    retrieve: ({ caller, key, reader: snapshotReader }) => reader.readOne(caller.organizationId, key, snapshotReader),
    create: ({ caller, input }) => invitations.create(caller, input),
    change: ({ caller, key, input, precondition }) => invitations.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => invitations.remove(caller, key, precondition),
    presentItem: (row, { links }, query) => presentInvitation(row, links, query),
    presentCreated: (invitationWithToken, { links }) => presentInvitationWithToken(invitationWithToken, links),
  }),
);

export const RenewedInvitationsController = actionController(
  'RenewedInvitationsController',
  { resend: RESEND_INVITATION },
  { invitations: InvitationsService },
  ({ invitations, unitOfWork }) => ({
    resend: async ({ call, caller, path }) => {
      const { result, revision } = await unitOfWork.run(invitations.resend(caller, invitationId(path)));
      call.reply.header('cache-control', 'no-store');
      return sendJson(call, revision, presentInvitationWithToken(result, call.links));
    },
  }),
);
