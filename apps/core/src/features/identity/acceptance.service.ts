import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { InvitationAccept } from '@strata/contract';
import {
  type ErrorCode,
  Failure,
  NO_SCOPES,
  type OrganizationId,
  type Role,
  type Sentence,
  sentence,
  type UserId,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { type ExternalIdentity, emailUsedByOtherAccount } from '../../platform/auth/external-people.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Env } from '../../platform/env.ts';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { acrossOrganizations } from '../../platform/postgres/tenants.ts';
import { ENV } from '../../platform/tokens.ts';
import { ServiceKeys } from '../../platform/vault/service-keys.ts';
import { type InvitationRow, InvitationsReader } from './invitations.reader.ts';
import { recordInvitation, recordMembership } from './member-changes.ts';
import { hashPassword } from './password.ts';

/** An invitation of any organization. The person who accepts it belongs to another organization, or to none. */
interface Open {
  readonly id: string;
  readonly organization_id: OrganizationId;
  readonly email: string;
  readonly role: Role;
  readonly token_hmac: Buffer | null;
  readonly is_fresh: boolean;
}

interface NewMember {
  readonly id: UserId;
  readonly name: string;
}

/** The interface and the request id, for the ledger. */
type AcceptingAs = Pick<Caller, 'requestId' | 'surface'>;

/** Accepts invitations. */
@Injectable()
export class Acceptance {
  constructor(
    private readonly invitations: InvitationsReader,
    private readonly snapshotReader: SnapshotReader,
    private readonly serviceKeys: ServiceKeys,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /**
   * Accepts an invitation for a signed-in person. Their address must be verified by this installation, or the token
   * must prove it. An account that a member of another organization created does not prove the address.
   */
  async byMember(caller: Caller, id: string, { token }: InvitationAccept): Promise<Command<InvitationRow>> {
    if (caller.type !== 'interactive') throw Failure.forbidden('Service accounts cannot accept invitations.');
    const open = await this.find(id);
    const [person] = await this.snapshotReader.query<{ email: string | null; email_is_proven: boolean }>(
      'select email, email_is_proven from person where id = $1',
      [caller.id],
    );
    if (person?.email?.toLowerCase() !== open.email.toLowerCase()) {
      throw emailMismatch();
    }
    if (!person.email_is_proven && !this.isKey(open, token)) {
      throw createForbidden('token_needed', 'Send the token of the invitation.');
    }
    return this.join(open, caller, () => Promise.resolve());
  }

  /**
   * Accepts an invitation for a person without an account. The token proves the address, and the request sets the
   * password.
   */
  async byAnonymous(surface: AcceptingAs, id: string, input: InvitationAccept): Promise<Command<InvitationRow>> {
    const open = await this.find(id);
    // Returns the same error for an unknown id, so that callers cannot find out which invitations exist.
    if (!this.isKey(open, input.token)) throw Failure.notFound('Invitation');
    if (this.env.STRATA_JWKS_URL) {
      throw createForbidden(
        'external_issuer',
        sentence`Sign in with ${{ issuer: this.env.STRATA_JWT_ISSUER ?? '' }}; it issues the tokens.`,
      );
    }
    const { email } = open;
    await this.assertNoAccount(email);
    if (input.password === undefined) throw Failure.field('required', 'password', 'Choose a password.');
    const hash = await hashPassword(input.password);
    const newMember = { id: randomUUID(), name: input.name ?? email };
    return this.join(open, { ...newMember, ...surface, type: 'interactive' }, async ({ em, at }) => {
      await translateViolations(
        em.query(
          `insert into person (id, type, name, email, email_is_proven, password_hash, created_at, modified_at)
           values ($1, 'interactive', $2, $3, false, $4, $5, $5)`,
          [newMember.id, newMember.name, email, hash, at],
        ),
        { person_email_taken: hasAccount },
      );
    });
  }

  /**
   * Accepts an invitation for a person whose address an external issuer has verified. The request needs neither a
   * password nor a token of Strata.
   */
  async byNewMember(surface: AcceptingAs, id: string, identity: ExternalIdentity): Promise<Command<InvitationRow>> {
    const open = await this.find(id);
    if (identity.email.toLowerCase() !== open.email.toLowerCase()) throw emailMismatch();
    const [registeredMember] = await this.snapshotReader.query<NewMember>(
      `select id, coalesce(name, email) as name from person where type = 'interactive' and lower(email) = lower($1)`,
      [identity.email],
    );
    const newMember = registeredMember ?? { id: randomUUID(), name: identity.name };
    return this.join(open, { ...newMember, ...surface, type: 'interactive' }, async ({ em, at }) => {
      if (!registeredMember) {
        await translateViolations(
          em.query(
            `insert into person (id, type, name, email, created_at, modified_at) values ($1, 'interactive', $2, $3, $4, $4)`,
            [newMember.id, newMember.name, identity.email, at],
          ),
          { person_email_taken: emailUsedByOtherAccount },
        );
      }
      const [addedMembership] = await em.query<unknown[]>(
        `with made as (insert into issuer_subject (issuer, subject, person_id) values ($1, $2, $3) on conflict do nothing returning 1)
         select 1 from made union all
         select 1 from issuer_subject where issuer = $1 and subject = $2 and person_id = $3`,
        [identity.issuer, identity.subject, newMember.id],
      );
      if (!addedMembership) throw emailUsedByOtherAccount();
    });
  }

  private join(
    open: Open,
    newMember: NewMember & AcceptingAs & Pick<Caller, 'type'>,
    prepare: (context: WriteContext) => Promise<void>,
  ): Command<InvitationRow> {
    const { organization_id: organizationId, id, role } = open;
    const membershipId = randomUUID();
    // The caller of the write is the new member. They have no permissions in this organization yet; the write checks
    // the invitation again instead.
    const joining = { role, scopes: NO_SCOPES, revision: 0, authorization: null, idempotencyKey: null };
    const caller = { ...newMember, organizationId, membershipId, ...joining };
    return {
      operation: 'invitations_accept_create',
      caller,
      run: async (context) => {
        const { em, at } = context;
        await assertUnchanged(em, open);
        await prepare(context);
        await translateViolations(
          em.query(
            `insert into membership (organization_id, id, person_id, role, reveals_secrets, created_at, modified_at)
           select $1, $2, $3, $4, invitation.reveals_secrets, $5, $5 from invitation where invitation.organization_id = $1 and invitation.id = $6`,
            [organizationId, membershipId, newMember.id, role, at, id],
          ),
          { membership_person_taken: () => Failure.invalid('duplicate', 'You are already a member.') },
        );
        // Keeps the used token, so that a second use gets another error than a wrong token.
        await em.query(
          `update invitation set state = 'accepted', state_detail = '', membership_id = $3, token_expires_at = null,
                modified_at = $4
          where organization_id = $1 and id = $2`,
          [organizationId, id, membershipId, at],
        );
        recordInvitation(context, 'update', open);
        recordMembership(context, 'create', { id: membershipId, person_name: newMember.name });
        return (await this.invitations.readOne(organizationId, id, SnapshotReader.within(em))).row;
      },
    };
  }

  private async find(id: string): Promise<Open> {
    const [open] = await acrossOrganizations(() =>
      this.snapshotReader.query<Open>(
        `select invitation.id, invitation.organization_id, invitation.email, invitation.role, invitation.token_hmac,
              coalesce(invitation.token_expires_at > clock_timestamp(), false) as is_fresh
         from invitation where invitation.id = $1 and invitation.state <> 'accepted'`,
        [id],
      ),
    );
    if (!open) throw Failure.notFound('Invitation');
    return open;
  }

  private isKey({ token_hmac: hmac, is_fresh: isFresh }: Open, token: string | undefined): boolean {
    return isFresh && token !== undefined && this.serviceKeys.isInvitationToken(hmac, token);
  }

  private async assertNoAccount(email: string): Promise<void> {
    const [account] = await this.snapshotReader.query<object>(
      `select 1 from person where type = 'interactive' and lower(email) = lower($1)`,
      [email],
    );
    if (account) throw hasAccount();
  }
}

function createForbidden(code: ErrorCode, message: string | Sentence): Failure {
  return new Failure({ kind: 'forbidden', code, message });
}

const emailMismatch = () =>
  createForbidden('email_mismatch', 'This invitation is for another e-mail address. Sign in with that address.');

const hasAccount = () =>
  createForbidden(
    'sign_in_first',
    'There is an account with this e-mail address. Sign in, and accept with that credential.',
  );

/** Throws if the invitation was accepted, withdrawn, resent or changed since it was checked outside of the write. */
async function assertUnchanged(
  em: EntityManager,
  { organization_id: organizationId, id, role, token_hmac: hmac }: Open,
) {
  const [sameMember] = await em.query<unknown[]>(
    `select 1 from invitation where organization_id = $1 and id = $2 and state <> 'accepted' and role = $3
        and token_hmac is not distinct from $4`,
    [organizationId, id, role, hmac],
  );
  if (!sameMember) throw Failure.notFound('Invitation');
}
