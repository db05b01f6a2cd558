import {
  type ErrorCode,
  type ErrorData,
  Failure,
  type FailureFields,
  type FailureKind,
  NON_FIELD_ERRORS,
  type Params,
  PlanOutdatedError,
  PreconditionFailedError,
  type PresentVersion,
  type Problem,
  type ProblemData,
  pointerSegments,
  RULE_KINDS,
  type RuleKind,
  type StepError,
} from '@strata/domain';

/** The error for a response that the contract does not define: a bug of the core, or another program on its port. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedAnswer';

  constructor(
    readonly status: number,
    readonly requestId: string | null,
  ) {
    super(`The core answered ${status}${requestId === null ? '' : ` to request ${requestId}`}.`);
  }
}

export interface ErrorResponse {
  readonly status: number;
  readonly code: string | null;
  /** The kinds of rules in `X-Error-Rule`. */
  readonly rules: string | null;
  readonly retryAfter: string | null;
  readonly requestId: string | null;
  readonly text: string;
}

const KINDS: Readonly<Record<number, FailureKind>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  410: 'cursor_gone',
  412: 'precondition_failed',
  413: 'too_large',
  415: 'unsupported_media_type',
  422: 'unprocessable',
  429: 'limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
  507: 'invalid',
};

/** Converts an error response back to the Failure that the core threw, as far as the response contains it. */
export function toFailure(response: ErrorResponse): Failure | UnexpectedResponseError {
  const kind = failureKind(response);
  if (kind === undefined) return new UnexpectedResponseError(response.status, response.requestId);
  const body = parsed(response.text);
  const code = (response.code ?? kind) as ErrorCode;
  const retryAfter = parseSeconds(response.retryAfter);
  const rules = rulesIn(response.rules);
  if (isErrorData(body)) return fromErrorData(body, { kind, code, retryAfterSeconds: retryAfter, rules });
  if (code === 'precondition_failed') return preconditionFailedError(body);
  if (code === 'plan_outdated') return planOutdatedError(body);
  if (Array.isArray(body)) {
    const problems = body.map((message) => ({ field: 'non_field_errors', message: messageText(message) }));
    return new Failure({
      kind,
      code,
      message: joined(problems),
      shape: 'list',
      problems,
      retryAfterSeconds: retryAfter,
      rules,
    });
  }
  const batchProblems = parseBatchProblems(body);
  if (batchProblems) {
    const problems = batchProblems;
    return new Failure({
      kind,
      code,
      message: readDetail(body) ?? joined(problems),
      shape: 'fields',
      problems,
      retryAfterSeconds: retryAfter,
      rules,
    });
  }
  if (typeof body === 'object' && body !== null && !('detail' in body)) {
    const problems = Object.entries(body).flatMap(([field, messages]) =>
      [messages].flat().map((message: unknown) => ({ field, message: messageText(message) })),
    );
    return new Failure({
      kind,
      code,
      message: joined(problems),
      shape: 'fields',
      problems,
      retryAfterSeconds: retryAfter,
      rules,
    });
  }
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? messageText(body.detail) : '';
  return new Failure({
    kind,
    code,
    message: detail || `The core answered ${response.status}.`,
    retryAfterSeconds: retryAfter,
  });
}

type ErrorBody = ErrorData & {
  readonly operations?: readonly (ErrorData & { readonly index: number })[];
  readonly conflicts?: readonly { readonly code: string; readonly detail: string }[];
};

/** Returns whether a body contains an error as data (`application/problem+json`). */
function isErrorData(body: unknown): body is ErrorBody {
  return (
    typeof body === 'object' &&
    body !== null &&
    'pointer' in body &&
    typeof body.pointer === 'string' &&
    'detail' in body &&
    typeof body.detail === 'string'
  );
}

function fromErrorData(
  body: ErrorBody,
  fields: Pick<FailureFields, 'kind' | 'code' | 'retryAfterSeconds' | 'rules'>,
): Failure {
  if (fields.code === 'precondition_failed') return preconditionFailedError(body);
  if (fields.code === 'plan_outdated') return planOutdatedError(body);
  // The problems of an evaluation are not about fields of the request.
  const problems = fields.code === 'evaluation_failed' ? [] : problemsIn(body);
  const isList = problems.every(({ field }) => field === NON_FIELD_ERRORS);
  return new Failure({
    ...fields,
    // The sentence of a single error lacks the path of its member, which plain messages contain.
    message: problems.length > 0 && body.errors?.length === 1 ? joined(problems) : body.detail,
    params: body.params,
    pointer: body.pointer,
    shape: problems.length === 0 ? 'detail' : isList ? 'list' : 'fields',
    problems,
  });
}

function problemsIn({ operations, conflicts, errors = [] }: ErrorBody): readonly Problem[] {
  if (operations) return operations.flatMap(problemsOfRejected);
  if (!conflicts) return errors.map((error) => problemFrom(error, error.field ?? NON_FIELD_ERRORS));
  return conflicts.map(({ code, detail: message }, index) => ({ ...{ field: `conflicts.${index}`, code, message } }));
}

