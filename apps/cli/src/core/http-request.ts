// `fetch` takes 50 ms of processor time until its first response, a third of what `strata get` may take.
import type { ClientRequestArgs, IncomingHttpHeaders, IncomingMessage } from 'node:http';
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

/** Sends a request and reads the response. Redirects are not followed, so that no other host receives the credential. */
export async function httpRequest(url: string, { body, timeoutMs, ...options }: HttpRequest): Promise<HttpResponse> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  const args: ClientRequestArgs = { ...options, signal: AbortSignal.timeout(timeoutMs) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, args, resolve).once('error', reject).end(body);
  });
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
}

/** Returns a header that can occur once. */
export const readSingleHeader = (headers: IncomingHttpHeaders, name: string): string | null => {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
};
