import {
  classifyUnsent,
  type DeliveryOutcome,
  RATE_LIMITED,
  RETRY_AFTER_DEFAULT,
  retry,
  retryAfterSeconds,
} from './classify.ts';
import type { Exchange } from './transport.ts';

/** The types of destinations that receive HTTP requests. */
export type HttpDestinationType = 'http' | 'teams' | 'discord';

/** The statuses that say that the address is wrong. An endpoint of your own may be broken for a while, so only 410 is final. */
const SUSPENDING: Readonly<Record<HttpDestinationType, readonly number[]>> = {
  http: [410],
  teams: [401, 403, 404, 410],
  discord: [401, 403, 404],
};
/** The statuses that say that this message is wrong, so that another attempt would fail too. */
const PARKING: Readonly<Record<HttpDestinationType, readonly number[]>> = {
  http: [413],
  teams: [400, 413],
  discord: [400, 413],
};

/** Classifies the response of a destination. Any status from 200 to 299 is a success; its body does not matter. */
export function classifyExchange(type: HttpDestinationType, exchange: Exchange): DeliveryOutcome {
  switch (exchange.kind) {
    case 'unanswered':
      return { kind: 'ambiguous', reason: exchange.cause };
    case 'unsent':
      return classifyUnsent(exchange.cause);
    case 'answered':
      return classifyStatus(type, exchange);
  }
}

function classifyStatus(type: HttpDestinationType, exchange: Exchange & { kind: 'answered' }): DeliveryOutcome {
  const { status, headers } = exchange;
  const code = `http_${status}`;
  const retryAfter = retryAfterSeconds(headers['retry-after'] ?? null);
  if (status >= 200 && status < 300) {
    const pauseSeconds = exhaustedSeconds(headers);
    return { kind: 'delivered', ts: '', ...(pauseSeconds !== null && { pauseSeconds }) };
  }
  if (status === 429)
    return { kind: 'retry', reason: RATE_LIMITED, retryAfterSeconds: retryAfter ?? RETRY_AFTER_DEFAULT };
  if (SUSPENDING[type].includes(status)) return { kind: 'suspend', reason: 'destination', code };
  if (PARKING[type].includes(status)) return { kind: 'park', code };
  return retry(code, retryAfter);
}

/** Returns the seconds until the service accepts the next message, if this one was the last that it accepts now. */
function exhaustedSeconds(headers: Readonly<Record<string, string | string[] | undefined>>): number | null {
  const [remaining, resetAfter] = ['x-ratelimit-remaining', 'x-ratelimit-reset-after'].map((name) => headers[name]);
  if (remaining !== '0' || typeof resetAfter !== 'string') return null;
  return retryAfterSeconds(resetAfter);
}
