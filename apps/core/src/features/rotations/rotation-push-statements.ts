import type { Revision } from '@strata/domain';
import { type PointInTime, rowsAt } from '../../platform/postgres/versioned-table.ts';
import { mayWrite } from '../syncs/sync-row.ts';
import { dependentsSql } from '../templating/dependency-sql.ts';

/** A statement at a revision binds it as $2. */
const AT = 0 as Revision;

/** SQL that joins the record of the key of a row with this alias. */
const isSameKey = (record: string, row: string): string =>
  `${record}.organization_id = $1 and ${record}.exchange_id = ${row}.push_id and ${record}.store = ${row}.store and ${record}.key = ${row}.key`;

/**
 * Returns SQL for the keys that may have a text from the value $3 in the environment $4, from environments that inherit it,
 * or from values that depend on it, as of the revision $2.
 */
const selectCopies = (at: PointInTime): string => `
with recursive
  ${dependentsSql(`select null::uuid, parameter.project_id, parameter.name from ${rowsAt('parameter', at)} parameter where parameter.id = $3`, at)},
  inheriting (id) as (
    select $4::uuid
    union
    select environment.id from inheriting join ${rowsAt('environment', at)} environment on environment.parent_id = inheriting.id
     where not exists (select from ${rowsAt('value', at)} value where value.parameter_id = $3 and value.environment_id = environment.id)),
  above (project_id, id) as (
    select dependent.project_id, dependent.project_id from dependent where dependent.project_id is not null
    union
    select above.project_id, project.depends_on_id from above join ${rowsAt('project', at)} project on project.id = above.id
     where project.depends_on_id is not null),
  affected as (
    select distinct dependent.project_id, parameter.id as parameter_id
      from dependent join above on above.project_id = dependent.project_id
      join ${rowsAt('parameter', at)} parameter on parameter.project_id = above.id and parameter.name = dependent.name),
  parameters (id) as (select parameter_id from affected union select $3),
  copied as (
    select exchange_id, store, key, project_id, environment_id, parameter_id from sync_key_origin
     where organization_id = $1 and parameter_id in (select id from parameters)
    union all
    -- A core of the previous release stores only the current origin.
    select exchange_id, store, key, project_id, environment_id, parameter_id from sync_key
     where organization_id = $1 and is_owned and parameter_id in (select id from parameters)
       and not exists (select from sync_key_origin origin where origin.organization_id = $1 and origin.exchange_id = sync_key.exchange_id
                          and origin.store = sync_key.store and origin.key = sync_key.key))
select distinct on (copied.exchange_id, copied.store, copied.key) copied.exchange_id as push_id, copied.store, copied.key, copied.project_id,
       copied.environment_id
  from copied
 where $2::bigint is not null and copied.environment_id in (select id from inheriting)
   and (copied.parameter_id = $3 or exists (
     select from affected where affected.parameter_id = copied.parameter_id and affected.project_id = copied.project_id))
 order by copied.exchange_id, copied.store, copied.key, copied.project_id, copied.environment_id`;

export const COPIES_NOW = selectCopies('now');
export const COPIES_AT = selectCopies(AT);

/** The revisions that pushes write. A value at one of them can depend on others than it does now. */
export const TAG_REVISIONS = `
select distinct strata_revision_at($1, tag."timestamp")::float8 as revision
  from exchange_tag join tag on tag.organization_id = $1 and tag.id = exchange_tag.tag_id
 where exchange_tag.organization_id = $1
   and exists (select from sync_key where sync_key.organization_id = $1 and sync_key.exchange_id = exchange_tag.exchange_id and sync_key.is_owned)`;

/**
 * $2 has the keys that were found, and $3 is the published revision. $4 is the rotation, whose stored keys are added. Without
 * a record, a key still has the text that it had before.
 */
