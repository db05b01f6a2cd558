import { PRIVATE_ADDRESS } from '@strata/outbound';
import { hiddenReason, kindOfStatus, oneLine } from '../http-errors.ts';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';

const NAMES: Readonly<Record<Exclude<ProviderErrorKind, 'retryable'>, readonly string[]>> = {
  rate: [
    ...['ThrottlingException', 'Throttling', 'TooManyRequestsException', 'RequestLimitExceeded'],
    ...['TooManyUpdates', 'LimitExceededException', 'PriorRequestNotComplete'],
  ],
  denied: [
    ...['AccessDenied', 'AccessDeniedException', 'UnrecognizedClientException', 'InvalidClientTokenId'],
    ...['SignatureDoesNotMatch', 'ExpiredToken', 'ExpiredTokenException', 'OptInRequired', 'CredentialsProviderError'],
    ...['DecryptionFailure', 'EncryptionFailure', 'InvalidKeyId', 'KMSAccessDeniedException', 'PublicPolicyException'],
  ],
  missing: ['ResourceNotFoundException', 'ParameterNotFound', 'ParameterVersionNotFound'],
  conflict: ['ResourceExistsException', 'ParameterAlreadyExists', 'InvalidRequestException'],
  invalid: [
    ...['ValidationException', 'ValidationError', 'InvalidParameterException', 'ParameterPatternMismatchException'],
    ...['HierarchyTypeMismatchException', 'UnsupportedParameterType', 'ParameterLimitExceeded', PRIVATE_ADDRESS],
  ],
};

const KINDS: ReadonlyMap<string, ProviderErrorKind> = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) => names.map((name) => [name, kind as ProviderErrorKind])),
);

/** The codes of a request that AWS would never accept. */
const MALFORMED: ReadonlySet<string> = new Set(['ValidationError', 'ValidationException']);

interface SdkError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

/** The contents of a request, which its error may repeat. */
export interface RequestContent {
  readonly hasValue?: boolean;
  /** The detail of the error if the request was sent with the operator's credentials. */
  readonly ownDetail?: string;
  /** The member of the settings that the request consists of. If the request is malformed, this member is wrong. */
  readonly member?: string;
}

const NETWORK_DETAIL = 'The provider could not be reached.';
const PRIVATE_DETAIL =
  "The provider's address is private or link-local, and this installation does not allow requests to it.";

/**
 * Classifies an error of the SDK. Members see the provider's message only if it can contain nothing that they must not
 * see: some messages repeat the value that was sent, those of the operator's own requests name the operator's account,
 * and those of the network name addresses.
 */
export function classifyAwsError(
  error: unknown,
  { hasValue = false, ownDetail, member }: RequestContent,
): ProviderError {
  if (error instanceof ProviderError) return error;
  const { name = 'Error', code: systemCode, message = '', $metadata, $response } = error as SdkError;
  const status = $metadata?.httpStatusCode;
  const code = KINDS.has(name) || systemCode === undefined ? name : systemCode;
  const retryAfter = Number($response?.headers?.['retry-after']);
  const describe = () => {
    if (code === PRIVATE_ADDRESS) return PRIVATE_DETAIL;
    if (ownDetail !== undefined) return ownDetail;
    if (status === undefined) return NETWORK_DETAIL;
    return hasValue ? hiddenReason(status) : oneLine(message);
  };
  return new ProviderError({
    kind: KINDS.get(code) ?? kindOfStatus(status),
    code,
    detail: describe(),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    ...(member !== undefined && MALFORMED.has(code) && { member }),
  });
}
