import { Injectable } from '@nestjs/common';
import {
  type EnvironmentId,
  LruCache,
  type ObjectType,
  type OrganizationId,
  type ParameterId,
  type ProjectId,
  type Revision,
  TYPES_BESIDE_CONFIGURATION,
} from '@strata/domain';
import { cacheBytes } from '../../platform/cache-size.ts';
import type { Head } from '../../platform/ledger/heads.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { readSealed } from '../../platform/vault/sealed-text.ts';
import type { ValueRecord } from './snapshot.ts';

/** A change that may affect the configuration. */
export interface ConfigurationChange {
  readonly revision: Revision;
  readonly type: ObjectType;
  readonly objectId: string;
  readonly projectId: ProjectId | null;
  readonly parameterId: ParameterId | null;
  readonly environmentId: EnvironmentId | null;
  /** The current state of a changed value; null if it was deleted. */
  readonly value: ValueRecord | null;
}

export interface ChangesSince {
  /** The head after the last change. */
  readonly head: Head;
  readonly changes: readonly ConfigurationChange[];
}

/** The maximum number of changes to follow. With more of them, reading everything again is cheaper. */
const CHANGES_MAX = 400;
/** The cache limits for one organization and for all organizations. */
const CHARACTERS_MAX = 524_288;
const BYTES_MAX = cacheBytes(16);

/**
 * $1 is the organization, $2 the last known revision. Values are read in their current state, in the same database
 * snapshot as the ledger. A reader that applies all changes therefore has the state of this head.
 */
const READ = `
  select head.epoch, head.revision, (select coalesce(json_agg(change), '[]') from (
    select change.revision, change.object_type as type, change.object_id as "objectId", change.project_id as "projectId",
           change.parameter_id as "parameterId", change.environment_id as "environmentId",
           case when value.id is not null then json_build_object(
             'id', value.id, 'parameterId', value.parameter_id, 'environmentId', value.environment_id, 'text', value.text,
             'sealed', ${readSealed('value')}, 'interpolated', value.interpolated, 'source', value.source, 'ledger_id', value.ledger_id,
             'created_at', ${wireTimeSql('value.created_at')}, 'modified_at', ${wireTimeSql('value.modified_at')}) end as value
      from change
      left join lateral (
        select * from value where organization_id = change.organization_id
           and id = case when change.object_type = 'Value' then change.object_id::uuid end offset 0) value on true
     where change.organization_id = $1 and change.revision > $2 and change.object_type <> all('{${TYPES_BESIDE_CONFIGURATION.join()}}'::text[])
     order by change.revision, change.ordinal limit ${CHANGES_MAX + 1}) change) as rows
    from organization_head head where head.organization_id = $1`;

/** The latest changes of one organization without gaps: those after `from`, up to `to`. */
interface Log {
  readonly epoch: string;
  readonly from: Revision;
  readonly to: Revision;
  readonly changes: readonly ConfigurationChange[];
}

/** Reads the changes of an organization since a head. Parallel readers share one statement. */
@Injectable()
export class ConfigurationChanges {
  private readonly logs = new LruCache<Log>(BYTES_MAX, estimateBytes);
  private readonly reading = new Map<OrganizationId, Promise<Log>>();

  private readonly reader: SnapshotReader;

  constructor(reader: SnapshotReader) {
    this.reader = reader.unlimited;
  }

  /**
   * Returns all changes after `seen`, at least up to `head`. Returns null if there are too many, or if they are no
   * longer cached.
   */
  async since(organizationId: OrganizationId, seenHead: Head, head: Head): Promise<ChangesSince | null> {
    let log = this.findLog(organizationId, seenHead);
    // Tries twice: a read that was already running may have started before this head existed.
    for (let times = 0; log.to < head.revision && times < 2; times += 1) log = await this.further(organizationId, log);
    const { epoch, from, to, changes } = log;
    const isKnown =
      seenHead.epoch === epoch &&
      head.epoch === epoch &&
      from <= seenHead.revision &&
      to >= Math.max(head.revision, seenHead.revision);
    if (!isKnown) return null;
    return { head: { epoch, revision: to }, changes: changes.filter(({ revision }) => revision > seenHead.revision) };
  }

  private findLog(organizationId: OrganizationId, { epoch, revision }: Head): Log {
    const log = this.logs.get(organizationId);
    return log?.epoch === epoch ? log : { epoch, from: revision, to: revision, changes: [] };
  }

  private further(organizationId: OrganizationId, log: Log): Promise<Log> {
    const runningRead = this.reading.get(organizationId);
    if (runningRead) return runningRead;
    const currentRead = this.read(organizationId, log).finally(() => this.reading.delete(organizationId));
    this.reading.set(organizationId, currentRead);
    return currentRead;
  }

  private async read(organizationId: OrganizationId, log: Log): Promise<Log> {
    const [row] = await this.reader.query<Head & { rows: ConfigurationChange[] }>(READ, [organizationId, log.to]);
    if (!row) throw new Error(`Organization ${organizationId} has no head.`);
    const { epoch, revision, rows } = row;
    const isContinued = epoch === log.epoch && rows.length <= CHANGES_MAX;
    const read = isContinued
      ? shortened({ epoch, from: log.from, to: revision, changes: [...log.changes, ...rows] })
      : { epoch, from: revision, to: revision, changes: [] };
    this.logs.put(organizationId, read);
    return read;
  }
}

/** Removes the oldest changes until the log is within its limits. Never keeps only a part of a revision. */
function shortened(log: Log): Log {
  let { from, changes } = log;
  while (changes.length > CHANGES_MAX || countCharacters(changes) > CHARACTERS_MAX) {
    from = changes[Math.floor(changes.length / 2)]?.revision ?? log.to;
    changes = changes.filter(({ revision }) => revision > from);
  }
  return { ...log, from, changes };
}

function countCharacters(changes: readonly ConfigurationChange[]): number {
  let characters = 0;
  for (const { value } of changes) characters += (value?.text?.length ?? 0) + (value?.sealed?.length ?? 0);
  return characters;
}

const CHANGE_BYTES = 512;

function estimateBytes({ changes }: Log): number {
  return changes.length * CHANGE_BYTES + countCharacters(changes) * 2;
}
