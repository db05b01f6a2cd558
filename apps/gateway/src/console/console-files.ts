import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { acceptedEncoding, type Encoding, etagOfEncoding } from '@strata/domain';
import { CONSOLE_FOLDER } from '../folders.ts';

const PAGE = '/index.html';
/** The GraphQL documents that browsers request by hash. This file is not served. */
const DOCUMENTS = 'documents.json';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The file extensions of compressed copies. */
const COPIES: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** One file of the console with its compressed copies. */
export interface ConsoleFile {
  readonly type: string;
  /** The ETag of the uncompressed file. */
  readonly etag: string;
  /** Whether the file name contains a hash of the content. Browsers can then cache the file forever. */
  readonly isHashed: boolean;
  /** The uncompressed file; null if there is a copy by gzip, from which it is restored for the rare client that needs it. */
  readonly plain: Buffer | null;
  readonly compressed: ReadonlyMap<Encoding, Buffer>;
}

/** The built console. It and its help are a few megabytes, which are read into memory at start. */
export class ConsoleFiles {
  private constructor(
    private readonly files: ReadonlyMap<string, ConsoleFile>,
    /** The texts of its GraphQL documents, by hash. */
    readonly documents: ReadonlyMap<string, string>,
  ) {}

  /** Returns null if the console has not been built. */
  static read(directory = CONSOLE_FOLDER): ConsoleFiles | null {
    if (![PAGE, DOCUMENTS].every((name) => existsSync(path.join(directory, name)))) return null;
    const names = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    const servedNames = names.filter((name) => TYPES[path.extname(name)] !== undefined);
    const publicPath = (name: string) => `/${path.relative(directory, name).replaceAll(path.sep, '/')}`;
    const documents = JSON.parse(readFileSync(path.join(directory, DOCUMENTS), 'utf8')) as Record<string, string>;
    return new ConsoleFiles(
      new Map(servedNames.map((name) => [publicPath(name), fileAt(name, publicPath(name))])),
      new Map(Object.entries(documents)),
    );
  }

  at(pathname: string): ConsoleFile | null {
    return this.files.get(pathname) ?? null;
  }

  /** The page that is served at all addresses of the console. Its script reads the address. */
  get page(): ConsoleFile {
    const page = this.files.get(PAGE);
    if (!page) throw new Error('The console has no page.');
    return page;
  }
}

function fileAt(name: string, pathname: string): ConsoleFile {
  const plainBytes = readFileSync(name);
  const copies = COPIES.filter(([, ending]) => existsSync(name + ending));
  const compressedCopies = new Map(copies.map(([encoding, ending]) => [encoding, readFileSync(name + ending)]));
  return {
    type: TYPES[path.extname(name)] ?? '',
    etag: `"${createHash('sha256').update(plainBytes).digest('base64url').slice(0, 22)}"`,
    isHashed: pathname.startsWith('/assets/'),
    plain: compressedCopies.has('gzip') ? null : plainBytes,
    compressed: compressedCopies,
  };
}

/** Returns the form of a file for a client that accepts these encodings. `readBody` may have to restore it. */
export function selectEncoding(
  { plain, compressed, etag }: ConsoleFile,
  acceptEncoding: string | undefined,
): { readonly readBody: () => Buffer; readonly encoding: Encoding | null; readonly etag: string } {
  const encoding = acceptedEncoding(acceptEncoding, [...compressed.keys()]);
  const copy = encoding && compressed.get(encoding);
  if (copy) return { readBody: () => copy, encoding, etag: etagOfEncoding(etag, encoding) };
  return { readBody: () => plain ?? gunzipSync(compressed.get('gzip') ?? ''), encoding: null, etag };
}
