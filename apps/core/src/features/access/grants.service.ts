import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { GrantCreate, GrantMultiQuery, GrantPatch } from '@strata/contract';
import { canGrantOnScope, canOnScope, Failure, type Role, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Precondition } from '../../platform/http/request.ts';
import { Cascades } from '../../platform/ledger/cascades.ts';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { deleteFromBothTables, GRANT_CASCADES, recordGrant, removeLeftGrants } from './grant-changes.ts';
import { type GrantRow, GrantsReader } from './grants.reader.ts';
import { type GrantScope, type Principal, resolvePrincipal, resolveScope, scopeId } from './scope-link.ts';
import { assertCanBeTemporary, assertEndInRange, insertTemporaryGrant } from './temporary-grants.ts';

const constraintErrors = (principal: string, scope: string) => ({
  grant_taken: () =>
    Failure.field(
      'duplicate_grant',
      'non_field_errors',
      sentence`${{ principal }} has a grant on ${{ scope }} already. Change its role instead of creating another grant.`,
    ),
});

@Injectable()
export class GrantsService {
  constructor(
    private readonly reader: GrantsReader,
    cascades: Cascades,
  ) {
    cascades.add(...GRANT_CASCADES);
  }

  /** The first grant on a scope turns its access control on, so its role must be OWNER. */
  create(caller: Caller, input: GrantCreate): Command<GrantRow> {
    return {
      operation: 'grants_create',
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const { organizationId } = caller;
        const reader = SnapshotReader.within(em);
        const scope = await resolveScope(reader, organizationId, input.scope);
        if (!canGrantOnScope(caller, scopeId(scope), input.role)) throw Failure.forbidden().at('/scope');
        const principal = await resolvePrincipal(reader, organizationId, input.principal);
        const { role, expires_at: expiresAt } = input;
        if (expiresAt !== null) {
          await assertCanBeTemporary(em, organizationId, { scope, role });
          await assertEndInRange(em, at, expiresAt);
        } else if (role !== 'OWNER' && !(await hasOwner(em, organizationId, scope, null))) throw firstOwnerError(scope);
        const id =
          expiresAt === null
            ? await insertGrant(context, principal, scope, role)
            : await insertTemporaryGrant(context, principal, { scope, role }, expiresAt);
        recordGrant(context, 'create', {
          id,
          principal_name: principal.name,
          scope_name: scope.name,
          ...scopeIds(scope),
        });
        return (await this.reader.readOne(caller, id, reader)).row;
      },
    };
  }

  /** Changes the role and the principal. A grant cannot be moved to another scope. */
  change(caller: Caller, id: string, input: GrantPatch, precondition: Precondition): Command<GrantRow> {
    return {
      operation: 'grants_update',
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const { organizationId } = caller;
        const reader = SnapshotReader.within(em);
        const { row: currentGrant } = await this.reader.readOne(caller, id, reader);
        const role = input.role ?? currentGrant.role;
        if (!canGrantOnScope(caller, scopeId(currentGrant), role)) throw Failure.forbidden().at('/path/id');
        await precondition(em, caller);
        if (currentGrant.expires_at !== null) throw fixedError();
        const principal = input.principal
          ? await resolvePrincipal(reader, organizationId, input.principal)
          : {
              membership_id: currentGrant.membership_id,
              group_id: currentGrant.group_id,
              name: currentGrant.principal_name,
            };
        if (role === currentGrant.role && isSame(principal, currentGrant)) return currentGrant;
        if (role !== 'OWNER') await assertNotLastOwner(em, organizationId, currentGrant);
        await translateViolations(
          em.query(
            `update access_grant set role = $3, membership_id = $4, group_id = $5, modified_at = $6
            where organization_id = $1 and id = $2`,
            [organizationId, id, role, principal.membership_id, principal.group_id, at],
          ),
          constraintErrors(principal.name, currentGrant.scope_name),
        );
        recordGrant(context, 'update', { ...currentGrant, principal_name: principal.name });
        return (await this.reader.readOne(caller, id, reader)).row;
      },
    };
  }

  /**
   * Removes a grant. Removing the only grant of a scope ends its access control. If other grants remain, one of them
   * must be an OWNER.
   */
  remove(caller: Caller, id: string, precondition: Precondition): Command<void> {
    return {
      operation: 'grants_destroy',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const { row: currentGrant } = await this.reader.readOne(caller, id, SnapshotReader.within(em));
        if (!canOnScope(caller, 'grant', scopeId(currentGrant))) throw Failure.forbidden().at('/path/id');
        await precondition(em, caller);
        await deleteGrants(context, caller.organizationId, [currentGrant]);
        await assertOwnersRemain(em, caller.organizationId, [currentGrant]);
        recordGrant(context, 'delete', currentGrant);
        await removeLeftGrants(context, caller.organizationId, [scopeId(currentGrant)]);
      },
    };
  }

  /**
   * Removes all matching grants, or none of them; returns null if no grant matched. If a scope loses all of its grants,
   * its access control ends. If it keeps some, one of them must be an OWNER.
   */
  removeMatching(caller: Caller, query: GrantMultiQuery): Command<GrantRow | null> {
    if (Object.values(query).every((filter) => filter === undefined)) {
      throw Failure.invalid('filter_required', 'Select the grants to remove by scope, principal or role.');
    }
    return {
      operation: 'grants_multi_destroy',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const { organizationId } = caller;
        const matchingGrants = await this.reader.matching(SnapshotReader.within(em), organizationId, query);
        const [first] = matchingGrants;
        if (!first) return null;
        if (!matchingGrants.every((grant) => canOnScope(caller, 'grant', scopeId(grant)))) throw Failure.forbidden();
        await deleteGrants(context, organizationId, matchingGrants);
        await assertOwnersRemain(em, organizationId, matchingGrants);
        for (const grant of matchingGrants) recordGrant(context, 'delete', grant);
        await removeLeftGrants(context, organizationId, matchingGrants.map(scopeId));
        return first;
      },
    };
  }
}

