import { type Requests, readText, unreachableError } from './requests.ts';
import type { ConfigSelection } from './selection.ts';
import { EventParser } from './sse-parser.ts';
import { ForeignResponseError } from './strata-error.ts';
import { Deadline, type Times } from './times.ts';
import { type PolledState, parseMessage, parsePolledState, type StreamedMessage } from './wire.ts';

/**
 * How a stream ended. `blocked`: it delivered nothing, so something between the program and Strata does not support it.
 * `garbled`: it delivered something that does not fit.
 */
export type StreamEnd = 'blocked' | 'cut' | 'silent' | 'garbled' | 'closed';

/** The result of a poll: the configuration, or the revision up to which the known one is current. */
export type Polled = PolledState | { readonly revision: number; readonly values?: undefined };

/** Time for a response in addition to the time that Strata waits for a change. */
const RESPONSE_MS = 10_000;

/** Reads the configuration of one selection from Strata. */
export class ConfigTransport {
  readonly #requests: Requests;
  readonly #selection: ConfigSelection;
  readonly #times: Times;

  constructor(requests: Requests, selection: ConfigSelection, times: Times) {
    this.#requests = requests;
    this.#selection = selection;
    this.#times = times;
  }

  /** Opens a stream, and passes on its messages one by one. Throws if Strata rejects the request. */
  async stream(
    after: string | null,
    outer: AbortSignal,
    onMessage: (message: StreamedMessage) => Promise<void>,
  ): Promise<StreamEnd> {
    const deadline = new Deadline(outer);
    let hasBytes = false;
    try {
      deadline.restart(this.#times.openMs);
      const body = await this.#open(after, deadline.signal);
      if (body === null) return 'blocked';
      const [reader, decoder, parser] = [body.getReader(), new TextDecoder(), new EventParser()];
      for (;;) {
        const { done, value } = await reader.read();
        // The time that the program needs for a message does not count as silence.
        deadline.stop();
        if (done) return hasBytes ? 'cut' : 'blocked';
        hasBytes = true;
        for (const { event, data } of parser.push(decoder.decode(value, { stream: true }))) {
          const message = parseMessage(event, data);
          if (message !== null) await onMessage(message);
          if (message?.kind === 'close') return 'closed';
        }
        deadline.restart(this.#times.silenceMs);
      }
    } catch (error) {
      if (deadline.isExceeded) return hasBytes ? 'silent' : 'blocked';
      if (hasBytes) return error instanceof ForeignResponseError ? 'garbled' : 'cut';
      if (error instanceof ForeignResponseError) return 'blocked';
      throw unreachableError(error);
    } finally {
      deadline.end();
    }
  }

  /** Reads the configuration unless it has this digest. If it has, Strata waits for a change before it responds. */
  async poll(digest: string | null, waitMs: number, outer: AbortSignal): Promise<Polled> {
    const deadline = new Deadline(outer);
    try {
      deadline.restart(waitMs + RESPONSE_MS);
      const response = await this.#send('effective/', deadline.signal, {
        query: { mask_secrets: String(!this.#selection.reveal), wait: String(Math.ceil(waitMs / 1_000)) },
        headers: digest === null ? {} : { 'if-none-match': `"${digest}"` },
      });
      if (response.status === 304) return { revision: Number(response.headers.get('x-revision') ?? 0) };
      return parsePolledState(await readText(response));
    } finally {
      deadline.end();
    }
  }

  async #open(after: string | null, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null> {
    const response = await this.#send('effective/stream/', signal, {
      query: { reveal: String(this.#selection.reveal), after: after ?? undefined },
      headers: { accept: 'text/event-stream, application/problem+json' },
    });
    const isStream = /^text\/event-stream\b/.test(response.headers.get('content-type') ?? '');
    return isStream ? response.body : null;
  }

  async #send(
    path: string,
    signal: AbortSignal,
    { query, headers }: Pick<Parameters<Requests['send']>[1], 'query' | 'headers'>,
  ): Promise<Response> {
    const { environment, names } = this.#selection;
    return this.#requests.send(await this.#requests.projectPath(path, signal), {
      query: { ...query, environment, name__in: names?.join(',') },
      ...(headers && { headers }),
      signal,
    });
  }
}
