import { Injectable } from '@nestjs/common';
import type { ImportedText, KeyAction, KeyRecord, KeyState, OrganizationId, PlannedKeyReason } from '@strata/domain';
import { DataSource, type EntityManager } from 'typeorm';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import type { Vault } from '../../../platform/vault/vault.ts';

/** The keys of one push in one store, and the lease that allows to write their records. */
export interface KeyScope {
  readonly organizationId: OrganizationId;
  readonly syncId: string;
  readonly store: string;
  readonly integrationId: string;
  readonly lease: string;
}

/** The value that was written to a key. Null if it is unknown. */
export interface KeyOrigin {
  readonly projectId: string | null;
  readonly environmentId: string | null;
  readonly tagId: string | null;
  readonly parameterId: string | null;
}

export interface StoredKey extends KeyRecord {
  readonly origin: KeyOrigin;
}

/** The state of a key after a plan or an attempt. */
export interface KeyReport extends KeyOrigin {
  readonly key: string;
  readonly state: KeyState;
  readonly action: KeyAction;
  readonly reason: PlannedKeyReason;
  readonly detail: string | null;
  readonly version: string | null;
  /** Whether the push contains the key. */
  readonly isDesired: boolean;
}

/** A write that has succeeded, or a text that was confirmed. `origin` is null if the text was only confirmed. */
export interface FinishedKey {
  readonly key: string;
  readonly hash: string;
  readonly version: string | null;
  readonly origin: KeyOrigin | null;
  /** The import of the text into the value. Absent or null if the text is the one at the tag. */
  readonly imported?: ImportedText | null;
}

/** A write that is about to be sent. A deletion has no hash and no origin. */
export interface StartedKey {
  readonly key: string;
  readonly action: 'write' | 'remove';
  readonly hash: string | null;
  readonly origin: KeyOrigin | null;
}

interface RecordRow {
  readonly key: string;
  readonly written_hash: string | null;
  readonly version: string | null;
  readonly started_action: 'write' | 'remove' | 'removed' | null;
  readonly started_hash: string | null;
  readonly project_id: string | null;
  readonly environment_id: string | null;
  readonly tag_id: string | null;
  readonly parameter_id: string | null;
  readonly import_revision: string | null;
  readonly replaced_hash: string | null;
}

const OWN = 'organization_id = $1 and exchange_id = $2 and store = $3';

const RECORDS = `
select key, written_hash, version, started_action, started_hash, project_id, environment_id, tag_id, parameter_id, import_revision, replaced_hash
  from sync_key where ${OWN} and is_owned`;

/**
 * Executes a statement only while this process has the lease, and keeps other processes from taking it over meanwhile.
 * Without the lease, it returns no row.
 */
const withLease = (statement: string, { before = '', after = '' } = {}): string => `
with leased as (select from integration where organization_id = $1 and id = $5 and lease_token = $6 for share),
${before} work as (${statement}) ${after}
select (select coalesce(array_agg(work.key), '{}') from work) as keys from leased`;

/** SQL for the entries of $4 with their origins. */
const ENTRIES = `json_to_recordset($4::json) as entry(key text, action text, hash text, version text, "projectId" uuid,
  "environmentId" uuid, "tagId" uuid, "parameterId" uuid, "importRevision" bigint, "replacedHash" text)`;

/**
 * Stores that writes begin. A key that another push owns is not returned. Until a write has succeeded, the store can have
 * the text of any write that began.
 */
const BEGIN = withLease(
  `
insert into sync_key (organization_id, exchange_id, store, key, is_owned, started_action, started_hash, started_at, state, action, reason, changed_at,
                      project_id, environment_id, tag_id, parameter_id)
select $1, $2, $3, entry.key, true, entry.action, entry.hash, clock_timestamp(), 'pending', 'none', 'new', clock_timestamp(),
       entry."projectId", entry."environmentId", entry."tagId", entry."parameterId"
  from leased, ${ENTRIES}
 where not exists (select from sync_key other where other.organization_id = $1 and other.store = $3 and other.key = entry.key and other.is_owned
                                            and other.exchange_id <> $2)
on conflict (organization_id, exchange_id, store, key) do update
   set is_owned = true, started_action = excluded.started_action, started_hash = excluded.started_hash, started_at = excluded.started_at,
       project_id = coalesce(excluded.project_id, sync_key.project_id),
       environment_id = coalesce(excluded.environment_id, sync_key.environment_id),
       tag_id = coalesce(excluded.tag_id, sync_key.tag_id),
       parameter_id = coalesce(excluded.parameter_id, sync_key.parameter_id)
returning key`,
  {
    after: `, origins as (
  insert into sync_key_origin (organization_id, exchange_id, store, key, project_id, environment_id, parameter_id)
  select $1, $2, $3, entry.key, entry."projectId", entry."environmentId", entry."parameterId" from ${ENTRIES} join work on work.key = entry.key
   where entry."projectId" is not null and entry."environmentId" is not null and entry."parameterId" is not null
  on conflict do nothing)`,
  },
);

