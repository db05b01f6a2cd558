import { setTimeout } from 'node:timers/promises';
import { type Config, connect, StrataError } from 'strata-config-client';
import { CoreDocuments, clearConfiguration, flagsPath, type ScopeNames, type StoredScope } from './core-documents.ts';
import { fetchFromCore } from './core-request.ts';
import {
  type Configuration,
  type DocumentName,
  type FlagDocument,
  isReproducible,
  type ScopeIdentity,
  select,
  type ValueSelection,
} from './documents.ts';
import { type Upstream, UpstreamLostError } from './upstream.ts';

/** `open` is the masked form as a request for secrets in clear receives it. Use it only for names without secrets. */
type SelectionForm = 'masked' | 'clear' | 'open';

interface FollowOptions {
  readonly upstream: Upstream;
  readonly holdsSecrets: boolean;
  /** Returns the header with the credential of the edge. */
  readonly authorization: () => Promise<string>;
  readonly tag: (text: string) => string;
  readonly onNote: (text: string) => void;
}

const TICK_MS = 500;
const RETRY_MS = 30_000;
/** A stream confirms the configuration every 10 s. */
const CONFIRMED_MS = 30_000;
const SELECTIONS_MAX = 1_000;

/** Follows the configuration of one project in one environment with the account of the edge. */
export class FollowedScope {
  readonly #listeners = new Set<() => void>();
  readonly #selections = new Map<string, ValueSelection>();
  readonly #ending = new AbortController();
  readonly #documents: CoreDocuments;
  #config: Config | null = null;
  #stored: StoredScope | null = null;
  #refreshedRevision = -1;
  /** It is new after each change of what responses contain. */
  version = 0;
  #confirmedAt = 0;
  #isReproducible = false;
  /** Called when the core rejects the account of the edge. */
  onRejected: () => void = () => undefined;

  constructor(
    readonly names: ScopeNames,
    private readonly options: FollowOptions,
  ) {
    this.#documents = new CoreDocuments(names, options);
  }

  /** Identifies the scope among those of this edge, also across restarts. */
  get key(): string {
    return JSON.stringify([this.names.project, this.names.environment]);
  }

  get stored(): StoredScope | null {
    return this.#stored === null ? null : { ...this.#stored, confirmedAt: this.confirmedAt };
  }

  load(storedScope: StoredScope): void {
    this.#publish(storedScope);
  }

  /** Milliseconds since 1970 at which the core last confirmed the configuration; 0 without one. */
  get confirmedAt(): number {
    return this.#stored === null ? 0 : this.#confirmedAt;
  }

  /** Whether the core delivers changes now. */
  get isConnected(): boolean {
    return !this.options.upstream.isLost && Date.now() - this.confirmedAt < CONFIRMED_MS;
  }

