import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ServiceAccountCreate, ServiceAccountRekey, ServiceAccountUpdate } from '@strata/contract';
import { can, canGrantRole, Failure, mayPassOnSecrets, type OrganizationId, type UserId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Precondition } from '../../platform/http/request.ts';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ServiceKeys } from '../../platform/vault/service-keys.ts';
import { removeGrants } from '../access/released-grants.ts';
import { addKey, endKeys, resolveKeyLimit } from './api-keys.ts';
import { recordMembership, withdrawInvitations } from './member-changes.ts';
import { assertMayBeLimited, resolveOnlyProjects } from './only-projects.ts';
import { assertMayGiveReveal, assertRank, roleAboveOwnError, userIdOfLink } from './people.ts';
import { type ServiceAccountRow, ServiceAccountsReader } from './service-accounts.reader.ts';

export interface ServiceAccountWithKey {
  readonly row: ServiceAccountRow;
  /** The API key. No other response contains it. */
  readonly apikey: string;
}

@Injectable()
export class ServiceAccountsService {
  constructor(
    private readonly reader: ServiceAccountsReader,
    private readonly serviceKeys: ServiceKeys,
  ) {}

  create(caller: Caller, input: ServiceAccountCreate): Command<ServiceAccountWithKey> {
    if (!canGrantRole(caller, input.role)) throw roleAboveOwnError();
    assertUnlimited(caller);
    return {
      operation: 'serviceaccounts_create',
      caller,
      storedResult: 'shown_once',
      run: async (context) => {
        const { caller, em, at } = context;
        assertRank(caller, input.role);
        const reveals = input.reveals_secrets ?? mayPassOnSecrets(caller);
        assertMayGiveReveal(caller, reveals);
        assertToCome(input.expire_at, at);
        const onlyProjects = await resolveOnlyProjects(em, caller.organizationId, input.only_projects ?? null);
        assertMayBeLimited(input.role, onlyProjects);
        const account = { id: randomUUID(), name: input.name };
        const owner = input.owner ? await findOwner(em, caller.organizationId, input.owner) : caller.id;
        const membershipId = randomUUID();
        await em.query(
          `with made as (
           insert into person (id, type, name, created_at, modified_at) values ($2, 'service', $3, $7, $7)),
         joined as (
           insert into membership (organization_id, id, person_id, role, reveals_secrets, only_project_ids, created_at, modified_at)
           values ($1, $4, $2, $5, $9, $10, $7, $7))
         insert into service_account (organization_id, person_id, description, owner, created_at, modified_at)
         values ($1, $2, $6, $8, $7, $7)`,
          [
            ...[
              caller.organizationId,
              account.id,
              account.name,
              membershipId,
              input.role,
              input.description,
              at,
              owner,
            ],
            reveals,
            onlyProjects,
          ],
        );
        const limit = await resolveKeyLimit(em, caller.organizationId, input);
        const key = { expiresAt: input.expire_at, limit };
        const apikey = await addKey(
          context,
          this.serviceKeys,
          { ...account, organizationId: caller.organizationId },
          key,
        );
        context.record(objectChange('create', 'ServiceAccount', account));
        recordMembership(context, 'create', { id: membershipId, person_name: account.name });
        return { row: await this.read(context, caller, account.id), apikey };
      },
    };
  }

