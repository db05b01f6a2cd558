import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { MembershipCreate, MembershipPatch } from '@strata/contract';
import { can, canGrantRole, Failure, type UserId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { unknownLinkError } from '../../platform/http/links.ts';
import type { Precondition } from '../../platform/http/request.ts';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { acrossOrganizations } from '../../platform/postgres/tenants.ts';
import { removeGrants } from '../access/released-grants.ts';
import { recordMembership } from './member-changes.ts';
import { type MembershipRow, MembershipsReader } from './memberships.reader.ts';
import { assertMayBeLimited } from './only-projects.ts';
import { assertMayGiveReveal, assertRank, revealOfNewPerson, roleAboveOwnError, userIdOfLink } from './people.ts';
import { assertUnlimited, removeServiceAccount } from './service-accounts.service.ts';
import { assertNotBreakGlassOwner } from './sign-in-policy.ts';
import { assertTrustRulesPermit } from './trust-rules.service.ts';

@Injectable()
export class MembershipsService {
  constructor(private readonly reader: MembershipsReader) {}

  /** Adds a person who shares another organization with the caller. Other people have to be invited. */
  create(caller: Caller, input: MembershipCreate): Command<MembershipRow> {
    const { user, role } = input;
    if (!canGrantRole(caller, role)) throw roleAboveOwnError();
    return {
      operation: 'memberships_create',
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        assertRank(caller, role);
        const reveals = await revealOfNewPerson(em, caller, input);
        const person = await personKnownToCaller(em, caller, user);
        const membership = { id: randomUUID(), person_name: person.name };
        await translateViolations(
          em.query(
            `insert into membership (organization_id, id, person_id, role, reveals_secrets, created_at, modified_at)
           values ($1, $2, $3, $4, $6, $5, $5)`,
            [caller.organizationId, membership.id, person.id, role, at, reveals],
          ),
          { membership_person_taken: () => Failure.field('duplicate', 'user', 'This user is already a member.') },
        );
        recordMembership(context, 'create', membership);
        return this.read(context, caller, membership.id);
      },
    };
  }

  change(caller: Caller, id: string, patch: MembershipPatch, precondition: Precondition): Command<MembershipRow> {
    return {
      operation: 'memberships_update',
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const currentRow = await this.read(context, caller, id);
        const { role = currentRow.role, reveals_secrets: reveals = currentRow.reveals_secrets } = patch;
        assertRank(caller, currentRow.role, role);
        assertMayGiveReveal(caller, reveals, currentRow.reveals_secrets);
        await precondition(em, caller);
        if (role === currentRow.role && reveals === currentRow.reveals_secrets) return currentRow;
        if (role !== currentRow.role) {
          assertMayBeLimited(role, currentRow.only_project_ids);
          await assertTrustRulesPermit(em, caller, currentRow, role);
          await assertNotLastOwner(em, caller, currentRow);
          await assertNotBreakGlassOwner(em, caller, id);
        }
        await em.query(
          `update membership set role = $3, reveals_secrets = $4, modified_at = $5
            where organization_id = $1 and id = $2`,
          [caller.organizationId, id, role, reveals, at],
        );
        recordMembership(context, 'update', currentRow);
        return this.read(context, caller, id);
      },
    };
  }

  /**
   * Removes a membership. Members may remove their own one; removing another one requires the ability and a role that
   * is not lower.
   */
  remove(caller: Caller, id: string, precondition: Precondition): Command<void> {
    return {
      operation: 'memberships_destroy',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller } = context;
        const currentRow = await this.read(context, caller, id);
        if (currentRow.person_id !== caller.id) {
          if (!can(caller, 'change_membership')) throw Failure.forbidden().at('/path/id');
          assertRank(caller, currentRow.role);
        }
        await precondition(context.em, caller);
        await this.end(context, caller, currentRow);
      },
    };
  }

  /** Removes the caller's own membership, which is identified by their user id. */
  leave(caller: Caller, id: UserId, precondition: Precondition): Command<void> {
    return {
      operation: 'users_destroy',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller } = context;
        const [member] = await context.em.query<{ id: string }[]>(
          'select id from membership where organization_id = $1 and person_id = $2',
          [caller.organizationId, id],
        );
        if (!member) throw Failure.notFound('User');
        if (id !== caller.id) throw Failure.forbidden().at('/path/id');
        await precondition(context.em, caller);
        await this.end(context, caller, await this.read(context, caller, member.id));
      },
    };
  }

  private async end(context: WriteContext, caller: Caller, currentRow: MembershipRow): Promise<void> {
    await assertNotLastOwner(context.em, caller, currentRow);
    await assertNotBreakGlassOwner(context.em, caller, currentRow.id);
    if (currentRow.type === 'service') {
      assertUnlimited(caller);
      const account = { id: currentRow.person_id, name: currentRow.person_name };
      await removeServiceAccount(context, caller.organizationId, account, currentRow.id);
      return;
    }
    await removeGrants(context, caller.organizationId, { membershipId: currentRow.id });
    await context.em.query('delete from membership where organization_id = $1 and id = $2', [
      caller.organizationId,
      currentRow.id,
    ]);
    // Locks the person first, so that the next statement sees a membership that another organization creates at the
    // same time.
    await context.em.query('select from person where id = $1 for update', [currentRow.person_id]);
    await acrossOrganizations(() =>
      context.em.query(
        'delete from person where id = $1 and not exists (select from membership where person_id = $1)',
        [currentRow.person_id],
      ),
    );
    recordMembership(context, 'delete', currentRow);
  }

  private async read({ em }: WriteContext, caller: Caller, id: string): Promise<MembershipRow> {
    return (await this.reader.readOne(caller.organizationId, id, SnapshotReader.within(em))).row;
  }
}

/** Finds a person who shares an organization with the caller. Throws the same error if the person does not exist. */
async function personKnownToCaller(
  em: EntityManager,
  caller: Caller,
  link: string,
): Promise<{ readonly id: UserId; readonly name: string }> {
  const [person] = await acrossOrganizations(() =>
    em.query<{ id: UserId; name: string }[]>(
      `select person.id, coalesce(person.name, person.email, person.id) as name from person
      where person.id = $1 and exists (
        select from membership theirs join membership mine on mine.organization_id = theirs.organization_id
         where theirs.person_id = person.id and mine.person_id = $2
           and (person.type = 'interactive' or mine.organization_id = $3))`,
      [userIdOfLink(link), caller.id, caller.organizationId],
    ),
  );
  if (!person) throw unknownLinkError('user', 'users');
  return person;
}

/**
 * Rejects the removal of the last OWNER, because no member could administer the organization then. Service accounts do
 * not count, because they are only keys.
 */
async function assertNotLastOwner(
  em: EntityManager,
  { organizationId }: Caller,
  currentRow: MembershipRow,
): Promise<void> {
  if (currentRow.role !== 'OWNER' || currentRow.type === 'service') return;
  const [otherOwner] = await em.query<unknown[]>(
    `select 1 from membership join person on person.id = membership.person_id
      where membership.organization_id = $1 and membership.role = 'OWNER' and person.type = 'interactive' and membership.id <> $2 limit 1`,
    [organizationId, currentRow.id],
  );
  if (otherOwner) return;
  throw Failure.invalid('last_owner', 'The last OWNER cannot leave or be demoted. Make another member an OWNER first.');
}