/** After a write or an import, the store has only its text. */
const FINISH = withLease(
  `
insert into sync_key (organization_id, exchange_id, store, key, is_owned, written_hash, version, import_revision, replaced_hash, state, action, reason,
                      changed_at)
select $1, $2, $3, entry.key, true, entry.hash, entry.version, entry."importRevision", entry."replacedHash", 'in_sync', 'none', 'equal',
       clock_timestamp()
  from leased, ${ENTRIES}
on conflict (organization_id, exchange_id, store, key) do update
   set is_owned = true, written_hash = excluded.written_hash, version = excluded.version, started_action = null,
       started_hash = null,
       import_revision = excluded.import_revision, replaced_hash = excluded.replaced_hash,
       -- A key that is only confirmed was not written.
       written_at = case when sync_key.started_action = 'write' then clock_timestamp() else sync_key.written_at end
returning key`,
  {
    after: `, replaced as (
  delete from sync_key_origin origin using work, ${ENTRIES}
   where origin.organization_id = $1 and origin.exchange_id = $2 and origin.store = $3 and origin.key = work.key and entry.key = work.key
     and (origin.project_id, origin.environment_id, origin.parameter_id) <> (entry."projectId", entry."environmentId", entry."parameterId"))`,
  },
);

const REMOVED = withLease(`
update sync_key set started_action = 'removed', started_hash = null from leased
 where ${OWN} and key in (select json_array_elements_text($4::json)) returning key`);

const DELETE = `
delete from sync_key using leased where ${OWN} and key in (select json_array_elements_text($4::json))`;

/** Rotations do not wait for keys that have no text of Strata. */
const RELEASE = `, released as (
  delete from rotation_push_key copy using work
   where copy.organization_id = $1 and copy.push_id = $2 and copy.store = $3 and copy.key = work.key)`;

/** Deletes the records of keys that Strata does not own any more. They may still have a text that it wrote. */
const DISOWN = withLease(`${DELETE} returning key`);
/** Deletes the records of keys that have no text of Strata. */
const FORGET = withLease(`${DELETE} returning key`, { after: RELEASE });
/** A creation that failed for good has never written the key. */
const ABANDON = withLease(`${DELETE} and written_hash is null returning key`, { after: RELEASE });

/** Rows of keys that are neither desired nor owned any more are deleted. */
const REPORT = withLease(
  `
insert into sync_key (organization_id, exchange_id, store, key, is_owned, state, action, reason, detail, seen_version,
                           project_id, environment_id, tag_id, parameter_id, is_desired, changed_at)
select $1, $2, $3, entry.key, false, entry.state, entry.action, entry.reason, entry.detail, entry.version, entry."projectId", entry."environmentId",
       entry."tagId", entry."parameterId", entry."isDesired", clock_timestamp()
  from leased, reported entry
on conflict (organization_id, exchange_id, store, key) do update
   set state = excluded.state, action = excluded.action, reason = excluded.reason, detail = excluded.detail,
       seen_version = excluded.seen_version, project_id = coalesce(excluded.project_id, sync_key.project_id),
       environment_id = coalesce(excluded.environment_id, sync_key.environment_id),
       tag_id = coalesce(excluded.tag_id, sync_key.tag_id),
       parameter_id = coalesce(excluded.parameter_id, sync_key.parameter_id), is_desired = excluded.is_desired,
       changed_at = case when sync_key.state = excluded.state then sync_key.changed_at else excluded.changed_at end
 where (sync_key.state, sync_key.action, sync_key.reason, sync_key.detail, sync_key.seen_version, sync_key.project_id,
        sync_key.environment_id, sync_key.tag_id, sync_key.parameter_id, sync_key.is_desired)
    is distinct from (excluded.state, excluded.action, excluded.reason, excluded.detail, excluded.seen_version, excluded.project_id,
                      excluded.environment_id, excluded.tag_id, excluded.parameter_id, excluded.is_desired)
returning key`,
  {
    before: `reported as (
  select * from json_to_recordset($4::json) as entry(key text, state text, action text, reason text, detail text, version text,
    "projectId" uuid, "environmentId" uuid, "tagId" uuid, "parameterId" uuid, "isDesired" boolean)),
current as (
  update exchange set store = $3 from leased where exchange.organization_id = $1 and exchange.id = $2 and exchange.store is distinct from $3),
gone as (
  delete from sync_key using leased where sync_key.organization_id = $1 and sync_key.exchange_id = $2 and not sync_key.is_owned
     and (sync_key.store <> $3 or not exists (select from reported entry where entry.key = sync_key.key))),`,
  },
);

