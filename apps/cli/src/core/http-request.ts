// `fetch` takes 50 ms of processor time until its first response, a third of what `strata get` may take, and 30 MB of memory, as much as
// the rest of an idle edge.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly timeoutMs: number;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request and reads the response. */
export async function httpRequest(url: string, { timeoutMs, ...options }: HttpRequest): Promise<HttpResponse> {
  const response = await sendRequest(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
}

export interface StreamedRequest extends Pick<HttpRequest, 'method' | 'headers'> {
  readonly body?: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends a request, and resolves with the response before its body is read. Redirects are not followed, so that no other host receives the
 * credential.
 */
export async function sendRequest(url: string, { body, ...options }: StreamedRequest): Promise<IncomingMessage> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(body);
  });
}

/** Returns a header that can occur once. */
export const readSingleHeader = (headers: IncomingHttpHeaders, name: string): string | null => {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
};
