import { Injectable, Logger } from '@nestjs/common';
import { formatCount, type OrganizationId } from '@strata/domain';
import type pg from 'pg';
import { HOLD_AFTER_LOSS } from '../restore/held-work.ts';

/** A head that this process has read from the database. */
export interface SeenHead {
  readonly epoch: string;
  readonly revision: number;
  readonly at: string;
}

interface LostHead {
  readonly id: OrganizationId;
  readonly epoch: string;
}

/** Limits the memory for seen heads to some 2 MB. */
const ORGANIZATIONS_MAX = 10_000;

/** The organizations whose ledger contains another revision than the one that was seen, or none. */
const LOST = `
select seen.organization_id as id, seen.epoch
  from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::timestamptz[]) as seen (organization_id, epoch, revision, at)
  join organization_head head on head.organization_id = seen.organization_id and head.epoch = seen.epoch
 where not exists (select from changeset where changeset.organization_id = seen.organization_id
                                           and changeset.revision = seen.revision and changeset.at = seen.at)`;

/** Another process that found the same loss has replaced the epoch already. */
const REPLACE_EPOCHS = `
update organization_head head set epoch = gen_random_uuid()
  from unnest($1::uuid[], $2::uuid[]) as seen (organization_id, epoch)
 where head.organization_id = seen.organization_id and head.epoch = seen.epoch
returning head.organization_id as id`;

/**
 * The newest head of each organization that this process has read or written. A server that took over after a failure, or was
 * restored, may lack the revisions up to that head. Its organizations get a new epoch then, as after a restore, so that
 * no cursor, ETag or cached row of the lost history is used with the new one.
 */
@Injectable()
export class SeenHeads {
  private readonly logger = new Logger('ledger');
  private readonly heads = new Map<OrganizationId, SeenHead>();

  add(organizationId: OrganizationId, head: SeenHead): void {
    const newest = this.heads.get(organizationId);
    if (newest && newest.epoch === head.epoch && newest.revision >= head.revision) return;
    this.heads.delete(organizationId);
    this.heads.set(organizationId, head);
    if (this.heads.size <= ORGANIZATIONS_MAX) return;
    const [oldest] = this.heads.keys();
    if (oldest !== undefined) this.heads.delete(oldest);
  }

  /** Compares the server of a new connection with the seen heads, before any other statement uses the connection. */
  async verify(client: pg.ClientBase): Promise<void> {
    if (this.heads.size === 0) return;
    const entries = [...this.heads];
    const column = <T>(read: (head: SeenHead) => T) => entries.map(([, head]) => read(head));
    const values = [entries.map(([id]) => id), column(({ epoch }) => epoch), column(({ revision }) => revision)];
    const { rows } = await client.query<LostHead>(LOST, [...values, column(({ at }) => at)]);
    if (rows.length > 0) await this.replaceEpochs(client, rows);
  }

  /** Uses its own transaction, because the connection does not belong to the pool yet. An error discards the connection. */
  private async replaceEpochs(client: pg.ClientBase, lostHeads: readonly LostHead[]): Promise<void> {
    const ids = lostHeads.map(({ id }) => id);
    const epochs = lostHeads.map(({ epoch }) => epoch);
    await client.query('begin');
    // Reads need this connection. If PostgreSQL waited for a standby that is lost, too, there would be none.
    await client.query('set local synchronous_commit = local');
    const { rows } = await client.query<{ id: OrganizationId }>(REPLACE_EPOCHS, [ids, epochs]);
    const replacedIds = rows.map(({ id }) => id);
    for (const statement of HOLD_AFTER_LOSS) await client.query(statement, [replacedIds]);
    await client.query('commit');
    for (const { id, epoch } of lostHeads) if (this.heads.get(id)?.epoch === epoch) this.heads.delete(id);
    if (replacedIds.length === 0) return;
    const organizations = formatCount(replacedIds.length, 'organization');
    this.logger.error(
      `The database lacks changes that it had stored: ${organizations} got a new epoch. Pushes, rotations and destinations wait: docs/guides/high-availability.md`,
    );
  }
}
