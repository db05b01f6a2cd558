import type { ServerResponse } from 'node:http';
import { type Access, CredentialRejectedError } from './callers.ts';
import { differenceBetween, type ValueSelection } from './documents.ts';
import type { FollowedScope } from './followed-scope.ts';
import type { Gate } from './gate.ts';
import { splitNames } from './read-query.ts';
import { type EdgeCall, type EdgeOutcome, noteRead } from './reads.ts';
import type { ReadRecord } from './record.ts';
import { EdgeError, notAtEdgeError } from './responses.ts';

/** One open stream. It refers to what it shares with others, so that 10,000 streams take little memory. */
interface OpenStream {
  readonly response: ServerResponse;
  readonly names: readonly string[] | null;
  readonly isMasked: boolean;
  selection: ValueSelection;
  /** The reading of `performance.now()` at the last message. */
  sentAt: number;
}

/** The streams of one caller of one scope. */
interface Listener {
  readonly access: Access;
  readonly scope: FollowedScope;
  readonly authorization: string;
  readonly streams: Set<OpenStream>;
  isBusy: boolean;
  /** The reading of `performance.now()` since which the core would send the caller something else; null if it would not. */
  differentSince: number | null;
}

const TICK_MS = 1_000;
const BOOKMARK_MS = 10_000;
/** The core can be ahead of the edge for a moment, which looks like another configuration. */
const DIFFERENT_MS = 5_000;
const STREAMS_MAX = 20_000;
/** A client that is further behind is disconnected, because its messages take memory. */
const BUFFERED_MAX = 1_048_576;
const CONCURRENCY = 32;

type CloseCode = 'credential_revoked' | 'forbidden' | 'cursor_gone' | 'draining' | 'slow_consumer';

/** Serves event streams of effective values, with the messages of the core. */
export class Streams {
  readonly #listeners = new Map<string, Listener>();
  readonly #messages = new WeakMap<ValueSelection, Map<string, string>>();
  readonly #timer: NodeJS.Timeout;
  size = 0;

