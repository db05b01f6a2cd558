import { isUuid, type OrganizationId, PreconditionFailed, type Revision } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { presentVersions } from '../../platform/ledger/present-versions.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import {
  type PointInTime,
  parametersOf,
  rowsAt,
  type VersionedTable,
} from '../../platform/postgres/versioned-table.ts';

/** Objects that have a `ledger_id`. */
const VERSIONED: readonly VersionedTable[] = [
  'environment',
  'project',
  'parameter_type',
  'parameter_type_rule',
  'parameter',
  'parameter_rule',
  'value',
  'template',
];

/** What somebody expects an object to have been before the changeset: its `ledger_id`. */
export class ExpectedVersion {
  private found: string | null = null;
  private revision: Revision = Number.MAX_SAFE_INTEGER;

  constructor(
    readonly objectId: string,
    private readonly ledgerId: string,
  ) {}

  /** Told before the first step: what it is, null when it is not there, and the revision that is being written. */
  lookedUp(found: string | null, revision: Revision): void {
    this.found = found;
    this.revision = revision;
  }

  /** 412 where it is another one. */
  async assertFound(em: EntityManager, caller: Caller): Promise<void> {
    if (this.found !== this.ledgerId) throw await changedMeanwhile(em, caller, [this.objectId], this.revision);
  }
}

export async function changedMeanwhile(
  em: EntityManager,
  caller: Caller,
  ids: readonly string[],
  revision: Revision,
): Promise<PreconditionFailed> {
  return new PreconditionFailed(await presentVersions(em, caller, ids, revision));
}

/** The `ledger_id` of each object that is there and has one. */
export async function ledgerIdsAt(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  at: PointInTime,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = wanted.filter(isUuid);
  if (ids.length === 0) return new Map();
  const each = VERSIONED.map(
    (table) => `select id::text, ledger_id::text from ${rowsAt(table, at)} o where id = any(i.ids)`,
  );
  const rows = await reader.query<{ id: string; ledger_id: string }>(
    `select v.* from (select $3::uuid[] as ids where $2::bigint is not distinct from $2) i
      cross join lateral (${each.join(' union all ')}) v`,
    [...parametersOf(organizationId, at), ids],
  );
  return new Map(rows.map(({ id, ledger_id: ledgerId }) => [id, ledgerId]));
}
