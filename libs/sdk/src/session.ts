import type { ConfigCache, StoredState } from './cache.ts';
import { CacheWriter } from './cache-writer.ts';
import { Config, type ConnectionStatus } from './config.ts';
import { follow } from './follow.ts';
import type { CommonOptions, ConfigChange } from './options.ts';
import { parseSelection } from './options.ts';
import type { AnyParameters } from './parameters.ts';
import { changesBetween } from './received-config.ts';
import { rejectionReason } from './rejection-reason.ts';
import { ProgramReporter } from './reporter.ts';
import { Requests } from './requests.ts';
import type { ConfigSelection } from './selection.ts';
import { StrataError } from './strata-error.ts';
import { TIMES, type Times } from './times.ts';
import { ConfigTransport } from './transport.ts';
import { type ConfigState, type Texts, Values } from './values.ts';

/** What `connect` does while Strata does not deliver a configuration. */
export type StartMode = 'fail' | 'wait' | 'cached';

export type SessionOptions<Parameters extends object = AnyParameters> = CommonOptions<Parameters> & {
  readonly whenUnavailable: StartMode;
};

const TIMEOUT_MS = 10_000;
const NO_TEXTS: Texts = new Map();

/** Connects, and resolves as soon as the program has a configuration. */
export function connectWith<Parameters extends object = AnyParameters>(
  options: SessionOptions<Parameters>,
  cache: ConfigCache | null,
  times = TIMES,
): Promise<Config<Parameters>> {
  return new Promise((resolve, reject) => {
    // Only the compiler knows the types of the parameters.
    const session = new Session(options as unknown as SessionOptions, cache, times, {
      onStarted: (config) => resolve(config as unknown as Config<Parameters>),
      onFailed: reject,
    });
    void session.run();
  });
}

interface StartEvents {
  readonly onStarted: (config: Config) => void;
  readonly onFailed: (error: StrataError) => void;
}

/** The state of the program. `stored` is the configuration to start with if Strata delivers none. */
type Program =
  | { readonly name: 'starting'; readonly stored: StoredState | null; readonly lastFailure: StrataError | null }
  | { readonly name: 'running'; readonly config: Config }
  | { readonly name: 'closed' };

class Session {
  readonly #options: SessionOptions;
  readonly #selection: ConfigSelection;
  readonly #cache: ConfigCache | null;
  readonly #writer: CacheWriter | null;
  readonly #requests: Requests;
  readonly #reporter: ProgramReporter | null;
  readonly #times: Times;
  readonly #events: StartEvents;
  readonly #ending = new AbortController();
  #program: Program = { name: 'starting', stored: null, lastFailure: null };
  #status: ConnectionStatus = 'stale';
  #lastReported = '';

