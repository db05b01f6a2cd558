import { Injectable, Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CredentialUses } from '../auth/credential-uses.ts';
import type { Caller } from '../caller.ts';
import { readSurface, type StrataRequest } from '../http/request.ts';
import { mustRecordSecretAccess } from '../limits/request-limits.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { parseRequestTarget, type RequestTarget } from './request-target.ts';
import { TARGETS } from './target-sql.ts';

const FLUSH_MS = 1_000;
const MINUTE_MS = 60_000;
/**
 * Limits memory while the database is unavailable. Beyond 10,000 waiting records, only the request log shows who read
 * secrets.
 */
const WAITING_MAX = 10_000;

type Account = Pick<Caller, 'organizationId' | 'id' | 'type'>;
type RevealedTo = Account & Pick<Caller, 'name' | 'surface' | 'requestId'>;

/** A record that waits to be written: a secret was shown to a caller, validated or compared. */
interface Reveal extends RequestTarget {
  readonly organizationId: string;
  readonly actorId: string;
  readonly actorName: string;
  readonly actorType: string;
  readonly surface: string;
  readonly requestId: string;
  readonly bucket: string;
  /** A reading of this process's monotonic clock. Never compare it with another process. */
  readonly since: number;
}

/** A reveal by an edge, `age` milliseconds ago. */
export interface ForwardedReveal
  extends Pick<Reveal, 'organizationId' | 'actorId' | 'actorName' | 'actorType' | 'surface' | 'requestId'> {
  readonly project: string;
  readonly environment: string;
  readonly age: number;
}

/** The statement looks up names when it writes the record, so that no read waits for them. */
const RECORD = `
insert into access_log (organization_id, revision, at, bucket, action, object_type, object_id, object_name, project_id,
                        environment_id, parameter_id, actor_id, actor_name, actor_type, surface, request_id)
select organization.id, strata_revision_at(organization.id, clock.at), clock.at, record.bucket, 'reveal',
       case when value.id is not null then 'Value' when parameter.id is not null then 'Parameter' when template.id is not null then 'Template'
            when project.id is not null then 'Project' else 'Organization' end,
       coalesce(value.id, parameter.id, template.id, project.id, organization.id)::text, coalesce(parameter.name, template.name, project.name, organization.name),
       project.id, coalesce(value.environment_id, environment.id), parameter.id, record."actorId", record."actorName", record."actorType", record.surface, record."requestId"
  from json_to_recordset($1::json) record("organizationId" uuid, project text, environment text, template text, value text,
         parameter text, name text, bucket text, age bigint, "actorId" text, "actorName" text, "actorType" text, surface text, "requestId" text)
  join organization on organization.id = record."organizationId"
 cross join lateral (select clock_timestamp() - record.age * interval '1 millisecond' as at) clock${TARGETS}
    on conflict do nothing`;

/**
 * Records each caller that received a secret in clear, or sent a request that made the core validate a stored secret.
 * For users it records each single value they read. For all other reads it records once per minute and caller. Requests
 * do not wait for it: it writes within a second, and before the process ends.
 */
@Injectable()
export class RevealLog {
  private readonly logger = new Logger('access');
  private waiting: Reveal[] = [];
  private writing: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  /** The keys of the records logged in this minute. */
  private logged = { minute: 0, keys: new Set<string>() };

  /** The records of all organizations are stored together. */
  private readonly reader: SnapshotReader;

  constructor(
    reader: SnapshotReader,
    private readonly credentialUses: CredentialUses,
  ) {
    this.reader = reader.unlimited;
  }

  /** Records a request if its response, which may be a rejection, discloses something about a secret. */
  log(request: StrataRequest, reply: FastifyReply): void {
    if (mustRecordSecretAccess(request, reply.statusCode)) this.record(request);
  }

  /** Records that the response to a request shows a secret now. A stream calls it for each message with a secret. */
  record(request: StrataRequest): void {
    const user = request.user ?? recognizedReader(request);
    const keyPrefix = (request.user?.authorization ?? request.recognized)?.credential.keyPrefix;
    if (user && keyPrefix) this.credentialUses.ofKey(user.organizationId, keyPrefix, 'reveal');
    if (!user || this.waiting.length >= WAITING_MAX) return;
    const target = user.type === 'interactive' || !this.isLogged(user, '') ? parseRequestTarget(request) : null;
    if (target === null) return;
    const bucket = user.type === 'interactive' && target.isSingle ? JSON.stringify(target) : '';
    if (this.isLogged(user, bucket)) return;
    this.logged.keys.add(bucketKey(user, bucket));
    const { organizationId, id: actorId, name: actorName, type: actorType, surface, requestId } = user;
    const startedAt = performance.now();
    this.waiting.push({
      ...target,
      organizationId,
      actorId,
      actorName,
      actorType,
      surface,
      requestId,
      bucket,
      since: startedAt,
    });
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /**
   * Records programs that received secrets from an edge, once per minute and account like all reads of whole
   * configurations. Resolves when they are stored, and fails if they cannot be.
   */
  async recordForwarded(reveals: readonly ForwardedReveal[]): Promise<void> {
    if (reveals.length === 0) return;
    await this.reader.query(RECORD, [JSON.stringify(reveals.map((reveal) => ({ ...reveal, bucket: '' })))]);
  }

  /** Returns whether the access log needs no further record of secrets that this account receives in this minute. */
  hasRecorded(account: Account): boolean {
    return account.type === 'service' && this.isLogged(account, '');
  }

  private isLogged(user: Account, bucket: string): boolean {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (this.logged.minute !== minute) this.logged = { minute, keys: new Set() };
    return this.logged.keys.has(bucketKey(user, bucket));
  }

  /**
   * Writes the waiting records, one batch after the other. Records that cannot be written now wait for the next
   * attempt.
   */
  flush(): Promise<void> {
    this.timer = null;
    this.writing = this.writing.then(async () => {
      const reveals = this.waiting;
      this.waiting = [];
      if (reveals.length === 0) return;
      const rows = reveals.map(({ since: startedAt, ...reveal }) => ({
        ...reveal,
        age: Math.round(performance.now() - startedAt),
      }));
      try {
        await this.reader.query(RECORD, [JSON.stringify(rows)]);
      } catch {
        this.logger.warn(`${reveals.length} reveals of secrets could not be recorded; trying again.`);
        this.waiting = [...reveals, ...this.waiting];
        this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
      }
    });
    return this.writing;
  }
}

/** Returns the caller of a response that was sent from memory, which has no `user`. */
function recognizedReader(request: StrataRequest): RevealedTo | null {
  const { recognized, id } = request;
  return recognized ? { ...recognized, requestId: id, surface: readSurface(request) } : null;
}

const bucketKey = ({ organizationId, id }: Account, bucket: string): string => `${organizationId} ${id} ${bucket}`;
