import { Injectable } from '@nestjs/common';
import {
  assertAbilityOnScope,
  type BaseType,
  findBaseType,
  indexById,
  type ObjectType,
  type OrganizationId,
  type Permissions,
  type ProjectId,
  type TypeNode,
  type Uuid,
} from '@strata/domain';
import { cacheBytes } from '../../platform/cache-size.ts';
import { notFoundAtError } from '../../platform/http/points-in-time.ts';
import { type Head, Heads } from '../../platform/ledger/heads.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ConfigurationChanges } from '../snapshot/configuration-changes.ts';
import { LedgerFollower } from '../snapshot/ledger-follower.ts';
import { byIdOrName } from '../snapshot/lookup.ts';

const PROJECTS_BYTES_MAX = cacheBytes(2);
const TYPES_BYTES_MAX = cacheBytes(4);
/** The size of a cached object or map entry. */
const ENTRY_BYTES = 200;

interface ProjectQuery {
  readonly organizationId: OrganizationId;
  readonly nameOrId: string;
}

/** The built-in type of each type of an organization, by id. */
export type BaseTypes = ReadonlyMap<Uuid, BaseType>;

/** Finds what flags need besides the effective values. The results are cached and follow the ledger. */
@Injectable()
export class FlagLookups {
  private readonly projects: LedgerFollower<ProjectQuery, ProjectId | null>;
  private readonly types: LedgerFollower<Pick<ProjectQuery, 'organizationId'>, BaseTypes>;

  constructor(
    private readonly reader: SnapshotReader,
    private readonly heads: Heads,
    changes: ConfigurationChanges,
  ) {
    this.projects = new LedgerFollower(changes, {
      bytesMax: PROJECTS_BYTES_MAX,
      cacheKey: ({ organizationId, nameOrId }) => `${organizationId} ${nameOrId}`,
      load: ({ organizationId, nameOrId }) =>
        this.withHead(organizationId, () => this.readProject(organizationId, nameOrId)),
      ...unlessChanged<ProjectId | null>('Project'),
      // a project that does not exist is not cached, because anyone can invent names
      estimateBytes: (id) => (id === null ? null : ENTRY_BYTES),
    });
    this.types = new LedgerFollower(changes, {
      bytesMax: TYPES_BYTES_MAX,
      cacheKey: ({ organizationId }) => organizationId,
      load: ({ organizationId }) => this.withHead(organizationId, () => this.readTypes(organizationId)),
      ...unlessChanged<BaseTypes>('ParameterType'),
      estimateBytes: ({ size }) => (size + 1) * ENTRY_BYTES,
    });
  }

  /** Returns the project with this name or id. Throws 404 if it does not exist, and 403 if the caller has no access. */
  async project(query: ProjectQuery, head: Head, permissions: Permissions): Promise<ProjectId> {
    const { content: id } = await this.projects.now(query, head);
    if (id === null) throw notFoundAtError('Project', 'now');
    assertAbilityOnScope(permissions, 'read', id);
    return id;
  }

  async baseTypes(organizationId: OrganizationId, head: Head): Promise<BaseTypes> {
    return (await this.types.now({ organizationId }, head)).content;
  }

  /** Reads content that is not older than the returned head. */
  private async withHead<Content>(organizationId: OrganizationId, read: () => Promise<Content>) {
    const head = await this.heads.required(organizationId);
    return { head, content: await read() };
  }

  private async readProject(organizationId: OrganizationId, nameOrId: string): Promise<ProjectId | null> {
    const matches = await this.reader.query<{ id: ProjectId; name: string }>(
      'select id, name from project where organization_id = $1 and (name = $2 or id::text = lower($2))',
      [organizationId, nameOrId],
    );
    return byIdOrName(matches, nameOrId)?.id ?? null;
  }

  private async readTypes(organizationId: OrganizationId): Promise<BaseTypes> {
    const types = indexById(
      await this.reader.query<Omit<TypeNode, 'rules'>>(
        'select id, name, parent_id as "parentId" from parameter_type where organization_id = $1',
        [organizationId],
      ),
    );
    return new Map([...types.keys()].map((id) => [id, findBaseType(types, id)]));
  }
}

/** Reads content again as soon as an object of this type has changed. */
function unlessChanged<Content>(type: ObjectType) {
  return {
    follow: (content: Content, changes: readonly { readonly type: ObjectType }[]) =>
      changes.some((change) => change.type === type) ? null : content,
  };
}
