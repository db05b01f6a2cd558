import { Injectable } from '@nestjs/common';
import { EnvironmentCreate, ParameterCreate, ProjectCreate, parseBody } from '@strata/contract';
import {
  decidePull,
  type EnvironmentId,
  Failure,
  NO_SCOPES,
  type OrganizationId,
  type ParameterId,
  type ProjectId,
  type PullDecision,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import type { Change } from '../../../platform/ledger/change.ts';
import type { Command, WriteContext } from '../../../platform/ledger/command.ts';
import { assertAccess } from '../../../platform/ledger/write-rules.ts';
import { createSystemCaller } from '../../../platform/system-caller.ts';
import { EnvironmentsService } from '../../environments/environments.service.ts';
import { ParametersService } from '../../parameters/parameters.service.ts';
import { ValueCreations } from '../../parameters/values/value-creations.ts';
import { ProjectsService } from '../../projects/projects.service.ts';
import { assertMayReadExternal } from '../../syncs/push-rights.ts';
import type { MatchingKey } from '../pattern-keys.ts';
import { type PatternState, readPatternState } from './pattern-state.ts';
import { REJECTED_CONTENT } from './push-outcome.ts';
import type { ClaimedTask, RunError } from './run-store.ts';
import { PULL_SETTINGS } from './sync-jobs.ts';
import { LeaseLost } from './sync-keys.ts';

/** A key with its content. */
export interface ReadKey {
  readonly match: MatchingKey;
  readonly text: string;
}

/** The result for a key, and the objects that its value belongs to. */
export interface KeyOutcome {
  readonly match: MatchingKey;
  readonly state: PatternState;
  readonly result: PullDecision | RunError;
}

interface Ids {
  readonly environmentId: EnvironmentId;
  readonly projectId: ProjectId;
  readonly parameterId: ParameterId;
}

/** The objects that earlier keys of the same changeset created, by name. */
interface CreatedObjects {
  readonly environments: Map<string, EnvironmentId>;
  readonly projects: Map<string, ProjectId>;
  readonly parameters: Map<string, ParameterId>;
}

const parameterKey = ({ project, parameter }: MatchingKey['names']) => JSON.stringify([project, parameter]);

/** Imports the keys of a pattern pull. */
@Injectable()
export class PatternImport {
  constructor(
    private readonly environments: EnvironmentsService,
    private readonly projects: ProjectsService,
    private readonly parameters: ParametersService,
    private readonly values: ValueCreations,
  ) {}

  /** Returns a command that changes nothing, and that is rejected if the starter of the run may not import. */
  check(task: ClaimedTask): Command<void> {
    return {
      operation: `integrations_${task.provider}_pulls_sync_create`,
      caller: createStarter(task),
      run: async ({ caller }) => assertMayReadExternal(caller),
    };
  }

  /**
   * Returns the changeset that creates an external value for each key, and the objects that its value needs. A key that
   * is rejected creates nothing, and does not affect the others.
   */
  command(task: ClaimedTask, keys: readonly ReadKey[]): Command<readonly KeyOutcome[]> {
    return {
      operation: `integrations_${task.provider}_pulls_sync_create`,
      caller: createStarter(task),
      note: { message: `The pull ${task.sync.name} created values.`, externalRef: null },
      isLong: true,
      run: async (context) => {
        assertMayReadExternal(context.caller);
        await assertUnchanged(context.em, task);
        const matches = keys.map(({ match }) => match);
        const states = await readPatternState((sql, values) => context.em.query(sql, values), task, matches);
        const createdObjects: CreatedObjects = { environments: new Map(), projects: new Map(), parameters: new Map() };
        const outcomes: KeyOutcome[] = [];
        for (const [index, { match, text }] of keys.entries()) {
          const state = withCreated(states[index] as PatternState, match, createdObjects);
          const decision = decidePull(state, task.sync.options);
          const result =
            decision === 'create'
              ? await this.createInSavepoint(context, task, { match, text }, state, createdObjects)
              : decision;
          // The objects of a dry run have no ids, because they are not stored.
          const after = task.dryRun ? (states[index] as PatternState) : withCreated(state, match, createdObjects);
          outcomes.push({ match, state: after, result });
        }
        return outcomes;
      },
    };
  }

  private async createInSavepoint(
    context: WriteContext,
    task: ClaimedTask,
    key: ReadKey,
    state: PatternState,
    created: CreatedObjects,
  ): Promise<'create' | RunError> {
    const { caller, em } = context;
    const changes: Change[] = [];
    await em.query('savepoint pulled_key');
    try {
      const recording = { ...context, record: (change: Change) => void changes.push(change) };
      const ids = await this.createValue(recording, task, key, state);
      for (const change of changes) assertAccess(caller, change);
      await em.query('release savepoint pulled_key');
      for (const change of changes) context.record(change);
      const { names } = key.match;
      created.environments.set(names.environment, ids.environmentId);
      created.projects.set(names.project, ids.projectId);
      created.parameters.set(parameterKey(names), ids.parameterId);
      return 'create';
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'unavailable') throw error;
      await em.query('rollback to savepoint pulled_key');
      await em.query('release savepoint pulled_key');
      return describeRejection(error);
    }
  }

  private async createValue(
    context: WriteContext,
    { organizationId, sync }: ClaimedTask,
    { match: { fqn, names }, text }: ReadKey,
    state: PatternState,
  ): Promise<Ids> {
    const { caller } = context;
    const description = `Created by the pull ${sync.name}.`;
    const environmentId =
      state.environmentId ?? (await this.createEnvironment(context, { name: names.environment, description }));
    const projectId = state.projectId ?? (await this.createProject(context, { name: names.project, description }));
    const parameter = { name: names.parameter, description, secret: true };
    const parameterId = state.parameterId ?? (await this.createParameter(context, projectId, parameter));
    const key = { organizationId, permissions: caller, projectId, id: parameterId };
    const external = { fqn, filter: '', error: null, text, replaces: null };
    await this.values.createExternal(caller, key, environmentId, external).run(context);
    return { environmentId, projectId, parameterId };
  }

  private async createEnvironment(context: WriteContext, input: object): Promise<EnvironmentId> {
    const command = this.environments.create(context.caller, parseBody(EnvironmentCreate, input));
    return (await command.run(context)).id;
  }

  private async createProject(context: WriteContext, input: object): Promise<ProjectId> {
    return (await this.projects.create(context.caller, parseBody(ProjectCreate, input)).run(context)).id;
  }

  private async createParameter(context: WriteContext, projectId: ProjectId, input: object): Promise<ParameterId> {
    const command = this.parameters.create(context.caller, projectId, parseBody(ParameterCreate, input));
    return (await command.run(context)).id;
  }
}

