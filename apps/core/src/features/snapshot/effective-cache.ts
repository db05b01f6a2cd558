import { Injectable } from '@nestjs/common';
import {
  assertAbilityOnScope,
  type EffectiveView,
  type EnvironmentNode,
  effectiveView,
  indexById,
  listLineage,
  type NamedObject,
  type OrganizationId,
  type Permissions,
  type ProjectId,
  type Revision,
  TYPES_BESIDE_VALUES,
  viewAfter,
} from '@strata/domain';
import { cacheBytes } from '../../platform/cache-size.ts';
import { notFoundAtError } from '../../platform/http/points-in-time.ts';
import type { Head } from '../../platform/ledger/heads.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import { type ConfigurationChange, ConfigurationChanges } from './configuration-changes.ts';
import { type FollowedContent, LedgerFollower } from './ledger-follower.ts';
import { assertChainReadable, byIdOrName, findProjectChain } from './lookup.ts';
import type { ConfigurationSnapshot, TextRecord, ViewedParameter } from './snapshot.ts';
import { SnapshotLoader } from './snapshot-loader.ts';

/**
 * The size limit of the cache. A view of a hundred parameters takes about 140 kB, so the cache holds about 400 of them.
 */
const BYTES_MAX = cacheBytes(64);
/** The size of objects and map entries without texts. */
const VIEW_BYTES = 2_048;
const ENTRY_BYTES = 160;
const PARAMETER_BYTES = 320;
const VALUE_BYTES = 420;

export interface ViewQuery {
  readonly organizationId: OrganizationId;
  readonly projectId: ProjectId;
  /** The name or id of the environment. */
  readonly environment: string;
  /** If set, only the parameter with exactly this name is read. */
  readonly name: string | undefined;
}

/** A project as it is visible in one environment at one point in time. */
export interface ProjectView {
  readonly environment: EnvironmentNode;
  /** The environment, then its parent, and so on to the root. */
  readonly environments: readonly EnvironmentNode[];
  /** The project, followed by the projects it depends on. */
  readonly projectChain: readonly NamedObject[];
  readonly view: EffectiveView<ViewedParameter, TextRecord>;
}

/**
 * Caches the effective values of projects. A current view follows the ledger: after a write, only the changed names are
 * resolved again. Rows are read again only if something other than values changed. Secrets stay encrypted.
 */
@Injectable()
export class EffectiveCache {
  private readonly views: LedgerFollower<ViewQuery, ProjectView>;

  constructor(
    private readonly loader: SnapshotLoader,
    changes: ConfigurationChanges,
  ) {
    this.views = new LedgerFollower(changes, {
      bytesMax: BYTES_MAX,
      cacheKey: ({ organizationId, projectId, environment, name }) =>
        JSON.stringify([organizationId, projectId, environment, name]),
      load: async (query) => {
        const snapshot = await this.load(query, 'now');
        return { head: snapshot.head, content: createView(snapshot, query) };
      },
      follow: followed,
      estimateBytes,
    });
  }

  /**
   * Reads a view of the past. Throws 404 if the project or environment did not exist, and 403 if the caller may not
   * read it.
   */
  async at(
    revision: Revision,
    query: ViewQuery,
    permissions: Permissions,
  ): Promise<ProjectView & { readonly head: Head }> {
    const snapshot = await this.load(query, revision);
    if (findProjectChain(snapshot, query.projectId).length > 0)
      assertChainReadable(snapshot, query.projectId, permissions);
    const view = createView(snapshot, query);
    assertReadable(permissions, view);
    return { ...view, head: snapshot.head };
  }

  /** Returns a view of the present that is not older than `head`. Throws the same errors as `at`. */
  async now(query: ViewQuery, head: Head, permissions: Permissions): Promise<FollowedContent<ProjectView>> {
    const view = await this.views.now(query, head);
    assertReadable(permissions, view.content);
    return view;
  }

  private load({ organizationId, projectId, environment, name }: ViewQuery, at: PointInTime) {
    return this.loader.load({
      organizationId,
      at,
      projectIds: [projectId],
      environments: [environment],
      names: name === undefined ? undefined : [name],
      parameters: 'effective',
      values: 'effective',
    });
  }
}

function createView(
  snapshot: ConfigurationSnapshot<ViewedParameter, TextRecord>,
  { projectId, environment }: ViewQuery,
): ProjectView {
  const projectChain = findProjectChain(snapshot, projectId);
  if (projectChain.length === 0) throw notFoundAtError('Project', snapshot.at);
  const match = byIdOrName(snapshot.environments, environment);
  if (!match) throw notFoundAtError('Environment', snapshot.at);
  const { parameters, values } = snapshot;
  const nodes = indexById(snapshot.environments);
  const ancestors = listLineage(nodes, match.id);
  const view = effectiveView({ lineage: ancestors, projectChain, parameters, values });
  return { environment: match, environments: ancestors.flatMap((id) => nodes.get(id) ?? []), projectChain, view };
}

/** Returns the view after the changes, or null if rows must be read again. */
function followed(cachedView: ProjectView, changes: readonly ConfigurationChange[]): ProjectView | null {
  const projects = new Set(cachedView.projectChain.map(({ id }) => id));
  const isElsewhere = changes.every(
    ({ type, projectId }) =>
      type === 'Value' ||
      TYPES_BESIDE_VALUES.includes(type) ||
      ((type === 'Parameter' || type === 'Project') && projectId !== null && !projects.has(projectId)),
  );
  if (!isElsewhere) return null;
  const writes = changes.flatMap(({ type, parameterId, environmentId, value }) =>
    type === 'Value' && parameterId && environmentId ? [{ parameterId, environmentId, value }] : [],
  );
  const view = viewAfter(cachedView.view, writes);
  return view === cachedView.view ? cachedView : { ...cachedView, view };
}

/**
 * Throws 403 if the caller may not read the environment. Its ancestors need no check, because their values are
 * inherited anyway.
 */
function assertReadable(permissions: Permissions, { environment }: ProjectView): void {
  assertAbilityOnScope(permissions, 'read', environment.id, '/environment');
}

function estimateBytes({ view, projectChain }: ProjectView): number {
  let bytes = VIEW_BYTES + (view.lineage.length + projectChain.length) * ENTRY_BYTES;
  for (const { parameter, owners } of view.visible) {
    bytes += owners.length * PARAMETER_BYTES + (parameter.name.length + parameter.description.length) * 2;
  }
  for (const valuesOfParameter of view.values.values()) {
    for (const { text, sealed } of valuesOfParameter.values()) {
      bytes += VALUE_BYTES + ((text?.length ?? 0) + (sealed?.length ?? 0)) * 2;
    }
  }
  return bytes;
}
