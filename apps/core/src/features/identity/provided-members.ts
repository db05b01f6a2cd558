import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { NO_SCOPES, type OrganizationId, type Role, type UserId } from '@strata/domain';
import type { ProvidedOrganization } from '@strata/issuers';
import type { EntityManager } from 'typeorm';
import { emailUsedByOtherAccount } from '../../platform/auth/external-people.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { recordInvitation, recordMembership } from './member-changes.ts';
import { revealsByDefault } from './people.ts';
import type { ProviderIdentity } from './provider-identity.ts';

interface Person {
  readonly id: UserId;
  readonly name: string;
}

interface DifferingGroup {
  readonly id: string;
  readonly name: string;
  readonly membership_id: string;
  readonly role: Role;
  /** Whether the person belongs to the group by the claim. */
  readonly is_member: boolean;
}

/**
 * The groups of an organization that differ from the claim, whose groups are $3. Memberships by an earlier claim end,
 * also if the mapping has changed since.
 */
const DIFFERING_GROUPS = `
select member_group.id, member_group.name, membership.id as membership_id, membership.role, member_group.name = any($3::text[]) as is_member
  from member_group join membership on membership.organization_id = member_group.organization_id and membership.person_id = $2
  left join group_member on group_member.organization_id = member_group.organization_id and group_member.group_id = member_group.id and group_member.membership_id = membership.id
 where member_group.organization_id = $1
   and (member_group.name = any($3::text[]) and group_member.group_id is null or member_group.name <> all($3::text[]) and group_member.from_claim)`;

/** Commands that make the members and groups of an organization follow its identity provider. */
@Injectable()
export class ProvidedMembers {
  constructor(private readonly reader: SnapshotReader) {}

  /**
   * Makes a user of a provider a member, and creates the person if there is none. An open invitation to their address
   * decides the role. If another request did the same meanwhile, nothing changes.
   */
  join(
    identity: ProviderIdentity,
    registeredPerson: Person | null,
    { organization, role: defaultRole }: ProvidedOrganization,
    { requestId }: { readonly requestId: string },
  ): Command<void> {
    const person = registeredPerson ?? { id: randomUUID(), name: identity.name };
    const membershipId = randomUUID();
    return {
      operation: 'auth_exchange_create',
      caller: asMember(person, organization, membershipId, defaultRole, requestId),
      run: async (context) => {
        const { em, at } = context;
        if (registeredPerson === null && !(await createPerson(em, at, person, identity))) return;
        const invitation = await openInvitation(em, organization, identity.email);
        const [joinedMember] = await em.query<object[]>(
          `insert into membership (organization_id, id, person_id, role, reveals_secrets, created_at, modified_at)
           values ($1, $2, $3, $4, $6, $5, $5) on conflict on constraint membership_person_taken do nothing returning id`,
          [
            organization,
            membershipId,
            person.id,
            invitation?.role ?? defaultRole,
            at,
            invitation?.reveals_secrets ?? (await revealsByDefault(em, organization, defaultRole)),
          ],
        );
        if (!joinedMember) return;
        if (invitation) await accept(context, organization, invitation, membershipId);
        recordMembership(context, 'create', { id: membershipId, person_name: person.name });
      },
    };
  }

  /** Returns the command that updates the groups of a member, or null if they are as claimed. */
  async groupsChanged(
    person: Person,
    organizationId: OrganizationId,
    groups: readonly string[],
    { requestId }: { readonly requestId: string },
  ): Promise<Command<void> | null> {
    const values = [organizationId, person.id, groups];
    const [differingGroup] = await this.reader.query<DifferingGroup>(DIFFERING_GROUPS, values);
    if (!differingGroup) return null;
    return {
      operation: 'auth_exchange_create',
      caller: asMember(person, organizationId, differingGroup.membership_id, differingGroup.role, requestId),
      run: async ({ em, at, record }) => {
        const all = await em.query<DifferingGroup[]>(DIFFERING_GROUPS, values);
        for (const { id, name, membership_id: membershipId, is_member: isMember } of all) {
          await em.query(
            isMember
              ? `insert into group_member (organization_id, group_id, membership_id, from_claim) values ($1, $2, $3, true)`
              : 'delete from group_member where organization_id = $1 and group_id = $2 and membership_id = $3',
            [organizationId, id, membershipId],
          );
          await em.query('update member_group set modified_at = $3 where organization_id = $1 and id = $2', [
            organizationId,
            id,
            at,
          ]);
          record(objectChange('update', 'Group', { id, name }));
        }
      },
    };
  }
}

/** The caller of the write is the member. The provider permits it, so no permission of theirs is checked. */
function asMember(
  { id, name }: Person,
  organizationId: OrganizationId,
  membershipId: string,
  role: Role,
  requestId: string,
): Caller {
  return {
    id,
    name,
    type: 'interactive',
    organizationId,
    membershipId,
    requestId,
    surface: 'rest',
    role,
    scopes: NO_SCOPES,
    revision: 0,
    authorization: null,
    idempotencyKey: null,
  };
}

/** Returns false if another request has created the person of this subject meanwhile. */
async function createPerson(
  em: EntityManager,
  at: string,
  { id, name }: Person,
  { issuer, subject, email }: ProviderIdentity,
): Promise<boolean> {
  const [takenSubject] = await em.query<object[]>('select 1 from issuer_subject where issuer = $1 and subject = $2', [
    issuer,
    subject,
  ]);
  if (takenSubject) return false;
  await translateViolations(
    em.query(
      `with made as (
         insert into person (id, type, name, email, email_is_proven, created_at, modified_at)
         values ($1, 'interactive', $2, $3, true, $4, $4) returning id)
       insert into issuer_subject (issuer, subject, person_id) select $5, $6, id from made`,
      [id, name, email, at, issuer, subject],
    ),
    { person_email_taken: emailUsedByOtherAccount, issuer_subject_pkey: emailUsedByOtherAccount },
  );
  return true;
}

interface OpenInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly reveals_secrets: boolean;
}

async function openInvitation(
  em: EntityManager,
  organizationId: OrganizationId,
  email: string | null,
): Promise<OpenInvitation | null> {
  const [open] = await em.query<OpenInvitation[]>(
    `select id, email, role, reveals_secrets from invitation
      where organization_id = $1 and lower(email) = lower($2) and state <> 'accepted'
        and token_expires_at > clock_timestamp()`,
    [organizationId, email],
  );
  return open ?? null;
}

async function accept(
  context: WriteContext,
  organizationId: OrganizationId,
  invitation: OpenInvitation,
  membershipId: string,
): Promise<void> {
  await context.em.query(
    `update invitation set state = 'accepted', state_detail = '', membership_id = $3, token_expires_at = null,
            modified_at = $4
      where organization_id = $1 and id = $2`,
    [organizationId, invitation.id, membershipId, context.at],
  );
  recordInvitation(context, 'update', invitation);
}
