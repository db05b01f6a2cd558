import type { ConfigCache, StoredState } from './cache.ts';
import { CacheWriter } from './cache-writer.ts';
import { Config, type ConnectionStatus } from './config.ts';
import { changesBetween, Follower } from './follower.ts';
import { Loop } from './loop.ts';
import type { CommonOptions, ConfigChange } from './options.ts';
import { selectionOf } from './options.ts';
import type { AnyParameters } from './parameters.ts';
import { ProgramReporter } from './reporter.ts';
import { Requests } from './requests.ts';
import type { ConfigSelection } from './selection.ts';
import { StrataError } from './strata-error.ts';
import { TIMES, type Times } from './times.ts';
import { ConfigTransport } from './transport.ts';
import { type ConfigState, Values } from './values.ts';

/** What `connect` does while Strata does not deliver a configuration. */
export type StartMode = 'fail' | 'wait' | 'cached';

export type SessionOptions<Parameters extends object = AnyParameters> = CommonOptions<Parameters> & {
  readonly whenUnavailable: StartMode;
};

const TIMEOUT_MS = 10_000;

/** Connects, and resolves as soon as the program has a configuration. */
export function connectWith<Parameters extends object = AnyParameters>(
  options: SessionOptions<Parameters>,
  cache: ConfigCache | null,
  times = TIMES,
): Promise<Config<Parameters>> {
  // Only the compiler knows the types of the parameters.
  const session = new Session(options as unknown as SessionOptions, cache, times);
  return session.start() as Promise<unknown> as Promise<Config<Parameters>>;
}

class Session {
  private readonly selection: ConfigSelection;
  private readonly requests: Requests;
  private readonly follower: Follower;
  private readonly reporter: ProgramReporter | null;
  private readonly writer: CacheWriter | null;
  private readonly ending = new AbortController();
  private status: ConnectionStatus = 'stale';
  private config: Config | null = null;
  /** The configuration to start with if Strata delivers none. */
  private stored: StoredState | null = null;
  private lastFailure: StrataError | null = null;
  private lastReported = '';
  private startTimer: ReturnType<typeof setTimeout> | undefined;
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private resolve: (config: Config) => void = () => undefined;
  private reject: (error: StrataError) => void = () => undefined;

  constructor(
    private readonly options: SessionOptions,
    private readonly cache: ConfigCache | null,
    private readonly times: Times,
  ) {
    this.selection = selectionOf(options);
    this.requests = new Requests(options, this.selection);
    this.writer = cache && new CacheWriter(cache, this.selection, this.report);
    this.reporter = this.reporterOf(options.instance);
    const onState = (state: ConfigState, changes: readonly ConfigChange[]) => this.onState(state, changes);
    this.follower = new Follower(options, this.selection, this.reporter, { onState, onProblem: this.onProblem });
  }

  async start(): Promise<Config> {
    const { whenUnavailable, timeoutMs = TIMEOUT_MS, signal } = this.options;
    const started = new Promise<Config>((resolve, reject) => Object.assign(this, { resolve, reject }));
    if (signal?.aborted) await this.onAbort();
    signal?.addEventListener('abort', this.onAbort);
    if (whenUnavailable === 'cached') this.stored = await this.load();
    if (whenUnavailable !== 'wait') this.startTimer = setTimeout(() => this.onTimeout(timeoutMs), timeoutMs);
    const heartbeatMs = Math.min(this.times.heartbeatMs, this.cache?.refreshMs ?? Number.POSITIVE_INFINITY);
    this.heartbeat = setInterval(() => this.onHeartbeat(), heartbeatMs);
    void this.run();
    return started;
  }

  private async run(): Promise<void> {
    const transport = new ConfigTransport(this.requests, this.selection, this.times);
    const events = { onStatus: (status: ConnectionStatus) => this.setStatus(status), onFailure: this.onFailure };
    const loop = new Loop(transport, this.follower, this.requests, this.times, events);
    try {
      await loop.run(this.ending.signal);
    } catch (error) {
      await this.onFinalError(error as StrataError);
    }
  }

