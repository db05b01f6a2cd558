import { PRIVATE_ADDRESS } from '@strata/outbound';
import { hiddenReason, kindOfStatus, oneLine } from '../http-errors.ts';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';

const KINDS: Readonly<Record<number, ProviderErrorKind>> = {
  401: 'denied',
  403: 'denied',
  404: 'missing',
  408: 'retryable',
  409: 'conflict',
};

/** An error of the SDK, whose status and code are those of the response. */
interface VaultError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly statusCode?: number;
  readonly response?: { readonly headers?: { get(name: string): string | undefined } };
}

/** Classifies an error of the SDK. The message is included only if the request had no value in it. */
export function classifyVaultError(error: unknown, { hasValue }: { readonly hasValue: boolean }): ProviderError {
  if (error instanceof ProviderError) return error;
  const { name = 'Error', message = '', statusCode: status, response } = error as VaultError;
  const code = name === 'AbortError' ? 'timeout' : ((error as VaultError).code ?? name);
  const retryAfter = Number(response?.headers?.get('retry-after') ?? Number.NaN);
  return new ProviderError({
    kind: code === PRIVATE_ADDRESS ? 'invalid' : (KINDS[status ?? 0] ?? kindOfStatus(status)),
    code,
    detail: hasValue ? hiddenReason(status) : oneLine(message),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

/** An error of the OAuth client, whose `error` and `error_description` are those of the response. */
interface TokenError {
  readonly code?: string;
  readonly status?: number;
  readonly error?: string;
  readonly error_description?: string;
  readonly message?: string;
  readonly cause?: unknown;
}

/** Classifies an error of a request for a token. Azure rejects wrong credentials and unknown tenants with 400 or 401. */
export function classifyTokenError(thrown: unknown): ProviderError {
  const { status, error, error_description: description, message = '' } = thrown as TokenError;
  const system = causes(thrown).find(({ code }) => code !== undefined && /^[A-Z_]+$/.test(code));
  const code = error ?? system?.code ?? 'token_request_failed';
  if (code === PRIVATE_ADDRESS)
    return new ProviderError({ kind: 'invalid', code, detail: oneLine(system?.message ?? '') });
  const kind = kindOfStatus(status);
  return new ProviderError({
    kind: kind === 'invalid' ? 'denied' : kind,
    code,
    detail: oneLine(description ?? system?.message ?? message),
  });
}

function causes(thrown: unknown): TokenError[] {
  const chain: TokenError[] = [];
  for (let current = thrown; current instanceof Object && chain.length < 5; current = (current as TokenError).cause)
    chain.push(current as TokenError);
  return chain.reverse();
}
