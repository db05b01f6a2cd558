import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  CHANGESET_LIMITS,
  GRACE_SECONDS_DEFAULT,
  type InstanceDismissal,
  type RotationCreate,
  type RotationPatch,
} from '@strata/contract';
import { Failure, formatCount, type OrganizationId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { idFromLink } from '../../platform/http/links.ts';
import type { Precondition } from '../../platform/http/request.ts';
import { Cascades } from '../../platform/ledger/cascades.ts';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { assertBelowLimit, assertCredential, assertOnlyRotation, chooseSettings } from './rotation-input.ts';
import { reports } from './rotation-instances.ts';
import { CREDENTIAL_COLUMN } from './rotation-row.ts';
import { addRotationJob } from './rotation-store.ts';
import { assertMayManageIntegrations, assertMayRotate, assertRotatable, findTarget } from './rotation-target.ts';
import { RotationsReader, type ShownRotation } from './rotations.reader.ts';

const INSERT = `
insert into rotation (organization_id, id, name, parameter_id, environment_id, rotator, settings, sealed_credential, interval_days,
                      grace_seconds, silent, silent_after_seconds, next_attempt_at, stage_since, created_at, modified_at)
select $1, $2, $3, $4, $5, $6, $7, $8, $9::int, $10, $11, $12,
       case when $9::int is not null then $13::timestamptz + $9::int * interval '1 day' end, $13, $13, $13`;

const UPDATE = `
update rotation set name = coalesce($3, name), sealed_credential = coalesce($4, sealed_credential),
       interval_days = case when $5::boolean then $6::int else interval_days end, grace_seconds = coalesce($7, grace_seconds),
       silent = coalesce($8, silent), silent_after_seconds = coalesce($9, silent_after_seconds), modified_at = $10,
       next_attempt_at = case when stage = 'idle' and not is_requested and $5::boolean
                              then coalesce(last_rotated_at, created_at) + $6::int * interval '1 day' else next_attempt_at end
 where organization_id = $1 and id = $2`;

/** Continues a stopped rotation, or begins one. A rotation that runs is not begun again. */
const REQUEST = `
update rotation set is_requested = is_requested or stage = 'idle', stop_code = null, stop_detail = null, failures = 0,
       next_attempt_at = clock_timestamp() where organization_id = $1 and id = $2`;

const ABORT = `
update rotation set is_aborted = stage <> 'idle', is_requested = false, stop_code = null, stop_detail = null, failures = 0,
       next_attempt_at = case when stage <> 'idle' then clock_timestamp()
                              when interval_days is not null then clock_timestamp() + interval_days * interval '1 day' end
 where organization_id = $1 and id = $2`;

const DISMISS = `
update rotation_instance set is_dismissed = true
 where organization_id = $1 and rotation_id = $2 and id = any($3::uuid[]) and is_blocking and not ${reports('rotation_instance')}
returning name, project_id, environment_id`;

const DISMISS_PUSHES = `
update rotation_push set dismissed_at = clock_timestamp()
 where organization_id = $1 and rotation_id = $2 and push_id = any($3::uuid[]) and is_blocking
returning name, exists (
  select from rotation_push_key copy
   where copy.organization_id = $1 and copy.rotation_id = $2 and copy.push_id = rotation_push.push_id
     and copy.project_id = $4 and copy.environment_id = $5) as "isNear"`;

const WAKE = `select ${addRotationJob()} from rotation where organization_id = $1 and id = $2`;

/** The values of a rotation that another rotation owns. */
const VIOLATIONS = {
  rotation_of_value: () =>
    Failure.conflict('rotation_exists', 'Another rotation replaces this value. Change that rotation, or delete it.'),
};

/** Changes rotations. A member who may write the value and reveal it may rotate it. */
@Injectable()
export class RotationsService {
  constructor(
    private readonly reader: RotationsReader,
    private readonly vault: Vault,
    cascades: Cascades,
  ) {
    const select = (condition: string) => `
      select rotation.id, rotation.name, project.id as project_id, project.name as project_name, environment.id as environment_id,
             environment.name as environment_name, parameter.id as parameter_id, parameter.name as parameter_name
        from rotation join parameter on parameter.organization_id = $1 and parameter.id = rotation.parameter_id
        join project on project.organization_id = $1 and project.id = parameter.project_id
        join environment on environment.organization_id = $1 and environment.id = rotation.environment_id
       where rotation.organization_id = $1 and ${condition} order by rotation.name`;
    cascades.add(
      { of: 'Environment', objectType: 'Rotation', sql: select('rotation.environment_id = $2') },
      { of: 'Project', objectType: 'Rotation', sql: select('parameter.project_id = $2') },
      { of: 'Parameter', objectType: 'Rotation', sql: select('rotation.parameter_id = $2') },
    );
  }

  async create(caller: Caller, input: RotationCreate): Promise<Command<ShownRotation>> {
    const { organizationId } = caller;
    const settings = chooseSettings(input);
    assertCredential(input);
    const parameterId = idFromLink('parameter', 'parameters', input.parameter);
    const environmentId = idFromLink('environment', 'environments', input.environment);
    const id = randomUUID();
    const sealed = await this.seal(organizationId, id, input.credential);
    return {
      operation: 'rotations_create',
      caller,
      run: async (context) => {
        const { em, caller, at } = context;
        const target = await findTarget(em, organizationId, parameterId, environmentId);
        assertMayRotate(caller, target);
        if (input.rotator !== 'postgresql') assertMayManageIntegrations(caller);
        assertRotatable(target);
        await assertBelowLimit(em, organizationId);
        const { name, rotator, interval_days, grace_seconds, silent, silent_after_seconds } = input;
        const grace = grace_seconds ?? GRACE_SECONDS_DEFAULT[rotator];
        const values = [organizationId, id, name, parameterId, environmentId, rotator, settings, sealed, interval_days];
        await translateViolations(em.query(INSERT, [...values, grace, silent, silent_after_seconds, at]), VIOLATIONS);
        await assertOnlyRotation(em, organizationId, id);
        context.record(objectChange('create', 'Rotation', { id, name }, target));
        return this.read(em, caller, id);
      },
    };
  }

  async change(
    caller: Caller,
    id: string,
    input: RotationPatch,
    precondition: Precondition,
  ): Promise<Command<ShownRotation>> {
    const { organizationId } = caller;
    const sealed = await this.seal(organizationId, id, input.credential);
    return {
      operation: 'rotations_update',
      caller,
      run: async (context) => {
        const { em, caller, at } = context;
        const { current, target } = await this.findOwn(context, id);
        await precondition(em, caller);
        if (input.credential !== undefined) assertCredential({ ...input, rotator: current.rotator });
        const {
          name = null,
          interval_days: days,
          grace_seconds = null,
          silent = null,
          silent_after_seconds = null,
        } = input;
        const interval = [days !== undefined, days ?? null];
        await em.query(UPDATE, [
          organizationId,
          id,
          name,
          sealed,
          ...interval,
          grace_seconds,
          silent,
          silent_after_seconds,
          at,
        ]);
        await em.query(WAKE, [organizationId, id]);
        context.record(objectChange('update', 'Rotation', { id, name: name ?? current.name }, target));
        return this.read(em, caller, id);
      },
    };
  }

  /** Deletes a rotation. The credentials stay as they are. */
  remove(caller: Caller, id: string, precondition: Precondition): Command<void> {
    return {
      operation: 'rotations_destroy',
      caller,
      run: async (context) => {
        const { em, caller } = context;
        const { current, target } = await this.findOwn(context, id);
        await precondition(em, caller);
        await em.query('delete from rotation where organization_id = $1 and id = $2', [caller.organizationId, id]);
        context.record(objectChange('delete', 'Rotation', current, target));
      },
    };
  }

  /** Begins or continues a rotation. */
  rotate(caller: Caller, id: string): Command<ShownRotation> {
    return this.act('rotations_rotate_create', caller, id, async (em, { state }) => {
      if (state !== 'idle' && state !== 'stopped') return null;
      await em.query(REQUEST, [caller.organizationId, id]);
      return 'The rotation was requested.';
    });
  }

  abort(caller: Caller, id: string): Command<ShownRotation> {
    return this.act('rotations_abort_create', caller, id, async (em, { stage, state }) => {
      if (state === 'idle') return null;
      await em.query(ABORT, [caller.organizationId, id]);
      return `The rotation was aborted in the stage ${stage}.`;
    });
  }

  /** Stores that a person decided not to wait for instances and pushes. Instances that still report cannot be dismissed. */
  dismiss(caller: Caller, id: string, { instances, pushes }: InstanceDismissal): Command<ShownRotation> {
    return this.act('rotations_dismiss_create', caller, id, async (em, rotation) => {
      if (instances.length + pushes.length === 0)
        throw Failure.field('required', 'instances', 'Enter an instance or a push.');
      const { organizationId } = caller;
      const [ended] = await em.query<[DismissedInstance[]]>(DISMISS, [organizationId, id, instances]);
      const scope = [rotation.project_id, rotation.environment_id];
      const [unwritten] = await em.query<[DismissedPush[]]>(DISMISS_PUSHES, [organizationId, id, pushes, ...scope]);
      const isIncomplete = ended.length < new Set(instances).size || unwritten.length < new Set(pushes).size;
      if (isIncomplete) throw notPending();
      await em.query('update rotation set next_attempt_at = clock_timestamp() where organization_id = $1 and id = $2', [
        organizationId,
        id,
      ]);
      return describeDismissal(rotation, ended, unwritten);
    });
  }

  /** `act` returns what was done, as the message of the changeset; null if nothing was changed. */
  private act(
    operation: string,
    caller: Caller,
    id: string,
    act: (em: EntityManager, rotation: ShownRotation) => Promise<string | null>,
  ): Command<ShownRotation> {
    const note = { message: '', externalRef: null };
    return {
      operation,
      caller,
      note,
      run: async (context) => {
        const { em, caller } = context;
        const { current, target } = await this.findOwn(context, id);
        if (current.state === 'held') throw rotationHeld();
        const message = await act(em, current);
        if (message === null) return current;
        note.message = message.slice(0, CHANGESET_LIMITS.message);
        await em.query(WAKE, [caller.organizationId, id]);
        context.record(objectChange('update', 'Rotation', current, target));
        return this.read(em, caller, id);
      },
    };
  }

  /** Finds a rotation that the caller may change. */
  private async findOwn({ em, caller }: WriteContext, id: string) {
    const current = await this.read(em, caller, id);
    const target = await findTarget(em, caller.organizationId, current.parameter_id, current.environment_id);
    assertMayRotate(caller, target);
    if (current.rotator !== 'postgresql') assertMayManageIntegrations(caller);
    return { current, target };
  }

  private async read(em: EntityManager, caller: Caller, id: string): Promise<ShownRotation> {
    return (await this.reader.readOne(caller, id, SnapshotReader.within(em))).row;
  }

  private async seal(organizationId: OrganizationId, rowId: string, credential: string | undefined) {
    if (credential === undefined) return null;
    return this.vault.seal({ organizationId, column: CREDENTIAL_COLUMN, rowId }, credential);
  }
}

interface DismissedInstance {
  readonly name: string;
  readonly project_id: string;
  readonly environment_id: string;
}

interface DismissedPush {
  readonly name: string;
  /** Whether it writes a value of the project and the environment of the rotation. */
  readonly isNear: boolean;
}

/** Names nothing of another project or environment, because not everyone who reads the message may read these. */
function describeDismissal(
  rotation: ShownRotation,
  instances: readonly DismissedInstance[],
  pushes: readonly DismissedPush[],
): string {
  const { project_id: projectId, environment_id: environmentId } = rotation;
  const near = instances.filter((row) => row.project_id === projectId && row.environment_id === environmentId);
  const others = instances.length - near.length;
  const nearPushes = pushes.filter(({ isNear }) => isNear);
  const otherPushes = pushes.length - nearPushes.length;
  const parts = [
    ...nearPushes.map(({ name }) => `the push ${name}`),
    ...(otherPushes > 0 ? [`${formatCount(otherPushes, 'push', 'pushes')} of other projects or environments`] : []),
    ...near.map(({ name }) => `the instance ${name}`),
    ...(others > 0 ? [`${formatCount(others, 'instance')} of other projects or environments`] : []),
  ];
  return `The rotation does not wait any more for ${parts.join(', ')}.`;
}

const notPending = (): Failure =>
  Failure.conflict(
    'instances_not_pending',
    'Some of these instances or pushes are not pending any more, or still report. Read the rotation again.',
  );

const rotationHeld = (): Failure =>
  Failure.conflict('rotation_held', 'After a restore, rotations wait until an operator continues them.');
