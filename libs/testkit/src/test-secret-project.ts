/** A request for the secrets of one project, as the method of the API that it calls. */
export interface SecretRequest {
  readonly method: string;
  /** The path below the project: `secrets`, `secrets/a`, `secrets/a/versions/1`. */
  readonly path: readonly string[];
  /** The custom method at the end of the path, such as `addVersion`. Empty for standard methods. */
  readonly verb: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

interface StoredVersion {
  readonly name: string;
  readonly createTime: string;
  readonly data: string;
  state: 'ENABLED' | 'DISABLED' | 'DESTROYED';
  destroyTime?: string;
}

interface StoredSecret {
  readonly name: string;
  readonly createTime: string;
  readonly replication: unknown;
  labels: Readonly<Record<string, string>>;
  etag: string;
  readonly versions: StoredVersion[];
}

/** An error of the API with its status. */
export class SecretError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const ID = /^[\w-]{1,255}$/;
const LABEL_KEY = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\d_-]{0,62}$/u;
const LABEL_VALUE = /^[\p{Ll}\p{Lo}\d_-]{0,63}$/u;
const PAYLOAD_BYTES_MAX = 65_536;
const LABELS_MAX = 64;

const invalid = (message: string) => new SecretError(400, 'INVALID_ARGUMENT', message);
const notFound = (name: string) => new SecretError(404, 'NOT_FOUND', `Secret [${name}] not found or has no versions.`);

/**
 * The secrets of one project, as the description of the API defines them: labels, entity tags, versions that are enabled,
 * disabled or destroyed, pages, and deletions for good.
 */
export class TestSecretProject {
  private readonly secrets = new Map<string, StoredSecret>();
  private changes = 0;

  constructor(private readonly number: string) {}

  /** The names of the secrets with the text of their latest version; null if it is disabled. */
  values(): Readonly<Record<string, string | null>> {
    const text = ({ versions }: StoredSecret) => {
      const latest = versions.at(-1);
      return latest?.state === 'ENABLED' ? Buffer.from(latest.data, 'base64').toString() : null;
    };
    return Object.fromEntries([...this.secrets].map(([id, secret]) => [id, text(secret)]));
  }

  /** The states of the versions of a secret, the oldest one first. */
  states(id: string): readonly string[] {
    return this.secrets.get(id)?.versions.map(({ state }) => state) ?? [];
  }

  labels(id: string): Readonly<Record<string, string>> {
    return this.secrets.get(id)?.labels ?? {};
  }

  /** Adds a version as another program, which sets no labels. */
  write(id: string, text: string): void {
    const request = { query: new URLSearchParams({ secretId: id }), method: 'POST' };
    if (!this.secrets.has(id))
      this.answer({ ...request, path: ['secrets'], verb: '', body: { replication: { automatic: {} } } });
    const body = { payload: { data: Buffer.from(text).toString('base64') } };
    this.answer({ ...request, path: ['secrets', id], verb: 'addVersion', body });
  }

  answer({ method, path, verb, query, body }: SecretRequest): object {
    const [, id = '', versions, number = ''] = path;
    const call = `${method} ${[id && 'secret', versions && 'versions', number && 'version', verb].filter(Boolean).join(' ')}`;
    if (call === 'GET ') return this.page('secrets', [...this.secrets.values()].reverse().map(show), query);
    if (call === 'POST ') return this.create(query.get('secretId') ?? '', body);
    const secret = this.secrets.get(id);
    if (!secret) throw notFound(id);
    switch (call) {
      case 'GET secret':
        return show(secret);
      case 'PATCH secret':
        return this.change(secret, query.get('updateMask') ?? '', body);
      case 'DELETE secret':
        this.secrets.delete(id);
        return {};
      case 'POST secret addVersion':
        return this.addVersion(secret, body);
      case 'GET secret versions': {
        const state = /^state:(\w+)$/.exec(query.get('filter') ?? '')?.[1];
        const matchingVersions = secret.versions.filter((version) => state === undefined || version.state === state);
        return this.page('versions', matchingVersions.reverse().map(showVersion), query);
      }
      default:
        return this.answerVersion(secret, number, call);
    }
  }

