import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type AccessRequestCreate, type AccessRequestDecision, TEMPORARY_ACCESS_LIMITS } from '@strata/contract';
import { can, Failure, mayPassOnSecrets, mayReveal, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Precondition } from '../../platform/http/request.ts';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { recordRequest } from './access-request-changes.ts';
import { type AccessRequestRow, AccessRequestsReader, canDecide, scopeOfRequest } from './access-requests.reader.ts';
import { recordGrant } from './grant-changes.ts';
import { resolveScope } from './scope-link.ts';
import { assertCanBeTemporary, insertTemporaryGrant, type TemporaryRight } from './temporary-grants.ts';

/** Creates, decides and ends requests for access that ends at a time. */
@Injectable()
export class AccessRequestsService {
  constructor(private readonly reader: AccessRequestsReader) {}

  /** Creates a request. An ADMIN or OWNER who requests the ability to reveal secrets gets it at once. */
  create(caller: Caller, input: AccessRequestCreate): Command<AccessRequestRow> {
    return {
      operation: 'access_requests_create',
      caller,
      note: { message: input.message, externalRef: null },
      run: async (context) => {
        const { caller, em, at } = context;
        const { organizationId } = caller;
        const right = await this.requestedRight(context, input);
        const scope = right === 'reveal' ? null : right.scope;
        await assertBelowLimit(em, caller);
        const id = randomUUID();
        await em.query(
          `insert into access_request (organization_id, id, membership_id, project_id, environment_id, role, reveals, duration_minutes,
                                       message, created_at, modified_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
          [
            ...[organizationId, id, caller.membershipId, scope?.project_id ?? null, scope?.environment_id ?? null],
            ...[right === 'reveal' ? null : right.role, right === 'reveal', input.duration_minutes, input.message, at],
          ],
        );
        if (right === 'reveal' && can(caller, 'enter_every_scope')) {
          await approve(context, await this.read(context, id), '');
        }
        recordRequest(context, 'create', { id, scope_name: scope?.name ?? null });
        return this.read(context, id);
      },
    };
  }

  /** Deletes a request that is pending. */
  remove(caller: Caller, id: string, precondition: Precondition): Command<void> {
    return {
      operation: 'access_requests_destroy',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const request = await this.read(context, id);
        if (request.membership_id !== caller.membershipId) throw Failure.forbidden().at('/path/id');
        await precondition(em, caller);
        assertPending(request);
        await em.query('delete from access_request where organization_id = $1 and id = $2', [
          caller.organizationId,
          id,
        ]);
        recordRequest(context, 'delete', request);
      },
    };
  }

  /** Approves a request. The access begins with the write. */
  approve(caller: Caller, id: string, { message }: AccessRequestDecision): Command<AccessRequestRow> {
    return this.decided('approve', caller, id, message, async (context, request) => {
      if (request.reveals && !mayPassOnSecrets(context.caller)) {
        throw Failure.forbidden('You may not reveal secrets, so you cannot give others this ability.');
      }
      const scope = scopeOfRequest(request);
      if (scope && request.role) {
        await assertCanBeTemporary(context.em, caller.organizationId, { scope, role: request.role });
      }
      await approve(context, request, message);
    });
  }

  decline(caller: Caller, id: string, { message }: AccessRequestDecision): Command<AccessRequestRow> {
    return this.decided('decline', caller, id, message, (context, request) =>
      storeDecision(context, request, { state: 'declined', message }),
    );
  }

  /** Ends approved access. The requester may do this, too. */
  revoke(caller: Caller, id: string, { message }: AccessRequestDecision): Command<AccessRequestRow> {
    return {
      operation: 'access_requests_revoke_create',
      caller,
      note: { message: message === '' ? null : message, externalRef: null },
      run: async (context) => {
        const { caller, em, at } = context;
        const request = await this.read(context, id);
        if (request.membership_id !== caller.membershipId && !canDecide(caller, request)) {
          throw Failure.forbidden().at('/path/id');
        }
        const deletedRows = await em.query<unknown[]>(
          'with ended as (delete from temporary_grant where organization_id = $1 and id = $2 returning id) select id from ended',
          [caller.organizationId, request.grant_id],
        );
        if (deletedRows.length === 0) throw decidedError(request);
        await em.query(
          `update access_request set state = 'revoked', expires_at = $3, modified_at = $3 where organization_id = $1 and id = $2`,
          [caller.organizationId, id, at],
        );
        await recordScopeGrant(context, 'delete', request);
        recordRequest(context, 'update', request);
        return this.read(context, id);
      },
    };
  }

  private decided(
    decision: 'approve' | 'decline',
    caller: Caller,
    id: string,
    message: string,
    decide: (context: WriteContext, request: AccessRequestRow) => Promise<void>,
  ): Command<AccessRequestRow> {
    return {
      operation: `access_requests_${decision}_create`,
      caller,
      note: { message: message === '' ? null : message, externalRef: null },
      run: async (context) => {
        const request = await this.read(context, id);
        if (!canDecide(context.caller, request)) throw Failure.forbidden().at('/path/id');
        assertPending(request);
        await decide(context, request);
        recordRequest(context, 'update', request);
        return this.read(context, id);
      },
    };
  }

  private async requestedRight({ caller, em }: WriteContext, input: AccessRequestCreate): Promise<TemporaryRight> {
    const { scope: link, role, reveal } = input;
    if (reveal) {
      if (link !== undefined || role !== undefined) {
        throw Failure.field('contradiction', 'reveal', 'Set either reveal, or scope and role.');
      }
      if (mayReveal(caller)) throw Failure.field('reveal_not_needed', 'reveal', 'You may reveal secrets already.');
      const limit = TEMPORARY_ACCESS_LIMITS.breakGlassMinutes;
      if (can(caller, 'enter_every_scope') && input.duration_minutes > limit) {
        const message = sentence`A break-glass read lasts at most ${{ limit }} minutes.`;
        throw Failure.field('end_out_of_range', 'duration_minutes', message);
      }
      return 'reveal';
    }
    if (link === undefined)
      throw Failure.field('required', 'scope', 'Enter the URL or id of a project or environment.');
    if (role === undefined) throw Failure.field('required', 'role', 'Enter a role.');
    const scope = await resolveScope(SnapshotReader.within(em), caller.organizationId, link);
    await assertCanBeTemporary(em, caller.organizationId, { scope, role });
    return { scope, role };
  }

  private async read({ caller, em }: WriteContext, id: string): Promise<AccessRequestRow> {
    return (await this.reader.readOne(caller, id, SnapshotReader.within(em))).row;
  }
}

async function approve(context: WriteContext, request: AccessRequestRow, message: string): Promise<void> {
  const { em, at } = context;
  const scope = scopeOfRequest(request);
  const right = scope && request.role ? { scope, role: request.role } : 'reveal';
  const [row] = await em.query<{ end: string }[]>(
    `select ($1::timestamptz + $2 * interval '1 minute')::text as "end"`,
    [at, request.duration_minutes],
  );
  const expiresAt = row?.end ?? at;
  const principal = { membership_id: request.membership_id, group_id: null };
  const grantId = await insertTemporaryGrant(context, principal, right, expiresAt);
  await storeDecision(context, request, { state: 'approved', message, grantId, expiresAt });
  await recordScopeGrant(context, 'create', { ...request, grant_id: grantId });
}

interface Decision {
  readonly state: 'approved' | 'declined';
  readonly message: string;
  readonly grantId?: string;
  readonly expiresAt?: string;
}

async function storeDecision(
  { caller, em, at }: WriteContext,
  { id }: AccessRequestRow,
  { state, message, grantId, expiresAt }: Decision,
): Promise<void> {
  await em.query(
    `update access_request set state = $3, decided_by = $4, decided_at = $5, decision_message = $6, grant_id = $7, expires_at = $8, modified_at = $5
      where organization_id = $1 and id = $2`,
    [caller.organizationId, id, state, caller.id, at, message, grantId ?? null, expiresAt ?? null],
  );
}

/** Records the grant of a request under the name of the requester. The ability to reveal secrets is no grant on a scope. */
async function recordScopeGrant(
  context: WriteContext,
  action: 'create' | 'delete',
  { grant_id: id, person_id: personId, ...request }: AccessRequestRow,
): Promise<void> {
  const scope = scopeOfRequest(request);
  if (id === null || scope === null) return;
  const [person] = await context.em.query<{ name: string }[]>(
    'select coalesce(name, email, id) as name from person where id = $1',
    [personId],
  );
  recordGrant(context, action, { ...scope, id, principal_name: person?.name ?? personId, scope_name: scope.name });
}

function assertPending(request: AccessRequestRow): void {
  if (request.state !== 'pending') throw decidedError(request);
}

const decidedError = ({ state }: AccessRequestRow): Failure =>
  Failure.conflict('request_decided', sentence`The request cannot be changed in this way: it is ${{ state }}.`);

async function assertBelowLimit(em: EntityManager, { organizationId, membershipId }: Caller): Promise<void> {
  const [row] = await em.query<{ count: number }[]>(
    `select count(*)::int as count from access_request where organization_id = $1 and membership_id = $2 and state = 'pending'`,
    [organizationId, membershipId],
  );
  const limit = TEMPORARY_ACCESS_LIMITS.pendingPerMember;
  if (!row || row.count < limit) return;
  const message = sentence`You have ${{ limit }} pending requests, which is the limit. Delete one of them first.`;
  throw Failure.field('too_many_access_requests', 'non_field_errors', message);
}
