import { RULE_KINDS } from '@strata/domain';
import { z } from 'zod';
import { Bookmark, Event, StreamClose } from './event.ts';
import { LIMITS } from './fields.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { isOptionalMember } from './optional-members.ts';
import { RefusalDetail, RefusedEvaluation, RefusedPrecondition, RefusedRequest } from './refusal.ts';
import type { Vocabulary } from './vocabulary.ts';

export type JsonSchema = { readonly [key: string]: unknown };

export interface OpenApiInfo {
  readonly version: string;
  /** Origin of the links; absent: the origin the document came from. */
  readonly server?: string;
  /** Only these routes; absent: all. */
  readonly operations?: readonly Operation[];
}

const DESCRIPTION = `Configuration of programs: environments form a tree, projects a forest, and every value is inherited, versioned and announced.

Times are UTC with microseconds. Names have at most ${LIMITS.name} characters, values ${LIMITS.internalValue}, bodies one megabyte. Lists are paged. Unknown fields and query parameters are ignored. Every answer has \`X-Request-Id\`; every answer to a known caller has \`X-Revision\`, the revision of their organization that it shows or made (a refusal: the present one); every refusal has \`X-Error-Code\`, which is stable, and a body for people.`;

const SECURITY_SCHEMES = {
  ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Api-Key <prefix>.<secret>`' },
  JWTAuth: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Bearer <token>`' },
  tokenAuth: { type: 'http', scheme: 'bearer', description: 'The token of `POST /api/v1/auth/token/`.' },
};

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The request is wrong: messages by field, a list, or `detail`.',
  401: 'No credential.',
  403: 'Wrong credential, or not allowed.',
  404: 'It does not exist, or you may not know that it does.',
  409: 'Something else depends on it, and the message says what. Or the write was carried out before, and its answer held a secret that is shown once.',
  410: 'The cursor is unknown, expired or from the future.',
  412: 'What the write was meant for has changed; `present` says what it is now, and who made it so.',
  413: 'The body is too large.',
  415: 'The media type of the body is not supported.',
  422: 'A text that this depends on cannot be evaluated; the entries say which and why. Or `Idempotency-Key` named another request before.',
  429: 'Too many requests (`rate_limited`; the fields `RateLimit` and `RateLimit-Policy` say of which rate), or too many attempts to sign in; nothing was done. See `Retry-After`.',
  503: 'The database, or whoever is needed, cannot be reached, the organization is under maintenance, or it asks for more at once than its share (`overloaded`); nothing was stored unless the code is `outcome_unknown`. See `Retry-After`.',
};

/** Lists the members that every answer has although generated clients hold them as optional. */
const ALWAYS_PRESENT = 'x-always-present';

const MEDIA_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'] as const;

const IDEMPOTENCY_KEY = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'Names the write, so that sending it again within a day does not do it again and is answered as the first time. With another request: 422.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** The API as an OpenAPI 3.0.3 document. Equal arguments give equal bytes. */
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
      responses: refusalResponses(),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

type Refer = (schema: z.ZodType) => JsonSchema;

/** All schemas with a name, and how to speak of a schema elsewhere. */
function components(operations: readonly Operation[]): { readonly all: JsonSchema; readonly refer: Refer } {
  const roots = [
    RefusalDetail,
    RefusedRequest,
    RefusedPrecondition,
    RefusedEvaluation,
    Event,
    Bookmark,
    StreamClose,
    ...operations.flatMap(({ body, response }) => [body, response]),
  ];
  const unique = [...new Set(roots.filter((schema) => schema !== undefined))];
  const keys = new Map(unique.map((schema, index) => [schema, `root${index}`]));
  const shape = Object.fromEntries([...keys].map(([schema, key]) => [key, schema]));
  const { definitions = {}, properties = {} } = jsonSchemaOf(z.object(shape), 'output') as {
    definitions?: Record<string, JsonSchema>;
    properties?: Record<string, JsonSchema>;
  };
  const all = Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { all, refer: (schema) => properties[keys.get(schema) ?? ''] ?? {} };
}

/** As OpenAPI 3.0 writes it, without what zod adds for machines only. */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const made = z.toJSONSchema(schema, {
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
      // The bounds of exact numbers in JavaScript are no bounds of ours.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  const text = JSON.stringify(made).replaceAll('"#/definitions/', '"#/components/schemas/');
  return JSON.parse(text) as JsonSchema;
}

/**
 * Moves the default of a member into its description: generators for TypeScript take a member with a default for one that must be
 * sent. That null means the same as absence is in the descriptions already.
 */
function describeDefault(member: z.core.JSONSchema.BaseSchema): void {
  const { default: fallback, description } = member;
  if (fallback === undefined) return;
  delete member.default;
  if (fallback === null) return;
  const sentence = `Default: \`${JSON.stringify(fallback)}\`.`;
  member.description = description === undefined ? sentence : `${description} ${sentence}`;
}

/** What each word of an enum means, as a list below its description. A reference to it need not repeat that. */
function explainWords(described: z.core.JSONSchema.BaseSchema): void {
  const { vocabulary } = described as { readonly vocabulary?: Vocabulary };
  delete described.vocabulary;
  if (!vocabulary || described.enum === undefined) return;
  const words = Object.entries(vocabulary.words).map(([word, meaning]) => `* \`${word}\`: ${meaning}`);
  described.description = [described.description ?? vocabulary.description, words.join('\n')].join('\n\n');
}

/** A field with a default may be left out; and nobody has to refuse fields that a later version adds. */
function requireOnlyWhatMustBeGiven(schema: z.ZodObject, described: z.core.JSONSchema.BaseSchema): void {
  if (described.additionalProperties === false) delete described.additionalProperties;
  const required = described.required?.filter((key) => schema.shape[key]?.safeParse(undefined).success === false);
  if (required === undefined || required.length === 0) delete described.required;
  else described.required = required;
}

/** Generated clients hold a member that is not required as a pointer, and programs were written against that. */
function leaveOptional(described: z.core.JSONSchema.BaseSchema, id: string | undefined): void {
  const { required } = described;
  if (id === undefined || required === undefined) return;
  const optional = required.filter((member) => isOptionalMember(id, member));
  if (optional.length === 0) return;
  const rest = required.filter((member) => !optional.includes(member));
  if (rest.length === 0) delete described.required;
  else described.required = rest;
  described[ALWAYS_PRESENT] = optional;
}

function describe(operation: Operation, refer: Refer): JsonSchema {
  const { id, tag, summary, description, requires, body } = operation;
  const security = ['JWTAuth', 'ApiKeyAuth', 'tokenAuth'].map((scheme) => ({ [scheme]: [] }));
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    parameters: parametersOf(operation),
    ...(body !== undefined && { requestBody: requestBody(operation, refer(body)) }),
    security: requires === 'nothing' ? [] : security,
    responses: responsesOf(operation, refer),
  };
}

