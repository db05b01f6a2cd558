import { createHash } from 'node:crypto';
import { type DocumentNode, GraphQLError } from 'graphql';
import { refusedDocument } from '../errors.ts';

/** What a request says of its document: its text, or by Apollo's convention of persisted queries the hash of a text. */
export interface AskedDocument {
  readonly query?: string | null | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Documents of others that stay parsed; as many of the longest as a tenth of the heap takes. */
const OTHERS_MAX = 100;

/**
 * The documents that are answered: the trusted ones, which the console was built with and asks for by their hash, and unless
 * that is switched off any other. Both transports ask here.
 */
export class Documents {
  private readonly parsedTrusted = new Map<string, DocumentNode>();
  /** Those that were asked for last at the end. */
  private readonly parsedOthers = new Map<string, DocumentNode>();

  constructor(
    /** Texts by the SHA-256 of their UTF-8, in hexadecimal digits. */
    private readonly trusted: ReadonlyMap<string, string>,
    private readonly takesOthers: boolean,
  ) {}

  /** The text to parse; undefined where a request names none. Throws what a client is told. */
  textOf({ query, extensions }: AskedDocument): string | undefined {
    const hash = hashAskedFor(extensions);
    if (hash !== null && !query) return this.trusted.get(hash) ?? notFound();
    if (!query) return undefined;
    if (hash !== null && hash !== hashOf(query)) {
      throw refusedDocument('The hash is not that of `query`: leave one of them out.', 'BAD_REQUEST');
    }
    if (!this.takesOthers && !this.trusted.has(hashOf(query))) throw untrusted();
    return query;
  }

  /** A document that was found valid before, by the hash of its text. Trusted ones are parsed once and stay. */
  parsed(hash: string): DocumentNode | undefined {
    const document = this.parsedTrusted.get(hash) ?? this.parsedOthers.get(hash);
    if (document && this.parsedOthers.delete(hash)) this.parsedOthers.set(hash, document);
    return document;
  }

  /** To be called with what is valid only. */
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

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function hashAskedFor(extensions: AskedDocument['extensions']): string | null {
  const asked = extensions?.persistedQuery as { readonly version?: unknown; readonly sha256Hash?: unknown } | undefined;
  if (asked === undefined || asked === null) return null;
  if (asked.version === 1 && typeof asked.sha256Hash === 'string') return asked.sha256Hash;
  throw refusedDocument('`extensions.persistedQuery` must be { "version": 1, "sha256Hash": "…" }.', 'BAD_REQUEST');
}

/** In the words that clients of Apollo know, which send the text then. */
function notFound(): never {
  throw new GraphQLError('PersistedQueryNotFound', {
    extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', http: { status: 200 } },
  });
}

const untrusted = () =>
  refusedDocument(
    'This gateway answers only the documents of its own console. Use the REST API, or ask whoever runs it to set STRATA_GRAPHQL_OTHER_DOCUMENTS=on.',
    'UNTRUSTED_DOCUMENT',
    403,
  );
