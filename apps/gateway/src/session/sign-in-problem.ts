import { isNativeError } from 'node:util/types';
import { AuthorizationResponseError } from 'openid-client';

/** Why a sign-in with an identity provider failed. The console has a sentence for each code. */
export type SignInProblemCode =
  | 'provider_unknown'
  /** The provider cannot be reached. */
  | 'provider_unavailable'
  /** The provider responds in a way that only the operator can change. */
  | 'provider_misconfigured'
  /** The user or the provider denied the sign-in. */
  | 'provider_denied'
  /** The provider reported another error. */
  | 'provider_failed'
  /** This browser has not started a sign-in, or more than ten minutes ago. */
  | 'sign_in_expired'
  /** The response does not belong to the sign-in that this browser has started last. */
  | 'sign_in_mismatch'
  /** The browser uses another address than STRATA_PUBLIC_URL. */
  | 'other_address'
  /** A page of another site started the sign-in. */
  | 'other_origin';

export class SignInError extends Error {
  constructor(readonly code: SignInProblemCode) {
    super(code);
  }
}

/**
 * Returns the problem for an error of the OpenID Connect client, and its codes for the log: those of the client, of the
 * network and of the provider's response. Messages of the client quote responses, so they are not logged.
 */
export function describeProviderError(error: Error): {
  readonly problem: SignInError;
  readonly codes: readonly string[];
} {
  const codes = collectCodes(error);
  return { problem: new SignInError(classifyError(error, codes)), codes };
}

function classifyError(error: Error, codes: readonly string[]): SignInProblemCode {
  const isAny = (...names: readonly string[]) => names.some((name) => codes.includes(name));
  if (error instanceof AuthorizationResponseError)
    return isAny('access_denied') ? 'provider_denied' : 'provider_failed';
  if (isAny('PRIVATE_ADDRESS')) return 'provider_misconfigured';
  if (isAny(...MISMATCHES)) return 'sign_in_mismatch';
  // errors of the connection have no code of the client
  return codes.some((code) => code.startsWith('OAUTH_')) && !isAny(...INTERRUPTIONS)
    ? 'provider_misconfigured'
    : 'provider_unavailable';
}

/** A wrong state or issuer, a wrong nonce, and a code that was used before or belongs to another sign-in. */
const MISMATCHES = ['OAUTH_INVALID_RESPONSE', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'invalid_grant'];
const INTERRUPTIONS = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
];

/** Codes of RFC 6749 (section 4.1.2.1, section 5.2) and OpenID Connect Core section 3.1.2.6. Providers could send any other text. */
const PROVIDER_ERRORS = [
  'access_denied',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
];

/** Causes that are no errors are parts of the response. */
function collectCodes(error: unknown): string[] {
  if (!isNativeError(error)) return [];
  const { code, error: errorCode } = error as { readonly code?: unknown; readonly error?: unknown };
  return [
    ...(typeof code === 'string' && /^[A-Z][A-Z_]*$/.test(code) ? [code] : []),
    ...PROVIDER_ERRORS.filter((candidate) => candidate === errorCode),
    ...collectCodes(error.cause),
  ];
}
