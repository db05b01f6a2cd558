import { parse } from 'node:querystring';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { OrganizationId, UserId } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../caller.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import {
  type ConfigurationRead,
  FORGET_READS,
  listReadsToRecord,
  NOTE_READS,
  type NotedRead,
  parseConfigurationRead,
  type Reader,
} from './configuration-read.ts';
import type { StrataRequest } from './request.ts';

/** A read through a tag. The environment is a name or an id, as the request contains it. */
interface TagRead {
  readonly organizationId: OrganizationId;
  readonly environment: string;
  readonly tag: string;
}

interface Use {
  reads: number;
  last: string;
  by: string;
}

const FLUSH_MS = 2_000;
/** Limits memory. No installation reads more tags than this within two seconds. */
const TAGS_MAX = 10_000;

/** The same tag may be read by the name and by the id of its environment. */
const COUNT = `
update tag
   set total_reads = least(tag.total_reads::bigint + counted.reads, 2147483647), last_read = counted.last, last_read_by = counted.by
  from (select tag.organization_id, tag.id, sum(record.reads) as reads, max(record.last) as last,
               (array_agg(record.by order by record.last desc))[1] as by
          from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::timestamptz[], $6::text[])
                 as record(organization_id, environment, tag, reads, last, by)
          join environment on environment.organization_id = record.organization_id
                            and (environment.id::text = lower(record.environment) or environment.name = record.environment)
          join tag on tag.organization_id = environment.organization_id and tag.environment_id = environment.id and tag.name = record.tag
         group by tag.organization_id, tag.id) counted
 where tag.organization_id = counted.organization_id and tag.id = counted.id`;

const MINUTE_MS = 60_000;
const FORGET_MS = 3_600_000;
/** Limits memory. Beyond this, a read may be noted more than once a minute. */
const NOTED_MAX = 10_000;
/** Limits memory while the database is unavailable. Beyond this, reads are not noted. */
const WAITING_MAX = 2_000;

/**
 * Remembers reads: how often a tag was read (behaviour.md §3), and when each service account last read the configuration
 * of a project in an environment (ADR 0062). Requests do not wait for it: reads are collected in memory and written
 * every two seconds, so a crash loses two seconds of them and nothing else.
 */
@Injectable()
export class ReadRecorder implements OnModuleDestroy {
  private uses = new Map<string, TagRead & Use>();
  private waiting: NotedRead[] = [];
  /** The accounts and addresses of the reads that were noted in this minute. */
  private noted = { minute: 0, size: 0, byAccount: new Map<UserId, Set<string>>() };
  private forgottenAt = performance.now();
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();

  /** The reads of all organizations are stored together. */
  private readonly reader: SnapshotReader;

  constructor(reader: SnapshotReader) {
    this.reader = reader.unlimited;
  }

  /**
   * Remembers a successful read. A hook calls it, because an interceptor would make Nest wrap each request into streams.
   * A response that is sent from memory has no user, but an identity that was recognized.
   */
  record(request: StrataRequest, { statusCode }: FastifyReply): void {
    const account = request.user ?? request.recognized;
    if (!account || (statusCode !== 200 && statusCode !== 304)) return;
    if (request.user && (request.method === 'GET' || request.method === 'HEAD')) this.countTags(request.user, request);
    const { method, url } = request;
    // No address is read by both methods.
    if (method === 'GET' || method === 'POST') this.noteRequest(account, method, url, request.query);
  }

  /** Remembers a read inside a batch whose response was stored. */
  recordStored(account: Reader, url: string): void {
    this.noteRequest(account, 'GET', url, null);
  }

  private noteRequest(account: Reader, method: 'GET' | 'POST', url: string, query: unknown): void {
    if (account.type !== 'service' || !this.isNew(account, url)) return;
    const [path = ''] = url.split('?', 1);
    const parameters = query ?? parse(url.slice(path.length + 1));
    const read = parseConfigurationRead(method, path, parameters as Record<string, unknown>);
    if (read) this.note(account, read);
  }

