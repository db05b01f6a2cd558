import { Injectable } from '@nestjs/common';
import type { GroupListQuery } from '@strata/contract';
import { Failure, type OrganizationId, type UserId } from '@strata/domain';
import { unknownLinkError } from '../../platform/http/links.ts';
import { BY_DESCRIPTION } from '../../platform/http/list-order.ts';
import { requestedPage } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { userIdOfLink } from './people.ts';

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly users: readonly UserId[];
  readonly created_at: string;
  readonly modified_at: string;
}

const GROUPS = '(select member_group.* from member_group where member_group.organization_id = $1)';

const COLUMNS = `object.id, object.name, object.description,
  (select coalesce(json_agg(membership.person_id order by coalesce(person.name, person.email, person.id) collate human, person.id), '[]')
     from group_member join membership on membership.organization_id = group_member.organization_id and membership.id = group_member.membership_id
     join person on person.id = membership.person_id
    where group_member.organization_id = $1 and group_member.group_id = object.id) as users,
  ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at`;

const OF_USER = `object.id in (select group_member.group_id from group_member join membership
    on membership.organization_id = group_member.organization_id and membership.id = group_member.membership_id
  where group_member.organization_id = $1 and membership.person_id = ?)`;

@Injectable()
export class GroupsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  async page(organizationId: OrganizationId, query: GroupListQuery): Promise<PageResult<GroupRow>> {
    const filters: Filter[] = [];
    if (query.name !== undefined) filters.push({ sql: 'object.name = ?', value: query.name });
    if (query.id__in !== undefined) filters.push({ sql: 'object.id = any(?::uuid[])', value: query.id__in });
    if (query.user !== undefined) {
      const [user] = await resolveMembers(this.snapshotReader, organizationId, 'user', [query.user]);
      filters.push({ sql: OF_USER, value: user?.person_id });
    }
    return this.snapshotReader.page(
      { organizationId, at: 'now' },
      {
        from: GROUPS,
        columns: COLUMNS,
        filters,
        ...requestedPage(query, BY_DESCRIPTION),
      },
    );
  }

  readOne(
    organizationId: OrganizationId,
    id: string,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<RowResult<GroupRow>> {
    return reader.retrieve({ organizationId, at: 'now' }, { from: GROUPS, columns: COLUMNS }, id, () =>
      Failure.notFound('Group'),
    );
  }
}

export interface LinkedMember {
  readonly id: string;
  readonly person_id: UserId;
}

/**
 * Resolves links or ids to memberships of people and service accounts. Throws 400 if one of them cannot be resolved.
 */
export async function resolveMembers(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  field: string,
  links: readonly string[],
): Promise<readonly LinkedMember[]> {
  const people = [...new Set(links.map(userIdOfLink))];
  if (people.length === 0) return [];
  const members = await reader.query<LinkedMember>(
    'select id, person_id from membership where organization_id = $1 and person_id = any($2::text[])',
    [organizationId, people],
  );
  if (members.length < people.length) throw unknownLinkError(field, 'users');
  return members;
}
