import { randomUUID } from 'node:crypto';

/** A request to a vault, without the name of the vault. */
export interface KeyVaultRequest {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface KeyVaultReply {
  readonly status: number;
  readonly body: object;
}

interface SecretVersion {
  readonly id: string;
  readonly value: string;
  tags: Readonly<Record<string, string>>;
  contentType: string | undefined;
  attributes: { enabled: boolean; exp?: number; nbf?: number; created: number; updated: number };
}

interface Secret {
  readonly name: string;
  readonly versions: SecretVersion[];
  /** The time of the deletion in seconds. */
  deletedAt: number | null;
  /** Until then, a deletion or recovery is in progress, and the secret is in no list. */
  busyUntil: number;
}

const NAME = /^[a-z\d-]{1,127}$/i;
const VALUE_BYTES_MAX = 25_600;
const PAGE_MAX = 25;
const BUSY_MS = 200;
const RECOVERY_DAYS = 90;
const DAY_SECONDS = 86_400;

const seconds = (): number => Math.floor(Date.now() / 1_000);
const failure = (status: number, code: string, message: string, inner?: string): KeyVaultReply => ({
  status,
  body: { error: { code, message, ...(inner !== undefined && { innererror: { code: inner } }) } },
});
const notFound = (name: string) => failure(404, 'SecretNotFound', `A secret with (name/id) ${name} was not found.`);

/**
 * The secrets of one vault, as the reference of the REST API describes them: versions with their own tags, soft delete
 * with a delay, recovery, pages, and names whose case is ignored.
 */
export class TestKeyVault {
  private readonly secrets = new Map<string, Secret>();

  private readonly url: string;

  /** Ids contain the address of the service. Links to further pages contain `endpoint`, where the vault is served. */
  constructor(
    name: string,
    private readonly endpoint: string,
    private readonly hasSoftDelete: boolean,
  ) {
    this.url = `https://${name}.vault.azure.net`;
  }

  /** The names of the secrets with their current values, without deleted ones. */
  values(): Readonly<Record<string, string>> {
    const current = [...this.secrets.values()].filter(({ deletedAt }) => deletedAt === null);
    return Object.fromEntries(current.map(({ name, versions }) => [name, versions.at(-1)?.value ?? '']));
  }

  /** Writes a secret as another program, which sets no tags. */
  write(name: string, value: string): void {
    this.answer({ method: 'PUT', path: ['secrets', name], query: new URLSearchParams(), body: { value } });
  }

  answer(request: KeyVaultRequest): KeyVaultReply {
    const [collection, name = '', part = ''] = request.path;
    const isDeletedList = collection === 'deletedsecrets';
    if (!isDeletedList && collection !== 'secrets') return failure(404, 'NotFound', 'The path is unknown.');
    if (name === '') return this.list(isDeletedList, request.query);
    if (!NAME.test(name)) return failure(400, 'BadParameter', `The name ${name} is invalid.`);
    const secret = this.secrets.get(name.toLowerCase());
    const key = `${request.method} ${isDeletedList ? 'deleted' : 'current'}${part === 'recover' ? ' recover' : ''}`;
    if (key === 'PUT current') return this.set(name, secret, request.body);
    if (!secret || (secret.deletedAt !== null) !== isDeletedList) return notFound(name);
    if (Date.now() < secret.busyUntil)
      return request.method === 'GET' ? notFound(name) : failure(409, 'Conflict', 'Busy.', 'ObjectIsBeingChanged');
    if (key === 'POST deleted recover') return this.recover(secret);
    if (key === 'GET deleted') return { status: 200, body: this.show(secret, null, false) };
    if (key === 'DELETE current') return this.remove(secret);
    if (part === 'versions') return this.listVersions(secret, request.query);
    const version = part === '' ? secret.versions.at(-1) : secret.versions.find(({ id }) => id === part);
    if (!version) return notFound(`${name}/${part}`);
    if (key === 'PATCH current') return this.change(secret, version, request.body);
    if (key !== 'GET current') return failure(405, 'NotAllowed', 'The method is not allowed.');
    if (!version.attributes.enabled) return failure(403, 'Forbidden', 'The secret is disabled.', 'SecretDisabled');
    return { status: 200, body: this.show(secret, version, true) };
  }

