import { Injectable } from '@nestjs/common';
import {
  COPY_REASON_TEXTS,
  ROTATION_LIMITS,
  type Rotation,
  type RotationInstance,
  type RotationListQuery,
  type RotationPush,
} from '@strata/contract';
import { Failure, forbiddenScopes } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { nameFilters } from '../../platform/http/filters.ts';
import type { Links } from '../../platform/http/links.ts';
import { requestedPage } from '../../platform/http/page.ts';
import { type PageResult, type RowResult, SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { reports } from './rotation-instances.ts';

type SameMembers = Omit<
  Rotation,
  'url' | 'project' | 'parameter' | 'environment' | 'postgresql' | 'aws_iam' | 'command' | 'pending' | 'pending_pushes'
>;

interface PendingRow extends Omit<RotationInstance, 'project' | 'environment'> {
  readonly project_id: string;
  readonly environment_id: string;
}

/** A rotation as members see it. It contains no credentials. */
export interface ShownRotation extends SameMembers {
  readonly project_id: string;
  readonly parameter_id: string;
  readonly environment_id: string;
  readonly settings: Record<string, unknown>;
  readonly pending: readonly PendingRow[];
  readonly pending_pushes: readonly Omit<RotationPush, 'reason'>[];
}

const ROTATIONS = `(
  select rotation.*, parameter.project_id,
         case when rotation.held_because is not null then 'held' when rotation.stop_code is not null then 'stopped'
              when rotation.stage = 'idle' and not rotation.is_requested then 'idle'
              when rotation.wait_code in ('silent_instances', 'undecided_pushes') then 'needs_decision'
              when rotation.wait_code is not null then 'waiting' else 'running' end as state
    from rotation
    join parameter on parameter.organization_id = rotation.organization_id and parameter.id = rotation.parameter_id
   where rotation.organization_id = $1 and parameter.project_id <> all($5::uuid[]) and rotation.environment_id <> all($5::uuid[]))`;

const BLOCKING =
  'from rotation_instance pending where pending.organization_id = $1 and pending.rotation_id = object.id and pending.is_blocking';

const PENDING = `
  (select coalesce(json_agg(shown), '[]') from (
     select pending.id, pending.name as instance, pending.account, pending.project_id, pending.environment_id, pending.reason,
            ${wireTimeSql('pending.seen_at')} as seen_at,
            ${reports('pending')} as is_alive
       ${BLOCKING} and pending.project_id <> all($5::uuid[]) and pending.environment_id <> all($5::uuid[])
      order by pending.name, pending.id limit ${ROTATION_LIMITS.instances}) shown)`;

const BLOCKING_PUSHES =
  'from rotation_push pending where pending.organization_id = $1 and pending.rotation_id = object.id and pending.is_blocking';

/** Every member may read all pushes. A push is left out if its keys only have values of scopes that the caller cannot access. */
const PENDING_PUSHES = `
  (select coalesce(json_agg(shown), '[]') from (
     select pending.push_id as id, pending.name, integration.id as integration_id, pending.integration_name,
            integration.provider, pending.reason as reason_code
       from (select * ${BLOCKING_PUSHES}
                and exists (select from rotation_push_key copy where copy.organization_id = $1 and copy.rotation_id = object.id
                               and copy.push_id = pending.push_id and copy.project_id <> all($5::uuid[])
                               and copy.environment_id <> all($5::uuid[]))) pending
       left join exchange on exchange.organization_id = $1 and exchange.id = pending.push_id
       left join integration on integration.organization_id = $1 and integration.id = exchange.integration_id
      order by pending.name, pending.push_id limit ${ROTATION_LIMITS.pushes}) shown)`;

const isPublished = "object.stage in ('acknowledging', 'draining', 'revoking')";
const COLUMNS = `object.id, object.name, object.project_id, object.parameter_id, object.environment_id, object.rotator, object.settings,
  object.interval_days, object.grace_seconds, object.silent, object.silent_after_seconds, object.state, object.stage,
  ${wireTimeSql('object.stage_since')} as stage_since, coalesce(object.stop_code, object.held_because, object.wait_code) as reason_code,
  coalesce(object.stop_detail, case when object.held_because is not null then 'After a restore, rotations wait until an operator continues them.' end, object.wait_detail) as reason,
  object.published_credential, object.old_credential as previous_credential, object.published_revision,
  case when ${isPublished} then (select count(*)::int ${BLOCKING}) + (select count(*)::int ${BLOCKING_PUSHES}) else 0 end as pending_count,
  case when ${isPublished} then ${PENDING} else '[]' end as pending,
  case when ${isPublished} then ${PENDING_PUSHES} else '[]' end as pending_pushes,
  ${wireTimeSql('object.last_rotated_at')} as last_rotated_at,
  case when object.stage = 'idle' and object.stop_code is null then ${wireTimeSql('object.next_attempt_at')} end as next_rotation_at,
  case when object.stage <> 'idle' and object.stop_code is null then ${wireTimeSql('object.next_attempt_at')} end as next_attempt_at,
  ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at`;

/** Rotations in scopes that the caller may not read are left out. */
const source = (caller: Caller) => ({ from: ROTATIONS, columns: COLUMNS, values: [forbiddenScopes(caller)] });

@Injectable()
export class RotationsReader {
  constructor(private readonly committed: SnapshotReader) {}

  page(caller: Caller, query: RotationListQuery): Promise<PageResult<ShownRotation>> {
    const filters = [...nameFilters(query)];
    if (query.state !== undefined) filters.push({ sql: 'object.state = ?', value: query.state });
    const reading = { organizationId: caller.organizationId, at: 'now' } as const;
    return this.committed.page(reading, { ...source(caller), filters, ...requestedPage(query) });
  }

  /** Throws 404 for a rotation that does not exist, or that the caller may not read. */
  readOne(caller: Caller, id: string, reader = this.committed): Promise<RowResult<ShownRotation>> {
    const reading = { organizationId: caller.organizationId, at: 'now' } as const;
    return reader.retrieve(reading, source(caller), id, () => Failure.notFound('Rotation'));
  }
}

export function presentRotation(row: ShownRotation, links: Links): Rotation {
  const { project_id: projectId, parameter_id: parameterId, environment_id: environmentId, settings, ...same } = row;
  const pickSettings = <Name extends Rotation['rotator']>(name: Name) =>
    (same.rotator === name ? settings : null) as Rotation[Name];
  return {
    url: links.rotation(same.id),
    id: same.id,
    name: same.name,
    parameter: links.parameter(projectId, parameterId),
    environment: links.environment(environmentId),
    project: links.project(projectId),
    rotator: same.rotator,
    postgresql: pickSettings('postgresql'),
    aws_iam: pickSettings('aws_iam'),
    command: pickSettings('command'),
    interval_days: same.interval_days,
    grace_seconds: same.grace_seconds,
    silent: same.silent,
    silent_after_seconds: same.silent_after_seconds,
    state: same.state,
    stage: same.stage,
    stage_since: same.stage_since,
    reason_code: same.reason_code,
    reason: same.reason,
    published_credential: same.published_credential,
    previous_credential: same.previous_credential,
    published_revision: same.published_revision,
    pending_count: same.pending_count,
    pending: same.pending.map(({ project_id, environment_id, ...pending }) => ({
      ...pending,
      project: links.project(project_id),
      environment: links.environment(environment_id),
    })),
    pending_pushes: same.pending_pushes.map((push) => ({ ...push, reason: COPY_REASON_TEXTS[push.reason_code] })),
    last_rotated_at: same.last_rotated_at,
    next_rotation_at: same.next_rotation_at,
    next_attempt_at: same.next_attempt_at,
    created_at: same.created_at,
    modified_at: same.modified_at,
  };
}
