import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { FORWARDED_READ_LIMITS } from '@strata/contract';
import { OperatorError } from '../core/secret-settings.ts';
import { Callers } from './callers.ts';
import type { ScopeNames } from './core-documents.ts';
import type { ValueSelection } from './documents.ts';
import { FollowedScope } from './followed-scope.ts';
import { Gate, type OfflineLimits } from './gate.ts';
import { createMetricsServer } from './metrics.ts';
import { type EdgeCall, Reads } from './reads.ts';
import { ReadRecord, type RecordedRead } from './record.ts';
import { EdgeKeys, SealedFile } from './sealed-file.ts';
import { EdgeServer } from './server.ts';
import { EdgeSnapshot } from './snapshot.ts';
import { Streams } from './streams.ts';
import { Upstream, UpstreamLostError } from './upstream.ts';

export interface EdgeOptions {
  /** The address of the core, or of an edge before it. */
  readonly url: string;
  /** Returns the header with the credential of the edge. */
  readonly authorization: () => Promise<string>;
  readonly scopes: readonly ScopeNames[];
  readonly holdsSecrets: boolean;
  readonly host: string;
  readonly port: number;
  /** If it is null, the edge serves no metrics. */
  readonly metricsPort: number | null;
  /** The folder of the snapshot and of the record, which exists. No other edge may use it. */
  readonly folder: string;
  readonly key: string;
  readonly limits: OfflineLimits;
  readonly recordBytesMax: number;
  readonly onNote: (text: string) => void;
}

const FORWARD_MS = 5_000;
const IDLE_MS = 60_000;
const FORWARD_TIMEOUT_MS = 30_000;
/** The core removes an instance after 15 minutes without a report. */
const INSTANCE_MS = 60_000;
const INSTANCES_MAX = 20_000;

/** Everything that runs in an edge. */
export class Edge {
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #servers: Server[] = [];
  readonly #instances = new Map<string, number>();
  #isForwarding = false;

  private constructor(
    private readonly options: EdgeOptions,
    readonly upstream: Upstream,
    readonly scopes: readonly FollowedScope[],
    readonly callers: Callers,
    readonly record: ReadRecord,
    readonly snapshot: EdgeSnapshot,
    readonly streams: Streams,
    readonly server: EdgeServer,
  ) {}

  /** Loads what is on disk, and listens. The core need not be there. */
  static async start(options: EdgeOptions): Promise<Edge> {
    const { url, folder, onNote } = options;
    const keys = new EdgeKeys(options.key);
    const upstream = new Upstream(url);
    const tag = keys.digester('entity-tags');
    const scopes = options.scopes.map((names) => new FollowedScope(names, { ...options, upstream, tag }));
    const callers = new Callers(upstream, keys.digester('credentials'));
    const file = new SealedFile(path.join(folder, 'snapshot'), 'strata-edge/1', keys.derive('snapshot'), url);
    const snapshot = new EdgeSnapshot(file, scopes, callers, onNote);
    await snapshot.load();
    const record = await ReadRecord.open(folder, keys.derive('record'), options.recordBytesMax);
    const gate = new Gate(callers, upstream, options.limits);
    const reads = new Reads(gate, record, tag);
    const streams = new Streams(gate, record, tag, scopes);
    const isReady = () => scopes.every(({ identity }) => identity !== null);
    const server = new EdgeServer({ scopes, reads, streams, upstream, isReady });
    const edge = new Edge(options, upstream, scopes, callers, record, snapshot, streams, server);
    reads.onInstance = (call, scope, selection) => edge.#reportInstance(call, scope, selection);
    await edge.#run();
    return edge;
  }

  /** The address that the edge listens on. */
  get url(): string {
    return `http://${this.options.host}:${(this.server.http.address() as AddressInfo).port}`;
  }

