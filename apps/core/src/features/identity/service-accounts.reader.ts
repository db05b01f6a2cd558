import { Injectable } from '@nestjs/common';
import type { ServiceAccountListQuery } from '@strata/contract';
import { type ApiKeyScope, Failure, KEY_SCOPES, type OrganizationId, type UserId } from '@strata/domain';
import { BY_DESCRIPTION, NAME_OF_PERSON_ORDER } from '../../platform/http/list-order.ts';
import { requestedPage } from '../../platform/http/page.ts';
import { type PageResult, type RowResult, SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
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
  readonly scopes: readonly ApiKeyScope[];
  /** Without deleted ones; null for no limit. */
  readonly project_ids: readonly string[] | null;
  readonly environment_ids: readonly string[] | null;
  readonly last_read_at: string | null;
  readonly last_write_at: string | null;
  readonly last_reveal_at: string | null;
}

const ACCOUNTS = `(select account.person_id as id, person.name, account.owner, account.description, account.created_at, account.modified_at, account.last_used_at
  from service_account account join person on person.id = account.person_id where account.organization_id = $1)`;

const ALL_SCOPES = `{${KEY_SCOPES.join()}}`;

const existingIds = (table: 'project' | 'environment'): string => `
  case when api_key.${table}_ids is not null then array(
    select ${table}.id from ${table} where ${table}.organization_id = $1 and ${table}.id = any(api_key.${table}_ids) order by ${table}.name) end`;

const COLUMNS = `object.id, object.owner, object.description,
  exists (select from membership where membership.organization_id = $1 and membership.person_id = object.owner) as owner_is_member,
  (select to_json(listed_user) from (select ${USER_COLUMNS} from ${USERS} object) listed_user where listed_user.id = object.id) as "user",
  (select ${onlyProjectIds('membership')} from membership where membership.organization_id = $1 and membership.person_id = object.id) as only_project_ids,
  (select coalesce(json_agg(json_build_object(
            'name', api_key.name, 'prefix', api_key.prefix, 'revoked', api_key.revoked,
            'has_expired', coalesce(api_key.expires_at <= clock_timestamp(), false),
            'created', ${wireTimeSql('api_key.created_at')}, 'expiry_date', ${wireTimeSql('api_key.expires_at')},
            'scopes', coalesce(api_key.scopes, '${ALL_SCOPES}'),
            'project_ids', ${existingIds('project')}, 'environment_ids', ${existingIds('environment')},
            'last_read_at', ${wireTimeSql('api_key.last_read_at')}, 'last_write_at', ${wireTimeSql('api_key.last_write_at')},
            'last_reveal_at', ${wireTimeSql('api_key.last_reveal_at')})
            order by api_key.created_at desc, api_key.prefix), '[]')
     from api_key where api_key.organization_id = $1 and api_key.person_id = object.id) as keys,
  ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at,
  ${wireTimeSql('object.last_used_at')} as last_used_at`;

@Injectable()
export class ServiceAccountsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  page(organizationId: OrganizationId, query: ServiceAccountListQuery): Promise<PageResult<ServiceAccountRow>> {
    return this.snapshotReader.page(
      { organizationId, at: 'now' },
      {
        from: ACCOUNTS,
        columns: COLUMNS,
        filters: query.id__in === undefined ? [] : [{ sql: 'object.id = any(?::text[])', value: query.id__in }],
        ...requestedPage(query, { ...BY_DESCRIPTION, last_used_at: 'object.last_used_at' }, NAME_OF_PERSON_ORDER),
      },
    );
  }

  readOne(
    organizationId: OrganizationId,
    id: UserId,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<RowResult<ServiceAccountRow>> {
    return reader.retrieve({ organizationId, at: 'now' }, { from: ACCOUNTS, columns: COLUMNS }, id, () =>
      Failure.notFound('ServiceAccount'),
    );
  }
}
