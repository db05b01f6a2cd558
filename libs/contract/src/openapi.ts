import { RULE_KINDS } from '@strata/domain';
import { z } from 'zod';
import { AuditStreamBookmark, AuditStreamClose, AuditStreamRecord } from './audit-stream.ts';
import { ErrorDetail, EvaluationErrorBody, PreconditionErrorBody, RequestErrorBody } from './error-bodies.ts';
import { Bookmark, Event, StreamClose } from './event.ts';
import { LIMITS } from './fields.ts';
import { FlagErrorBody } from './flag.ts';
import { isRead, type Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { isOptionalMember } from './optional-members.ts';
import { ProblemDetails } from './problem-details.ts';
import type { Vocabulary } from './vocabulary.ts';

export type JsonSchema = { readonly [key: string]: unknown };

interface OpenApiInfo {
  readonly version: string;
  /** The origin of the URLs. If absent, clients use the origin from which they loaded the document. */
  readonly server?: string;
  /** The operations to describe; all by default. */
  readonly operations?: readonly Operation[];
}

const DESCRIPTION = `A configuration service. Environments form a tree and projects a forest; values are inherited along both and versioned, and subscribers are notified of every change.

Times are UTC with microseconds. Names have at most ${LIMITS.name} characters, values ${LIMITS.internalValue}, bodies one megabyte. Lists are paged. Unknown fields and query parameters are ignored. Every response has \`X-Request-Id\`. Every response to an authenticated caller has \`X-Revision\`: the revision of the organization that was read or created (for an error, the current one). Every error response has \`X-Error-Code\`, which is stable, and a body for people.`;

const SECURITY_SCHEMES = {
  ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Api-Key <prefix>.<secret>`' },
  JWTAuth: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Bearer <token>`' },
  tokenAuth: { type: 'http', scheme: 'bearer', description: 'The token of `POST /api/v1/auth/token/`.' },
};

const ERROR_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is invalid. The body has messages by field, a list, or `detail`.',
  401: 'The request has no credential.',
  403: 'The credential is wrong, or the caller does not have permission.',
  404: 'The object does not exist, or you cannot access it.',
  409: 'Another object conflicts with the request; the message names it. Or the write was already executed and its response contained a secret that is shown only once.',
  410: 'The cursor is unknown, expired or from the future.',
  412: 'The object has changed since you read it. `present` contains its current version and who changed it.',
  413: 'The body is too large.',
  415: 'The media type of the body is not supported.',
  422: 'A required text cannot be evaluated; the entries list which and why. Or the `Idempotency-Key` was used for another request.',
  429: 'Too many requests (`rate_limited`; the headers `RateLimit` and `RateLimit-Policy` name the limit), or too many attempts to sign in. The request had no effect. See `Retry-After`.',
  503: 'The database or another required service is unavailable, the organization is under maintenance, or it exceeds its share of concurrent requests (`overloaded`). Nothing was stored unless the code is `outcome_unknown`. See `Retry-After`.',
  507: 'The content of an external value is too large.',
};

/** Lists the members that every response contains although the description declares them as optional. */
const ALWAYS_PRESENT = 'x-always-present';

const MEDIA_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'] as const;

