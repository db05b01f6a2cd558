import { Injectable } from '@nestjs/common';
import {
  type AccessState,
  type ApiKeyScope,
  type EnvironmentId,
  Failure,
  type KeyLimit,
  type MemberRights,
  type OrganizationId,
  type ProjectId,
  type Revision,
  type Role,
  type ScopeId,
  sentence,
  type UserId,
} from '@strata/domain';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type PointInTime, rowsAt, wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { GRANTED } from './scope-rows-with-access.ts';

export interface ScopeRecord {
  readonly id: ScopeId;
  readonly name: string;
}

interface ProjectRecord extends ScopeRecord {
  readonly depends_on_id: ProjectId | null;
}

/** The projects and environments at one point in time. */
export interface ScopesAt {
  readonly revision: Revision;
  readonly environments: readonly ScopeRecord[];
  readonly projects: readonly ProjectRecord[];
}

/** A person or a service account that is or was a member, with the rights at one point in time. */
export interface MemberAt {
  readonly userId: string;
  readonly userName: string;
  readonly userType: 'interactive' | 'service';
  readonly membershipId: string;
  /** Null if the user was no member at that time. */
  readonly rights: MemberRights | null;
}

/** The rights of members on some scopes. */
export interface RightsAt {
  readonly members: readonly MemberAt[];
  readonly controlledIds: AccessState['controlledIds'];
  /** The names of the groups with grants on them, by id. */
  readonly groupNames: ReadonlyMap<string, string>;
}

/** The limits of an API key, which never change. */
export interface KeyOfAccount extends KeyLimit {
  readonly accountId: UserId;
}

interface KeyRow {
  readonly person_id: UserId;
  readonly scopes: readonly ApiKeyScope[] | null;
  readonly project_ids: readonly ProjectId[] | null;
  readonly environment_ids: readonly EnvironmentId[] | null;
}

interface MemberRow {
  readonly id: string;
  readonly person_id: string;
  readonly name: string;
  readonly type: MemberAt['userType'];
  readonly role: Role;
  readonly reveals_secrets: boolean;
  readonly only_project_ids: readonly ProjectId[] | null;
  readonly is_member: boolean;
}

/** A grant to a member, directly or by a group. Without the member, the group has none. */
interface GrantRow {
  readonly id: string;
  readonly scope_id: ScopeId;
  readonly role: Role;
  readonly membership_id: string | null;
  readonly group_id: string | null;
  readonly group_name: string | null;
  readonly expires_at: string | null;
}

interface RightsRows {
  readonly members: readonly MemberRow[];
  readonly grants: readonly GrantRow[];
  /** The memberships with a temporary grant to reveal secrets. */
  readonly revealing: readonly { readonly membership_id: string }[];
  readonly recorded: readonly { readonly revision: Revision; readonly time: string }[];
}

/** SQL for the rows of a table at revision $2, from the states that triggers record (migration 0059). */
const selectStates = (tables: string, columns: string) =>
  `(select version.revision as valid_from, version.revision <= $2 and version.revision_to > $2 as is_valid, object.*
      from rights_version version, jsonb_to_record(version.state) as object(${columns})
     where version.organization_id = $1 and version.object_type = any('{${tables}}'))`;

const MEMBERS = selectStates(
  'membership',
  'id uuid, person_id text, person_name text, person_type text, role text, reveals_secrets boolean, only_project_ids uuid[]',
);
const GRANTS = selectStates(
  'access_grant,temporary_grant',
  'id uuid, membership_id uuid, group_id uuid, project_id uuid, environment_id uuid, role text, reveals boolean, expires_at timestamptz',
);
const GROUP_MEMBERS = selectStates('group_member', 'group_id uuid, membership_id uuid, from_claim boolean');
const GROUPS = selectStates('member_group', 'id uuid, name text');

/** The present name is shown, as in other lists. The recorded one is that of a person who has left. */
const MEMBER_COLUMNS = `member.id, member.person_id, coalesce(person.name, person.email, member.person_name) as name,
  member.person_type as type, member.role, member.reveals_secrets, member.only_project_ids, member.is_valid as is_member`;

/**
 * SQL that is true for a grant that has not ended at the instant $5. Null is the instant of the revision, and no instant is later
 * than now.
 */
const IS_VALID = `access_grant.is_valid and (access_grant.expires_at is null or access_grant.expires_at > least(
  coalesce($5::timestamptz, (select changeset.at from changeset where changeset.organization_id = $1 and changeset.revision = $2)), statement_timestamp()))`;

/**
 * $3 are the scopes, $4 is the requested user, or null for all members, and $5 the instant. A former member has the last
 * known state.
 */
