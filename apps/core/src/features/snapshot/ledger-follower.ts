import type { OrganizationId } from '@strata/domain';
import { type Head, isNotBefore } from '../../platform/ledger/heads.ts';
import { LruCache } from '../../platform/lru-cache.ts';
import type { ConfigurationChange, ConfigurationChanges } from './configuration-changes.ts';

/** Cached content of the present, with a number that changes whenever the content does. */
export interface FollowedContent<Content> {
  readonly head: Head;
  readonly content: Content;
  readonly contentVersion: number;
  /** The approximate memory of it. */
  readonly bytes: number;
  readonly isKept: boolean;
}

/** How a kind of content is read, and how it follows the ledger. */
export interface FollowingRules<Query, Content> {
  readonly bytesMax: number;
  /** Equal keys mean equal queries. */
  keyOf(query: Query): string;
  load(query: Query): Promise<{ readonly head: Head; readonly content: Content }>;
  /** Applies changes. Returns the same object if they do not affect it, and null if it must be read again. */
  follow(content: Content, changes: readonly ConfigurationChange[], query: Query): Content | null;
  /** Null: do not cache it. */
  bytesOf(content: Content, query: Query): number | null;
}

let versions = 0;

/**
 * Caches content of the present up to a number of bytes. Before each use, the content follows the changes in the ledger
 * since then; if that is not possible, it is read again. Writers never have to invalidate it.
 */
export class LedgerFollower<Query extends { readonly organizationId: OrganizationId }, Content> {
  private readonly kept: LruCache<FollowedContent<Content>>;

  constructor(
    private readonly changes: ConfigurationChanges,
    private readonly rules: FollowingRules<Query, Content>,
  ) {
    this.kept = new LruCache(rules.bytesMax, ({ bytes }) => bytes);
  }

  /** Returns the current content, at least at `head`. */
  async now(query: Query, head: Head): Promise<FollowedContent<Content>> {
    const key = this.rules.keyOf(query);
    const known = this.kept.get(key);
    if (known && isNotBefore(known.head, head)) return known;
    const found = (known && (await this.followed(known, query, head))) ?? (await this.read(query));
    if (found.isKept) this.kept.put(key, found);
    return found;
  }

  private async followed(
    known: FollowedContent<Content>,
    query: Query,
    head: Head,
  ): Promise<FollowedContent<Content> | null> {
    const since = await this.changes.since(query.organizationId, known.head, head);
    const content = since && this.rules.follow(known.content, since.changes, query);
    if (!content) return null;
    return content === known.content ? { ...known, head: since.head } : this.versioned(since.head, content, query);
  }

  private async read(query: Query): Promise<FollowedContent<Content>> {
    const { head, content } = await this.rules.load(query);
    return this.versioned(head, content, query);
  }

  private versioned(head: Head, content: Content, query: Query): FollowedContent<Content> {
    versions += 1;
    const bytes = this.rules.bytesOf(content, query);
    return { head, content, contentVersion: versions, bytes: bytes ?? 0, isKept: bytes !== null };
  }
}