/** The pull was changed while a run executed it. */
export class PullChanged extends Error {}

const IS_SAME = `
select ${PULL_SETTINGS} = $5::jsonb as "isSame"
  from integration join exchange on exchange.organization_id = $1 and exchange.integration_id = integration.id
 where integration.organization_id = $1 and integration.id = $2 and integration.lease_token = $3 and exchange.id = $4`;

/**
 * Checks the pull while the organization is locked. Throws `PullChanged` if it reads or creates something else by now, and
 * `LeaseLost` if it was deleted, or if another process runs the tasks of the integration.
 */
async function assertUnchanged(
  em: EntityManager,
  { organizationId, integrationId, lease, settings, syncId, sync }: ClaimedTask,
): Promise<void> {
  const { region, service, resource, options } = sync;
  const pull = JSON.stringify({ integration: settings, region, service, resource, options });
  const values = [organizationId, integrationId, lease, syncId, pull];
  const [row] = await em.query<{ isSame: boolean }[]>(IS_SAME, values);
  if (!row) throw new LeaseLost();
  if (!row.isSame) throw new PullChanged();
}

/** A sentence about the text could reveal a part of it, and every member may read the steps. */
function describeRejection({ code, message, problems }: Failure): RunError {
  const isAboutText = problems.some((problem) => !('field' in problem) || problem.field === 'internal_value');
  return isAboutText ? REJECTED_CONTENT : { code, detail: message };
}

function withCreated(state: PatternState, { names }: MatchingKey, created: CreatedObjects): PatternState {
  const environmentId = state.environmentId ?? created.environments.get(names.environment) ?? null;
  const projectId = state.projectId ?? created.projects.get(names.project) ?? null;
  const parameterId = state.parameterId ?? created.parameters.get(parameterKey(names)) ?? null;
  const ids = { environmentId, projectId, parameterId };
  return { ...state, ...ids, hasEnvironment: environmentId !== null, hasProject: projectId !== null };
}

/**
 * Returns the author of the changesets: the service, with the rights that the starter of the run has when they are
 * written. The engine reads them again, and rejects the write of a member who may no longer manage integrations.
 */
function createStarter({ organizationId, startedBy }: ClaimedTask): Caller {
  const credential = {
    keyPrefix: null,
    keyScopes: null,
    sessionId: null,
    trustRuleId: null,
    satisfiesSso: true,
    isWorkload: false,
    tokenVersion: null,
    expiresAt: Number.POSITIVE_INFINITY,
  };
  return {
    ...createSystemCaller(organizationId as OrganizationId, { id: 'integrations', name: 'Integrations' }),
    role: 'VIEWER',
    scopes: NO_SCOPES,
    membershipId: startedBy ?? NO_MEMBERSHIP,
    // Older than every change of rights, so that the rights are read again in any case.
    revision: -1,
    authorization: { credential, ability: 'manage_integrations', scope: null },
  };
}

const NO_MEMBERSHIP = '00000000-0000-0000-0000-000000000000';
