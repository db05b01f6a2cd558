import { Injectable } from '@nestjs/common';
import {
  type DependencyScopes,
  type EnvironmentId,
  Failure,
  type OrganizationId,
  type Permissions,
  type ProjectId,
  type Revision,
} from '@strata/domain';
import { type CurrentHead, Heads } from '../../../platform/ledger/heads.ts';
import { runOutsideRequests } from '../../../platform/limits/request-limits.ts';
import type { PointInTime } from '../../../platform/postgres/versioned-table.ts';
import { ServiceKeys } from '../../../platform/vault/service-keys.ts';
import { EffectiveCache, type ProjectView } from '../../snapshot/effective-cache.ts';
import { EffectiveBodies, type SelectedValue } from '../effective-bodies.ts';
import { type DeliveredValues, presentDeliveredValues } from './delivered-values.ts';

/** The part of a configuration that a client follows. */
export interface StreamSelection {
  readonly organizationId: OrganizationId;
  readonly projectId: ProjectId;
  readonly environmentId: EnvironmentId;
  /** If null, the client follows all names. */
  readonly names: readonly string[] | null;
  readonly reveal: boolean;
}

/** Why a configuration cannot be delivered. */
export interface ConfigurationProblem {
  readonly names: readonly string[];
  readonly detail: string;
}

/** The selected configuration at one revision. */
export type ConfigurationState = { readonly revision: Revision } & (
  | { readonly problem: ConfigurationProblem; readonly dependencies: DependencyScopes | null }
  | {
      readonly problem: null;
      readonly dependencies: DependencyScopes;
      readonly view: ProjectView;
      readonly values: readonly SelectedValue[];
      readonly delivered: DeliveredValues;
    }
);

/** Reads the configurations that streams deliver, as `effective/` returns them at the same revision. */
@Injectable()
export class ConfigurationStates {
  constructor(
    private readonly heads: Heads,
    private readonly views: EffectiveCache,
    private readonly bodies: EffectiveBodies,
    private readonly serviceKeys: ServiceKeys,
  ) {}

  /** Returns the present state, with a head that is not older than this call. */
  async presentAt(
    selection: StreamSelection,
    permissions: Permissions,
  ): Promise<{ readonly head: CurrentHead; readonly state: ConfigurationState }> {
    const head = await this.heads.required(selection.organizationId);
    const state = await this.at(selection, permissions, 'now', head);
    // The cache may be ahead of the head. Permissions must be as new as the state.
    const { people } = state.revision > head.revision ? await this.heads.required(selection.organizationId) : head;
    return { head: { ...head, revision: state.revision, people }, state };
  }

  /**
   * Returns the state at a revision that is not later than the head, or at the head or a later one. Throws 404 and 403 as
   * `effective/` does.
   */
  at(
    selection: StreamSelection,
    permissions: Permissions,
    at: PointInTime,
    head: CurrentHead,
  ): Promise<ConfigurationState> {
    // Connections share the result. Each of them records the secrets that it delivers.
    return runOutsideRequests(async () => {
      try {
        return await this.read(selection, permissions, at, head);
      } catch (error) {
        if (!isProblem(error)) throw error;
        const revision = at === 'now' ? head.revision : at;
        return { revision, problem: { names: [], detail: error.message }, dependencies: null };
      }
    });
  }

  private async read(
    selection: StreamSelection,
    permissions: Permissions,
    requestedPointInTime: PointInTime,
    head: CurrentHead,
  ): Promise<ConfigurationState> {
    const { organizationId, projectId, environmentId, names, reveal } = selection;
    const target = { organizationId, projectId, environment: environmentId, name: undefined };
    const query = { mask_secrets: !reveal, name__in: names ?? undefined, ...WITHOUT_FILTERS };
    const isLatest = requestedPointInTime === 'now' || requestedPointInTime === head.revision;
    const currentView = isLatest ? await this.views.now(target, head, permissions) : null;
    // The cache may be ahead of the requested revision.
    const at =
      requestedPointInTime !== 'now' && currentView?.head.revision !== requestedPointInTime
        ? requestedPointInTime
        : 'now';
    const view =
      currentView && at === 'now'
        ? { ...currentView.content, head: currentView.head }
        : await this.views.at(requestedPointInTime as Revision, target, permissions);
    const { revision } = view.head;
    const options = { permissions, at, mode: 'each' } as const;
    const { values, inputProjects } = await this.bodies.shown(view, { target, query }, options);
    const dependencies = {
      projects: new Set([...view.projectChain.map(({ id }) => id), ...inputProjects]),
      environments: new Set(view.view.lineage),
    };
    const failedNames = values.flatMap(({ name, hasFailed }) => (hasFailed ? [name] : []));
    if (failedNames.length > 0) return { revision, problem: { names: failedNames, detail: FAILED }, dependencies };
    const valuesDelivered = presentDeliveredValues(values, reveal, this.serviceKeys.entityTagKey);
    return { revision, problem: null, dependencies, view, values, delivered: valuesDelivered };
  }
}

/** The messages of failed texts may contain other texts, so a stream does not deliver them. */
const FAILED = 'These texts cannot be evaluated. The effective configuration reports the reasons.';

const WITHOUT_FILTERS = { evaluate: true, immediate_parameters: false, wait: 0 } as const;

function isProblem(error: unknown): error is Failure {
  return error instanceof Failure && (error.kind === 'unprocessable' || error.kind === 'invalid');
}
