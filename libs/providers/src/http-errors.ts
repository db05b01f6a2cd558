import { COMPRESSED_RESPONSE, FENCE_CLOSED, PRIVATE_ADDRESS } from '@strata/outbound';
import { ProviderError, type ProviderErrorKind } from './provider-error.ts';

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

/** An error of a client or a socket, which can be the cause of another one. */
interface NetworkError {
  readonly code?: string | number;
  readonly message?: string;
  readonly cause?: unknown;
}

/** The guard's errors and those of sockets are causes of the client's error. Other messages could contain an address. */
export function classifyNetworkError(error: unknown): ProviderError {
  const chain: NetworkError[] = [];
  for (let current = error; isObject(current) && chain.length < 6; current = current.cause) chain.push(current);
  if (chain.some(({ message }) => message === 'unexpected redirect')) return redirected();
  const system = chain.reverse().find(({ code }) => typeof code === 'string' && /^[A-Z_]+$/.test(code));
  const code = String(system?.code ?? 'network_error');
  const isOurs = [PRIVATE_ADDRESS, FENCE_CLOSED, COMPRESSED_RESPONSE].includes(code);
  return new ProviderError({
    kind: code === PRIVATE_ADDRESS ? 'invalid' : 'retryable',
    code,
    detail: isOurs ? oneLine(system?.message ?? '') : 'The provider could not be reached.',
  });
}

const isObject = (thrown: unknown): thrown is NetworkError => typeof thrown === 'object' && thrown !== null;

/** The guard follows no redirects. A renamed object has one. */
const redirected = () =>
  new ProviderError({
    kind: 'invalid',
    code: 'redirected',
    detail: 'The provider redirects this request, because the object was renamed or moved. Use its new name.',
  });