  requireIdentity(): ScopeIdentity {
    if (this.#stored === null) throw new UpstreamLostError();
    return this.#stored.identity;
  }

  get identity(): ScopeIdentity | null {
    return this.#stored?.identity ?? null;
  }

  get flags(): FlagDocument | null {
    return this.#stored?.flags ?? null;
  }

  /** Returns the selected values; null if the edge does not have them, or cannot write them as the core does. */
  select(name: SelectionForm, names: readonly string[] | null): ValueSelection | null {
    const configuration = this.#configuration(name);
    if (configuration === null || this.#stored === null || (names !== null && !this.#isReproducible)) return null;
    const key = JSON.stringify([name, names]);
    const cached = this.#selections.get(key);
    if (cached !== undefined) return cached;
    const selection = select(this.#stored.identity, configuration, names, this.options.tag);
    if (this.#selections.size >= SELECTIONS_MAX) this.#selections.clear();
    this.#selections.set(key, selection);
    return selection;
  }

  /** Returns what identifies the content of a document to the core; null if the edge does not have it. */
  tag(name: DocumentName): string | null {
    if (name === 'flags') return this.#stored?.flags.etag ?? null;
    const digest = this.#configuration(name)?.digest;
    return digest === undefined ? null : `"${digest}"`;
  }

  /** Returns the request that reads a document from the core. */
  source(name: DocumentName): { readonly path: string; readonly method: 'GET' | 'POST' } {
    const { project_id: project, environment_id: environment } = this.requireIdentity();
    if (name === 'flags') return { path: flagsPath(project, environment), method: 'POST' };
    const query = new URLSearchParams({ environment, mask_secrets: String(name === 'masked') });
    return { path: `/api/v1/projects/${project}/effective/?${query}`, method: 'GET' };
  }

  /** Calls the listener after each change of the documents. Returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Follows the configuration until `close`. */
  async follow(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        this.#config = await this.#connect();
        while (this.#config.status !== 'stopped' && !signal.aborted) {
          await this.#refresh(this.#config);
          this.#noteConfirmation(this.#config);
          await wait(TICK_MS, signal);
        }
      } catch (error) {
        this.#onError(error);
      }
      this.#config = null;
      await wait(RETRY_MS, signal);
    }
  }

  close(): void {
    this.#ending.abort();
  }

  #configuration(name: SelectionForm): Configuration | null {
    if (name !== 'open') return this.#stored?.[name] ?? null;
    return this.#stored && { ...this.#stored.masked, isMasked: false };
  }

  async #connect(): Promise<Config> {
    const { upstream, holdsSecrets, authorization } = this.options;
    const header = await authorization();
    const isBearer = header.startsWith('Bearer ');
    return connect({
      url: upstream.url,
      credential: isBearer ? { token: async () => (await authorization()).slice('Bearer '.length) } : header,
      ...this.names,
      reveal: holdsSecrets,
      whenUnavailable: 'wait',
      fetch: fetchFromCore,
      signal: this.#ending.signal,
      onError: (error) => this.#onError(error),
    });
  }

  #onError(error: unknown): void {
    if (this.#ending.signal.aborted || error instanceof UpstreamLostError) return;
    const { project, environment } = this.names;
    this.options.onNote(`${project}/${environment}: ${(error as Error).message}`);
    const isRejection =
      error instanceof StrataError && ['credential_rejected', 'forbidden', 'not_found'].includes(error.code);
    if (!isRejection) return;
    this.#stored = null;
    this.version += 1;
    this.#selections.clear();
    this.onRejected();
  }

  /** Reads the other forms of a configuration that has changed, and publishes all of them together. */
  async #refresh(config: Config): Promise<void> {
    const { revision, digest } = config;
    const previousState = this.#stored;
    const isSame = previousState !== null && (previousState.clear === null || previousState.clear.digest === digest);
    if (isSame && this.#refreshedRevision === revision) return;
    try {
      const documents = await this.#documents.read(previousState);
      const clear = this.options.holdsSecrets ? clearConfiguration(config, documents.masked) : null;
      this.#refreshedRevision = revision;
      this.#publish({ ...this.names, ...documents, clear, confirmedAt: Date.now() });
    } catch (error) {
      if (!(error instanceof UpstreamLostError)) throw error;
    }
  }

  /** As long as the other forms are older than the stream, its confirmations do not count. */
  #noteConfirmation({ revision, ageMs }: Config): void {
    if (revision === this.#refreshedRevision) this.#confirmedAt = Math.max(this.#confirmedAt, Date.now() - ageMs);
  }

  #publish(state: StoredScope): void {
    this.#confirmedAt = state.confirmedAt;
    const before = DOCUMENTS.map((name) => this.tag(name));
    this.#stored = state;
    this.version += 1;
    this.#selections.clear();
    this.#isReproducible = isReproducible(state.masked);
    if (DOCUMENTS.every((name, index) => this.tag(name) === before[index])) return;
    for (const listener of [...this.#listeners]) listener();
  }
}

const DOCUMENTS: readonly DocumentName[] = ['masked', 'clear', 'flags'];

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}
