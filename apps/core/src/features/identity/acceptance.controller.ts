import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import {
  type Invitation,
  InvitationAccept,
  type InvitationOffer,
  InvitationOfferRequest,
  parseBody,
} from '@strata/contract';
import { Failure } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { Requires } from '../../platform/auth/requires.ts';
import { Links, pathId } from '../../platform/http/links.ts';
import { readOrigin, type StrataRequest } from '../../platform/http/request.ts';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import { Acceptance } from './acceptance.service.ts';
import { InvitationOffers } from './invitation-offers.ts';
import { presentInvitation } from './invitations.presenter.ts';

/**
 * Accepts invitations. This controller does not use the table of routes, because the person who accepts may not be a
 * member of any organization, and then the request has no caller.
 */
@Controller('invitations/:id')
export class AcceptanceController {
  constructor(
    private readonly acceptance: Acceptance,
    private readonly offers: InvitationOffers,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The invited person may belong to another organization or have no account, so the service checks the permissions.
   */
  @Post('accept')
  @HttpCode(200)
  @Requires('nothing_or_credential')
  async accept(
    @Req() request: StrataRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<Invitation> {
    const input = parseBody(InvitationAccept, body ?? {});
    const { user, externalIdentity } = request;
    if (!user && !externalIdentity && !input.token) {
      throw new Failure({
        kind: 'unauthenticated',
        code: 'unauthenticated',
        message: 'Sign in, or send the token of the invitation.',
      });
    }
    const key = pathId('Invitation', id);
    const surface = { requestId: request.id, surface: 'rest' };
    const command = await (user
      ? this.acceptance.byMember(user, key, input)
      : externalIdentity
        ? this.acceptance.byNewMember(surface, key, externalIdentity)
        : this.acceptance.byAnonymous(surface, key, input));
    const { result, revision } = await this.unitOfWork.run(command);
    reply.headers({ 'x-revision': String(revision), 'cache-control': 'no-store' });
    return presentInvitation(result, new Links(readOrigin(request)));
  }

  /** Returns the contents of the invitation, so that the person can decide whether to accept it. */
  @Post('offer')
  @HttpCode(200)
  @Requires('nothing')
  offer(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<InvitationOffer> {
    reply.header('cache-control', 'no-store');
    return this.offers.read(pathId('Invitation', id), parseBody(InvitationOfferRequest, body ?? {}));
  }
}