  /**
   * Notes that a program reads values now. A stream calls it about once a minute while it is open. Only reads by service
   * accounts are remembered: users look at configuration, but do not run with it.
   */
  noteRead(
    account: Reader,
    { project, environment, names }: { project: string; environment: string; names: readonly string[] },
  ): void {
    if (account.type !== 'service') return;
    if (!this.isNew(account, JSON.stringify([project, environment, names]))) return;
    this.note(account, { projects: [project], environments: [environment], names, parameter: null });
  }

  /** Stores reads that an edge answered, those of service accounts. Fails if they cannot be stored. */
  async recordForwarded(
    reads: readonly { readonly account: Reader; readonly read: ConfigurationRead; readonly at: number }[],
  ): Promise<void> {
    const notes = reads.flatMap(({ account, read, at }) =>
      account.type === 'service' ? listReadsToRecord(account, read).map((note) => ({ ...note, at })) : [],
    );
    if (notes.length > 0) await this.reader.query(NOTE_READS, [JSON.stringify(notes)]);
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.flush();
  }

  /** Returns whether this is the first such read of the account in this minute. */
  private isNew({ id }: Reader, read: string): boolean {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (this.noted.minute !== minute || this.noted.size >= NOTED_MAX) {
      this.noted = { minute, size: 0, byAccount: new Map() };
    }
    const ofAccount = this.noted.byAccount.get(id) ?? new Set();
    if (ofAccount.has(read)) return false;
    this.noted.byAccount.set(id, ofAccount.add(read));
    this.noted.size += 1;
    return true;
  }

  private note(account: Reader, read: ConfigurationRead): void {
    if (this.waiting.length >= WAITING_MAX) return;
    for (const note of listReadsToRecord(account, read)) this.waiting.push(note);
    this.schedule();
  }

  private countTags({ organizationId, name }: Caller, { query }: StrataRequest): void {
    const { environment, tag, t1_tag: t1, t2_tag: t2 } = query as Record<string, unknown>;
    if (typeof environment !== 'string') return;
    for (const tagName of [tag, t1, t2]) {
      if (typeof tagName === 'string' && tagName !== '')
        this.count({ organizationId, environment, tag: tagName }, name);
    }
  }

  private count(read: TagRead, reason: string): void {
    const key = JSON.stringify(read);
    const use = this.uses.get(key);
    if (!use && this.uses.size >= TAGS_MAX) return;
    this.uses.set(key, { ...read, reads: (use?.reads ?? 0) + 1, last: new Date().toISOString(), by: reason });
    this.schedule();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes one batch after the other, so that an earlier read never replaces a later one. */
  private flush(): Promise<void> {
    this.timer = null;
    this.writing = this.writing.then(async () => {
      await this.flushTags();
      await this.flushReads();
    });
    return this.writing;
  }

  private async flushTags(): Promise<void> {
    const uses = [...this.uses.values()];
    this.uses = new Map();
    if (uses.length === 0) return;
    const columns = ['organizationId', 'environment', 'tag', 'reads', 'last', 'by'] as const;
    // if the database is unavailable, the count is lost, which does no harm
    await this.reader
      .query(
        COUNT,
        columns.map((column) => uses.map((use) => use[column])),
      )
      .catch(() => undefined);
  }

  /** Writes the noted reads. Reads that cannot be written now wait for the next attempt. */
  private async flushReads(): Promise<void> {
    const reads = this.waiting;
    this.waiting = [];
    if (reads.length === 0) return;
    try {
      await this.reader.query(NOTE_READS, [JSON.stringify(reads)]);
      const now = performance.now();
      if (now - this.forgottenAt < FORGET_MS) return;
      this.forgottenAt = now;
      await this.reader.query(FORGET_READS, []);
    } catch {
      this.waiting = [...reads, ...this.waiting].slice(0, WAITING_MAX);
      this.schedule();
    }
  }
}