  private reporterOf(instance: string | undefined): ProgramReporter | null {
    if (instance === undefined) return null;
    return new ProgramReporter(instance, this.requests, this.selection, this.times, this.ending.signal, this.report);
  }

  /** Returns the stored configuration if it can be used and the program accepts it. */
  private async load(): Promise<StoredState | null> {
    try {
      const stored = (await this.cache?.load(this.selection)) ?? null;
      if (stored === null) return null;
      const changes = changesBetween(new Map(), stored.state.texts);
      await this.options.validate?.(new Values(stored.state, this.selection), changes);
      return stored;
    } catch (error) {
      const isOurs = error instanceof StrataError;
      const cause = { cause: error };
      this.report(
        isOurs ? error : new StrataError('refused', 'The program refused the configuration in the cache.', cause),
      );
      return null;
    }
  }

  private onState(state: ConfigState, changes: readonly ConfigChange[]): void {
    this.lastReported = '';
    if (this.config === null) this.begin({ state, ageMs: 0 });
    else this.config.update(state, changes);
    if (changes.length > 0) this.writer?.store({ state, ageMs: 0 });
  }

  private begin({ state, ageMs }: StoredState): void {
    clearTimeout(this.startTimer);
    const handlers = { close: () => this.close(), onError: this.report };
    this.config = new Config(state, this.selection, ageMs, handlers);
    this.config.setStatus(this.status);
    this.resolve(this.config);
  }

  /** Starts with the stored configuration. Returns false if there is none, or the program runs already. */
  private beginStored(): boolean {
    if (this.config !== null || this.stored === null) return false;
    this.follower.begin(this.stored.state);
    this.begin(this.stored);
    return true;
  }

  private readonly onFailure = (error: StrataError): void => {
    this.lastFailure = error;
    if (this.beginStored() || this.config !== null || this.options.whenUnavailable === 'wait') this.report(error);
  };

  private readonly onProblem = (error: StrataError): void => {
    this.onFailure(error);
    if (this.config === null && this.options.whenUnavailable !== 'wait') void this.fail(error);
  };

  private onTimeout(timeoutMs: number): void {
    const error =
      this.lastFailure ?? new StrataError('unavailable', `Strata delivered no configuration within ${timeoutMs} ms.`);
    if (this.beginStored()) this.report(error);
    else void this.fail(error);
  }

  private async onFinalError(error: StrataError): Promise<void> {
    clearInterval(this.heartbeat); // which would store the configuration again
    if (error.code === 'credential_rejected' || error.code === 'forbidden') await this.writer?.remove();
    if (this.config !== null) this.report(error);
    await this.fail(error);
  }

  private readonly onAbort = (): Promise<void> => this.fail(new StrataError('closed', 'The signal was aborted.'));

  private async fail(error: StrataError): Promise<void> {
    this.reject(error);
    await this.close();
  }

  private async close(): Promise<void> {
    this.ending.abort();
    this.setStatus('stopped');
    clearTimeout(this.startTimer);
    clearInterval(this.heartbeat);
    this.options.signal?.removeEventListener('abort', this.onAbort);
    await this.writer?.idle();
  }

  private onHeartbeat(): void {
    if (this.config === null) return;
    if (this.status !== 'stale') this.reporter?.repeat();
    this.writer?.store(this.config.stored());
  }

  private setStatus(status: ConnectionStatus): void {
    if (this.status === 'stopped') return;
    this.status = status;
    this.config?.setStatus(status);
  }

  /** Passes on an error, but not the same one again until Strata delivers a configuration. */
  private readonly report = (error: StrataError): void => {
    if (error.message === this.lastReported) return;
    this.lastReported = error.message;
    const { onError = (unhandled) => console.warn(`${unhandled.name}: ${unhandled.message}`) } = this.options;
    try {
      onError(error);
    } catch {
      // An error of the handler must not end the connection.
    }
  };
}
