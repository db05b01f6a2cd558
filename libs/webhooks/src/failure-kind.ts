import type { DeliveryOutcome } from './classify.ts';

/** The reasons that Strata itself gives. All others are error codes of the chat service, of which there is no list. */
const OUR_REASONS: ReadonlySet<string> = new Set([
  ...['rate_limited', 'unreadable_answer', 'timeout', 'connection_lost'],
  ...['connection_refused', 'name_not_found', 'connect_timeout', 'unreachable', 'tls_failed'],
  ...['mail_rejected', 'mail_failed'],
]);

/** Returns the code of a failed attempt; null if the message was delivered. */
export function outcomeCode(outcome: DeliveryOutcome): string | null {
  if (outcome.kind === 'delivered') return null;
  return 'code' in outcome ? outcome.code : outcome.reason;
}

/** Returns the kind of a failed attempt, one of about twenty texts, or null if the message was delivered. */
export function classifyFailure(outcome: DeliveryOutcome): string | null {
  switch (outcome.kind) {
    case 'delivered':
      return null;
    case 'suspend':
      return outcome.reason;
    case 'park':
      return 'message';
    case 'resend_without_username':
      return 'username';
    case 'retry':
    case 'ambiguous':
      if (OUR_REASONS.has(outcome.reason)) return outcome.reason;
      return /^http_\d{3}$/.test(outcome.reason) ? `${outcome.reason.slice(0, 6)}xx` : 'chat_error';
  }
}
