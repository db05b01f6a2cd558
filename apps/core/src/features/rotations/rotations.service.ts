import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ROTATION_LIMITS, type RotationCreate, type RotationDismissal, type RotationPatch } from '@strata/contract';
import { Failure, type OrganizationId, sentence } from '@strata/domain';
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
import { reports } from './rotation-instances.ts';
import { CREDENTIAL_COLUMN } from './rotation-row.ts';
import { addRotationJob } from './rotation-store.ts';
import { assertMayRotate, assertMayUseInstallation, assertRotatable, findTarget } from './rotation-target.ts';
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
 where organization_id = $1 and rotation_id = $2 and id = any($3::uuid[]) and is_blocking and not ${reports('rotation_instance')} returning id`;

const WAKE = `select ${addRotationJob()} from rotation where organization_id = $1 and id = $2`;

/** Other rotations of the same role, or of the same user. Names of hosts and of IAM users ignore case. */
const SAME_CREDENTIALS = `
select from rotation own join rotation other on other.organization_id = own.organization_id and other.id <> own.id and other.rotator = own.rotator
 where own.organization_id = $1 and own.id = $2 and case own.rotator
   when 'postgresql' then lower(other.settings ->> 'host') = lower(own.settings ->> 'host') and other.settings -> 'port' = own.settings -> 'port'
                          and other.settings -> 'roles' ?| array[own.settings -> 'roles' ->> 0, own.settings -> 'roles' ->> 1]
   when 'aws_iam' then other.settings ->> 'account' = own.settings ->> 'account'
                       and lower(other.settings ->> 'user_name') = lower(own.settings ->> 'user_name') end`;

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
        if (input.rotator !== 'postgresql') assertMayUseInstallation(caller);
        assertRotatable(target);
        await assertBelowLimit(em, organizationId);
        const { name, rotator, interval_days, grace_seconds, silent, silent_after_seconds } = input;
        const values = [organizationId, id, name, parameterId, environmentId, rotator, settings, sealed, interval_days];
        await translateViolations(
          em.query(INSERT, [...values, grace_seconds, silent, silent_after_seconds, at]),
          VIOLATIONS,
        );
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
    return this.act('rotations_rotate_create', caller, id, (em) => em.query(REQUEST, [caller.organizationId, id]));
  }

  abort(caller: Caller, id: string): Command<ShownRotation> {
    return this.act('rotations_abort_create', caller, id, (em) => em.query(ABORT, [caller.organizationId, id]));
  }

  /** Stores that a person decided not to wait for instances. Those that still report cannot be dismissed. */
  dismiss(caller: Caller, id: string, { instances }: RotationDismissal): Command<ShownRotation> {
    return this.act('rotations_dismiss_create', caller, id, async (em) => {
      const [dismissed] = await em.query<[object[]]>(DISMISS, [caller.organizationId, id, instances]);
      if (dismissed.length < new Set(instances).size) throw notPending();
      await em.query('update rotation set next_attempt_at = clock_timestamp() where organization_id = $1 and id = $2', [
        caller.organizationId,
        id,
      ]);
    });
  }

  private act(
    operation: string,
    caller: Caller,
    id: string,
    act: (em: EntityManager) => Promise<unknown>,
  ): Command<ShownRotation> {
    return {
      operation,
      caller,
      run: async (context) => {
        const { em, caller } = context;
        const { current, target } = await this.findOwn(context, id);
        if (current.state === 'held') throw rotationHeld();
        await act(em);
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
    if (current.rotator !== 'postgresql') assertMayUseInstallation(caller);
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

/** Returns the settings of the chosen system. */
function chooseSettings(input: RotationCreate): object {
  const { rotator } = input;
  const settings = input[rotator];
  if (!settings)
    throw Failure.field('required', rotator, 'Enter the settings of the rotator in the member with its name.');
  return settings;
}

function assertCredential({ rotator, credential }: Pick<RotationCreate, 'rotator' | 'credential'>): void {
  if ((rotator === 'postgresql') === (credential !== undefined)) return;
  const message =
    rotator === 'postgresql'
      ? 'Enter the password of the role that Strata connects with.'
      : 'Omit credential. Only rotations of postgresql have one.';
  throw Failure.field('invalid', 'credential', message);
}

async function assertBelowLimit(em: EntityManager, organizationId: OrganizationId): Promise<void> {
  const { perOrganization: limit } = ROTATION_LIMITS;
  const [row] = await em.query<{ count: number }[]>(
    'select count(*)::int as count from rotation where organization_id = $1',
    [organizationId],
  );
  if ((row?.count ?? 0) < limit) return;
  throw Failure.field(
    'too_many_rotations',
    'non_field_errors',
    sentence`An organization has at most ${{ limit }} rotations. Delete one.`,
  );
}

/** Two rotations with the same role or user would each revoke the only credential of the other. */
async function assertOnlyRotation(em: EntityManager, organizationId: OrganizationId, id: string): Promise<void> {
  if ((await em.query<object[]>(SAME_CREDENTIALS, [organizationId, id])).length === 0) return;
  const message =
    'Another rotation replaces the credentials of one of these roles, or of this user. Enter others, or delete that rotation.';
  throw Failure.conflict('credential_rotated', message);
}

const notPending = (): Failure =>
  Failure.conflict(
    'instances_not_pending',
    'Some of these instances are not pending any more, or still report. Read the rotation again.',
  );

const rotationHeld = (): Failure =>
  Failure.conflict('rotation_held', 'After a restore, rotations wait until an operator continues them.');
