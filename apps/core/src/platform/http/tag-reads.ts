import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { OrganizationId } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import type { StrataRequest } from './request.ts';

/** A read through a tag; the environment is a name or an id, as it was asked for. */
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
/** Bounds memory; more tags than this are not read within two seconds by anybody who needs to know. */
const TAGS_MAX = 10_000;

/** One tag may have been asked for by name and by id of its environment. */
const COUNT = `
update tag t
   set total_reads = least(t.total_reads::bigint + u.reads, 2147483647), last_read = u.last, last_read_by = u.by
  from (select g.organization_id, g.id, sum(r.reads) as reads, max(r.last) as last,
               (array_agg(r.by order by r.last desc))[1] as by
          from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::timestamptz[], $6::text[])
                 as r(organization_id, environment, tag, reads, last, by)
          join environment e on e.organization_id = r.organization_id
                            and (e.id::text = lower(r.environment) or e.name = r.environment)
          join tag g on g.organization_id = e.organization_id and g.environment_id = e.id and g.name = r.tag
         group by g.organization_id, g.id) u
 where t.organization_id = u.organization_id and t.id = u.id`;

/**
 * Counts the reads of configuration that went through a tag (behaviour.md §3). Who reads does not wait for it: reads
 * are counted in memory and written now and then, so that a crash loses two seconds of counting and nothing else.
 */
@Injectable()
export class TagReads implements OnModuleDestroy {
  private uses = new Map<string, TagRead & Use>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly reader: SnapshotReader) {}

  /** Counts a successful read. Called by a hook, because an interceptor would make Nest wrap each request into streams. */
  countRead(request: StrataRequest, reply: FastifyReply): void {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && reply.statusCode < 400) this.countAll(request);
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.flush();
  }

  private countAll({ query, user }: StrataRequest): void {
    const { environment, tag, t1_tag: t1, t2_tag: t2 } = query as Record<string, unknown>;
    if (typeof environment !== 'string' || !user) return;
    const { organizationId, name } = user;
    for (const each of [tag, t1, t2]) {
      if (typeof each === 'string' && each !== '') this.count({ organizationId, environment, tag: each }, name);
    }
  }

  private count(read: TagRead, by: string): void {
    const key = JSON.stringify(read);
    const known = this.uses.get(key);
    if (!known && this.uses.size >= TAGS_MAX) return;
    this.uses.set(key, { ...read, reads: (known?.reads ?? 0) + 1, last: new Date().toISOString(), by });
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  private async flush(): Promise<void> {
    this.timer = null;
    const uses = [...this.uses.values()];
    this.uses = new Map();
    if (uses.length === 0) return;
    const columns = ['organizationId', 'environment', 'tag', 'reads', 'last', 'by'] as const;
    // the database may be away; a count that is lost does no harm
    await this.reader
      .query(
        COUNT,
        columns.map((column) => uses.map((use) => use[column])),
      )
      .catch(() => undefined);
  }
}
