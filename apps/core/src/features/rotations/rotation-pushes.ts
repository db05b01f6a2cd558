import { Injectable } from '@nestjs/common';
import {
  type CopyReason,
  copyReason,
  Failure,
  isBlockingCopy,
  type OrganizationId,
  type Revision,
} from '@strata/domain';
import { DataSource, type EntityManager } from 'typeorm';
import { poolOf } from '../../platform/postgres/data-source.ts';
import { rowsAt } from '../../platform/postgres/versioned-table.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { DesiredValues, PushTooLarge, valueId } from '../integrations/runs/desired-values.ts';
import type { ClaimedSync } from '../integrations/runs/run-store.ts';
import { hashKey, type KeyOrigin } from '../integrations/runs/sync-keys.ts';
import { mayWrite } from '../syncs/sync-row.ts';
import { dependentsSql } from '../templating/dependency-sql.ts';
import type { RotationRow } from './rotation-row.ts';

/** The statements bind the revision as $2. */
const AT = 0 as Revision;
/** The revision of the current state, whatever it is. */
const HEAD = Number.MAX_SAFE_INTEGER;

/**
 * The keys that pushes wrote for the value $3 in the environment $4, for environments that inherit it, and for values that
 * depend on it, as of the revision $2.
 */
const COPIES = `
with recursive
  ${dependentsSql(`select null::uuid, parameter.project_id, parameter.name from ${rowsAt('parameter', AT)} parameter where parameter.id = $3`, AT)},
  inheriting (id) as (
    select $4::uuid
    union
    select environment.id from inheriting join ${rowsAt('environment', AT)} environment on environment.parent_id = inheriting.id
     where not exists (select from ${rowsAt('value', AT)} value where value.parameter_id = $3 and value.environment_id = environment.id)),
  affected as (
    select distinct dependent.project_id, parameter.id as parameter_id
      from dependent join ${rowsAt('parameter', AT)} parameter on parameter.name = dependent.name
     where dependent.project_id is not null)
select distinct key.exchange_id as push_id, key.store, key.key
  from sync_key key
 where key.organization_id = $1 and key.is_owned and key.environment_id in (select id from inheriting)
   and key.parameter_id in (select parameter_id from affected union select $3)
   and (key.parameter_id = $3 or exists (
     select from affected where affected.parameter_id = key.parameter_id and affected.project_id = key.project_id))`;

/** The revisions that pushes write. A value at one of them can depend on others than it does now. */
const TAG_REVISIONS = `
select distinct strata_revision_at($1, tag."timestamp")::float8 as revision
  from exchange_tag join tag on tag.organization_id = $1 and tag.id = exchange_tag.tag_id
 where exchange_tag.organization_id = $1`;

/** $2 has the keys, and $3 is the published revision. $4 is the rotation. */
const DETAILS = `
select copy.push_id as "pushId", copy.store, copy.key, sync_key.written_hash as hash, exchange.name, integration.name as integration,
       exchange.options, exchange.resource,
       json_build_object('projectId', sync_key.project_id, 'environmentId', sync_key.environment_id, 'tagId', sync_key.tag_id,
                         'parameterId', sync_key.parameter_id) as origin,
       coalesce(sync_key.started_action = 'removed', false) and sync_key.state not in ('drifted', 'foreign') as "isRemoved",
       sync_key.state = 'in_sync' and sync_key.started_action is null as "isInSync",
       sync_key.started_action is distinct from 'write'
         and coalesce(sync_key.written_at <= waiting.dismissed_at, waiting.dismissed_at is not null) as "isDismissed",
       integration.writable and integration.held_because is null
         and not coalesce((exchange.options ->> 'dry_run')::boolean, false) as "mayWrite",
       coalesce(strata_revision_at($1, tag."timestamp") < $3, true) as "isTagOlder",
       sync_key.state in ('drifted', 'foreign') or not sync_key.is_desired or sync_key.store is distinct from exchange.store as "needsDecision",
       case when exists (select from task where task.organization_id = $1 and task.exchange_id = exchange.id
                            and task.state in ('queued', 'running') and ${mayWrite('exchange')}) then 'waiting'
            when latest.state in ('failure', 'skipped') then 'failed' else 'ended' end as run
  from json_to_recordset($2::json) as copy(push_id uuid, store text, key text)
  join sync_key on sync_key.organization_id = $1 and sync_key.exchange_id = copy.push_id and sync_key.store = copy.store
               and sync_key.key = copy.key
  join exchange on exchange.organization_id = $1 and exchange.id = copy.push_id
  join integration on integration.organization_id = $1 and integration.id = exchange.integration_id
  left join exchange_tag on exchange_tag.organization_id = $1 and exchange_tag.exchange_id = exchange.id
                        and exchange_tag.tag_id = sync_key.tag_id
  left join tag on tag.organization_id = $1 and tag.id = exchange_tag.tag_id
  left join rotation_push waiting on waiting.organization_id = $1 and waiting.rotation_id = $4 and waiting.push_id = exchange.id
  left join lateral (
    select task.state from task
     where task.organization_id = $1 and task.exchange_id = exchange.id and ${mayWrite('exchange')}
     order by task.created_at desc, task.id limit 1) latest on true`;