export const DETAILS = `
with found as (
  select * from json_to_recordset($2::json) as found(push_id uuid, store text, key text, project_id uuid, environment_id uuid)),
stored as (
  select push_id, store, key, json_agg(hash) as hashes, bool_and(is_replaced) as is_replaced from rotation_push_key
   where organization_id = $1 and rotation_id = $4 group by push_id, store, key),
copy as (
  select push_id, store, key, true as is_found from found
  union all
  select push_id, store, key, false from stored where (push_id, store, key) not in (select push_id, store, key from found))
select copy.push_id as "pushId", copy.store, copy.key, copy.is_found as "isFound", sync_key.written_hash as hash, sync_key.started_hash as "startedHash",
       coalesce(stored.hashes, '[]') as "storedHashes", sync_key.key is not null as "hasRecord", exchange.id is not null as "exists",
       coalesce(stored.is_replaced, false) as "wasReplaced",
       coalesce(exchange.name, waiting.name, '') as name, coalesce(integration.name, waiting.integration_name, '') as integration,
       exchange.options, exchange.resource,
       json_build_object('projectId', sync_key.project_id, 'environmentId', sync_key.environment_id, 'tagId', sync_key.tag_id,
                         'parameterId', sync_key.parameter_id) as origin,
       coalesce(sync_key.started_action = 'removed' and sync_key.state not in ('drifted', 'foreign'), false) as "isRemoved",
       coalesce(sync_key.state = 'in_sync' and sync_key.started_action is null, false) as "isInSync",
       waiting.dismissed_at::text as "dismissedAt",
       coalesce(sync_key.written_at <= waiting.dismissed_at, waiting.dismissed_at is not null) as "isDismissed",
       coalesce(sync_key.started_action = 'write' and sync_key.started_at > waiting.dismissed_at, false) as "isStartedLater",
       coalesce(integration.writable and integration.held_because is null
         and not coalesce((exchange.options ->> 'dry_run')::boolean, false), false) as "mayWrite",
       strata_revision_at($1, tag."timestamp")::float8 as "tagRevision",
       sync_key.key is not null and coalesce(strata_revision_at($1, tag."timestamp") < $3, true) as "isTagOlder",
       coalesce(sync_key.state in ('drifted', 'foreign') or not sync_key.is_desired or sync_key.store is distinct from exchange.store, true) as "needsDecision",
       case when exists (select from task where task.organization_id = $1 and task.exchange_id = exchange.id
                            and task.state in ('queued', 'running') and ${mayWrite('exchange')}) then 'waiting'
            when latest.state in ('failure', 'skipped') then 'failed' else 'ended' end as run
  from copy
  left join stored on stored.push_id = copy.push_id and stored.store = copy.store and stored.key = copy.key
  left join sync_key on ${isSameKey('sync_key', 'copy')}
  left join exchange on exchange.organization_id = $1 and exchange.id = copy.push_id
  left join integration on integration.organization_id = $1 and integration.id = exchange.integration_id
  left join exchange_tag on exchange_tag.organization_id = $1 and exchange_tag.exchange_id = exchange.id
                        and exchange_tag.tag_id = sync_key.tag_id
  left join tag on tag.organization_id = $1 and tag.id = exchange_tag.tag_id
  left join rotation_push waiting on waiting.organization_id = $1 and waiting.rotation_id = $4 and waiting.push_id = copy.push_id
  left join lateral (
    select task.state from task
     where task.organization_id = $1 and task.exchange_id = exchange.id and ${mayWrite('exchange')}
     order by task.created_at desc, task.id limit 1) latest on true`;

export const CLEAR = 'delete from rotation_push where organization_id = $1 and rotation_id = $2';
export const UNDISMISS = 'update rotation_push set dismissed_at = null where organization_id = $1 and rotation_id = $2';

/** Begins to wait for pushes. $3 is the list of their ids. */
export const EXPECT = `
insert into rotation_push (organization_id, rotation_id, push_id, name, integration_name, is_blocking, reason)
select $1, $2, exchange.id, exchange.name, integration.name, true, 'not_written'
  from exchange join integration on integration.organization_id = $1 and integration.id = exchange.integration_id
 where exchange.organization_id = $1 and exchange.id = any($3::uuid[])
on conflict (organization_id, rotation_id, push_id) do update set
  name = excluded.name, integration_name = excluded.integration_name, is_blocking = true, reason = excluded.reason`;

/** Stores the texts of keys that may contain the previous credential. $3 has the keys. */
export const KEEP = `
insert into rotation_push_key (organization_id, rotation_id, push_id, store, key, hash, project_id, environment_id, is_replaced)
select $1, $2, found.push_id, found.store, found.key, hash, found.project_id, found.environment_id, false
  from json_to_recordset($3::json) as found(push_id uuid, store text, key text, project_id uuid, environment_id uuid)
  join sync_key on ${isSameKey('sync_key', 'found')}
 cross join unnest(array_remove(array[coalesce(sync_key.written_hash, sync_key.started_hash, ''), sync_key.started_hash], null)) as hash
    on conflict do nothing`;

/** Stores which keys have another text now. A text that is known to be current does not contain the previous credential. */
export const MARK = `
with checked as (
  select * from json_to_recordset($3::json) as checked(push_id uuid, store text, key text, is_replaced boolean, current_hash text)),
current as (
  delete from rotation_push_key copy using checked
   where copy.organization_id = $1 and copy.rotation_id = $2 and copy.push_id = checked.push_id and copy.store = checked.store
     and copy.key = checked.key and copy.hash = checked.current_hash)
update rotation_push_key copy set is_replaced = checked.is_replaced from checked
 where copy.organization_id = $1 and copy.rotation_id = $2 and copy.push_id = checked.push_id and copy.store = checked.store
   and copy.key = checked.key and copy.hash is distinct from checked.current_hash and copy.is_replaced <> checked.is_replaced`;

/** Stores the pushes that block. A dismissal that the check has read does not apply any more; a later one does. */
export const STORE = `
with found as (
  select * from json_to_recordset($3::json) as found(id uuid, name text, integration text, reason text, dismissed_at timestamptz)),
others as (
  update rotation_push set is_blocking = false
   where organization_id = $1 and rotation_id = $2 and is_blocking and push_id not in (select id from found))
insert into rotation_push (organization_id, rotation_id, push_id, name, integration_name, is_blocking, reason, dismissed_at)
select $1, $2, found.id, found.name, found.integration, true, found.reason, found.dismissed_at from found
on conflict (organization_id, rotation_id, push_id) do update set
  name = excluded.name, integration_name = excluded.integration_name, is_blocking = true, reason = excluded.reason,
  dismissed_at = case when rotation_push.dismissed_at is distinct from excluded.dismissed_at then rotation_push.dismissed_at end`;