function requestBody({ bodyAs, bodyOptional, method }: Operation, schema: JsonSchema): JsonSchema {
  const types = bodyAs === 'json' ? MEDIA_TYPES.slice(0, 1) : MEDIA_TYPES;
  return {
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
    required: !bodyOptional && method !== 'patch',
  };
}

function parametersOf(operation: Operation): JsonSchema[] {
  const { path, query, method, conditional, tag } = operation;
  const opaque = tag === 'users' || tag === 'serviceaccounts' || tag === 'organizations';
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    in: 'path',
    name,
    required: true,
    schema: opaque ? { type: 'string' } : { type: 'string', format: 'uuid' },
  }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => queryParameter(name, schema));
  const header = method === 'get' ? 'If-None-Match' : 'If-Match';
  const inHeader = conditional ? [{ in: 'header', name: header, schema: { type: 'string' } }] : [];
  const repeatable = isRepeatable(operation) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [];
  return [...inPath, ...inQuery, ...inHeader, ...repeatable];
}

function queryParameter(name: string, schema: z.ZodType): JsonSchema {
  const { description, ...rest } = jsonSchemaOf(schema, 'input');
  const absent = schema.safeParse(undefined);
  const fallback = absent.success && absent.data !== undefined ? { default: absent.data } : {};
  const required = absent.success ? {} : { required: true };
  return { in: 'query', name, description, ...required, schema: { ...rest, ...fallback } };
}

/** Of what is answered as JSON: the same for people. */
const RENDERED = 'text/plain';

function responsesOf(operation: Operation, refer: Refer): JsonSchema {
  const { status, response, produces = ['application/json'], method, conditional } = operation;
  const content =
    response &&
    Object.fromEntries(
      produces.map((type) => [type, { schema: type === RENDERED ? { type: 'string' } : refer(response) }]),
    );
  const notModified = conditional && method === 'get' ? { 304: { description: 'Not modified.' } } : {};
  const refused = statusesOf(operation).map((code) => [code, { $ref: `#/components/responses/Refusal${code}` }]);
  return {
    [status]: { description: status === 204 ? 'Done.' : 'The answer.', ...(content && { content }) },
    ...notModified,
    ...Object.fromEntries(refused),
  };
}

/** Numbers as keys come out in ascending order, so the document does not depend on how they were collected. */
function statusesOf(operation: Operation): number[] {
  const { path, query, body, refusals, requires, method, conditional } = operation;
  const evaluates = method === 'get' && query?.shape.mask_secrets !== undefined;
  return [
    ...(body || query || isRepeatable(operation) ? [400] : []),
    ...(requires === 'nothing' ? [429] : [401, 403, 429, 503]),
    ...(path.includes('{') || query?.shape.page ? [404] : []),
    ...(conditional && method !== 'get' ? [412] : []),
    ...(body ? [413, 415] : []),
    ...(evaluates || isRepeatable(operation) ? [422] : []),
    ...refusals,
  ];
}

/** Whether it takes an `Idempotency-Key`, which may be malformed or have named another request before. */
function isRepeatable({ method, requires }: Operation): boolean {
  return method !== 'get' && requires !== 'nothing';
}

function refusalResponses(): JsonSchema {
  const headers = {
    'X-Error-Code': { description: 'Stable code of the refusal.', schema: { type: 'string' } },
    'X-Error-Rule': {
      description: `The kinds of rules that the refusal is about, separated by commas: ${RULE_KINDS.join(', ')}. Absent where it is about none.`,
      schema: { type: 'string' },
    },
  };
  return Object.fromEntries(
    Object.entries(REFUSALS).map(([status, description]) => [
      `Refusal${status}`,
      { description, headers, content: { 'application/json': { schema: refusalSchema(Number(status)) } } },
    ]),
  );
}

function refusalSchema(status: number): JsonSchema {
  const name =
    { 400: 'RefusedRequest', 412: 'RefusedPrecondition', 422: 'RefusedEvaluation' }[status] ?? 'RefusalDetail';
  return { $ref: `#/components/schemas/${name}` };
}