const IDEMPOTENCY_KEY = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'Key of the write. If you repeat the request with the same key within a day, Strata does not execute it again and returns the first response. A different request with the same key returns 422.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Returns the API as an OpenAPI 3.0.3 document. Equal arguments give equal bytes. */
export function openApiDocument({ version, server, operations = OPERATIONS }: OpenApiInfo): JsonSchema {
  const schemas = components(operations);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation, schemas.refer) };
  }
  const tags = [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name }));
  return {
    openapi: '3.0.3',
    info: { title: 'Strata', version, description: DESCRIPTION, license: { name: 'Apache-2.0' } },
    servers: [{ url: server ?? '/' }],
    tags,
    paths,
    components: {
      schemas: schemas.all,
      responses: { ...describeErrorResponses(), ...describeFlagErrorResponses(operations) },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

type Refer = (schema: z.ZodType) => JsonSchema;

/** Collects the named schemas and returns references to them. */
function components(operations: readonly Operation[]): { readonly all: JsonSchema; readonly refer: Refer } {
  const roots = [
    ErrorDetail,
    RequestErrorBody,
    PreconditionErrorBody,
    EvaluationErrorBody,
    FlagErrorBody,
    ProblemDetails,
    Event,
    Bookmark,
    StreamClose,
    AuditStreamRecord,
    AuditStreamBookmark,
    AuditStreamClose,
    ...operations.flatMap(({ body, response }) => [body, response]),
  ];
  const uniqueSchemas = [...new Set(roots.filter((schema) => schema !== undefined))];
  const keys = new Map(uniqueSchemas.map((schema, index) => [schema, `root${index}`]));
  const shape = Object.fromEntries([...keys].map(([schema, key]) => [key, schema]));
  const { definitions = {}, properties = {} } = toJsonSchema(z.object(shape), 'output') as {
    definitions?: Record<string, JsonSchema>;
    properties?: Record<string, JsonSchema>;
  };
  const all = Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { all, refer: (schema) => properties[keys.get(schema) ?? ''] ?? {} };
}

/** Converts a schema to OpenAPI 3.0 and removes keywords that zod adds. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const converted = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema, path }) => {
      if (zodSchema instanceof z.ZodObject) {
        requireOnlyWhatMustBeGiven(zodSchema, jsonSchema);
        leaveOptional(jsonSchema, z.globalRegistry.get(zodSchema)?.id);
      }
      explainWords(jsonSchema);
      if (path.length > 0) describeDefault(jsonSchema);
      delete jsonSchema.link;
      // zod adds the bounds of exact numbers in JavaScript, which are not limits of the API.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  const text = JSON.stringify(converted).replaceAll('"#/definitions/', '"#/components/schemas/');
  return JSON.parse(text) as JsonSchema;
}

/**
 * Moves the default of a member into its description, because generators for TypeScript treat a member with a default
 * as required. The descriptions already say that null means the default.
 */
function describeDefault(member: z.core.JSONSchema.BaseSchema): void {
  const { default: fallback, description } = member;
  if (fallback === undefined) return;
  delete member.default;
  if (fallback === null) return;
  const sentence = `Default: \`${JSON.stringify(fallback)}\`.`;
  member.description = description === undefined ? sentence : `${description} ${sentence}`;
}

/** Appends the meaning of each enum value to the description. References do not repeat the list. */
function explainWords(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { vocabulary } = jsonSchema as { readonly vocabulary?: Vocabulary };
  delete jsonSchema.vocabulary;
  if (!vocabulary || jsonSchema.enum === undefined) return;
  const meanings = Object.entries(vocabulary.meanings).map(([word, meaning]) => `* \`${word}\`: ${meaning}`);
  jsonSchema.description = [jsonSchema.description ?? vocabulary.description, meanings.join('\n')].join('\n\n');
}

/** Fields with a default are optional, and clients must accept fields that a later version adds. */
function requireOnlyWhatMustBeGiven(schema: z.ZodObject, jsonSchema: z.core.JSONSchema.BaseSchema): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  const requiredKeys = jsonSchema.required?.filter((key) => schema.shape[key]?.safeParse(undefined).success === false);
  if (requiredKeys === undefined || requiredKeys.length === 0) delete jsonSchema.required;
  else jsonSchema.required = requiredKeys;
}

/** Generated clients declare optional members as pointers, and existing programs rely on that. */
function leaveOptional(jsonSchema: z.core.JSONSchema.BaseSchema, id: string | undefined): void {
  const { required } = jsonSchema;
  if (id === undefined || required === undefined) return;
  const optionalKeys = required.filter((member) => isOptionalMember(id, member));
  if (optionalKeys.length === 0) return;
  const restKeys = required.filter((member) => !optionalKeys.includes(member));
  if (restKeys.length === 0) delete jsonSchema.required;
  else jsonSchema.required = restKeys;
  jsonSchema[ALWAYS_PRESENT] = optionalKeys;
}

function describe(operation: Operation, refer: Refer): JsonSchema {
  const { id, tag, summary, description, requires, body } = operation;
  const security = ['JWTAuth', 'ApiKeyAuth', 'tokenAuth'].map((scheme) => ({ [scheme]: [] }));
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    parameters: describeParameters(operation),
    ...(body !== undefined && { requestBody: requestBody(operation, refer(body)) }),
    security: requires === 'nothing' ? [] : security,
    responses: describeResponses(operation, refer),
  };
}

function requestBody({ bodyAs, bodyOptional, method }: Operation, schema: JsonSchema): JsonSchema {
  const types = bodyAs === 'json' ? MEDIA_TYPES.slice(0, 1) : MEDIA_TYPES;
  return {
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
    required: !bodyOptional && method !== 'patch',
  };
}

