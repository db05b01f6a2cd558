import { LruCache, type OrganizationId } from '@strata/domain';
import { type Head, isNotBefore } from '../../platform/ledger/heads.ts';
import type { ConfigurationChange, ConfigurationChanges } from './configuration-changes.ts';

/** Cached current content, with a number that changes whenever the content does. */
export interface FollowedContent<Content> {
  readonly head: Head;
  readonly content: Content;
  readonly contentVersion: number;
  /** The approximate memory of the content. */
  readonly bytes: number;
  readonly isKept: boolean;
}

/** Describes how to read a kind of content, and how to update it from the ledger. */
export interface FollowingRules<Query, Content> {
  readonly bytesMax: number;
  /** Returns the cache key. Queries with the same key must be equal. */
  cacheKey(query: Query): string;
  load(query: Query): Promise<{ readonly head: Head; readonly content: Content }>;
  /** Applies changes. Returns the same object if the changes do not affect it, and null if it must be read again. */
  follow(content: Content, changes: readonly ConfigurationChange[], query: Query): Content | null;
  /** Returns the size of the content, or null if it must not be cached. */
  estimateBytes(content: Content, query: Query): number | null;
}

let versions = 0;

/**
 * Caches current content up to a number of bytes. Before each use, it applies the changes that the ledger contains
 * since then, or reads the content again if that is not possible. Writers therefore never have to invalidate the cache.
 */
export class LedgerFollower<Query extends { readonly organizationId: OrganizationId }, Content> {
  private readonly cache: LruCache<FollowedContent<Content>>;

  constructor(
    private readonly changes: ConfigurationChanges,
    private readonly rules: FollowingRules<Query, Content>,
  ) {
    this.cache = new LruCache(rules.bytesMax, ({ bytes }) => bytes);
  }

  /** Returns content that is not older than `head`. */
  async now(query: Query, head: Head): Promise<FollowedContent<Content>> {
    const key = this.rules.cacheKey(query);
    const cachedContent = this.cache.get(key);
    if (cachedContent && isNotBefore(cachedContent.head, head)) return cachedContent;
    const content = (cachedContent && (await this.followed(cachedContent, query, head))) ?? (await this.read(query));
    if (content.isKept) this.cache.put(key, content);
    return content;
  }

  private async followed(
    cachedContent: FollowedContent<Content>,
    query: Query,
    head: Head,
  ): Promise<FollowedContent<Content> | null> {
    const laterChanges = await this.changes.since(query.organizationId, cachedContent.head, head);
    const content = laterChanges && this.rules.follow(cachedContent.content, laterChanges.changes, query);
    if (!content) return null;
    return content === cachedContent.content
      ? { ...cachedContent, head: laterChanges.head }
      : this.versioned(laterChanges.head, content, query);
  }

  private async read(query: Query): Promise<FollowedContent<Content>> {
    const { head, content } = await this.rules.load(query);
    return this.versioned(head, content, query);
  }

  private versioned(head: Head, content: Content, query: Query): FollowedContent<Content> {
    versions += 1;
    const bytes = this.rules.estimateBytes(content, query);
    return { head, content, contentVersion: versions, bytes: bytes ?? 0, isKept: bytes !== null };
  }
}
