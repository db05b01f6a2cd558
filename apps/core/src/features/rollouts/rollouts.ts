import { Injectable } from '@nestjs/common';
import type { Rollout, RolloutQuery } from '@strata/contract';
import {
  assertAbilityOnScope,
  Failure,
  type OrganizationId,
  type Permissions,
  pageWindow,
  type Revision,
} from '@strata/domain';
import { badCredentialError } from '../../platform/auth/bad-credential.ts';
import type { Caller } from '../../platform/caller.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import { Heads } from '../../platform/ledger/heads.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { ConfigurationStates } from '../effective/stream/configuration-states.ts';
import type { ListenerSession } from '../feed/listeners.ts';
import { ExpectedDigests } from './expected-digests.ts';
import { InstanceChangeWaiter } from './instance-changes.ts';
import { type RolloutScope, RolloutScopes } from './rollout-scopes.ts';
import {
  COMPARE,
  type ComparedInstances,
  FOLLOWED,
  type FollowedRow,
  type InstanceStatus,
  STATUSES,
} from './rollout-statements.ts';

/** Compares what instances reported with a configuration. */
@Injectable()
export class Rollouts {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly heads: Heads,
    private readonly pointsInTime: PointsInTime,
    private readonly states: ConfigurationStates,
    private readonly vault: Vault,
    private readonly scopes: RolloutScopes,
    private readonly changes: InstanceChangeWaiter,
  ) {}

  /** Waits until all instances are current or one rejects it, for at most the requested time. */
  async find(caller: Caller, query: RolloutQuery, listening: ListenerSession): Promise<Rollout> {
    const until = performance.now() + query.wait * 1_000;
    const scope = await this.scopes.of(caller, query);
    const at = await this.pointsInTime.of(caller, { revision: query.revision });
    const { organizationId } = caller;
    const head = await this.heads.required(organizationId);
    const revision = at === 'now' ? head.revision : at;
    const { project_id: projectId, environment_id: environmentId } = scope;
    const target = { organizationId, projectId, environmentId };
    const expected = new ExpectedDigests({ states: this.states, vault: this.vault }, target, revision);
    await expected.assertReadable(caller, head);
    for (;;) {
      const comparison = await this.compare(caller, scope, revision, expected, query);
      const left = until - performance.now();
      const isDecided = comparison.current === comparison.total || comparison.refused > 0;
      if (isDecided || left <= 0 || listening.signal.aborted) return presentRollout(scope, revision, comparison, query);
      await this.changes.since({ organizationId, ...scope }, comparison.fingerprint, left, listening.signal);
      await this.assertStillReadable(caller, scope, listening);
    }
  }

  /** Returns the counts of the instances that run the latest configuration, without any instance. */
  async counts(caller: Caller, scope: Pick<RolloutScope, 'project_id' | 'environment_id'>): Promise<ComparedInstances> {
    const { organizationId } = caller;
    const { revision } = await this.heads.required(organizationId);
    const target = { organizationId, projectId: scope.project_id, environmentId: scope.environment_id };
    const expected = new ExpectedDigests({ states: this.states, vault: this.vault }, target, revision);
    return this.compare(caller, scope, revision, expected, { page: 1, page_size: 0 });
  }

  /** Returns every instance of a scope with its status at a revision. For the service itself, which reads all scopes. */
  async statuses(
    organizationId: OrganizationId,
    { project_id: projectId, environment_id: environmentId }: Pick<RolloutScope, 'project_id' | 'environment_id'>,
    revision: Revision,
  ): Promise<readonly InstanceStatus[]> {
    const target = { organizationId, projectId, environmentId };
    const expected = new ExpectedDigests({ states: this.states, vault: this.vault }, target, revision);
    const key = [organizationId, projectId, environmentId];
    const digests = await this.digests(organizationId, key, expected);
    return this.reader.query<InstanceStatus>(STATUSES, [...key, revision, digests]);
  }

  private async digests(organizationId: OrganizationId, key: readonly string[], expected: ExpectedDigests) {
    const followedRows = await this.reader.query<FollowedRow>(FOLLOWED, [...key]);
    return JSON.stringify(await expected.of(followedRows, await this.heads.required(organizationId)));
  }

  private async compare(
    { organizationId }: Caller,
    { project_id: projectId, environment_id: environmentId }: Pick<RolloutScope, 'project_id' | 'environment_id'>,
    revision: Revision,
    expected: ExpectedDigests,
    { status, page, page_size: size }: Pick<RolloutQuery, 'status' | 'page' | 'page_size'>,
  ): Promise<ComparedInstances> {
    const key = [organizationId, projectId, environmentId];
    const digests = await this.digests(organizationId, key, expected);
    const [comparedInstances] = await this.reader.query<ComparedInstances>(COMPARE, [
      ...key,
      revision,
      digests,
      status ?? null,
      size,
      (page - 1) * size,
    ]);
    if (!comparedInstances) throw new Error('An aggregation without groups returns one row.');
    return comparedInstances;
  }

  /** The permissions of the caller may have changed while the request waited. */
  private async assertStillReadable(
    { organizationId }: Caller,
    { project_id: projectId, environment_id: environmentId }: RolloutScope,
    listening: ListenerSession,
  ): Promise<void> {
    const { people } = await this.heads.required(organizationId);
    const permissions: Permissions | null = await listening.permissions(people);
    if (permissions === null || listening.closeCode === 'credential_revoked') throw badCredentialError();
    for (const id of [projectId, environmentId]) assertAbilityOnScope(permissions, 'read', id);
  }
}

function presentRollout(
  scope: RolloutScope,
  revision: Revision,
  { fingerprint: _, ...comparison }: ComparedInstances,
  { page, page_size: pageSize }: RolloutQuery,
): Rollout {
  if (pageWindow({ page, pageSize }, comparison.count) === 'not_found') {
    throw new Failure({ kind: 'not_found', code: 'invalid_page', message: 'Invalid page.' });
  }
  const { results, ...counts } = comparison;
  return { ...scope, revision, converged: comparison.current === comparison.total, ...counts, results: [...results] };
}
