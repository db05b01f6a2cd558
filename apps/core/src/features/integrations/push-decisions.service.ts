import { Injectable } from '@nestjs/common';
import type { PushPolicy, PushPolicyPatch, PushRun } from '@strata/contract';
import { createProblemAt, Failure, type KeyDecision, type Problem, sentence } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { Command } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ProviderSetup } from '../external/provider-environment.ts';
import { assertMayPushSecrets } from '../syncs/push-rights.ts';
import { type IntegrationPath, IntegrationsReader } from './integrations.reader.ts';
import { PushKeysReader } from './push-keys.reader.ts';
import { onlyPlansError, runTasks } from './tasks.ts';

/** The number of keys that an error lists. */
const PROBLEMS_MAX = 20;

/** Runs pushes with decisions, and changes what they may do without a person. */
@Injectable()
export class PushDecisionsService {
  constructor(
    private readonly integrations: IntegrationsReader,
    private readonly keys: PushKeysReader,
    private readonly setup: ProviderSetup,
  ) {}

  /** Queues a run, and returns the id of its task. */
  run(caller: Caller, path: IntegrationPath, id: string, input: PushRun): Command<string> {
    return {
      operation: `integrations_${path.provider}_pushes_run_create`,
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const reader = SnapshotReader.within(em);
        const { row: push } = await this.integrations.readOne('exchange', path, id, reader);
        if (push.options.include_secrets) assertMayPushSecrets(caller);
        const { plan_hash: planHash = null, decisions = [], dry_run: dryRun = null } = input;
        if (dryRun === false && push.options.dry_run) throw onlyPlansError('push');
        if (decisions.length > 0) await this.assertListed(caller, path, id, decisions, reader);
        const [taskId = ''] = await runTasks(context, {
          organizationId: caller.organizationId,
          syncIds: [id],
          reason: planHash === null ? 'Started manually.' : 'The plan was approved.',
          dryRun,
          planHash,
          decisions: Object.fromEntries(
            decisions.map(({ key, action, version }): [string, KeyDecision] => [key, { action, version }]),
          ),
          environment: this.setup.environment,
        });
        return taskId;
      },
    };
  }

  /** Changes the policy. A change without effect creates no revision. */
  changePolicy(caller: Caller, path: IntegrationPath, id: string, input: PushPolicyPatch): Command<PushPolicy> {
    return {
      operation: `integrations_${path.provider}_pushes_policy_partial_update`,
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const reader = SnapshotReader.within(em);
        const { row: push } = await this.integrations.readOne('exchange', path, id, reader);
        const current = await this.keys.policy(path, id, reader);
        const policy = { plan_first: input.plan_first ?? current.plan_first, drift: input.drift ?? current.drift };
        if (policy.plan_first === current.plan_first && policy.drift === current.drift) return current;
        if (push.options.include_secrets) assertMayPushSecrets(caller);
        await em.query(
          `update exchange set plan_first = $3, drift = $4, modified_at = $5
            where organization_id = $1 and id = $2`,
          [caller.organizationId, id, policy.plan_first, policy.drift, context.at],
        );
        context.record(objectChange('update', 'Push', { id, name: push.name }));
        return policy;
      },
    };
  }

  /** A caller decides only about keys that they can see, in the version that they have seen. */
  private async assertListed(
    caller: Caller,
    path: IntegrationPath,
    id: string,
    decisions: NonNullable<PushRun['decisions']>,
    reader: SnapshotReader,
  ): Promise<void> {
    const { visible } = await this.keys.plan(caller, path, id, reader);
    const problems = decisions.flatMap(({ key, version }, index): Problem[] => {
      if (visible.has(key) && visible.get(key) === version) return [];
      const text = sentence`The push has no key ${{ name: key }} in this version. List its keys again.`;
      return [createProblemAt(['decisions', index, visible.has(key) ? 'version' : 'key'], text)];
    });
    if (problems.length > 0) throw Failure.fields('unknown_push_key', problems.slice(0, PROBLEMS_MAX));
  }
}
