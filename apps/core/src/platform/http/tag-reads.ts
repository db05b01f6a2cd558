import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { OrganizationId } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
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
 * Counts the reads of configuration through a tag (behaviour.md §3). Reads do not wait for it: they are counted in
 * memory and written every two seconds, so a crash loses two seconds of counts and nothing else.
 */
@Injectable()
export class TagReads implements OnModuleDestroy {
  private uses = new Map<string, TagRead & Use>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly reader: SnapshotReader) {}

  /**
   * Counts a successful read. A hook calls it, because an interceptor would make Nest wrap each request into streams.
   */
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
    // if the database is unavailable, the count is lost, which does no harm
    await this.reader
      .query(
        COUNT,
        columns.map((column) => uses.map((use) => use[column])),
      )
      .catch(() => undefined);
  }
}
