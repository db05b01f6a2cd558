import type { ProviderErrorKind } from './provider-error.ts';

/** Classifies a response by its status. An unknown client error would fail again. Without a status, the network failed. */
export function kindOfStatus(status: number | undefined): ProviderErrorKind {
  if (status === 429) return 'rate';
  return status !== undefined && status >= 300 && status < 500 ? 'invalid' : 'retryable';
}

const DETAIL_MAX = 300;

/** Returns the reason of a provider as one short line. */
export const oneLine = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, DETAIL_MAX) || 'No reason was given.';

/** Returns the detail for a request that contained a value, because some messages repeat what was sent. */
export const hiddenReason = (status: number | undefined): string =>
  `The provider rejected the request${status ? ` with status ${status}` : ''}.`;
