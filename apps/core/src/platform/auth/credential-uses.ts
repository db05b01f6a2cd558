import type { OrganizationId, UserId, Uuid } from '@strata/domain';
import type { SnapshotReader } from '../postgres/snapshot-reader.ts';

/** The precision of `last_used_at`. */
const RECORDED_EVERY_MS = 60_000;
const REMEMBERED_MAX = 10_000;

const USE_OF_ACCOUNT =
  'update service_account set last_used_at = clock_timestamp() where organization_id = $1 and person_id = $2';
const USE_OF_SESSION = 'update session set last_used_at = clock_timestamp() where id = $1';

/** Records when service accounts and sessions were last used, at most once a minute. No request waits for it. */
export class CredentialUses {
  private readonly recordedAt = new Map<string, number>();

  constructor(private readonly reader: SnapshotReader) {}

  ofAccount(organizationId: OrganizationId, personId: UserId): void {
    this.record(personId, USE_OF_ACCOUNT, [organizationId, personId]);
  }

  ofSession(id: Uuid): void {
    this.record(id, USE_OF_SESSION, [id]);
  }

  private record(id: string, statement: string, values: unknown[]): void {
    const now = performance.now();
    if (now - (this.recordedAt.get(id) ?? Number.NEGATIVE_INFINITY) < RECORDED_EVERY_MS) return;
    if (this.recordedAt.size >= REMEMBERED_MAX) this.recordedAt.clear();
    this.recordedAt.set(id, now);
    this.reader.query(statement, values).catch(() => this.recordedAt.delete(id)); // the next use tries again
  }
}
