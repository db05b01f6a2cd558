import { Injectable } from '@nestjs/common';
import type { ServiceAccountListQuery } from '@strata/contract';
import { Failure, type OrganizationId, type UserId } from '@strata/domain';
import { BY_DESCRIPTION, buildOrder, conditionAfter, NAME_OF_PERSON_ORDER } from '../../platform/http/list-order.ts';
import { offsetWindow } from '../../platform/http/page.ts';
import { type PageResult, type RowResult, SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTime } from '../../platform/postgres/versioned-table.ts';
import { onlyProjectIds } from './only-projects.ts';
import { USER_COLUMNS, USERS, type UserRow } from './people.ts';

export interface ServiceAccountRow {
  readonly id: UserId;
  /** Free text, or the id of a member. */
  readonly owner: string | null;
  readonly owner_is_member: boolean;
  readonly description: string;
  readonly user: UserRow;
  /** Null if the account is not limited to projects. Deleted projects are left out. */
  readonly only_project_ids: readonly string[] | null;
  readonly keys: readonly KeyRow[];
  readonly created_at: string;
  readonly modified_at: string;
  readonly last_used_at: string | null;
}

interface KeyRow {
  readonly name: string;
  readonly prefix: string;
  readonly revoked: boolean;
  readonly has_expired: boolean;
  readonly created: string;
  readonly expiry_date: string | null;
}

const ACCOUNTS = `(select a.person_id as id, p.name, a.owner, a.description, a.created_at, a.modified_at, a.last_used_at
  from service_account a join person p on p.id = a.person_id where a.organization_id = $1)`;

const COLUMNS = `o.id, o.owner, o.description,
  exists (select from membership m where m.organization_id = $1 and m.person_id = o.owner) as owner_is_member,
  (select to_json(u) from (select ${USER_COLUMNS} from ${USERS} o) u where u.id = o.id) as "user",
  (select ${onlyProjectIds('m')} from membership m where m.organization_id = $1 and m.person_id = o.id) as only_project_ids,
  (select coalesce(json_agg(json_build_object(
            'name', k.name, 'prefix', k.prefix, 'revoked', k.revoked,
            'has_expired', coalesce(k.expires_at <= clock_timestamp(), false),
            'created', ${wireTime('k.created_at')}, 'expiry_date', ${wireTime('k.expires_at')})
            order by k.created_at desc, k.prefix), '[]')
     from api_key k where k.organization_id = $1 and k.person_id = o.id) as keys,
  ${wireTime('o.created_at')} as created_at, ${wireTime('o.modified_at')} as modified_at,
  ${wireTime('o.last_used_at')} as last_used_at`;

@Injectable()
export class ServiceAccountsReader {
  constructor(private readonly committed: SnapshotReader) {}

  page(organizationId: OrganizationId, query: ServiceAccountListQuery): Promise<PageResult<ServiceAccountRow>> {
    return this.committed.page(
      { organizationId, at: 'now' },
      {
        from: ACCOUNTS,
        columns: COLUMNS,
        filters: query.id__in === undefined ? [] : [{ sql: 'o.id = any(?::text[])', value: query.id__in }],
        order: buildOrder(query.ordering, { ...BY_DESCRIPTION, last_used_at: 'o.last_used_at' }),
        page: offsetWindow(query),
        after: conditionAfter(query.after, NAME_OF_PERSON_ORDER),
      },
    );
  }

  readOne(
    organizationId: OrganizationId,
    id: UserId,
    reader: SnapshotReader = this.committed,
  ): Promise<RowResult<ServiceAccountRow>> {
    return reader.retrieve({ organizationId, at: 'now' }, { from: ACCOUNTS, columns: COLUMNS }, id, () =>
      Failure.notFound('ServiceAccount'),
    );
  }
}