/** Returns the keyed hash of a text at one key of a store. It is compared instead of the text, and reveals nothing. */
export const hashKey = (
  vault: Vault,
  organizationId: OrganizationId,
  store: string,
  key: string,
  text: string,
): Promise<string> => vault.mac(organizationId, 'sync-key', JSON.stringify([store, key, text]));

/** Another process has taken over the integration, or it may no longer write. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Stores what Strata wrote to which key. A write is stored before it is sent, so that a crash leaves no unknown key. */
@Injectable()
export class SyncKeys {
  constructor(private readonly dataSource: DataSource) {}

  async records({ organizationId, syncId, store }: KeyScope): Promise<readonly StoredKey[]> {
    const { rows } = await poolOf(this.dataSource).query<RecordRow>(RECORDS, [organizationId, syncId, store]);
    return rows.map((row) => ({
      key: row.key,
      writtenHash: row.written_hash,
      version: row.version,
      started: toStarted(row),
      origin: {
        projectId: row.project_id,
        environmentId: row.environment_id,
        tagId: row.tag_id,
        parameterId: row.parameter_id,
      },
      imported: toImported(row),
    }));
  }

  /** Returns the keys whose writes may be sent. Another push owns the others. */
  async begin(scope: KeyScope, writes: readonly StartedKey[]): Promise<ReadonlySet<string>> {
    const entries = writes.map(({ key, action, hash, origin }) => ({ ...toColumns(origin), key, action, hash }));
    return new Set(await this.write(BEGIN, scope, entries));
  }

  /** With `em`, the keys are stored in its transaction. */
  async finish(scope: KeyScope, writes: readonly FinishedKey[], em?: EntityManager): Promise<void> {
    const entries = writes.map(({ origin, imported, ...entry }) => ({
      ...toColumns(origin),
      ...entry,
      importRevision: imported?.revision ?? null,
      replacedHash: imported?.replacedHash ?? null,
    }));
    if (entries.length > 0) await this.write(FINISH, scope, entries, em);
  }

  /** Stores that a key was deleted. Its record stays for as long as the key can be restored. */
  async removed(scope: KeyScope, key: string): Promise<void> {
    await this.write(REMOVED, scope, [key]);
  }

  /** Forgets a key whose creation was rejected, unless Strata had written it before. */
  async abandon(scope: KeyScope, key: string): Promise<void> {
    await this.write(ABANDON, scope, [key]);
  }

  /** Forgets keys that have no text of Strata. */
  async forget(scope: KeyScope, keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.write(FORGET, scope, keys);
  }

  /** Forgets keys whose mark another program has removed. They may still have a text of Strata. */
  async disown(scope: KeyScope, keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.write(DISOWN, scope, keys);
  }

  /** Stores the states of all keys of a push. Equal states are not written again. */
  async report(scope: KeyScope, keys: readonly KeyReport[]): Promise<void> {
    await this.write(REPORT, scope, keys);
  }

  /** Returns the keys that were written. Throws `LeaseLost` if another process runs the tasks of the integration. */
  private async write(
    text: string,
    scope: KeyScope,
    input: readonly unknown[],
    em?: EntityManager,
  ): Promise<readonly string[]> {
    const { organizationId, syncId, store, integrationId, lease } = scope;
    const values = [organizationId, syncId, store, JSON.stringify(input), integrationId, lease];
    const rows = em
      ? await em.query<{ keys: string[] }[]>(text, values)
      : (await poolOf(this.dataSource).query<{ keys: string[] }>(text, values)).rows;
    const [row] = rows;
    if (!row) throw new LeaseLost();
    return row.keys;
  }
}

function toStarted({ started_action: action, started_hash: hash }: RecordRow): KeyRecord['started'] {
  if (action === 'remove' || action === 'removed') return { action };
  return action === 'write' && hash !== null ? { action, hash } : null;
}

const toImported = ({ import_revision: revision, replaced_hash: replacedHash }: RecordRow): ImportedText | null =>
  revision === null || replacedHash === null ? null : { revision: Number(revision), replacedHash };

/** The origin can be a complete value, whose text must not be stored. */
const toColumns = (origin: KeyOrigin | null) => ({
  projectId: origin?.projectId ?? null,
  environmentId: origin?.environmentId ?? null,
  tagId: origin?.tagId ?? null,
  parameterId: origin?.parameterId ?? null,
});
