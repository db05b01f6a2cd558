import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Fetch } from 'strata-config-client';
import { type StreamedRequest, sendRequest } from '../core/http-request.ts';

/** A response whose body has not been read. It has the members of a `Response` that the SDK and the edge use. */
export class UpstreamResponse {
  readonly headers = {
    get: (name: string): string | null => [this.message.headers[name] ?? null].flat().join(', ') || null,
    has: (name: string): boolean => this.message.headers[name] !== undefined,
  };

  constructor(readonly message: IncomingMessage) {}

  get status(): number {
    return this.message.statusCode ?? 0;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get body(): ReadableStream<Uint8Array> {
    return Readable.toWeb(this.message) as ReadableStream<Uint8Array>;
  }

  text(): Promise<string> {
    return text(this.message);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  /** Frees the connection without reading the body. */
  discard(): void {
    this.message.resume();
  }
}

/** Sends a request, and resolves with the response before its body is read. */
export async function requestCore(url: string, request: StreamedRequest): Promise<UpstreamResponse> {
  const message = await sendRequest(url, request);
  // An error while the body is read reaches its reader.
  message.on('error', () => undefined);
  return new UpstreamResponse(message);
}

/** The same as the `fetch` of the SDK. */
export const fetchFromCore: Fetch = async (url, { method = 'GET', headers, body, signal }) =>
  (await requestCore(url, {
    ...{ method, headers: headers as Record<string, string>, signal: signal ?? new AbortController().signal },
    ...(typeof body === 'string' && { body }),
  })) as unknown as Response;