/** Returns the problems of one operation by its index: `operations.3.name`. */
function problemsOfRejected(operation: ErrorData & { readonly index: number }): readonly Problem[] {
  const pointerPath = `operations.${operation.index}`;
  const { errors = [operation] } = operation;
  return errors.map((error: ProblemData) =>
    problemFrom(error, error.field === undefined ? pointerPath : `${pointerPath}.${error.field}`),
  );
}

/** Plain messages start with the path of the member inside the field. */
function problemFrom({ code, pointer, params, detail, rule, field: key }: ProblemData, field: string): Problem {
  const segments = pointerSegments(pointer);
  const inside = key !== undefined && segments.includes(key) ? segments.slice(segments.lastIndexOf(key) + 1) : [];
  const message = inside.length === 0 ? detail : `${inside.join('.')}: ${detail}`;
  return { field, message, detail, pointer, params, code, rule };
}

/** Returns the problems of a batch or a revert by index; null for any other error. */
function parseBatchProblems(body: unknown): readonly Problem[] | null {
  if (typeof body !== 'object' || body === null) return null;
  if ('operations' in body && isSteps(body.operations)) return body.operations.flatMap(problemsOfStep);
  if (!('conflicts' in body) || !Array.isArray(body.conflicts)) return null;
  return body.conflicts.map((conflict, index) => ({
    field: `conflicts.${index}`,
    message: readDetail(conflict) ?? '',
  }));
}

/**
 * Returns whether `operations` lists rejected operations. If a request was rejected before any operation ran, the same
 * name holds field messages.
 */
function isSteps(operations: unknown): operations is readonly StepError[] {
  return Array.isArray(operations) && operations.every((step) => typeof step === 'object' && step !== null);
}

function readDetail(body: unknown): string | null {
  return typeof body === 'object' && body !== null && 'detail' in body ? messageText(body.detail) : null;
}

/** A core of the previous version does not send the current version of the object. */
function preconditionFailedError(body: unknown): PreconditionFailedError {
  const {
    detail: message,
    params = {},
    present = [],
    operations = [],
  } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly detail?: string;
    readonly params?: Params;
    readonly present?: readonly PresentVersion[];
    readonly operations?: readonly (StepError & { readonly present?: readonly PresentVersion[] })[];
  };
  const ofSteps = operations.flatMap(({ index, error, present: versions }) =>
    (versions ?? (error as { readonly present?: readonly PresentVersion[] } | null)?.present ?? []).map((version) => ({
      ...version,
      operation: index,
    })),
  );
  return new PreconditionFailedError([...present, ...ofSteps], message === undefined ? undefined : { message, params });
}

function planOutdatedError(body: unknown): PlanOutdatedError {
  const {
    plan = null,
    difference = null,
    params = {},
  } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly params?: Params;
    readonly plan?: unknown;
    readonly difference?: unknown;
  };
  return new PlanOutdatedError({ message: readDetail(body) ?? '', params }, plan, difference);
}

/** Returns the problems of one operation by its index: `operations.3.name`. */
function problemsOfStep(step: StepError): readonly Problem[] {
  const pointerPath = `operations.${step.index}`;
  const { error } = step;
  if (typeof error !== 'object' || error === null || Array.isArray(error) || 'detail' in error) {
    const message = typeof error === 'object' && error !== null && 'detail' in error ? error.detail : error;
    return [{ field: pointerPath, message: messageText(message) }];
  }
  return Object.entries(error).flatMap(([field, messages]) =>
    [messages].flat().map((message: unknown) => ({ field: `${pointerPath}.${field}`, message: messageText(message) })),
  );
}

/** Returns the error for a missing response: the core is down, restarting or out of reach. */
export function coreUnreachableError(): Failure {
  return new Failure({
    kind: 'unavailable',
    code: 'core_unreachable',
    message: 'The service cannot be reached. Try again in a moment.',
  });
}

function failureKind({ status, code }: ErrorResponse): FailureKind | undefined {
  return status === 403 && code === 'bad_credential' ? 'bad_credential' : KINDS[status];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function joined(problems: readonly Problem[]): string {
  return problems.map(({ message }) => message).join(' ');
}

/** A message is a text or, for evaluated templates, a list of objects with `error_detail`. */
function messageText(message: unknown): string {
  if (typeof message === 'string') return message;
  if (Array.isArray(message)) return message.map(messageText).join(' ');
  if (typeof message === 'object' && message !== null && 'error_detail' in message)
    return messageText(message.error_detail);
  return JSON.stringify(message) ?? '';
}

/** A newer core may name kinds that this client does not know. */
function rulesIn(header: string | null): readonly RuleKind[] {
  return RULE_KINDS.filter((kind) => header?.split(', ').includes(kind));
}

function parseSeconds(header: string | null): number | null {
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