  change(
    caller: Caller,
    id: UserId,
    input: ServiceAccountUpdate,
    precondition: Precondition,
  ): Command<ServiceAccountRow> {
    return {
      operation: 'serviceaccounts_update',
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const currentRow = await this.managed(context, caller, id);
        await precondition(em, caller);
        const description = input.description ?? currentRow.description;
        const owner =
          input.owner === undefined ? currentRow.owner : await findOwner(em, caller.organizationId, input.owner);
        const changesPermissions = await this.setPermissions(context, currentRow, input);
        if (!changesPermissions && description === currentRow.description && owner === currentRow.owner)
          return currentRow;
        await em.query(
          `update service_account set description = $3, owner = $4, modified_at = $5
          where organization_id = $1 and person_id = $2`,
          [caller.organizationId, id, description, owner, at],
        );
        context.record(objectChange('update', 'ServiceAccount', withName(currentRow)));
        return this.read(context, caller, id);
      },
    };
  }

  /** Issues a new key. All older ones are revoked at once, or expire after the overlap. */
  rekey(caller: Caller, id: UserId, input: ServiceAccountRekey): Command<ServiceAccountWithKey> {
    return {
      operation: 'serviceaccounts_rekey_create',
      caller,
      storedResult: 'shown_once',
      run: async (context) => {
        const { caller, em, at } = context;
        const { organizationId } = caller;
        const currentRow = await this.managed(context, caller, id);
        assertToCome(input.expire_at, at);
        const limit = await resolveKeyLimit(em, organizationId, input);
        const account = { organizationId, id };
        await endKeys(context, account, input.overlap_seconds);
        const apikey = await addKey(context, this.serviceKeys, account, { expiresAt: input.expire_at, limit });
        context.record(objectChange('update', 'ServiceAccount', withName(currentRow)));
        return { row: await this.read(context, caller, id), apikey };
      },
    };
  }

  /**
   * Deletes a service account. Revokes its key at once, and removes its user and membership. The changes it made stay
   * in the history.
   */
  remove(caller: Caller, id: UserId, precondition: Precondition): Command<void> {
    return {
      operation: 'serviceaccounts_destroy',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller } = context;
        const currentRow = await this.managed(context, caller, id);
        await precondition(context.em, caller);
        await removeServiceAccount(context, caller.organizationId, withName(currentRow), currentRow.user.membership_id);
      },
    };
  }

  /** Changes the permissions that a request contains. Returns whether they were different. */
  private async setPermissions(
    context: WriteContext,
    { user, only_project_ids: limit }: ServiceAccountRow,
    input: ServiceAccountUpdate,
  ): Promise<boolean> {
    const { caller, em, at } = context;
    const { reveals_secrets: reveals = user.reveals_secrets, only_projects: links } = input;
    assertMayGiveReveal(caller, reveals, user.reveals_secrets);
    const onlyProjects = links === undefined ? limit : await resolveOnlyProjects(em, caller.organizationId, links);
    assertMayBeLimited(user.role, onlyProjects);
    const isLimitSame = links === undefined || isSameSet(onlyProjects, limit);
    if (reveals === user.reveals_secrets && isLimitSame) return false;
    await em.query(
      `update membership
          set reveals_secrets = $3, only_project_ids = case when $5 then only_project_ids else $6::uuid[] end, modified_at = $4
        where organization_id = $1 and id = $2`,
      [caller.organizationId, user.membership_id, reveals, at, isLimitSame, onlyProjects],
    );
    recordMembership(context, 'update', { id: user.membership_id, person_name: user.name ?? user.id });
    return true;
  }

  /** Returns an account that the caller may change: their own, or any one if they may manage accounts. */
  async managed({ em }: WriteContext, caller: Caller, id: UserId): Promise<ServiceAccountRow> {
    assertUnlimited(caller);
    const { row } = await this.reader.readOne(caller.organizationId, id, SnapshotReader.within(em));
    if (row.owner !== caller.id && !can(caller, 'manage_service_accounts')) throw Failure.forbidden().at('/path/id');
    // Otherwise the caller could take over an account with a higher role, or one that may reveal secrets.
    if (!canGrantRole(caller, row.user.role)) throw roleAboveOwnError();
    assertMayGiveReveal(caller, row.user.reveals_secrets);
    return row;
  }

  private async read({ em }: WriteContext, caller: Caller, id: UserId): Promise<ServiceAccountRow> {
    return (await this.reader.readOne(caller.organizationId, id, SnapshotReader.within(em))).row;
  }
}

const isSameSet = (left: readonly string[] | null, right: readonly string[] | null): boolean =>
  JSON.stringify(left?.toSorted()) === JSON.stringify(right?.toSorted());

/** Otherwise a job or a limited key could create a key that outlives it or has more rights, or delete its account. */
export function assertUnlimited({ authorization, key }: Caller): void {
  if (key)
    throw Failure.forbidden('API keys with limits cannot manage service accounts. Use another key, or ask a member.');
  if (!authorization?.credential.isWorkload) return;
  throw Failure.forbidden('Workloads cannot manage service accounts. Use an API key, or ask a member.');
}

function assertToCome(expiresAt: string | null, at: string): void {
  if (expiresAt === null || expiresAt > at) return;
  throw Failure.field('invalid', 'expire_at', 'This is in the past. Enter a time in the future, or omit it.');
}

/** Returns the id of a member if the text is a link to or the id of one. Otherwise returns the text unchanged. */
async function findOwner(em: EntityManager, organizationId: OrganizationId, text: string): Promise<string | null> {
  if (text === '') return null;
  const [member] = await em.query<{ id: UserId }[]>(
    'select person_id as id from membership where organization_id = $1 and person_id = $2',
    [organizationId, /^https?:|\/users\//.test(text) ? userIdOfLink(text) : text],
  );
  return member?.id ?? text;
}

/** Returns an account as the ledger names it. */
export const withName = ({ id, user }: ServiceAccountRow) => ({ id, name: user.name ?? id });

/**
 * Deletes a service account with its grants and the invitations it sent. The database deletes the membership, the
 * account, the keys and the group memberships together with the person.
 */
export async function removeServiceAccount(
  context: WriteContext,
  organizationId: OrganizationId,
  account: { readonly id: UserId; readonly name: string },
  membershipId: string,
): Promise<void> {
  await removeGrants(context, organizationId, { membershipId });
  await withdrawInvitations(context, organizationId, account.id);
  await context.em.query(`delete from person where id = $1 and type = 'service'`, [account.id]);
  context.record(objectChange('delete', 'ServiceAccount', account));
  recordMembership(context, 'delete', { id: membershipId, person_name: account.name });
}