  private answerVersion(secret: StoredSecret, number: string, call: string): object {
    const index = number === 'latest' ? secret.versions.length - 1 : Number(number) - 1;
    const version = secret.versions[index];
    if (!version) throw notFound(secret.name);
    const wrongState = () =>
      new SecretError(400, 'FAILED_PRECONDITION', `Secret Version [${version.name}] is in ${version.state} state.`);
    switch (call) {
      case 'GET secret versions version':
        return showVersion(version);
      case 'GET secret versions version access':
        if (version.state !== 'ENABLED') throw wrongState();
        return { name: version.name, payload: { data: version.data } };
      case 'POST secret versions version enable':
      case 'POST secret versions version disable':
        if (version.state === 'DESTROYED') throw wrongState();
        version.state = call.endsWith('enable') ? 'ENABLED' : 'DISABLED';
        return showVersion(version);
      case 'POST secret versions version destroy':
        version.state = 'DESTROYED';
        version.destroyTime = this.time();
        return showVersion(version);
      default:
        throw new SecretError(404, 'NOT_FOUND', 'The method is unknown.');
    }
  }

  private create(id: string, body: SecretRequest['body']): object {
    if (!ID.test(id)) throw invalid('The provided Secret ID does not match the expected format [[a-zA-Z_0-9]+].');
    if (this.secrets.has(id)) throw new SecretError(409, 'ALREADY_EXISTS', `Secret [${id}] already exists.`);
    if (!body.replication) throw invalid('The replication policy is missing.');
    const name = `projects/${this.number}/secrets/${id}`;
    const labels = readLabels(body.labels);
    const { replication } = body;
    const secret = { name, createTime: this.time(), replication, labels, etag: this.etag(), versions: [] };
    this.secrets.set(id, secret);
    return show(secret);
  }

  private change(secret: StoredSecret, mask: string, body: SecretRequest['body']): object {
    if (mask !== 'labels') throw invalid('The stand-in changes labels only.');
    if (body.etag && body.etag !== secret.etag) throw new SecretError(409, 'ABORTED', 'The etag does not match.');
    secret.labels = readLabels(body.labels);
    secret.etag = this.etag();
    return show(secret);
  }

  private addVersion(secret: StoredSecret, { payload }: SecretRequest['body']): object {
    const { data = '' } = (payload ?? {}) as { readonly data?: string };
    const bytes = Buffer.from(data, 'base64').length;
    if (bytes === 0 || bytes > PAYLOAD_BYTES_MAX) throw invalid(`The payload ${data} is invalid.`);
    const name = `${secret.name}/versions/${secret.versions.length + 1}`;
    const version: StoredVersion = { name, createTime: this.time(), data, state: 'ENABLED' };
    secret.versions.push(version);
    return showVersion(version);
  }

  private page(member: string, rows: readonly object[], query: URLSearchParams): object {
    const start = Number(query.get('pageToken') ?? 0);
    const end = start + Math.min(Number(query.get('pageSize') ?? 25_000), 25_000);
    const fields = /^\w+\(([\w,]+)\)/.exec(query.get('fields') ?? '')?.[1]?.split(',');
    const selectedRows = rows
      .slice(start, end)
      .map((row) => (fields ? Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name))) : row));
    return { [member]: selectedRows, ...(end < rows.length && { nextPageToken: String(end) }) };
  }

  /** Times differ in their microseconds, as those of the service do. */
  private time(): string {
    this.changes += 1;
    return new Date().toISOString().replace('Z', `${String(this.changes % 1_000).padStart(3, '0')}Z`);
  }

  private etag(): string {
    this.changes += 1;
    return `"${this.changes}"`;
  }
}

const show = ({ versions: _, ...secret }: StoredSecret): object => secret;
const showVersion = ({ data: _, ...version }: StoredVersion): object => version;

function readLabels(input: unknown): Readonly<Record<string, string>> {
  const labels = (input ?? {}) as Record<string, string>;
  const isValid = Object.entries(labels).every(([key, value]) => LABEL_KEY.test(key) && LABEL_VALUE.test(value));
  if (!isValid || Object.keys(labels).length > LABELS_MAX) throw invalid('A label is invalid.');
  return labels;
}