  private set(name: string, existingSecret: Secret | undefined, body: KeyVaultRequest['body']): KeyVaultReply {
    if (existingSecret && (existingSecret.deletedAt !== null || Date.now() < existingSecret.busyUntil)) {
      const message = `Secret ${name} is currently in a deleted but recoverable state, and its name cannot be reused.`;
      return failure(409, 'Conflict', message, 'ObjectIsDeletedButRecoverable');
    }
    const { value, tags = {}, contentType, attributes = {} } = body;
    if (typeof value !== 'string' || value === '' || Buffer.byteLength(value) > VALUE_BYTES_MAX)
      return failure(400, 'BadParameter', `The value ${String(value)} is invalid.`);
    const version: SecretVersion = {
      id: randomUUID().replaceAll('-', ''),
      value,
      tags: tags as Record<string, string>,
      contentType: contentType as string | undefined,
      attributes: { enabled: true, ...(attributes as object), created: seconds(), updated: seconds() },
    };
    const secret = existingSecret ?? { name, versions: [], deletedAt: null, busyUntil: 0 };
    secret.versions.push(version);
    this.secrets.set(name.toLowerCase(), secret);
    return { status: 200, body: this.show(secret, version, true) };
  }

  private change(secret: Secret, version: SecretVersion, body: KeyVaultRequest['body']): KeyVaultReply {
    if (body.tags !== undefined) version.tags = body.tags as Record<string, string>;
    if (body.contentType !== undefined) version.contentType = body.contentType as string;
    version.attributes = { ...version.attributes, ...(body.attributes as object), updated: seconds() };
    return { status: 200, body: this.show(secret, version, false) };
  }

  private remove(secret: Secret): KeyVaultReply {
    secret.deletedAt = seconds();
    secret.busyUntil = Date.now() + BUSY_MS;
    const body = this.show(secret, null, false);
    if (!this.hasSoftDelete) this.secrets.delete(secret.name.toLowerCase());
    return { status: 200, body };
  }

  private recover(secret: Secret): KeyVaultReply {
    secret.deletedAt = null;
    secret.busyUntil = Date.now() + BUSY_MS;
    return { status: 200, body: this.show(secret, null, false) };
  }

  private list(isDeletedList: boolean, query: URLSearchParams): KeyVaultReply {
    const secrets = [...this.secrets.values()]
      .filter(({ deletedAt, busyUntil }) => (deletedAt !== null) === isDeletedList && Date.now() >= busyUntil)
      .sort((left, right) => left.name.localeCompare(right.name));
    const rows = secrets.map((secret) => ({
      ...this.show(secret, null, false),
      id: `${this.url}/secrets/${secret.name}`,
    }));
    return this.page(isDeletedList ? 'deletedsecrets' : 'secrets', rows, query);
  }

  private listVersions(secret: Secret, query: URLSearchParams): KeyVaultReply {
    const rows = secret.versions.map((version) => this.show(secret, version, false));
    return this.page(`secrets/${secret.name}/versions`, rows, query);
  }

  private page(path: string, rows: readonly object[], query: URLSearchParams): KeyVaultReply {
    const start = Number(query.get('$skiptoken') ?? 0);
    const size = Math.min(Number(query.get('maxresults') ?? PAGE_MAX), PAGE_MAX);
    const end = start + size;
    const next = new URLSearchParams({ 'api-version': query.get('api-version') ?? '', maxresults: String(size) });
    next.set('$skiptoken', String(end));
    const nextLink = end < rows.length ? `${this.endpoint}/${path}?${next}` : null;
    return { status: 200, body: { value: rows.slice(start, end), nextLink } };
  }

  /** Returns a version, by default the current one. */
  private show(secret: Secret, chosenVersion: SecretVersion | null, withValue: boolean): object {
    const version = chosenVersion ?? (secret.versions.at(-1) as SecretVersion);
    const recovery = this.hasSoftDelete
      ? { recoveryLevel: 'Recoverable+Purgeable', recoverableDays: RECOVERY_DAYS }
      : { recoveryLevel: 'Purgeable' };
    return {
      ...(withValue && { value: version.value }),
      id: `${this.url}/secrets/${secret.name}/${version.id}`,
      contentType: version.contentType,
      attributes: { ...version.attributes, ...recovery },
      tags: version.tags,
      ...(secret.deletedAt !== null && {
        deletedDate: secret.deletedAt,
        scheduledPurgeDate: secret.deletedAt + RECOVERY_DAYS * DAY_SECONDS,
        ...(this.hasSoftDelete && { recoveryId: `${this.url}/deletedsecrets/${secret.name}` }),
      }),
    };
  }
}
