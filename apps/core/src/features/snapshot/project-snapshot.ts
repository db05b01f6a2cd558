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
import { notFoundAtError } from '../../platform/http/points-in-time.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import { type PossiblySealedText, Vault } from '../../platform/vault/vault.ts';
import { assertChainReadable, byIdOrName, findProjectChain } from './lookup.ts';
import { Snapshots, type VersionedSnapshot } from './snapshots.ts';

/** One project at one point in time, limited to what the caller may read. */
export interface ProjectSnapshot extends VersionedSnapshot {
  readonly revision: Revision;
  readonly permissions: Permissions;
  /**
   * Returns whether the caller may read an environment. Values of other environments are inherited but cannot be read
   * there.
   */
  readonly mayRead: (environmentId: EnvironmentId) => boolean;
  /** The project, followed by the projects it depends on. */
  readonly projectChain: readonly ProjectLink[];
  /** The number of texts in forbidden scopes that refer to the parameters. */
  readonly hiddenReferrers: number;
  /** Returns the text, decrypted if necessary; null for an explicit null. */
  readonly textOf: (value: PossiblySealedText) => string | null;
}

export interface ProjectSnapshotQuery {
  readonly organizationId: OrganizationId;
  /** The permissions of the caller, or SYSTEM_PERMISSIONS if Strata itself reads. */
  readonly permissions: Permissions;
  readonly projectId: ProjectId;
  readonly at: PointInTime;
  /**
   * A name or id. Only values that are visible in the environment are read. If undefined, the values of all
   * environments are read.
   */
  readonly environment?: string | undefined;
  /** The missing object to report if both do not exist (see the table in behaviour.md §1.9). */
  readonly firstMissing?: 'project' | 'environment';
  readonly values?: boolean;
  /** Whether to read the rules of the parameters. */
  readonly rules?: boolean;
  /** Whether to read the texts that refer to the parameters. */
  readonly referrers?: boolean;
  /**
   * If set, only parameters with exactly this name are read, or those with the same name as the parameter
   * `parameterId`.
   */
  readonly name?: string | undefined;
  readonly parameterId?: ParameterId | undefined;
}

/** Reads one project as its caller may read it. */
@Injectable()
export class ProjectSnapshots {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly vault: Vault,
  ) {}

  /**
   * Returns the snapshot of a project. Throws 404 if the project did not exist, and 403 if the caller may not read the
   * project or one that it depended on.
   */
  async of(request: ProjectSnapshotQuery, reader?: SnapshotReader): Promise<ProjectSnapshot> {
    const { organizationId, projectId, permissions, at, environment, firstMissing } = request;
    const { name, parameterId, rules, referrers } = request;
    const loadedSnapshot = await this.snapshots.of(
      {
        organizationId,
        at,
        projectIds: [projectId],
        environments: environment === undefined ? undefined : [environment],
        names: name === undefined ? undefined : [name],
        parameterId,
        parameters: 'complete',
        values: (request.values ?? true) ? 'complete' : 'none',
        rules: rules ?? false,
        referrers: referrers ?? false,
      },
      reader,
    );
    if (firstMissing === 'environment' && environment !== undefined) {
      if (!byIdOrName(loadedSnapshot.environments, environment)) throw notFoundAtError('Environment', at);
    }
    const projectChain = findProjectChain(loadedSnapshot, projectId);
    if (projectChain.length === 0) throw notFoundAtError('Project', at);
    assertChainReadable(loadedSnapshot, projectId, permissions);
    const shownReferrers = loadedSnapshot.referrers.filter(
      ({ projectId, environmentId }) =>
        canOnScope(permissions, 'read', projectId) &&
        (environmentId === null || canOnScope(permissions, 'read', environmentId)),
    );
    return {
      ...loadedSnapshot,
      revision: loadedSnapshot.head.revision,
      projectChain,
      referrers: shownReferrers,
      hiddenReferrers: loadedSnapshot.referrers.length - shownReferrers.length,
      permissions,
      mayRead: (environmentId) => canOnScope(permissions, 'read', environmentId),
      textOf: await this.vault.valueOpener(organizationId, loadedSnapshot.values),
    };
  }
}

export const parameterNotFoundError = (at: PointInTime): Failure => notFoundAtError('Parameter', at);
