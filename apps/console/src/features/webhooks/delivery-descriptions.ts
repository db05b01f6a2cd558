import { formatCount } from '../../lib/format-count.ts';

/** The outcome of one attempt to deliver a message. */
export interface ShownAttempt {
  readonly durationMs: number | null;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly retryAt: string | null;
}

interface StateWords {
  readonly label: string;
  /** Completes “Last message …”. */
  readonly ofLast: string;
  /** Whether the message is neither delivered nor given up. */
  readonly isOpen?: true;
  /** An explanation of the status. */
  readonly about: string;
  readonly isBad?: true;
}

/** The delivery statuses, in the order of the filter. */
export const STATES = {
  delivered: { label: 'Delivered', ofLast: 'delivered', about: 'Delivered.' },
  retrying: {
    label: 'Retrying',
    ofLast: 'failed',
    isOpen: true,
    about: 'Not delivered yet. Strata retries for 72 hours.',
    isBad: true,
  },
  queued: {
    label: 'Waiting',
    ofLast: 'waiting',
    isOpen: true,
    about: 'Sent after earlier messages, or when sending is resumed.',
    isBad: true,
  },
  sending: { label: 'Sending', ofLast: 'being sent', isOpen: true, about: 'In progress.' },
  parked: {
    label: 'Rejected',
    ofLast: 'rejected',
    about: 'The receiver rejected this message. Strata does not retry it.',
    isBad: true,
  },
  exhausted: { label: 'Failed', ofLast: 'failed', about: 'Not delivered within 72 hours.', isBad: true },
  unknown: {
    label: 'Unconfirmed',
    ofLast: 'unconfirmed',
    about: 'The response was lost. The message may have arrived.',
    isBad: true,
  },
  skipped: { label: 'Skipped', ofLast: 'skipped', about: 'Not sent.', isBad: true },
} as const satisfies Readonly<Record<string, StateWords>>;

export type DeliveryState = keyof typeof STATES;

export const parseDeliveryState = (text: string | undefined): DeliveryState | undefined =>
  text !== undefined && Object.hasOwn(STATES, text) ? (text as DeliveryState) : undefined;

/** Describes one attempt, as in `Rejected: invalid_auth (HTTP 200, 120 ms)`. */
export function describeAttempt({ httpStatus, errorCode, durationMs }: ShownAttempt): string {
  if (errorCode === 'rate_limited' && durationMs === null) return 'Not sent: the channel was busy';
  const facts = [
    httpStatus !== null && `HTTP ${httpStatus}`,
    durationMs !== null && `${durationMs.toLocaleString()} ms`,
  ];
  const statedFacts = facts.filter((fact) => fact !== false).join(', ');
  const outcome =
    errorCode === null ? 'Accepted' : httpStatus === null ? `No response: ${errorCode}` : `Rejected: ${errorCode}`;
  return statedFacts === '' ? outcome : `${outcome} (${statedFacts})`;
}

/** Returns whether the bot may not choose its name, so that messages appear under the name of the app. */
export const isSentUnderAppName = (attempts: readonly ShownAttempt[]): boolean =>
  attempts.length > 1 && attempts.at(-2)?.errorCode === 'missing_scope' && attempts.at(-1)?.errorCode === null;

const REASONS: Readonly<Record<string, string>> = {
  credential: 'The chat service rejects its token',
  destination: 'The chat service does not allow it to post to its channel',
};

/** Describes why a webhook is suspended, from the reason in the API (`credential: invalid_auth`). */
export function describeSuspension(reason: string | null): string {
  const [kind = '', code] = (reason ?? '').split(': ');
  const sentence = REASONS[kind] ?? 'The chat service rejected its messages';
  return code ? `${sentence} (${code}).` : `${sentence}.`;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Counts the messages of the last 24 hours that were not delivered, as in `2 of 5 messages`. `recent` are the newest messages; if all of
 * them are so new, there may be more.
 */
export function describeFailures(
  recentDeliveries: readonly { readonly status: DeliveryState; readonly createdAt: string }[],
  now: number,
): string {
  const today = recentDeliveries.filter(({ createdAt }) => now - Date.parse(createdAt) < DAY_MS);
  if (today.length === 0) return 'no messages';
  const failedCount = today.filter(({ status }) => 'isBad' in STATES[status]).length;
  const isCut = today.length === recentDeliveries.length && recentDeliveries.length >= RECENT_MESSAGES;
  return `${failedCount} of ${isCut ? 'the last ' : ''}${formatCount(today.length, 'message')}`;
}

/** The number of messages that the page of a webhook counts. */
const RECENT_MESSAGES = 100;
