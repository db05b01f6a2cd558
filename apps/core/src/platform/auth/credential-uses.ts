import { Injectable } from '@nestjs/common';
import type { ApiKeyScope, OrganizationId, UserId, Uuid } from '@strata/domain';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';

/** The precision of `last_used_at`. */
const RECORDED_EVERY_MS = 60_000;
const REMEMBERED_MAX = 10_000;

const USE_OF_ACCOUNT =
  'update service_account set last_used_at = clock_timestamp() where organization_id = $1 and person_id = $2';
const USE_OF_KEY: Readonly<Record<ApiKeyScope, string>> = {
  read: 'update api_key set last_read_at = clock_timestamp() where organization_id = $1 and prefix = $2',
  write: 'update api_key set last_write_at = clock_timestamp() where organization_id = $1 and prefix = $2',
  reveal: 'update api_key set last_reveal_at = clock_timestamp() where organization_id = $1 and prefix = $2',
};
const USE_OF_SESSION = 'update session set last_used_at = clock_timestamp() where id = $1';

/** Records when service accounts, keys and sessions were last used, at most once a minute. No request waits for it. */
@Injectable()
export class CredentialUses {
  private readonly recordedAt = new Map<string, number>();

  constructor(private readonly reader: SnapshotReader) {}

  ofAccount(organizationId: OrganizationId, personId: UserId): void {
    this.record(personId, USE_OF_ACCOUNT, [organizationId, personId]);
  }

  /** Records the scope that a request with a key used. */
  ofKey(organizationId: OrganizationId, prefix: string, scope: ApiKeyScope): void {
    this.record(`${scope} ${prefix}`, USE_OF_KEY[scope], [organizationId, prefix]);
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
