import type { Effective, EffectiveBatch } from '@strata/contract';
import type { Config } from 'strata-config-client';
import type { UpstreamResponse } from './core-request.ts';
import type { Configuration, FlagDocument, ScopeIdentity } from './documents.ts';
import { type Upstream, UpstreamLostError, type UpstreamRequest } from './upstream.ts';

/** A project in an environment, by name or id, as the operator selected it. */
export interface ScopeNames {
  readonly project: string;
  readonly environment: string;
}

/** The content of a configuration, as it is stored on disk. */
export interface StoredScope extends ScopeNames {
  readonly identity: ScopeIdentity;
  readonly masked: Configuration;
  /** Null if the edge holds no secrets. */
  readonly clear: Configuration | null;
  readonly flags: FlagDocument;
  /** Milliseconds since 1970. */
  readonly confirmedAt: number;
}

/** The documents that the stream of a configuration does not deliver. */
type ReadDocuments = Pick<StoredScope, 'identity' | 'masked' | 'flags'>;

interface ReadOptions {
  readonly upstream: Upstream;
  /** Returns the header with the credential of the edge. */
  readonly authorization: () => Promise<string>;
  readonly onNote: (text: string) => void;
}

const READ_TIMEOUT_MS = 30_000;

/** Reads documents of one project in one environment from the core, with the account of the edge. */
export class CoreDocuments {
  constructor(
    private readonly names: ScopeNames,
    private readonly options: ReadOptions,
  ) {}

  /** Reads what has changed since `current`. Throws an UpstreamLostError if the core does not return it. */
  async read(current: ReadDocuments | null): Promise<ReadDocuments> {
    const authorization = await this.options.authorization();
    const identity = current?.identity ?? (await this.#readIdentity(authorization));
    const { configuration: maskedForm, identity: currentIdentity } = await this.#readMasked(
      authorization,
      identity,
      current,
    );
    const flags = await this.#readFlags(authorization, identity, current);
    return { identity: currentIdentity, masked: maskedForm, flags };
  }

  async #readIdentity(authorization: string): Promise<ScopeIdentity> {
    const query = new URLSearchParams({ ...this.names, include: 'secret', mask_secrets: 'true' });
    const response = await this.#read(`/api/v1/effective/?${query}`, { authorization });
    const { results } = (await response.json()) as EffectiveBatch;
    const [result] = results;
    if (result === undefined) throw new UpstreamLostError();
    return pickIdentity(result);
  }

  async #readMasked(
    authorization: string,
    { project_id: project, environment_id: environment }: ScopeIdentity,
    current: ReadDocuments | null,
  ) {
    const query = new URLSearchParams({ environment, mask_secrets: 'true' });
    const response = await this.#read(`/api/v1/projects/${project}/effective/?${query}`, {
      authorization,
      ...(current && { headers: { 'if-none-match': `"${current.masked.digest}"` } }),
    });
    if (response.status === 304 && current !== null) {
      const configuration = { ...current.masked, revision: readRevision(response) };
      return { configuration, identity: current.identity };
    }
    const body = (await response.json()) as Effective;
    const { revision, digest, values: texts, masked: secrets = [], has_secret: hasSecret } = body;
    const configuration: Configuration = { revision, digest, texts, secrets, hasSecret, isMasked: true };
    return { configuration, identity: pickIdentity(body) };
  }

  async #readFlags(
    authorization: string,
    { project_id: project, environment_id: environment }: ScopeIdentity,
    current: ReadDocuments | null,
  ) {
    const response = await this.#read(flagsPath(project, environment), {
      ...{ method: 'POST', authorization },
      ...(current && { headers: { 'if-none-match': current.flags.etag } }),
    });
    const revision = readRevision(response);
    if (response.status === 304 && current) return { ...current.flags, revision };
    return { revision, etag: response.headers.get('etag') ?? '', body: await response.text() };
  }

  async #read(path: string, request: UpstreamRequest): Promise<UpstreamResponse> {
    const response = await this.options.upstream.send(path, { timeoutMs: READ_TIMEOUT_MS, ...request });
    if (response.status === 200 || response.status === 304) return response;
    const detail = ((await response.json().catch(() => ({}))) as { readonly detail?: unknown }).detail;
    this.options.onNote(`${this.names.project}/${this.names.environment}: ${detail ?? `status ${response.status}`}`);
    throw new UpstreamLostError();
  }
}

const readRevision = ({ headers }: UpstreamResponse): number => Number(headers.get('x-revision') ?? 0);

export const flagsPath = (project: string, environment: string): string =>
  `/api/v1/projects/${project}/environments/${environment}/ofrep/v1/evaluate/flags`;

const pickIdentity = ({ project_id, project_name, environment_id, environment_name }: ScopeIdentity) => ({
  ...{ project_id, project_name, environment_id, environment_name },
});

/** Returns the values of a stream as a document. */
export function clearConfiguration(config: Config, maskedForm: Configuration): Configuration {
  const secretNames = new Set(maskedForm.secrets);
  // Until the next tick, a name that is newer than the masked form counts as secret.
  const isSecret = (name: string) => secretNames.has(name) || !Object.hasOwn(maskedForm.texts, name);
  const secrets = config.names().filter((name) => config.has(name) && isSecret(name));
  const { revision, digest } = config;
  return { revision, digest, texts: config.all(), secrets, hasSecret: maskedForm.hasSecret, isMasked: false };
}