const CLEAR = 'delete from rotation_push where organization_id = $1 and rotation_id = $2';

/** Begins to wait for pushes. $3 is the list of their ids. */
const EXPECT = `
insert into rotation_push (organization_id, rotation_id, push_id, name, integration_name, is_blocking, reason)
select $1, $2, exchange.id, exchange.name, integration.name, true, 'not_written'
  from exchange join integration on integration.organization_id = $1 and integration.id = exchange.integration_id
 where exchange.organization_id = $1 and exchange.id = any($3::uuid[])`;

/**
 * Stores the pushes that block. A push that is not in the list has replaced its keys or lost them, unless it was deleted:
 * then its keys stay as they were.
 */
const STORE = `
with found as (
  select * from json_to_recordset($3::json) as found(id uuid, name text, integration text, reason text)),
others as (
  update rotation_push set is_blocking = is_blocking and dismissed_at is null
           and not exists (select from exchange where exchange.organization_id = $1 and exchange.id = push_id),
         reason = case when exists (select from exchange where exchange.organization_id = $1 and exchange.id = push_id)
                       then reason else 'deleted' end
   where organization_id = $1 and rotation_id = $2 and push_id not in (select id from found))
insert into rotation_push (organization_id, rotation_id, push_id, name, integration_name, is_blocking, reason)
select $1, $2, found.id, found.name, found.integration, true, found.reason from found
on conflict (organization_id, rotation_id, push_id) do update set
  name = excluded.name, integration_name = excluded.integration_name, is_blocking = true, reason = excluded.reason`;

const BLOCKING = 'select reason from rotation_push where organization_id = $1 and rotation_id = $2 and is_blocking';

interface Copy {
  readonly push_id: string;
  readonly store: string;
  readonly key: string;
}

interface CopyRow extends Omit<Copy, 'push_id'> {
  readonly pushId: string;
  readonly name: string;
  readonly integration: string;
  readonly resource: string | null;
  readonly options: ClaimedSync['options'];
  readonly origin: KeyOrigin;
  readonly hash: string | null;
  readonly isRemoved: boolean;
  readonly isInSync: boolean;
  readonly isDismissed: boolean;
  readonly mayWrite: boolean;
  readonly isTagOlder: boolean;
  readonly needsDecision: boolean;
  readonly run: 'waiting' | 'failed' | 'ended';
}

/** The pushes that prevent the revocation of the previous credential. */
export interface BlockingPushes {
  readonly count: number;
  /** Whether one of them does not replace its text by itself. */
  readonly needsPerson: boolean;
}

/** Keeps which pushes have replaced the previous credential of a rotation at their stores. */
@Injectable()
export class RotationPushes {
  constructor(
    private readonly dataSource: DataSource,
    private readonly values: DesiredValues,
    private readonly vault: Vault,
  ) {}

