import type { OrganizationId } from '@strata/domain';
import { type Head, isNotBefore } from '../../platform/ledger/heads.ts';
import { LruCache } from '../../platform/lru-cache.ts';
import type { ConfigurationChange, ConfigurationChanges } from './configuration-changes.ts';

/** Something that was read of the present, and a number that is new whenever it shows something else. */
export interface Followed<Content> {
  readonly head: Head;
  readonly content: Content;
  readonly contentVersion: number;
  /** What it takes of memory, about. */
  readonly bytes: number;
  readonly isKept: boolean;
}

/** How a kind of content is read, and how it follows the ledger. */
export interface FollowingRules<Query, Content> {
  readonly bytesMax: number;
  /** Equal texts are equal questions. */
  keyOf(query: Query): string;
  load(query: Query): Promise<{ readonly head: Head; readonly content: Content }>;
  /** After some changes: the very same content when they do not show in it, null when it must be read again. */
  follow(content: Content, changes: readonly ConfigurationChange[], query: Query): Content | null;
  /** Null: it is not kept. */
  bytesOf(content: Content, query: Query): number | null;
}

let versions = 0;

/**
 * Keeps what was read of the present within so many bytes. Before it is used again, it follows what the ledger says has changed
 * since then; when that is not possible, it is read again. Nobody has to invalidate anything.
 */
export class LedgerFollower<Query extends { readonly organizationId: OrganizationId }, Content> {
  private readonly kept: LruCache<Followed<Content>>;

  constructor(
    private readonly changes: ConfigurationChanges,
    private readonly rules: FollowingRules<Query, Content>,
  ) {
    this.kept = new LruCache(rules.bytesMax, ({ bytes }) => bytes);
  }

  /** As it is, not before `head`. */
  async now(query: Query, head: Head): Promise<Followed<Content>> {
    const key = this.rules.keyOf(query);
    const known = this.kept.get(key);
    if (known && isNotBefore(known.head, head)) return known;
    const found = (known && (await this.followed(known, query, head))) ?? (await this.read(query));
    if (found.isKept) this.kept.put(key, found);
    return found;
  }

  private async followed(known: Followed<Content>, query: Query, head: Head): Promise<Followed<Content> | null> {
    const since = await this.changes.since(query.organizationId, known.head, head);
    const content = since && this.rules.follow(known.content, since.changes, query);
    if (!content) return null;
    return content === known.content ? { ...known, head: since.head } : this.versioned(since.head, content, query);
  }

  private async read(query: Query): Promise<Followed<Content>> {
    const { head, content } = await this.rules.load(query);
    return this.versioned(head, content, query);
  }

  private versioned(head: Head, content: Content, query: Query): Followed<Content> {
    versions += 1;
    const bytes = this.rules.bytesOf(content, query);
    return { head, content, contentVersion: versions, bytes: bytes ?? 0, isKept: bytes !== null };
  }
}
