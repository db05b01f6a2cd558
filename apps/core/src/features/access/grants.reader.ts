import { Injectable } from '@nestjs/common';
import type { GrantListQuery, GrantMultiQuery } from '@strata/contract';
import { canOnScope, Failure, forbiddenScopes, type Role, type UserId } from '@strata/domain';
import { validGrants } from '../../platform/auth/scope-rows.ts';
import type { Caller } from '../../platform/caller.ts';
import { requestedPage } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { resolvePrincipal, resolveScope, scopeId } from './scope-link.ts';

export interface GrantRow {
  readonly id: string;
  readonly membership_id: string | null;
  readonly person_id: UserId | null;
  readonly group_id: string | null;
  readonly principal_name: string;
  readonly project_id: string | null;
  readonly environment_id: string | null;
  readonly scope_name: string;
  readonly role: Role;
  readonly created_at: string;
  readonly modified_at: string;
  /** Null for a grant without an end. */
  readonly expires_at: string | null;
}

/** SQL for the grants of organization $1 that are valid now, with the names of their principals and scopes. */
export const GRANTS = `(select access_grant.*, membership.person_id,
    coalesce(member_group.name, person.name, person.email, person.id) as name, coalesce(project.name, environment.name) as scope_name
  from ${validGrants()} access_grant
  left join membership on membership.organization_id = access_grant.organization_id and membership.id = access_grant.membership_id
  left join person on person.id = membership.person_id
  left join member_group on member_group.organization_id = access_grant.organization_id and member_group.id = access_grant.group_id
  left join project on project.organization_id = access_grant.organization_id and project.id = access_grant.project_id
  left join environment on environment.organization_id = access_grant.organization_id and environment.id = access_grant.environment_id
 where access_grant.organization_id = $1)`;

const COLUMNS = `object.id, object.membership_id, object.person_id, object.group_id, object.name as principal_name, object.project_id,
  object.environment_id, object.scope_name, object.role,
  ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at,
  ${wireTimeSql('object.expires_at')} as expires_at`;

/** Reads grants. Leaves out grants on forbidden scopes. */
@Injectable()
export class GrantsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  async page(caller: Caller, query: GrantListQuery): Promise<PageResult<GrantRow>> {
    const { organizationId } = caller;
    const filters = await resolveFilters(this.snapshotReader, organizationId, query);
    const forbiddenScopeIds = forbiddenScopes(caller);
    if (forbiddenScopeIds.length > 0) {
      filters.push({
        sql: 'coalesce(object.project_id, object.environment_id) <> all(?::uuid[])',
        value: forbiddenScopeIds,
      });
    }
    if (query.id__in !== undefined) filters.push({ sql: 'object.id = any(?::uuid[])', value: query.id__in });
    return this.snapshotReader.page(
      { organizationId, at: 'now' },
      {
        from: GRANTS,
        columns: COLUMNS,
        filters,
        ...requestedPage(query, { role: 'object.role' }),
      },
    );
  }

  /** Returns all matching grants. Call it inside a write. */
  async matching(reader: SnapshotReader, organizationId: string, query: GrantMultiQuery): Promise<readonly GrantRow[]> {
    const filters = await resolveFilters(reader, organizationId, query);
    const { rows } = await reader.page<GrantRow>(
      { organizationId, at: 'now' },
      {
        from: GRANTS,
        columns: COLUMNS,
        filters,
        order: 'object.created_at, object.id',
        page: { limit: 100_000, offset: 0 },
      },
    );
    return rows;
  }

  async readOne(
    caller: Caller,
    id: string,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<RowResult<GrantRow>> {
    const pointInTimeOptions = { organizationId: caller.organizationId, at: 'now' } as const;
    const grant = await reader.retrieve<GrantRow>(pointInTimeOptions, { from: GRANTS, columns: COLUMNS }, id, () =>
      Failure.notFound('Grant'),
    );
    if (!canOnScope(caller, 'read', scopeId(grant.row))) throw Failure.forbidden().at('/path/id');
    return grant;
  }
}

/**
 * Builds the filters. Throws if a link cannot be resolved: a mistyped link would otherwise match nothing without an
 * error.
 */
async function resolveFilters(
  reader: SnapshotReader,
  organizationId: string,
  { principal, scope, role }: GrantMultiQuery,
): Promise<Filter[]> {
  const filters: Filter[] = [];
  if (principal !== undefined) {
    const { membership_id: member, group_id: group } = await resolvePrincipal(reader, organizationId, principal);
    filters.push({ sql: 'coalesce(object.membership_id, object.group_id) = ?::uuid', value: member ?? group });
  }
  if (scope !== undefined) {
    const resolvedScope = await resolveScope(reader, organizationId, scope);
    filters.push({
      sql: 'coalesce(object.project_id, object.environment_id) = ?::uuid',
      value: scopeId(resolvedScope),
    });
  }
  if (role !== undefined) filters.push({ sql: 'object.role = ?', value: role });
  return filters;
}
