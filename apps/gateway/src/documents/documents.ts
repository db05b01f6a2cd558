import { createHash } from 'node:crypto';
import { type DocumentNode, GraphQLError } from 'graphql';
import { documentError } from '../errors.ts';

/** How a request names its document: by text, or by hash as in Apollo's persisted queries. */
export interface RequestedDocument {
  readonly query?: string | null | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * The number of parsed documents of other clients that stay cached. That many of the maximum length use a tenth of the
 * heap.
 */
const OTHERS_MAX = 100;

/**
 * The accepted documents: the trusted ones, which the console was built with and requests by hash, and all others
 * unless they are switched off. Both transports use it.
 */
export class Documents {
  private readonly parsedTrusted = new Map<string, DocumentNode>();
  /** In order of last use, most recent last. */
  private readonly parsedOthers = new Map<string, DocumentNode>();

  constructor(
    /** Texts by the SHA-256 of their UTF-8 form in hexadecimal. */
    private readonly trusted: ReadonlyMap<string, string>,
    private readonly takesOthers: boolean,
  ) {}

  /** Returns the text to parse; undefined if the request names none. Throws the error for the client. */
  resolveText({ query, extensions }: RequestedDocument): string | undefined {
    const hash = hashAskedFor(extensions);
    if (hash !== null && !query) return this.trusted.get(hash) ?? notFound();
    if (!query) return undefined;
    if (hash !== null && hash !== hashText(query)) {
      throw documentError('The hash does not match `query`. Omit one of them.', 'BAD_REQUEST');
    }
    if (!this.takesOthers && !this.trusted.has(hashText(query))) throw untrusted();
    return query;
  }

  /**
   * Returns a document that was validated before, by the hash of its text. Trusted documents are parsed once and stay
   * cached.
   */
  parsed(hash: string): DocumentNode | undefined {
    const document = this.parsedTrusted.get(hash) ?? this.parsedOthers.get(hash);
    if (document && this.parsedOthers.delete(hash)) this.parsedOthers.set(hash, document);
    return document;
  }

  /** Call this with valid documents only. */
  keep(hash: string, document: DocumentNode): void {
    if (this.trusted.has(hash)) {
      this.parsedTrusted.set(hash, document);
      return;
    }
    const [oldest] = this.parsedOthers.size < OTHERS_MAX ? [] : this.parsedOthers.keys();
    if (oldest !== undefined) this.parsedOthers.delete(oldest);
    this.parsedOthers.set(hash, document);
  }
}

export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex');

function hashAskedFor(extensions: RequestedDocument['extensions']): string | null {
  const persistedQuery = extensions?.persistedQuery as
    | { readonly version?: unknown; readonly sha256Hash?: unknown }
    | undefined;
  if (persistedQuery === undefined || persistedQuery === null) return null;
  if (persistedQuery.version === 1 && typeof persistedQuery.sha256Hash === 'string') return persistedQuery.sha256Hash;
  throw documentError('`extensions.persistedQuery` must be { "version": 1, "sha256Hash": "…" }.', 'BAD_REQUEST');
}

/** Uses the error that Apollo clients know; they then send the text. */
function notFound(): never {
  throw new GraphQLError('PersistedQueryNotFound', {
    extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', http: { status: 200 } },
  });
}

const untrusted = () =>
  documentError(
    'This gateway accepts only the documents of its own console. Use the REST API, or ask your administrator to set STRATA_GRAPHQL_OTHER_DOCUMENTS=on.',
    'UNTRUSTED_DOCUMENT',
    403,
  );
