import type { Logger, LogLevel } from '@slack/web-api';
import type { ChatResponse } from './answer.ts';
import type { ChatMessage } from './message.ts';
import { isBotToken } from './token.ts';
import { observedFetch, toAnswer } from './transport.ts';

/** Where the chat service's methods live unless the operator says otherwise (STRATA_SLACK_API_URL). */
export const SLACK_API_URL = 'https://slack.com/api/';
export const POST_TIMEOUT_MS = 10_000;

export interface Post {
  readonly apiUrl: string;
  readonly token: string;
  /** Id or name; an id survives renaming. */
  readonly channel: string;
  /** Empty: the bot posts under its own name. */
  readonly username: string;
  readonly message: ChatMessage;
  readonly timeoutMs?: number;
}

/**
 * Posts one message once and says how it went. Never throws for anything the network or the chat service does, never
 * retries, never follows a redirect, and no part of what it returns contains the token.
 */
export async function postMessage(post: Post): Promise<ChatResponse> {
  const { apiUrl, token, channel, username, message, timeoutMs = POST_TIMEOUT_MS } = post;
  // Checked again at the last step: a line break in a token would be a header of its own.
  if (!isBotToken(token)) return { kind: 'unsent', cause: 'malformed_token' };
  // Loaded with the first message: it is much, and a start need not wait for it.
  const { WebClient } = await import('@slack/web-api');
  const wire = observedFetch();
  const client = new WebClient(token, {
    slackApiUrl: apiUrl,
    allowAbsoluteUrls: false,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    fetch: wire.fetch,
    logger: SILENT,
  });
  const parts = { channel, text: message.text, blocks: message.blocks, unfurl_links: false, unfurl_media: false };
  try {
    await client.apiCall('chat.postMessage', username === '' ? parts : { ...parts, username });
  } catch {
    // The client's errors say less than the wire did; what counts is read below.
  }
  return toAnswer(wire.exchange(), username !== '');
}

/** The client would print failures to the console, and requests on debug level. */
const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => 'error' as LogLevel,
  setName: () => undefined,
};
