/// <reference path="./tweetnacl-sealedbox.d.ts" />
import { generateKeyPairSync } from 'node:crypto';
import sealedBox from 'tweetnacl-sealedbox-js';

/** A request below the repositories of one organization. */
export interface RepositoryRequest {
  readonly method: string;
  /** The segments after the name of the repository, such as `actions`, `secrets` and `public-key`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RepositoryReply {
  readonly status: number;
  readonly body: object | Buffer | null;
}

interface StoredSecret {
  readonly text: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const PAGE_SIZE = 30;
const NAME = /^(?!GITHUB_)[A-Z_][A-Z\d_]*$/i;
const TEXT_BYTES_MAX = 49_152;

const NOT_FOUND: RepositoryReply = { status: 404, body: { message: 'Not Found', status: '404' } };
const invalid = (message: string): RepositoryReply => ({ status: 422, body: { message, status: '422' } });

/** The secrets of a repository or an environment: encrypted texts, which no response contains, with times in whole seconds. */
class SecretBox {
  private readonly secrets = new Map<string, StoredSecret>();
  private keys = generateKeyPairSync('x25519');
  private keyId = 568_250_167_242;

  texts(): Record<string, string> {
    return Object.fromEntries([...this.secrets].map(([name, { text }]) => [name, text]));
  }

  /** Returns whether the secret is new. */
  write(name: string, text: string, at = new Date()): boolean {
    const current = this.secrets.get(name);
    const updated_at = `${at.toISOString().slice(0, 19)}Z`;
    this.secrets.set(name, { text, created_at: current?.created_at ?? updated_at, updated_at });
    return current === undefined;
  }

  /** Writes a text as another program, in a later second than the last write. */
  writeLater(name: string, text: string): void {
    const last = Date.parse(this.secrets.get(name)?.updated_at ?? '') || 0;
    this.write(name, text, new Date(Math.max(Date.now(), last + 1_000)));
  }

  replacePublicKey(): void {
    this.keys = generateKeyPairSync('x25519');
    this.keyId += 1;
  }

  delete(name: string): boolean {
    return this.secrets.delete(name);
  }

  answer(name: string | undefined, { method, query, body }: RepositoryRequest): RepositoryReply {
    if (name === undefined) return { status: 200, body: this.page(query) };
    if (name === 'public-key') return { status: 200, body: { key_id: String(this.keyId), key: this.publicKey() } };
    const upper = name.toUpperCase();
    if (method === 'PUT') return this.put(upper, body);
    if (!this.secrets.has(upper)) return NOT_FOUND;
    if (method !== 'DELETE') return { status: 200, body: this.entry(upper) };
    this.delete(upper);
    return { status: 204, body: null };
  }

  private page(query: URLSearchParams) {
    const size = Number(query.get('per_page') ?? PAGE_SIZE);
    const start = (Number(query.get('page') ?? 1) - 1) * size;
    const names = [...this.secrets.keys()].sort();
    return { total_count: names.length, secrets: names.slice(start, start + size).map((name) => this.entry(name)) };
  }

  private entry(name: string) {
    const { created_at, updated_at } = this.secrets.get(name) ?? {};
    return { name, created_at, updated_at };
  }

  private put(name: string, { encrypted_value: sealedValue, key_id }: RepositoryRequest['body']): RepositoryReply {
    if (key_id !== String(this.keyId)) return invalid('The key_id is not that of the current public key.');
    if (!NAME.test(name)) return invalid(`${name} is not a valid name of a secret.`);
    const text = this.open(String(sealedValue));
    if (text === null || Buffer.byteLength(text) > TEXT_BYTES_MAX) return invalid(`Rejected: ${sealedValue}`);
    return this.write(name, text) ? { status: 201, body: {} } : { status: 204, body: null };
  }

  /** Decrypts with another library than the one that encrypts. */
  private open(sealedValue: string): string | null {
    const secretKey = this.keys.privateKey.export({ format: 'jwk' }).d ?? '';
    const [key, publicKey] = [Buffer.from(secretKey, 'base64url'), Buffer.from(this.publicKey(), 'base64')];
    try {
      const opened = sealedBox.open(Buffer.from(sealedValue, 'base64'), publicKey, key);
      return opened === null ? null : Buffer.from(opened).toString();
    } catch {
      return null;
    }
  }

  private publicKey(): string {
    const { x = '' } = this.keys.publicKey.export({ format: 'jwk' });
    return Buffer.from(x, 'base64url').toString('base64');
  }
}

/** The repositories of a GitHub organization. */
export class TestRepositories {
  private readonly boxes = new Map<string, SecretBox>();
  private readonly files = new Map<string, Buffer>();

  /** Creates a repository with environments. */
  add(repository: string, ...environments: readonly string[]): void {
    for (const path of [repository, ...environments.map((name) => `${repository}/${name}`)])
      this.boxes.set(path.toLowerCase(), new SecretBox());
  }

  /** Returns the texts of the secrets by `repository/NAME` or `repository/environment/NAME`. */
  secrets(): Record<string, string> {
    const entries = [...this.boxes].flatMap(([path, box]) =>
      Object.entries(box.texts()).map(([name, text]) => [`${path}/${name}`, text] as const),
    );
    return Object.fromEntries(entries);
  }

  /** Writes a secret as another program. */
  writeSecret(key: string, text: string): void {
    const [path, name] = split(key);
    this.boxes.get(path)?.writeLater(name, text);
  }

  /** Replaces the public key of a repository, or of an environment of one. */
  replacePublicKey(path: string): void {
    this.boxes.get(path.toLowerCase())?.replacePublicKey();
  }

  removeSecret(key: string): void {
    const [path, name] = split(key);
    this.boxes.get(path)?.delete(name);
  }

  writeFile(repository: string, ref: string, path: string, content: string | Buffer): void {
    this.files.set([repository, ref, path].join('\n'), Buffer.from(content));
  }

  answer(repository: string, request: RepositoryRequest): RepositoryReply {
    const [first, second, third, fourth] = request.path;
    if (first === 'contents') return this.content(repository, request);
    if (first === 'actions' && second === 'secrets') return this.box(repository, third, request);
    if (first === 'environments' && third === 'secrets') return this.box(`${repository}/${second}`, fourth, request);
    return NOT_FOUND;
  }

  private box(path: string, name: string | undefined, request: RepositoryRequest): RepositoryReply {
    return this.boxes.get(path.toLowerCase())?.answer(name, request) ?? NOT_FOUND;
  }

  private content(repository: string, { path: [, ...path], query }: RepositoryRequest): RepositoryReply {
    const key = [repository, query.get('ref'), path.join('/')].join('\n');
    const file = this.files.get(key);
    if (file) return { status: 200, body: file };
    const isFolder = [...this.files.keys()].some((filePath) => filePath.startsWith(`${key}/`));
    return isFolder ? { status: 200, body: [] } : NOT_FOUND;
  }
}

function split(key: string): readonly [path: string, name: string] {
  const end = key.lastIndexOf('/');
  return [key.slice(0, end), key.slice(end + 1)];
}
