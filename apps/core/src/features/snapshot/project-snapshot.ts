import { Injectable } from '@nestjs/common';
import {
  canOnScope,
  type EnvironmentId,
  type Failure,
  type OrganizationId,
  type ParameterId,
  type Permissions,
  type ProjectId,
  type ProjectLink,
  type Revision,
} from '@strata/domain';
import { missing } from '../../platform/http/moment.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import { type StoredText, Vault } from '../../platform/vault/vault.ts';
import { assertChainReadable, byIdOrName, chainOf } from './lookup.ts';
import { Snapshots, type VersionedSnapshot } from './snapshots.ts';

/** One project at one point in time, as far as who asks may see it. */
export interface ProjectSnapshot extends VersionedSnapshot {
  readonly revision: Revision;
  /** Of who asks. */
  readonly permissions: Permissions;
  /** Whether who asks has access to an environment. The values of others are inherited from, but not looked at. */
  readonly mayRead: (environmentId: EnvironmentId) => boolean;
  /** The project, then the one it depends on, and so on to the top. */
  readonly projectChain: readonly ProjectLink[];
  /** How many referrers lie in what is closed to who asks. */
  readonly hiddenReferrers: number;
  /** Opens sealed text; null stays null. */
  readonly textOf: (value: StoredText) => string | null;
}

export interface ProjectSnapshotQuery {
  readonly organizationId: OrganizationId;
  /** Of who asks: the caller, or SYSTEM_PERMISSIONS for what the service itself must know. */
  readonly permissions: Permissions;
  readonly projectId: ProjectId;
  readonly at: PointInTime;
  /** Name or id; only values that can be seen there are read. Absent: the values of all environments. */
  readonly environment?: string | undefined;
  /** What is told to be missing where both project and environment are (the table of behaviour.md §1.9). */
  readonly firstMissing?: 'project' | 'environment';
  /** Whether values are needed at all. */
  readonly values?: boolean;
  /** Whether the parameters' own rules are needed. */
  readonly rules?: boolean;
  /** Whether it matters who refers to the parameters. */
  readonly referrers?: boolean;
  /** Only parameters of this exact name, or that share their name with this parameter. */
  readonly name?: string | undefined;
  readonly parameterId?: ParameterId | undefined;
}

/** What one project is made of, for who asks. */
@Injectable()
export class ProjectSnapshots {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly vault: Vault,
  ) {}

  /** Throws 404 when there was no such project, and 403 for what the project does not depend on any more. */
  async of(question: ProjectSnapshotQuery, reader?: SnapshotReader): Promise<ProjectSnapshot> {
    const { organizationId, projectId, permissions, at, environment, firstMissing } = question;
    const { name, parameterId, rules, referrers } = question;
    const loaded = await this.snapshots.of(
      {
        organizationId,
        at,
        projectIds: [projectId],
        environments: environment === undefined ? undefined : [environment],
        names: name === undefined ? undefined : [name],
        parameterId,
        parameters: 'complete',
        values: (question.values ?? true) ? 'complete' : 'none',
        rules: rules ?? false,
        referrers: referrers ?? false,
      },
      reader,
    );
    if (firstMissing === 'environment' && environment !== undefined) {
      if (!byIdOrName(loaded.environments, environment)) throw missing('Environment', at);
    }
    const projectChain = chainOf(loaded, projectId);
    if (projectChain.length === 0) throw missing('Project', at);
    assertChainReadable(loaded, projectId, permissions);
    const shownReferrers = loaded.referrers.filter(
      ({ projectId, environmentId }) =>
        canOnScope(permissions, 'read', projectId) &&
        (environmentId === null || canOnScope(permissions, 'read', environmentId)),
    );
    return {
      ...loaded,
      revision: loaded.head.revision,
      projectChain,
      referrers: shownReferrers,
      hiddenReferrers: loaded.referrers.length - shownReferrers.length,
      permissions,
      mayRead: (environmentId) => canOnScope(permissions, 'read', environmentId),
      textOf: await this.vault.valueOpener(organizationId, loaded.values),
    };
  }
}

export const noSuchParameter = (at: PointInTime): Failure => missing('Parameter', at);
