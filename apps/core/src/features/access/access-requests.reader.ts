import { Injectable } from '@nestjs/common';
import type { AccessRequest, AccessRequestListQuery } from '@strata/contract';
import { can, canGrantOnScope, canGrantRole, canOnScope, Failure, type Role, type UserId } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { Links } from '../../platform/http/links.ts';
import { newestPage } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { type GrantScope, resolvePrincipal, scopeId } from './scope-link.ts';

type SameMembers = Pick<
  AccessRequest,
  'id' | 'duration_minutes' | 'message' | 'state' | 'decided_at' | 'decision_message' | 'created_at' | 'modified_at'
>;

export interface AccessRequestRow extends SameMembers {
  readonly membership_id: string;
  readonly person_id: UserId;
  readonly requester_role: Role;
  readonly project_id: string | null;
  readonly environment_id: string | null;
  /** Null for the ability to reveal secrets. */
  readonly scope_name: string | null;
  readonly role: Role | null;
  readonly reveals: boolean;
  readonly decided_by: UserId | null;
  readonly grant_id: string | null;
  readonly expires_at: string | null;
}

const REQUESTS = `(select access_request.*, membership.person_id, membership.role as requester_role,
    coalesce(project.name, environment.name) as scope_name
  from access_request
  join membership on membership.organization_id = access_request.organization_id and membership.id = access_request.membership_id
  left join project on project.organization_id = access_request.organization_id and project.id = access_request.project_id
  left join environment on environment.organization_id = access_request.organization_id and environment.id = access_request.environment_id
 where access_request.organization_id = $1)`;

const COLUMNS = `object.id, object.membership_id, object.person_id, object.requester_role, object.project_id, object.environment_id, object.scope_name,
  object.role, object.reveals, object.duration_minutes, object.message, object.state, object.decided_by, object.decision_message, object.grant_id,
  ${wireTimeSql('object.decided_at')} as decided_at, ${wireTimeSql('object.expires_at')} as expires_at,
  ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at`;

/** Reads the requests of the caller, and those on scopes that the caller administers. */
@Injectable()
export class AccessRequestsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  async page(caller: Caller, query: AccessRequestListQuery): Promise<PageResult<AccessRequestRow>> {
    const { organizationId } = caller;
    const filters: Filter[] = [];
    if (!can(caller, 'enter_every_scope')) {
      const grantableIds = [...caller.scopes.keys()].filter((id) => canOnScope(caller, 'grant', id));
      filters.push({
        sql: 'array[object.membership_id, object.project_id, object.environment_id] && ?::uuid[]',
        value: [caller.membershipId, ...grantableIds],
      });
    }
    if (query.requester !== undefined) {
      const principal = await resolvePrincipal(this.snapshotReader, organizationId, query.requester, 'requester');
      filters.push({ sql: 'object.membership_id = ?::uuid', value: principal.membership_id });
    }
    if (query.state !== undefined) filters.push({ sql: 'object.state = ?', value: query.state });
    if (query.id__in !== undefined) filters.push({ sql: 'object.id = any(?::uuid[])', value: query.id__in });
    return this.snapshotReader.page(
      { organizationId, at: 'now' },
      { from: REQUESTS, columns: COLUMNS, filters, ...newestPage(query) },
    );
  }

  /** Throws 404 for a request that the list leaves out. */
  async readOne(
    caller: Caller,
    id: string,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<RowResult<AccessRequestRow>> {
    const notFound = () => Failure.notFound('AccessRequest');
    const request = await reader.retrieve<AccessRequestRow>(
      { organizationId: caller.organizationId, at: 'now' },
      { from: REQUESTS, columns: COLUMNS },
      id,
      notFound,
    );
    if (!mayRead(caller, request.row)) throw notFound();
    return request;
  }
}

/** Returns whether the request is in the caller's list. */
function mayRead(caller: Caller, row: AccessRequestRow): boolean {
  if (row.membership_id === caller.membershipId || can(caller, 'enter_every_scope')) return true;
  return row.role !== null && canOnScope(caller, 'grant', scopeId(row));
}

/** Returns whether the caller could give the requester the access with a grant, or by changing the membership. */
export function canDecide(
  caller: Caller,
  row: Pick<AccessRequestRow, 'project_id' | 'environment_id' | 'role' | 'requester_role'>,
): boolean {
  if (row.role === null) return can(caller, 'change_membership') && canGrantRole(caller, row.requester_role);
  return canGrantOnScope(caller, scopeId(row), row.role);
}

/** Returns the scope of a request; null for the ability to reveal secrets. */
export function scopeOfRequest({
  project_id,
  environment_id,
  scope_name: name,
}: Pick<AccessRequestRow, 'project_id' | 'environment_id' | 'scope_name'>): GrantScope | null {
  return name === null ? null : { project_id, environment_id, name };
}

export function presentAccessRequest(row: AccessRequestRow, links: Links): AccessRequest {
  const { project_id: projectId, environment_id: environmentId } = row;
  const scope = projectId === null ? environmentId && links.environment(environmentId) : links.project(projectId);
  return {
    url: links.accessRequest(row.id),
    id: row.id,
    requester: links.user(row.person_id),
    scope,
    role: row.role,
    reveal: row.reveals,
    duration_minutes: row.duration_minutes,
    message: row.message,
    state: row.state,
    is_break_glass: row.reveals && row.decided_by === row.person_id,
    decided_by: row.decided_by && links.user(row.decided_by),
    decided_at: row.decided_at,
    decision_message: row.decision_message,
    expires_at: row.expires_at,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}
