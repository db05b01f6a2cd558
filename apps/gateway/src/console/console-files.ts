import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { acceptedEncoding, type Encoding, tagOfForm } from '@strata/domain';

/** Beside `src` and `dist` of the gateway, so the same path leads there from both. */
const DIST = fileURLToPath(new URL('../../../console/dist/', import.meta.url));
const PAGE = '/index.html';
/** Not a file for browsers: the texts of the GraphQL documents that they ask for by hash. */
const DOCUMENTS = 'documents.json';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Endings that the build gave to compressed copies. */
const COPIES: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** One file of the console, in every form that it can be sent in. */
export interface ConsoleFile {
  readonly type: string;
  /** The ETag of the plain form. */
  readonly etag: string;
  /** Its name changes with its content, so that a browser may keep it for good. */
  readonly isHashed: boolean;
  readonly plain: Buffer;
  readonly compressed: ReadonlyMap<Encoding, Buffer>;
}

/** The built console, held in memory: some hundred kilobytes, all of them read at start. */
export class ConsoleFiles {
  private constructor(
    private readonly files: ReadonlyMap<string, ConsoleFile>,
    /** Texts of its GraphQL documents, by their hash. */
    readonly documents: ReadonlyMap<string, string>,
  ) {}

  /** Null when it has not been built. */
  static read(directory = DIST): ConsoleFiles | null {
    if (![PAGE, DOCUMENTS].every((name) => existsSync(path.join(directory, name)))) return null;
    const names = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    const wanted = names.filter((name) => TYPES[path.extname(name)] !== undefined);
    const pathOf = (name: string) => `/${path.relative(directory, name).replaceAll(path.sep, '/')}`;
    const documents = JSON.parse(readFileSync(path.join(directory, DOCUMENTS), 'utf8')) as Record<string, string>;
    return new ConsoleFiles(
      new Map(wanted.map((name) => [pathOf(name), fileAt(name, pathOf(name))])),
      new Map(Object.entries(documents)),
    );
  }

  at(pathname: string): ConsoleFile | null {
    return this.files.get(pathname) ?? null;
  }

  /** The page that all addresses of the console lead to; the program in it reads the address. */
  get page(): ConsoleFile {
    const page = this.files.get(PAGE);
    if (!page) throw new Error('The console has no page.');
    return page;
  }
}

function fileAt(name: string, pathname: string): ConsoleFile {
  const plain = readFileSync(name);
  return {
    type: TYPES[path.extname(name)] ?? '',
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    isHashed: pathname.startsWith('/assets/'),
    plain,
    compressed: new Map(
      COPIES.filter(([, ending]) => existsSync(name + ending)).map(([encoding, ending]) => [
        encoding,
        readFileSync(name + ending),
      ]),
    ),
  };
}

/** Returns the form of a file for a client that accepts these encodings. */
export function formOf(
  { plain, compressed, etag }: ConsoleFile,
  accepted: string | undefined,
): { readonly body: Buffer; readonly encoding: Encoding | null; readonly etag: string } {
  const encoding = acceptedEncoding(accepted, [...compressed.keys()]);
  if (encoding === null) return { body: plain, encoding, etag };
  return { body: compressed.get(encoding) ?? plain, encoding, etag: tagOfForm(etag, encoding) };
}