const QUERIES = {
  members: `
    select distinct on (member.person_id) ${MEMBER_COLUMNS}
      from ${MEMBERS} member left join person on person.id = member.person_id
     where case when $4::text is null then member.is_valid else member.person_id = $4 or lower(person.email) = lower($4) or coalesce(person.name, member.person_name) = $4 end
     order by member.person_id, member.is_valid desc, member.valid_from desc`,
  grants: `
    select access_grant.id, coalesce(access_grant.project_id, access_grant.environment_id) as scope_id, ${GRANTED} as role,
           coalesce(access_grant.membership_id, group_member.membership_id) as membership_id, access_grant.group_id,
           member_group.name as group_name, ${wireTimeSql('access_grant.expires_at')} as expires_at
      from ${GRANTS} access_grant
      left join ${GROUPS} member_group on member_group.id = access_grant.group_id and member_group.is_valid
      left join ${GROUP_MEMBERS} group_member on group_member.group_id = access_grant.group_id and group_member.is_valid
     where ${IS_VALID} and coalesce(access_grant.project_id, access_grant.environment_id) = any($3::uuid[])
     order by member_group.name, access_grant.id`,
  revealing: `select access_grant.membership_id from ${GRANTS} access_grant where ${IS_VALID} and access_grant.reveals`,
  recorded: `
    select changeset.revision, ${wireTimeSql('changeset.at')} as time from changeset
     where changeset.organization_id = $1
       and changeset.revision = (select min(version.revision) from rights_version version
                                  where version.organization_id = $1 and version.object_type = 'membership')`,
};

/** A revision, and an instant at which it was the latest one. */
interface RightsInstant {
  readonly revision: Revision;
  /** Null for the instant of the revision. */
  readonly instant: string | null;
}

/** Reads the rights of members at a point in time. */
@Injectable()
export class RightsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  async readScopes(organizationId: OrganizationId, at: PointInTime): Promise<ScopesAt> {
    return this.snapshotReader.sets<Omit<ScopesAt, 'revision'>>(
      { organizationId, at },
      {
        environments: `select environment.id, environment.name from ${rowsAt('environment', at)} environment`,
        projects: `select project.id, project.name, project.depends_on_id from ${rowsAt('project', at)} project`,
      },
    );
  }

  /** Reads the limits of a key. Throws 400 if the organization has no key with this prefix. */
  async readKey(organizationId: OrganizationId, prefix: string): Promise<KeyOfAccount> {
    const [row] = await this.snapshotReader.query<KeyRow>(
      'select person_id, scopes, project_ids, environment_ids from api_key where organization_id = $1 and prefix = $2',
      [organizationId, prefix],
    );
    if (!row) throw unknownKeyError();
    const { person_id: accountId, scopes, project_ids: projectIds, environment_ids: environmentIds } = row;
    return { accountId, scopes, projectIds, environmentIds };
  }

  /**
   * Reads the rights of all members, or of one user, on some scopes. Throws 404 if the rights of that time were not
   * recorded.
   */
  async read(
    organizationId: OrganizationId,
    { revision, instant }: RightsInstant,
    { scopeIds, user }: { readonly scopeIds: readonly ScopeId[]; readonly user: string | undefined },
  ): Promise<RightsAt> {
    const rows = await this.snapshotReader.sets<RightsRows>({ organizationId, at: revision }, QUERIES, [
      scopeIds,
      user ?? null,
      instant,
    ]);
    const [first] = rows.recorded;
    if (first && revision < first.revision) throw notRecordedError(first);
    const revealingIds = new Set(rows.revealing.map(({ membership_id: id }) => id));
    const grantsByMembership = Map.groupBy(rows.grants, ({ membership_id: membershipId }) => membershipId);
    return {
      members: rows.members.map((row) => toMember(row, grantsByMembership.get(row.id) ?? [], revealingIds.has(row.id))),
      controlledIds: new Set(
        rows.grants.flatMap(({ scope_id: scopeId, expires_at: expiresAt }) => (expiresAt === null ? scopeId : [])),
      ),
      groupNames: new Map(rows.grants.map(({ group_id: id, group_name: name }) => [id ?? '', name ?? ''])),
    };
  }
}

/** Returns the error for a prefix that belongs to no key, or to the key of another account. */
export const unknownKeyError = (): Failure =>
  Failure.field(
    'unknown_link',
    'key',
    'No such API key. Enter the first characters of a key of the service account, as its list of keys shows them.',
  );

function toMember(row: MemberRow, grants: readonly GrantRow[], isRevealing: boolean): MemberAt {
  const rights = {
    role: row.role,
    revealsSecrets: row.reveals_secrets || isRevealing,
    onlyProjectIds: row.only_project_ids,
    grants: grants.map(({ id, scope_id: scopeId, role, group_id: groupId, expires_at: expiresAt }) => ({
      ...{ id, scopeId, role, groupId, expiresAt },
    })),
  };
  return {
    userId: row.person_id,
    userName: row.name,
    userType: row.type,
    membershipId: row.id,
    rights: row.is_member ? rights : null,
  };
}

function notRecordedError({ revision, time }: RightsRows['recorded'][number]): Failure {
  return new Failure({
    kind: 'not_found',
    code: 'rights_not_recorded',
    message: sentence`Strata has recorded who has access since revision ${{ revision }} of ${{ time }}. Choose a later point in time.`,
  });
}