async function insertGrant(
  { em, at, caller: { organizationId } }: WriteContext,
  principal: Principal,
  scope: GrantScope,
  role: Role,
): Promise<string> {
  const id = randomUUID();
  await translateViolations(
    em.query(
      `insert into access_grant (organization_id, id, membership_id, group_id, project_id, environment_id, role,
                                 created_at, modified_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [
        ...[organizationId, id, principal.membership_id, principal.group_id],
        ...[scope.project_id, scope.environment_id, role, at],
      ],
    ),
    constraintErrors(principal.name, scope.name),
  );
  return id;
}

function fixedError(): Failure {
  return Failure.invalid(
    'temporary_grant_fixed',
    'A temporary grant cannot be changed. Remove it, and create another one.',
  );
}

const scopeIds = ({ project_id, environment_id }: GrantScope) => ({ project_id, environment_id });

const isSame = (principal: Principal, currentGrant: GrantRow) =>
  principal.membership_id === currentGrant.membership_id && principal.group_id === currentGrant.group_id;

async function hasOwner(
  em: EntityManager,
  organizationId: string,
  scope: Pick<GrantScope, 'project_id' | 'environment_id'>,
  besides: string | null,
): Promise<boolean> {
  const owners = await em.query<unknown[]>(
    `select 1 from access_grant where organization_id = $1 and coalesce(project_id, environment_id) = $2
        and role = 'OWNER' and id is distinct from $3::uuid limit 1`,
    [organizationId, scopeId(scope), besides],
  );
  return owners.length > 0;
}

function firstOwnerError({ name }: GrantScope): Failure {
  return Failure.field(
    'first_grant_not_owner',
    'role',
    sentence`${{ scope: name }} has no OWNER yet. Grant OWNER to a member first: the first grant restricts access to it.`,
  );
}

async function assertNotLastOwner(em: EntityManager, organizationId: string, currentGrant: GrantRow): Promise<void> {
  if (currentGrant.role !== 'OWNER' || (await hasOwner(em, organizationId, currentGrant, currentGrant.id))) return;
  throw Failure.invalid(
    'last_owner',
    sentence`${{ principal: currentGrant.principal_name }} is the last OWNER of ${{ scope: currentGrant.scope_name }}. Grant OWNER to another member first, or remove all of its grants at once.`,
  );
}

async function assertOwnersRemain(
  em: EntityManager,
  organizationId: string,
  removedGrants: readonly GrantRow[],
): Promise<void> {
  const [left] = await em.query<{ name: string }[]>(
    `select coalesce(project.name, environment.name) as name from access_grant
       left join project on project.organization_id = access_grant.organization_id and project.id = access_grant.project_id
       left join environment on environment.organization_id = access_grant.organization_id and environment.id = access_grant.environment_id
      where access_grant.organization_id = $1 and coalesce(access_grant.project_id, access_grant.environment_id) = any($2::uuid[])
      group by 1 having bool_and(access_grant.role <> 'OWNER') limit 1`,
    [organizationId, removedGrants.map(scopeId)],
  );
  if (!left) return;
  throw Failure.invalid(
    'last_owner',
    sentence`${{ scope: left.name }} would keep grants but no OWNER. Grant OWNER to another member first, or remove all of its grants.`,
  );
}

async function deleteGrants(context: WriteContext, organizationId: string, grants: readonly GrantRow[]): Promise<void> {
  await deleteFromBothTables(context, 'id = any($2::uuid[])', [organizationId, grants.map(({ id }) => id)]);
}