function describeParameters(operation: Operation): JsonSchema[] {
  const { path, query, conditional, tag } = operation;
  const opaque = tag === 'flags' || tag === 'users' || tag === 'serviceaccounts' || tag === 'organizations';
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    in: 'path',
    name,
    required: true,
    schema: opaque ? { type: 'string' } : { type: 'string', format: 'uuid' },
  }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => queryParameter(name, schema));
  const header = isRead(operation) ? 'If-None-Match' : 'If-Match';
  const inHeader = conditional ? [{ in: 'header', name: header, schema: { type: 'string' } }] : [];
  const repeatable = isRepeatable(operation) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [];
  return [...inPath, ...inQuery, ...inHeader, ...repeatable];
}

function queryParameter(name: string, schema: z.ZodType): JsonSchema {
  const { description, ...rest } = toJsonSchema(schema, 'input');
  const undefinedResult = schema.safeParse(undefined);
  const fallback =
    undefinedResult.success && undefinedResult.data !== undefined ? { default: undefinedResult.data } : {};
  const requiredMember = undefinedResult.success ? {} : { required: true };
  return { in: 'query', name, description, ...requiredMember, schema: { ...rest, ...fallback } };
}

/** The plain-text form of a JSON response, for people. */
const RENDERED = 'text/plain';

function describeResponses(operation: Operation, refer: Refer): JsonSchema {
  const { status, response, produces = ['application/json'], conditional, protocol } = operation;
  const content =
    response &&
    Object.fromEntries(
      produces.map((type) => [type, { schema: type === RENDERED ? { type: 'string' } : refer(response) }]),
    );
  const notModified = conditional && isRead(operation) ? { 304: { description: 'Not modified.' } } : {};
  const kind = protocol ? 'FlagRefusal' : 'Refusal';
  const errors = listStatuses(operation).map((code) => [code, { $ref: `#/components/responses/${kind}${code}` }]);
  return {
    [status]: { description: status === 204 ? 'Done.' : 'The response.', ...(content && { content }) },
    ...notModified,
    ...Object.fromEntries(errors),
  };
}

/** Numeric keys are sorted in ascending order, so the document does not depend on the order of declarations. */
function listStatuses(operation: Operation): number[] {
  const { path, query, body, errorStatuses, requires, method, conditional } = operation;
  const evaluates = method === 'get' && query?.shape.mask_secrets !== undefined;
  return [
    ...(body || query || isRepeatable(operation) ? [400] : []),
    ...(requires === 'nothing' ? [429] : [401, 403, 429, 503]),
    ...(path.includes('{') || query?.shape.page ? [404] : []),
    ...(conditional && !isRead(operation) ? [412] : []),
    ...(body ? [413, 415] : []),
    ...(evaluates || isRepeatable(operation) ? [422] : []),
    ...errorStatuses,
  ];
}

/** Whether the operation accepts an `Idempotency-Key`. It can then fail because of a malformed or reused key. */
function isRepeatable(operation: Operation): boolean {
  return !isRead(operation) && operation.requires !== 'nothing';
}

const ERROR_HEADERS = {
  'X-Error-Code': { description: 'Stable error code.', schema: { type: 'string' } },
  'X-Error-Rule': {
    description: `The kinds of rules that were violated, separated by commas: ${RULE_KINDS.join(', ')}. Absent if there are none.`,
    schema: { type: 'string' },
  },
};

function describeErrorResponses(): JsonSchema {
  const shapes: Readonly<Record<string, string>> = {
    400: 'RefusedRequest',
    412: 'RefusedPrecondition',
    422: 'RefusedEvaluation',
  };
  return Object.fromEntries(
    Object.keys(ERROR_DESCRIPTIONS).map((status) => [
      `Refusal${status}`,
      describeErrorResponse(Number(status), shapes[status] ?? 'RefusalDetail'),
    ]),
  );
}

/** The errors of the operations that another protocol defines. */
function describeFlagErrorResponses(operations: readonly Operation[]): JsonSchema {
  const statuses = new Set(operations.filter(({ protocol }) => protocol).flatMap(listStatuses));
  return Object.fromEntries(
    [...statuses].map((status) => [`FlagRefusal${status}`, describeErrorResponse(status, 'FlagRefusal')]),
  );
}

const PROBLEM = { $ref: '#/components/schemas/ProblemDetails' };

function describeErrorResponse(status: number, shape: string): JsonSchema {
  const schema = { $ref: `#/components/schemas/${shape}` };
  const content = {
    'application/json': { schema },
    ...(shape !== 'FlagRefusal' && { 'application/problem+json': { schema: PROBLEM } }),
  };
  return { description: ERROR_DESCRIPTIONS[status], headers: ERROR_HEADERS, content };
}
