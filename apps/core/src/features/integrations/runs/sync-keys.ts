import { Injectable } from '@nestjs/common';
import type { KeyAction, KeyReason, KeyRecord, KeyState, OrganizationId } from '@strata/domain';
import { DataSource } from 'typeorm';
import { poolOf } from '../../../platform/postgres/data-source.ts';

/** The keys of one push in one store. */
export interface KeyScope {
  readonly organizationId: OrganizationId;
  readonly syncId: string;
  readonly store: string;
}

/** The state of a key after a plan or an attempt. */
export interface KeyReport {
  readonly key: string;
  readonly state: KeyState;
  readonly action: KeyAction;
  readonly reason: KeyReason;
  readonly detail: string | null;
  readonly version: string | null;
  readonly projectId: string | null;
  readonly environmentId: string | null;
  readonly parameterId: string | null;
}

interface RecordRow {
  readonly key: string;
  readonly written_hash: string | null;
  readonly version: string | null;
  readonly started_action: 'write' | 'remove' | 'removed' | null;
  readonly started_hash: string | null;
}

const OWN = 'organization_id = $1 and exchange_id = $2 and store = $3';

const RECORDS = `
select key, written_hash, version, started_action, started_hash from sync_key where ${OWN} and is_owned`;

/** Stores that writes begin. A key that another push owns is not returned. */
const BEGIN = `
insert into sync_key (organization_id, exchange_id, store, key, is_owned, started_action, started_hash, state, action, reason, changed_at)
select $1, $2, $3, entry.key, true, entry.action, entry.hash, 'pending', 'none', 'new', clock_timestamp()
  from json_to_recordset($4::json) as entry(key text, action text, hash text)
 where not exists (select from sync_key other where other.organization_id = $1 and other.store = $3 and other.key = entry.key and other.is_owned
                                            and other.exchange_id <> $2)
on conflict (organization_id, exchange_id, key) do update
   set is_owned = true, store = excluded.store, started_action = excluded.started_action, started_hash = excluded.started_hash
returning key`;

const FINISH = `
insert into sync_key (organization_id, exchange_id, store, key, is_owned, written_hash, version, state, action, reason, changed_at)
select $1, $2, $3, entry.key, true, entry.hash, entry.version, 'in_sync', 'none', 'equal', clock_timestamp()
  from json_to_recordset($4::json) as entry(key text, hash text, version text)
on conflict (organization_id, exchange_id, key) do update
   set is_owned = true, written_hash = excluded.written_hash, version = excluded.version, started_action = null,
       started_hash = null`;

const REMOVED = `update sync_key set started_action = 'removed', started_hash = null where ${OWN} and key = $4`;

const FORGET = `delete from sync_key where ${OWN} and key = any($4::text[])`;

/** Rows of keys that are neither desired nor owned any more are deleted. */
const REPORT = `
with reported as (
  select * from json_to_recordset($4::json) as entry(key text, state text, action text, reason text, detail text, version text,
    "projectId" uuid, "environmentId" uuid, "parameterId" uuid)),
gone as (
  delete from sync_key where sync_key.organization_id = $1 and sync_key.exchange_id = $2 and not sync_key.is_owned
     and not exists (select from reported entry where entry.key = sync_key.key))
insert into sync_key (organization_id, exchange_id, store, key, is_owned, state, action, reason, detail, seen_version,
                           project_id, environment_id, parameter_id, changed_at)
select $1, $2, $3, entry.key, false, entry.state, entry.action, entry.reason, entry.detail, entry.version, entry."projectId", entry."environmentId",
       entry."parameterId", clock_timestamp()
  from reported entry
on conflict (organization_id, exchange_id, key) do update
   set state = excluded.state, action = excluded.action, reason = excluded.reason, detail = excluded.detail,
       seen_version = excluded.seen_version, project_id = coalesce(excluded.project_id, sync_key.project_id),
       environment_id = coalesce(excluded.environment_id, sync_key.environment_id),
       parameter_id = coalesce(excluded.parameter_id, sync_key.parameter_id), changed_at = excluded.changed_at
 where (sync_key.state, sync_key.action, sync_key.reason, sync_key.detail, sync_key.seen_version)
    is distinct from (excluded.state, excluded.action, excluded.reason, excluded.detail, excluded.seen_version)`;

/** Stores what Strata wrote to which key. A write is stored before it is sent, so that a crash leaves no unknown key. */
@Injectable()
export class SyncKeys {
  constructor(private readonly dataSource: DataSource) {}

  async records(scope: KeyScope): Promise<readonly KeyRecord[]> {
    return (await this.query<RecordRow>(RECORDS, scope)).map((row) => ({
      key: row.key,
      writtenHash: row.written_hash,
      version: row.version,
      started: toStarted(row),
    }));
  }

  /** Returns the keys whose writes may be sent. Another push owns the others. */
  async begin(
    scope: KeyScope,
    writes: readonly { readonly key: string; readonly action: 'write' | 'remove'; readonly hash: string | null }[],
  ): Promise<ReadonlySet<string>> {
    const rows = await this.query<{ key: string }>(BEGIN, scope, JSON.stringify(writes));
    return new Set(rows.map(({ key }) => key));
  }

  async finish(
    scope: KeyScope,
    writes: readonly { readonly key: string; readonly hash: string; readonly version: string | null }[],
  ): Promise<void> {
    if (writes.length > 0) await this.query(FINISH, scope, JSON.stringify(writes));
  }

  /** Stores that a key was deleted. Its record stays for as long as the key can be restored. */
  async removed(scope: KeyScope, key: string): Promise<void> {
    await this.query(REMOVED, scope, key);
  }

  async forget(scope: KeyScope, keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.query(FORGET, scope, keys);
  }

  /** Stores the states of all keys of a push. Equal states are not written again. */
  async report(scope: KeyScope, keys: readonly KeyReport[]): Promise<void> {
    await this.query(REPORT, scope, JSON.stringify(keys));
  }

  private async query<Row extends object>(
    text: string,
    { organizationId, syncId, store }: KeyScope,
    ...more: unknown[]
  ): Promise<Row[]> {
    return (await poolOf(this.dataSource).query<Row>(text, [organizationId, syncId, store, ...more])).rows;
  }
}

function toStarted({ started_action: action, started_hash: hash }: RecordRow): KeyRecord['started'] {
  if (action === 'remove' || action === 'removed') return { action };
  return action === 'write' && hash !== null ? { action, hash } : null;
}