  async #run(): Promise<void> {
    const { host, port, metricsPort } = this.options;
    await this.#listen(this.server.http, host, port);
    if (metricsPort !== null) await this.#listen(createMetricsServer(this), host, metricsPort);
    const noteFailure = (error: unknown) =>
      this.options.onNote(`Callers cannot be confirmed: ${(error as Error).message}`);
    for (const scope of this.scopes) {
      scope.onChange(() => void this.callers.proveAgain(scope).catch(noteFailure));
      scope.onRejected = () => {
        this.callers.removeAll(scope);
        this.snapshot.storeSoon();
      };
      void scope.follow();
    }
    this.upstream.onFound(() => void this.forward());
    this.#timers.push(
      setInterval(() => void this.forward(), FORWARD_MS),
      setInterval(() => void this.callers.confirmIdle(this.scopes).catch(noteFailure), IDLE_MS),
    );
  }

  async #listen(server: Server, host: string, port: number): Promise<void> {
    server.listen(port, host);
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'another program listens there' : error.code;
      throw new OperatorError(`The edge cannot listen on ${host}:${port}: ${reason}. Choose another address or port.`);
    });
    this.#servers.push(server);
  }

  /** Sends the recorded reads to the core. Reads that it does not receive now remain recorded. */
  async forward(): Promise<void> {
    if (this.#isForwarding || this.upstream.isLost) return;
    this.#isForwarding = true;
    try {
      await this.record.forward((reads) => this.#send(reads), FORWARDED_READ_LIMITS.perRequest);
    } catch (error) {
      if (!(error instanceof UpstreamLostError))
        this.options.onNote(`Reads cannot be forwarded: ${(error as Error).message}`);
    } finally {
      this.#isForwarding = false;
    }
  }

  async #send(reads: readonly RecordedRead[]): Promise<void> {
    const response = await this.upstream.send('/api/v1/forwarded-reads/', {
      method: 'POST',
      authorization: await this.options.authorization(),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        reads: reads.map(({ at, ...read }) => ({ ...read, read_at: new Date(at).toISOString() })),
      }),
      timeoutMs: FORWARD_TIMEOUT_MS,
    });
    const detail = await response.text();
    if (response.status !== 200) throw new Error(`status ${response.status}: ${detail.slice(0, 200)}`);
  }

  /** Reports an instance that polls this edge to the core, as if it had polled the core. */
  #reportInstance({ request, url, authorization }: EdgeCall, scope: FollowedScope, selection: ValueSelection): void {
    const instance = request.headers['x-strata-instance'];
    if (typeof instance !== 'string' || url.searchParams.has('name') || this.upstream.isLost) return;
    const { digest, names, configuration } = selection;
    const key = JSON.stringify([scope.key, authorization, instance, digest]);
    const now = performance.now();
    if (now - (this.#instances.get(key) ?? Number.NEGATIVE_INFINITY) < INSTANCE_MS) return;
    if (this.#instances.size >= INSTANCES_MAX) this.#instances.clear();
    this.#instances.set(key, now);
    const { project_id: project, environment_id: environment } = scope.requireIdentity();
    const reveal = url.searchParams.get('mask_secrets') !== 'true';
    const report = { project, environment, instance, names, reveal, digest, revision: configuration.revision };
    const forget = () => this.#instances.delete(key);
    this.upstream
      .send('/api/v1/rollouts/', {
        ...{ method: 'POST', authorization, timeoutMs: FORWARD_TIMEOUT_MS },
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(report),
      })
      .then((response) => {
        response.discard();
        if (response.status !== 204) forget();
      }, forget);
  }

  /** Ends the streams, and stores everything. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    for (const scope of this.scopes) scope.close();
    this.streams.close();
    const closing = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const server of this.#servers) server.closeIdleConnections();
    await this.forward();
    await this.snapshot.close();
    await this.record.close();
    this.upstream.close();
    setTimeout(() => {
      for (const server of this.#servers) server.closeAllConnections();
    }, 2_000).unref();
    await Promise.all(closing);
  }
}
