import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { InvitationCreate, InvitationPatch } from '@strata/contract';
import { canGrantRole, Failure, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Precondition } from '../../platform/http/request.ts';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ServiceKeys } from '../../platform/vault/service-keys.ts';
import { type InvitationRow, InvitationsReader } from './invitations.reader.ts';
import { recordInvitation } from './member-changes.ts';
import { assertMayGiveReveal, assertRank, revealOfNewPerson, roleAboveOwnError } from './people.ts';

const TOKEN_BYTES = 32;
const TOKEN_LIFE_DAYS = 7;

/** Strata sends no e-mail, so a person has to pass on the token. */
const TO_BE_HANDED_OVER = `Give the id and the token to the invited person; the token is valid for ${TOKEN_LIFE_DAYS} days.`;
const TO_BE_RENEWED =
  'The permissions have changed, so the token is no longer valid. Resend the invitation to create a new token.';

export interface InvitationWithToken {
  readonly row: InvitationRow;
  /** The token. No other response contains it. */
  readonly token: string;
}

@Injectable()
export class InvitationsService {
  constructor(
    private readonly reader: InvitationsReader,
    private readonly serviceKeys: ServiceKeys,
  ) {}

  create(caller: Caller, input: InvitationCreate): Command<InvitationWithToken> {
    const { email, role } = input;
    if (!canGrantRole(caller, role)) throw roleAboveOwnError();
    return {
      operation: 'invitations_create',
      caller,
      storedResult: 'shown_once',
      run: async (context) => {
        const { caller, em, at } = context;
        const { organizationId } = caller;
        assertRank(caller, role);
        const reveals = await revealOfNewPerson(em, caller, input);
        await assertNoMember(em, organizationId, email);
        const id = randomUUID();
        await translateViolations(
          em.query(
            `insert into invitation (organization_id, id, email, role, inviter_id, inviter_name, reveals_secrets, created_at, modified_at)
           values ($1, $2, $3, $4, $5, $6, $8, $7, $7)`,
            [organizationId, id, email, role, caller.id, caller.name, at, reveals],
          ),
          { invitation_email_taken: () => alreadyInvitedError(email) },
        );
        const token = await this.issueToken(context, organizationId, id);
        recordInvitation(context, 'create', { id, email });
        return { row: await this.read(context, caller, id), token };
      },
    };
  }

  /**
   * Changes the role and the ability to reveal secrets. This invalidates the token, because its holder may not be the
   * person who should have the new permissions.
   */
  change(caller: Caller, id: string, patch: InvitationPatch, precondition: Precondition): Command<InvitationRow> {
    return {
      operation: 'invitations_update',
      caller,
      run: async (context) => {
        const { caller } = context;
        const currentRow = await this.manageable(context, caller, id);
        const { role = currentRow.role, reveals_secrets: reveals = currentRow.reveals_secrets } = patch;
        assertRank(caller, role);
        assertMayGiveReveal(caller, reveals, currentRow.reveals_secrets);
        await precondition(context.em, caller);
        if (role === currentRow.role && reveals === currentRow.reveals_secrets) return currentRow;
        if (currentRow.state === 'accepted') {
          throw Failure.field(
            'accepted',
            'role',
            'This invitation has been accepted. Change the role of the member instead.',
          );
        }
        await context.em.query(
          `update invitation set role = $3, reveals_secrets = $6, token_hmac = null, state_detail = $4, modified_at = $5
          where organization_id = $1 and id = $2`,
          [caller.organizationId, id, role, TO_BE_RENEWED, context.at, reveals],
        );
        recordInvitation(context, 'update', currentRow);
        return this.read(context, caller, id);
      },
    };
  }

  /**
   * Issues a new token and invalidates the old one. Accepted invitations cannot be resent. The holder of the token joins
   * with the ability to reveal secrets if the invitation gives it, so the caller needs it.
   */
  resend(caller: Caller, id: string): Command<InvitationWithToken> {
    return {
      operation: 'invitations_resend_create',
      caller,
      storedResult: 'shown_once',
      run: async (context) => {
        const { caller } = context;
        const currentRow = await this.manageable(context, caller, id);
        if (currentRow.state === 'accepted') throw Failure.notFound('Invitation');
        assertMayGiveReveal(caller, currentRow.reveals_secrets);
        const token = await this.issueToken(context, caller.organizationId, id);
        recordInvitation(context, 'update', currentRow);
        return { row: await this.read(context, caller, id), token };
      },
    };
  }

  remove(caller: Caller, id: string, precondition: Precondition): Command<void> {
    return {
      operation: 'invitations_destroy',
      caller,
      run: async (context) => {
        const { caller } = context;
        const currentRow = await this.manageable(context, caller, id);
        await precondition(context.em, caller);
        await context.em.query('delete from invitation where organization_id = $1 and id = $2', [
          caller.organizationId,
          id,
        ]);
        recordInvitation(context, 'delete', currentRow);
      },
    };
  }

  private async issueToken({ em, at }: WriteContext, organizationId: string, id: string): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await em.query(
      `update invitation set token_hmac = $3, token_expires_at = $4::timestamptz + interval '${TOKEN_LIFE_DAYS} days',
              state = 'pending', state_detail = $5, modified_at = $4
        where organization_id = $1 and id = $2`,
      [organizationId, id, this.serviceKeys.invitationHmac(token), at, TO_BE_HANDED_OVER],
    );
    return token;
  }

  /** Returns the invitation. Throws if its role is above the caller's: the holder of the token joins with that role. */
  private async manageable(context: WriteContext, caller: Caller, id: string): Promise<InvitationRow> {
    const currentRow = await this.read(context, caller, id);
    assertRank(caller, currentRow.role);
    return currentRow;
  }

  private async read({ em }: WriteContext, { organizationId }: Caller, id: string): Promise<InvitationRow> {
    return (await this.reader.readOne(organizationId, id, SnapshotReader.within(em))).row;
  }
}

function alreadyInvitedError(email: string): Failure {
  return Failure.field(
    'duplicate',
    'email',
    sentence`${{ email }} has already been invited. Resend or change that invitation.`,
  );
}

async function assertNoMember(em: EntityManager, organizationId: string, email: string): Promise<void> {
  const [member] = await em.query<unknown[]>(
    `select 1 from membership join person on person.id = membership.person_id
      where membership.organization_id = $1 and person.type = 'interactive' and lower(person.email) = lower($2)`,
    [organizationId, email],
  );
  if (member) throw Failure.field('duplicate', 'email', sentence`${{ email }} is already a member.`);
}