  constructor(options: SessionOptions, cache: ConfigCache | null, times: Times, events: StartEvents) {
    const { instance } = options;
    const selection = parseSelection(options);
    const requests = new Requests(options, selection);
    const { signal } = this.#ending;
    this.#options = options;
    this.#selection = selection;
    this.#cache = cache;
    this.#writer = cache && new CacheWriter(cache, selection, this.#report);
    this.#requests = requests;
    this.#reporter =
      instance === undefined
        ? null
        : new ProgramReporter({ instance, requests, selection, times, signal, onError: this.#report });
    this.#times = times;
    this.#events = events;
  }

  async run(): Promise<void> {
    const { whenUnavailable, timeoutMs = TIMEOUT_MS, signal } = this.#options;
    const onAbort = () => this.#fail(new StrataError('closed', 'The signal was aborted.'));
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);
    if (whenUnavailable === 'cached') await this.#load();
    const onTimeout = () => this.#onTimeout(timeoutMs);
    const startTimer = whenUnavailable === 'wait' ? undefined : setTimeout(onTimeout, timeoutMs);
    const heartbeatMs = Math.min(this.#times.heartbeatMs, this.#cache?.refreshMs ?? Number.POSITIVE_INFINITY);
    const heartbeat = setInterval(() => this.#onHeartbeat(), heartbeatMs);
    const error = await this.#follow();
    clearTimeout(startTimer);
    clearInterval(heartbeat);
    signal?.removeEventListener('abort', onAbort);
    if (error !== null) await this.#onFinalError(error);
  }

  #follow(): Promise<StrataError | null> {
    return follow({
      requests: this.#requests,
      transport: new ConfigTransport(this.#requests, this.#selection, this.#times),
      times: this.#times,
      signal: this.#ending.signal,
      program: {
        onStatus: (status) => this.#setStatus(status),
        onConfig: (config, isConfirmed) => this.#onConfig(config, isConfirmed),
        onProblem: (error) => this.#onProblem(error),
        onFailure: (error) => this.#onFailure(error),
      },
    });
  }

  /** Loads the stored configuration if it can be used and the program accepts it. */
  async #load(): Promise<void> {
    try {
      const storedState = (await this.#cache?.load(this.#selection)) ?? null;
      if (storedState !== null)
        await this.#validate(storedState.state, changesBetween(NO_TEXTS, storedState.state.texts));
      if (this.#program.name === 'starting') this.#program = { ...this.#program, stored: storedState };
    } catch (cause) {
      const isOurs = cause instanceof StrataError;
      this.#report(
        isOurs ? cause : new StrataError('rejected', 'The program rejected the configuration in the cache.', { cause }),
      );
    }
  }

  async #validate(state: ConfigState, changes: readonly ConfigChange[]): Promise<void> {
    await this.#options.validate?.(new Values(state, this.#selection), changes);
  }

  async #onConfig(config: ConfigState, isConfirmed: boolean): Promise<void> {
    const { revision, digest, texts } = config;
    const current = this.#program.name === 'running' ? this.#program.config.stored().state : null;
    if (isConfirmed) {
      if (current?.digest === digest) this.#apply(config, []);
      return;
    }
    const changes = changesBetween(current?.texts ?? NO_TEXTS, texts);
    try {
      if (current === null || changes.length > 0) await this.#validate(config, changes);
    } catch (cause) {
      const reason = rejectionReason(cause);
      this.#reporter?.report({ revision, reason });
      const message = `The program rejected the configuration at revision ${revision}: ${reason}`;
      return this.#onProblem(new StrataError('rejected', message, { cause }));
    }
    this.#apply(config, changes);
    this.#reporter?.report({ revision, digest });
  }

  /** Gives a configuration to the program, or confirms the one that it has: then `changes` is empty. */
  #apply(state: ConfigState, changes: readonly ConfigChange[]): void {
    this.#lastReported = '';
    if (this.#program.name === 'starting') this.#begin({ state, ageMs: 0 });
    else if (this.#program.name === 'running') this.#program.config.update(state, changes);
    if (changes.length > 0) this.#writer?.store({ state, ageMs: 0 });
  }

  #begin({ state, ageMs }: StoredState): void {
    const handlers = { close: () => this.#close(), onError: this.#report };
    const config = new Config(state, this.#selection, ageMs, handlers);
    config.setStatus(this.#status);
    this.#program = { name: 'running', config };
    this.#events.onStarted(config);
  }

  /** Starts with the stored configuration. Returns false if there is none, or the program is not starting. */
  #beginStored(): boolean {
    if (this.#program.name !== 'starting' || this.#program.stored === null) return false;
    this.#begin(this.#program.stored);
    return true;
  }

  #onFailure(lastFailure: StrataError): void {
    if (this.#program.name === 'starting') this.#program = { ...this.#program, lastFailure };
    this.#beginStored();
    if (this.#program.name !== 'starting' || this.#options.whenUnavailable === 'wait') this.#report(lastFailure);
  }

  #onProblem(error: StrataError): void {
    this.#onFailure(error);
    if (this.#program.name === 'starting' && this.#options.whenUnavailable !== 'wait') void this.#fail(error);
  }

  #onTimeout(timeoutMs: number): void {
    if (this.#program.name !== 'starting') return;
    const error =
      this.#program.lastFailure ??
      new StrataError('unavailable', `Strata delivered no configuration within ${timeoutMs} ms.`);
    if (this.#beginStored()) this.#report(error);
    else void this.#fail(error);
  }

  async #onFinalError(error: StrataError): Promise<void> {
    if (error.code === 'credential_rejected' || error.code === 'forbidden') await this.#writer?.remove();
    if (this.#program.name === 'running') this.#report(error);
    await this.#fail(error);
  }

  async #fail(error: StrataError): Promise<void> {
    this.#events.onFailed(error);
    await this.#close();
  }

  async #close(): Promise<void> {
    this.#ending.abort();
    this.#setStatus('stopped');
    this.#program = { name: 'closed' };
    await this.#writer?.idle();
  }

  #onHeartbeat(): void {
    if (this.#program.name !== 'running') return;
    if (this.#status !== 'stale') this.#reporter?.repeat();
    this.#writer?.store(this.#program.config.stored());
  }

  #setStatus(status: ConnectionStatus): void {
    this.#status = status;
    if (this.#program.name === 'running') this.#program.config.setStatus(status);
  }

  /** Passes on an error, but not the same one again until Strata delivers a configuration. */
  readonly #report = (error: StrataError): void => {
    if (error.message === this.#lastReported) return;
    this.#lastReported = error.message;
    const { onError = (unhandled) => console.warn(`${unhandled.name}: ${unhandled.message}`) } = this.#options;
    try {
      onError(error);
    } catch {
      // An error of the handler must not end the connection.
    }
  };
}