  constructor(
    private readonly gate: Gate,
    private readonly record: ReadRecord,
    private readonly tag: (text: string) => string,
    scopes: readonly FollowedScope[],
  ) {
    this.#timer = setInterval(() => void this.#tick(), TICK_MS);
    for (const scope of scopes) scope.onChange(() => void this.#tick());
  }

  /** `GET projects/{id}/effective/stream/` */
  async open(call: EdgeCall, scope: FollowedScope): Promise<EdgeOutcome> {
    const { searchParams } = call.url;
    const reveal = searchParams.get('reveal') ?? 'false';
    if ([...searchParams.keys()].some((name) => !['environment', 'after', 'name__in', 'reveal'].includes(name)))
      throw notAtEdgeError('An edge knows only the parameters environment, after, name__in and reveal.');
    if (reveal !== 'true' && reveal !== 'false') return 'pass_on';
    if (this.size >= STREAMS_MAX)
      throw new EdgeError(503, 'overloaded', 'Too many streams are open.', { retryAfterSeconds: 10 });
    const [names, isMasked] = [splitNames(searchParams.get('name__in')), reveal === 'false'];
    const document = isMasked ? 'masked' : 'clear';
    const admitted = await this.gate.admitSelection(call.authorization, scope, () => {
      const selection = scope.select(document, names);
      return { document, selection, showsSecret: selection?.isClear ?? !isMasked };
    });
    if (admitted === 'pass_on') return 'pass_on';
    const { admission, selection } = admitted;
    await noteRead(this.record, admission.access, names, selection.isClear);
    const { request, response } = call;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': `${isMasked ? 'private, no-cache' : 'private, no-store'}, no-transform`,
      'x-accel-buffering': 'no',
      'x-revision': String(selection.configuration.revision),
      ...(admission.isStale && { 'x-strata-stale': 'true' }),
      connection: 'close',
    });
    const after = [request.headers['last-event-id']].flat()[0] || searchParams.get('after');
    const stream: OpenStream = { response, names, isMasked, selection, sentAt: performance.now() };
    this.#begin(stream, after);
    this.#add(call.authorization, admission.access, scope, stream);
    return admission.isStale ? 'stale' : 'served';
  }

  /** Ends all streams. */
  close(): void {
    clearInterval(this.#timer);
    for (const listener of this.#listeners.values()) closeAll(listener, 'draining', 'The edge ends.');
  }

  #begin(stream: OpenStream, after: string | null): void {
    const { selection, response } = stream;
    const cursor = this.#cursor(selection);
    // The revision may differ: the cursor stands for the values.
    const isKnown = after?.split('.').at(-1) === cursor.split('.').at(-1);
    if (isKnown) return void response.write(this.#message(selection, 'bookmark'));
    if (after) {
      const { revision } = selection.configuration;
      response.write(event('reset', { cursor, revision, reason: 'state_unknown' }));
    }
    response.write(this.#message(selection, 'snapshot'));
  }

  #add(authorization: string, access: Access, scope: FollowedScope, stream: OpenStream): void {
    const listener = this.#listeners.get(access.key) ?? {
      ...{ access, scope, authorization, streams: new Set(), isBusy: false, differentSince: null },
    };
    this.#listeners.set(access.key, listener);
    listener.streams.add(stream);
    this.size += 1;
    stream.response.once('close', () => {
      this.size -= 1;
      listener.streams.delete(stream);
      if (listener.streams.size === 0) this.#listeners.delete(access.key);
    });
  }

  /** Confirms all callers, and sends what has changed for them. */
  async #tick(): Promise<void> {
    const rest = [...this.#listeners.values()].filter(({ isBusy }) => !isBusy);
    const work = async () => {
      for (let listener = rest.pop(); listener !== undefined; listener = rest.pop()) {
        if (listener.isBusy) continue;
        listener.isBusy = true;
        await this.#advance(listener).catch((error: unknown) => closeFor(listener as Listener, error));
        listener.isBusy = false;
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, rest.length) }, work));
  }

  async #advance(listener: Listener): Promise<void> {
    const { authorization, scope, streams } = listener;
    const showsSecret = [...streams].some(({ selection }) => selection.isClear);
    const { access, isStale } = await this.gate.confirm(authorization, scope, showsSecret);
    let isDifferent = false;
    for (const isMasked of [true, false]) {
      const { version } = scope;
      const group = [...streams].filter((stream) => stream.isMasked === isMasked);
      const updates = group.map((stream) => [stream, this.#next(scope, stream)] as const);
      const isChanged = updates.some(([stream, next]) => next?.digest !== stream.selection.digest);
      const document = isMasked ? 'masked' : 'clear';
      const proof = isChanged ? await this.gate.prove(access, scope, document) : 'same';
      // The proof belongs to one version. The next tick sends a later one.
      if (scope.version !== version) return;
      if (proof === 'different') {
        isDifferent = true;
        this.#endIfDifferent(listener, group);
      }
      if (proof === 'same') for (const [stream, next] of updates) await this.#send(stream, next, access, isStale);
    }
    if (!isDifferent) listener.differentSince = null;
  }

  #next(scope: FollowedScope, { isMasked, names }: OpenStream): ValueSelection | null {
    return scope.select(isMasked ? 'masked' : 'clear', names);
  }

  #endIfDifferent(listener: Listener, streams: readonly OpenStream[]): void {
    listener.differentSince ??= performance.now();
    if (performance.now() - listener.differentSince < DIFFERENT_MS) return;
    for (const stream of streams) end(stream, 'cursor_gone', 'The core has to answer this account itself.');
  }

  async #send(stream: OpenStream, next: ValueSelection | null, access: Access, isStale: boolean): Promise<void> {
    const { response, selection: before } = stream;
    if (next === null || response.destroyed) return;
    if (response.writableLength > BUFFERED_MAX) return end(stream, 'slow_consumer', 'The client reads too slowly.');
    if (next.digest !== before.digest) {
      await noteRead(this.record, access, stream.names, next.isClear);
      stream.selection = next;
      return this.#write(stream, this.#delta(before, next));
    }
    stream.selection = next;
    if (performance.now() - stream.sentAt < BOOKMARK_MS) return;
    void noteRead(this.record, access, stream.names, false);
    // A bookmark means that the values are current.
    this.#write(stream, isStale ? ': the core does not answer\n\n' : this.#message(next, 'bookmark'));
  }

  #write(stream: OpenStream, text: string): void {
    stream.response.write(text);
    stream.sentAt = performance.now();
  }

  #cursor({ configuration: { revision, isMasked }, names, digest }: ValueSelection): string {
    return `${revision}.${this.tag(JSON.stringify([isMasked, names, digest]))}`;
  }

  /** Returns a message about a selection, which all streams of the selection share. */
  #message(selection: ValueSelection, kind: 'snapshot' | 'bookmark'): string {
    return this.#shared(selection, kind, () => {
      const { digest, configuration, texts, masked } = selection;
      const position = { cursor: this.#cursor(selection), revision: configuration.revision, digest };
      if (kind === 'bookmark') return event('bookmark', position);
      // Members are written one by one, because an object sorts names such as `10` first.
      const values = [...texts].map(([name, text]) => `${JSON.stringify(name)}:${JSON.stringify(text)}`);
      const members = JSON.stringify({ ...position, masked }).slice(0, -1);
      return eventText('snapshot', position.cursor, `${members},"values":{${values.join()}}}`);
    });
  }

  #delta(before: ValueSelection, after: ValueSelection): string {
    return this.#shared(after, before.digest, () => {
      const { digest, configuration } = after;
      const { revision } = configuration;
      const changes = differenceBetween(before, after).map((change) => ({
        ...change,
        // An edge does not know which cell sets a value.
        ...{ source: null, changeset: revision },
      }));
      return event('delta', { cursor: this.#cursor(after), revision, digest, changes });
    });
  }

  #shared(selection: ValueSelection, key: string, write: () => string): string {
    const messages = this.#messages.get(selection) ?? new Map<string, string>();
    this.#messages.set(selection, messages);
    const message = messages.get(key) ?? write();
    messages.set(key, message);
    return message;
  }
}

const event = (kind: string, content: { readonly cursor: string; readonly [member: string]: unknown }): string =>
  eventText(kind, content.cursor, JSON.stringify(content));

const eventText = (kind: string, cursor: string, data: string): string =>
  `event: ${kind}\nid: ${cursor}\ndata: ${data}\n\n`;

function end({ response }: OpenStream, code: CloseCode, detail: string): void {
  response.end(`event: close\ndata: ${JSON.stringify({ code, detail })}\n\n`);
}

function closeAll({ streams }: Listener, code: CloseCode, detail: string): void {
  for (const stream of [...streams]) end(stream, code, detail);
}

function closeFor(listener: Listener, error: unknown): void {
  const [code, detail] = describeClose(error);
  closeAll(listener, code, detail);
}

function describeClose(error: unknown): readonly [CloseCode, string] {
  if (error instanceof CredentialRejectedError) {
    const isForbidden = error.rejection.headers['x-error-code'] === 'forbidden';
    return [isForbidden ? 'forbidden' : 'credential_revoked', 'The core rejects the credential.'];
  }
  if (error instanceof EdgeError)
    return [error.code === 'bad_credential' ? 'credential_revoked' : 'draining', error.message];
  console.error(error);
  return ['draining', 'The edge failed. Its log has the reason.'];
}
