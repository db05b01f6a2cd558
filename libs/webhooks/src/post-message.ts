import type { Logger, LogLevel } from '@slack/web-api';
import type { ChatResponse } from './chat-response.ts';
import type { ChatMessage } from './message.ts';
import { isBotToken } from './token.ts';
import { createObservedFetch, toChatResponse } from './transport.ts';

export const POST_TIMEOUT_MS = 10_000;

export interface Post {
  readonly apiUrl: string;
  readonly token: string;
  /** The id or name of the channel. An id stays valid if the channel is renamed. */
  readonly channel: string;
  /** The user name of the message. If empty, the bot posts under its own name. */
  readonly username: string;
  readonly message: ChatMessage;
  readonly timeoutMs?: number;
}

/**
 * Posts one message once and returns the result. Never throws for network errors or responses of the chat service,
 * never retries and never follows a redirect. The result never contains the token.
 */
export async function postMessage(post: Post): Promise<ChatResponse> {
  const { apiUrl, token, channel, username, message, timeoutMs = POST_TIMEOUT_MS } = post;
  // Checks again right before sending, because a line break in a token would add a header.
  if (!isBotToken(token)) return { kind: 'unsent', cause: 'malformed_token' };
  // Loaded with the first message, because the library is large and would delay the start.
  const { WebClient } = await import('@slack/web-api');
  const observedFetch = createObservedFetch();
  const client = new WebClient(token, {
    slackApiUrl: apiUrl,
    allowAbsoluteUrls: false,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    fetch: observedFetch.fetch,
    logger: SILENT,
  });
  const parts = { channel, text: message.text, blocks: message.blocks, unfurl_links: false, unfurl_media: false };
  try {
    await client.apiCall('chat.postMessage', username === '' ? parts : { ...parts, username });
  } catch {
    // The client's errors are less detailed than the recorded exchange, which decides the result.
  }
  return toChatResponse(observedFetch.exchange(), username !== '');
}

/** The client would otherwise print failures, and at debug level requests, to the console. */
const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => 'error' as LogLevel,
  setName: () => undefined,
};
