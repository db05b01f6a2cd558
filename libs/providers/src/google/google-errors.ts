import { classifyNetworkError, hiddenReason, kindOfStatus, oneLine } from '../http-errors.ts';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';

/** The statuses of Google's error model. */
const KINDS: Readonly<Record<string, ProviderErrorKind>> = {
  UNAUTHENTICATED: 'denied',
  PERMISSION_DENIED: 'denied',
  NOT_FOUND: 'missing',
  ALREADY_EXISTS: 'conflict',
  ABORTED: 'conflict',
  FAILED_PRECONDITION: 'conflict',
  INVALID_ARGUMENT: 'invalid',
  OUT_OF_RANGE: 'invalid',
  RESOURCE_EXHAUSTED: 'rate',
  DEADLINE_EXCEEDED: 'retryable',
  INTERNAL: 'retryable',
  UNAVAILABLE: 'retryable',
};

/** An error of the client, with the response of the service if there was one. */
interface RequestError {
  readonly message?: string;
  readonly response?: {
    readonly status?: number;
    readonly headers?: { get(name: string): string | null };
    readonly data?: { readonly error?: { readonly status?: string; readonly message?: string } };
  };
}

interface ErrorContext {
  readonly hasValue: boolean;
  /** The statuses that mean something else in this request. */
  readonly kinds?: Readonly<Record<string, ProviderErrorKind>> | undefined;
}

/** Classifies an error of the client. The message is included only if the request had no value in it. */
export function classifyGoogleError(error: unknown, { hasValue, kinds }: ErrorContext): ProviderError {
  if (error instanceof ProviderError) return error;
  const { response, message = '' } = error as RequestError;
  if (response === undefined) return classifyNetworkError(error);
  const { status, headers, data } = response;
  const code = data?.error?.status ?? `HTTP_${status}`;
  const retryAfter = Number(headers?.get('retry-after') ?? Number.NaN);
  return new ProviderError({
    kind: kinds?.[code] ?? KINDS[code] ?? (status === 401 || status === 403 ? 'denied' : kindOfStatus(status)),
    code,
    detail: hasValue ? hiddenReason(status) : oneLine(data?.error?.message ?? message),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}