  /** Begins to wait for all pushes that wrote the value. Later checks also find those that only wrote it at their tags. */
  async expect(row: RotationRow, em: EntityManager = this.dataSource.manager): Promise<void> {
    const { organization_id: organizationId, id } = row;
    await em.query(CLEAR, [organizationId, id]);
    const copies = await em.query<Copy[]>(COPIES, [organizationId, HEAD, row.parameter_id, row.environment_id]);
    await em.query(EXPECT, [organizationId, id, copies.map(({ push_id: pushId }) => pushId)]);
  }

  /** Stops waiting for any push. */
  async clear({ organization_id: organizationId, id }: RotationRow): Promise<void> {
    await this.query(CLEAR, [organizationId, id]);
  }

  /** Compares what pushes wrote with the values since the publication. */
  async findBlocking(row: RotationRow): Promise<BlockingPushes> {
    const { organization_id: organizationId, id, published_revision: revision } = row;
    const copies = await this.readCopies(row);
    const keys = [organizationId, JSON.stringify(copies), revision ?? 0, id];
    const rows = copies.length === 0 ? [] : await this.query<CopyRow>(DETAILS, keys);
    const blockingPushes = [];
    for (const [pushId, ofPush] of Map.groupBy(rows, (copy) => copy.pushId)) {
      const [first] = ofPush;
      const current = await this.findCurrent(organizationId, pushId, ofPush);
      const reasons = ofPush.flatMap((copy) =>
        isBlockingCopy({ ...copy, isCurrent: current.has(copy) }) ? [copyReason({ ...copy, exists: true })] : [],
      );
      const reason = reasons.find(needsPerson) ?? reasons[0];
      if (reason) blockingPushes.push({ id: pushId, name: first?.name, integration: first?.integration, reason });
    }
    await this.query(STORE, [organizationId, id, JSON.stringify(blockingPushes)]);
    const blocking = await this.query<{ reason: CopyReason }>(BLOCKING, [organizationId, id]);
    return { count: blocking.length, needsPerson: blocking.some(({ reason }) => needsPerson(reason)) };
  }

  private async readCopies({ organization_id: organizationId, ...row }: RotationRow): Promise<readonly Copy[]> {
    const tags = await this.query<{ revision: number | null }>(TAG_REVISIONS, [organizationId]);
    const copies = new Map<string, Copy>();
    for (const revision of [HEAD, ...tags.flatMap((tag) => tag.revision ?? [])]) {
      const target = [organizationId, revision, row.parameter_id, row.environment_id];
      for (const copy of await this.query<Copy>(COPIES, target)) copies.set(JSON.stringify(copy), copy);
    }
    return [...copies.values()];
  }

  /** Returns the keys whose text is the value at a tag that is as new as the publication. */
  private async findCurrent(
    organizationId: OrganizationId,
    pushId: string,
    rows: readonly CopyRow[],
  ): Promise<ReadonlySet<CopyRow>> {
    const candidates = rows.filter(({ isInSync, isTagOlder }) => isInSync && !isTagOlder);
    const current = new Set<CopyRow>();
    const [first] = candidates;
    if (!first) return current;
    const texts = await this.readTexts(organizationId, pushId, first);
    for (const copy of candidates) {
      const text = texts.get(valueId(copy.origin));
      if (text === undefined) continue;
      if (copy.hash === (await hashKey(this.vault, organizationId, copy.store, copy.key, text))) current.add(copy);
    }
    return current;
  }

  /** Returns the texts that a push writes. None if they cannot be determined, because then its next run fails, too. */
  private async readTexts(
    organizationId: OrganizationId,
    syncId: string,
    { name, resource, options }: CopyRow,
  ): Promise<ReadonlyMap<string, string>> {
    try {
      const { values } = await this.values.of({ organizationId, syncId, sync: { name, resource, options } });
      return new Map(values.flatMap((value) => (value.problem === null ? [[valueId(value), value.text]] : [])));
    } catch (error) {
      if (error instanceof PushTooLarge || error instanceof Failure) return new Map();
      throw error;
    }
  }

  private async query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await poolOf(this.dataSource).query<Row>(text, [...values])).rows;
  }
}

const needsPerson = (reason: CopyReason): boolean => reason !== 'running';
