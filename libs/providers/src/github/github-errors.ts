import { z } from 'zod';
import { kindOfStatus, oneLine } from '../http-errors.ts';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';

const KINDS: Readonly<Record<number, ProviderErrorKind>> = {
  401: 'denied',
  403: 'denied',
  404: 'missing',
  408: 'retryable',
  409: 'conflict',
};

/** The pause that GitHub recommends if a response names no time. */
const PAUSE_SECONDS = 60;

const ErrorBody = z.object({ message: z.string() });

/**
 * Classifies a response. GitHub uses 403 for missing permissions, and for its limits. Its message is included, because
 * requests contain only sealed texts.
 */
export async function classifyGitHubResponse(response: Response): Promise<ProviderError> {
  const { status, headers } = response;
  const message = await readMessage(response);
  if (status === 429 || (status === 403 && isLimited(headers, message)))
    return new ProviderError({
      kind: 'rate',
      code: 'rate_limited',
      detail: 'GitHub limits the requests of this installation.',
      retryAfterSeconds: pauseSeconds(headers),
    });
  return new ProviderError({
    kind: KINDS[status] ?? kindOfStatus(status),
    code: `HTTP_${status}`,
    detail: oneLine(message),
  });
}

/** The secondary limits are announced by a time or by the message only. */
const isLimited = (headers: Headers, message: string): boolean =>
  headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0' || /rate limit|abuse/i.test(message);

function pauseSeconds(headers: Headers): number {
  const retryAfter = headers.get('retry-after');
  if (retryAfter !== null && Number.isFinite(Number(retryAfter))) return Number(retryAfter);
  const reset = Number(headers.get('x-ratelimit-reset'));
  if (headers.get('x-ratelimit-remaining') !== '0' || !Number.isFinite(reset)) return PAUSE_SECONDS;
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return Math.max(0, Math.ceil(reset - now / 1_000));
}

async function readMessage(response: Response): Promise<string> {
  const body = ErrorBody.safeParse(await response.json().catch(() => null));
  return body.success ? body.data.message : `Status ${response.status}.`;
}
