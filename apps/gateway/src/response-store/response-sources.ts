import { BATCH_LIMITS } from '@strata/contract';

/** Identifies the content of a response of the core. */
export interface ResponseVersion {
  readonly etag: string | null;
  /** The revision of the organization that was read or created. */
  readonly revision: number | null;
  /** Whether the response shows no secret in clear. */
  readonly isStorable: boolean;
}

/** One response of the core that a GraphQL response was built from. */
export interface ResponseSource {
  /** The path below `/api/v1/`, with its query. */
  readonly path: string;
  readonly etag: string;
  readonly revision: number | null;
}

/** The reads that a GraphQL response was built from. */
export interface StorableSources {
  readonly reads: readonly ResponseSource[];
  /** Whether the response shows the revisions of its reads. Then equal content at a later revision is another response. */
  readonly showsRevision: boolean;
}

/** Collects the reads of one operation, and whether its response may be stored. */
export class ResponseSources {
  private readonly reads = new Map<string, ResponseSource>();
  private isStorable = true;
  private showsRevision = false;

  /** Adds a read. A response that shows a secret in clear, or that cannot be validated later, is never stored. */
  add(path: string, { etag, revision, isStorable }: ResponseVersion): void {
    const earlierRead = this.reads.get(path);
    const isConsistent = !earlierRead || (earlierRead.etag === etag && earlierRead.revision === revision);
    if (etag === null || !isStorable || !isConsistent || path.length > BATCH_LIMITS.path) this.discard();
    else this.reads.set(path, { path, etag, revision });
  }

  noteRevision(): void {
    this.showsRevision = true;
  }

  /** The response must not be stored: the operation writes something, or a part of it failed. */
  discard(): void {
    this.isStorable = false;
  }

  /** Returns null if the response must not be stored. Without a read, nothing would prove the credential. */
  storable(): StorableSources | null {
    const { size } = this.reads;
    if (!this.isStorable || size === 0 || size > BATCH_LIMITS.requests) return null;
    return { reads: [...this.reads.values()], showsRevision: this.showsRevision };
  }
}
