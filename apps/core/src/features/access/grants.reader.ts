import { Injectable } from '@nestjs/common';
import type { GrantListQuery, GrantMultiQuery } from '@strata/contract';
import { canOnScope, Failure, forbiddenScopes, type Role, type UserId } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { buildOrder, conditionAfter } from '../../platform/http/list-order.ts';
import { offsetWindow } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { wireTime } from '../../platform/postgres/versioned-table.ts';
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
}

/** SQL for the grants of organization $1, with the names of their principals and scopes. */
export const GRANTS = `(select a.*, m.person_id,
    coalesce(g.name, p.name, p.email, p.id) as name, coalesce(j.name, e.name) as scope_name
  from access_grant a
  left join membership m on m.organization_id = a.organization_id and m.id = a.membership_id
  left join person p on p.id = m.person_id
  left join member_group g on g.organization_id = a.organization_id and g.id = a.group_id
  left join project j on j.organization_id = a.organization_id and j.id = a.project_id
  left join environment e on e.organization_id = a.organization_id and e.id = a.environment_id
 where a.organization_id = $1)`;

const COLUMNS = `o.id, o.membership_id, o.person_id, o.group_id, o.name as principal_name, o.project_id,
  o.environment_id, o.scope_name, o.role,
  ${wireTime('o.created_at')} as created_at, ${wireTime('o.modified_at')} as modified_at`;

/** Reads grants. Leaves out grants on forbidden scopes. */
@Injectable()
export class GrantsReader {
  constructor(private readonly committed: SnapshotReader) {}

  async page(caller: Caller, query: GrantListQuery): Promise<PageResult<GrantRow>> {
    const { organizationId } = caller;
    const filters = await resolveFilters(this.committed, organizationId, query);
    const forbidden = forbiddenScopes(caller);
    if (forbidden.length > 0) {
      filters.push({ sql: 'coalesce(o.project_id, o.environment_id) <> all(?::uuid[])', value: forbidden });
    }
    if (query.id__in !== undefined) filters.push({ sql: 'o.id = any(?::uuid[])', value: query.id__in });
    return this.committed.page(
      { organizationId, at: 'now' },
      {
        from: GRANTS,
        columns: COLUMNS,
        filters,
        order: buildOrder(query.ordering, { role: 'o.role' }),
        page: offsetWindow(query),
        after: conditionAfter(query.after),
      },
    );
  }

  /** Returns all matching grants. Call it inside a write. */
  async matching(reader: SnapshotReader, organizationId: string, query: GrantMultiQuery): Promise<readonly GrantRow[]> {
    const filters = await resolveFilters(reader, organizationId, query);
    const { rows } = await reader.page<GrantRow>(
      { organizationId, at: 'now' },
      { from: GRANTS, columns: COLUMNS, filters, order: 'o.created_at, o.id', page: { limit: 100_000, offset: 0 } },
    );
    return rows;
  }

  async readOne(caller: Caller, id: string, reader: SnapshotReader = this.committed): Promise<RowResult<GrantRow>> {
    const reading = { organizationId: caller.organizationId, at: 'now' } as const;
    const grant = await reader.retrieve<GrantRow>(reading, { from: GRANTS, columns: COLUMNS }, id, () =>
      Failure.notFound('Grant'),
    );
    if (!canOnScope(caller, 'read', scopeId(grant.row))) throw Failure.forbidden();
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
    filters.push({ sql: 'coalesce(o.membership_id, o.group_id) = ?::uuid', value: member ?? group });
  }
  if (scope !== undefined) {
    const resolvedScope = await resolveScope(reader, organizationId, scope);
    filters.push({ sql: 'coalesce(o.project_id, o.environment_id) = ?::uuid', value: scopeId(resolvedScope) });
  }
  if (role !== undefined) filters.push({ sql: 'o.role = ?', value: role });
  return filters;
}
