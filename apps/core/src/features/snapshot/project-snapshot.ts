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
import { notFoundAt } from '../../platform/http/points-in-time.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import { type PossiblySealedText, Vault } from '../../platform/vault/vault.ts';
import { assertChainReadable, byIdOrName, chainOf } from './lookup.ts';
import { Snapshots, type VersionedSnapshot } from './snapshots.ts';

/** One project at one point in time, as far as the caller may read it. */
export interface ProjectSnapshot extends VersionedSnapshot {
  readonly revision: Revision;
  /** The permissions of the caller. */
  readonly permissions: Permissions;
  /**
   * Whether the caller may read an environment. Values of other environments are inherited, but cannot be read there.
   */
  readonly mayRead: (environmentId: EnvironmentId) => boolean;
  /** The project and those it depends on, up to the top. */
  readonly projectChain: readonly ProjectLink[];
  /** The number of referrers in forbidden scopes. */
  readonly hiddenReferrers: number;
  /** Opens sealed text; null stays null. */
  readonly textOf: (value: PossiblySealedText) => string | null;
}

export interface ProjectSnapshotQuery {
  readonly organizationId: OrganizationId;
  /** The permissions of the caller, or SYSTEM_PERMISSIONS for the service itself. */
  readonly permissions: Permissions;
  readonly projectId: ProjectId;
  readonly at: PointInTime;
  /** Name or id; only values visible there are read. Without it, the values of all environments. */
  readonly environment?: string | undefined;
  /** The object that the error names if both project and environment do not exist (the table of behaviour.md §1.9). */
  readonly firstMissing?: 'project' | 'environment';
  /** Whether to read values. */
  readonly values?: boolean;
  /** Whether to read the parameters' own rules. */
  readonly rules?: boolean;
  /** Whether to read the texts that refer to the parameters. */
  readonly referrers?: boolean;
  /** Only parameters of this exact name, or with the same name as this parameter. */
  readonly name?: string | undefined;
  readonly parameterId?: ParameterId | undefined;
}

/** Reads one project as its caller may see it. */
@Injectable()
export class ProjectSnapshots {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly vault: Vault,
  ) {}

  /** Throws 404 if the project did not exist, and 403 for a former dependency of the project. */
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
      if (!byIdOrName(loaded.environments, environment)) throw notFoundAt('Environment', at);
    }
    const projectChain = chainOf(loaded, projectId);
    if (projectChain.length === 0) throw notFoundAt('Project', at);
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

export const noSuchParameter = (at: PointInTime): Failure => notFoundAt('Parameter', at);
