import { ProblemDetails } from '@strata/contract';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { contractDocument, type Json, ownDocument } from './contract-document.ts';

/** A response as received over the wire. */
export interface CheckedResponse {
  readonly method: string;
  /** The path, which may include a query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body if it was JSON. */
  readonly body: unknown;
  readonly text: string;
}

export interface ContractCheck {
  /** Throws a ContractViolation if the contract does not allow the response for its operation. */
  check(response: CheckedResponse): void;
  /** Returns the contract's operation of a request, or null. */
  findOperationId(method: string, path: string): string | null;
  /** The number of checked responses by operation id and status: `environments_list 200` → 3. */
  readonly checked: ReadonlyMap<string, number>;
}

export class ContractViolationError extends Error {
  override readonly name = 'ContractViolation';
}

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: RegExp;
  /** Paths without placeholders take precedence over paths with them. */
  readonly placeholders: number;
  /** The document that the references point into. */
  readonly source: string;
  readonly responses: Readonly<Record<string, Json>>;
}

/** Statuses that any operation may return: a wrong method, too large a header, a bug. */
const ANYWHERE = [405, 431, 500];

/** v1 lists only the error for pulls of the system, but users can delete their own pulls (behaviour.md §14). */
const ALSO_204 = ['integrations_aws_pulls_destroy', 'integrations_azure_key_vault_pulls_destroy'];

/**
 * behaviour.md §11.5: the removal of all matching grants returns 200 even if none matches, and v1 has no grant to
 * return in that case.
 */
const ALSO_NULL = ['grants_multi_destroy'];

/**
 * Checks responses against v1.json with its later additions, and responses of operations beyond the contract against
 * our own description: status, media type, body and required headers.
 */
export function contractCheck(): ContractCheck {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const operations: Operation[] = [];
  const publishedStatuses = new Map<string, ReadonlySet<string>>();
  for (const [source, { paths, components }] of Object.entries({ v1: contractDocument(), own: ownDocument() })) {
    ajv.addSchema({ $id: source, components: toJsonSchema(components) });
    const knownIds = new Set(operations.map(({ id }) => id));
    const contractOperations = listOperations(paths, source);
    operations.push(...contractOperations.filter(({ id }) => !knownIds.has(id)));
    if (source === 'own')
      for (const { id, responses } of contractOperations) publishedStatuses.set(id, new Set(Object.keys(responses)));
  }
  operations.sort((a, b) => a.placeholders - b.placeholders);
  const validators = new Map<string, ValidateFunction>();
  const checkedCounts = new Map<string, number>();

  const find = (method: string, path: string): Operation | null => {
    const pathWithoutQuery = path.replace(/\?.*$/s, '').replace(/\/?$/, '/');
    return operations.find((operation) => operation.method === method && operation.path.test(pathWithoutQuery)) ?? null;
  };

  const compileValidator = (key: string, schema: unknown, source: string): ValidateFunction => {
    const cachedValidator = validators.get(key);
    if (cachedValidator) return cachedValidator;
    const compiledValidator = ajv.compile(inDocument(toJsonSchema(schema), source) as Json);
    validators.set(key, compiledValidator);
    return compiledValidator;
  };

  return {
    checked: checkedCounts,
    findOperationId: (method, path) => find(method, path)?.id ?? null,
    check(response) {
      const operation = find(response.method, response.path);
      if (operation === null) return;
      const key = `${operation.id} ${response.status}`;
      const isPart = /[?&](include|exclude)=./.test(response.path);
      const problems =
        response.status < 400
          ? successProblems(operation, response, (schema) =>
              listProblems(compileValidator(key, schema, operation.source), response.body, isPart),
            )
          : [...errorBodyProblems(response), ...statusProblems(response, publishedStatuses.get(operation.id))];
      if (problems.length > 0) {
        throw new ContractViolationError(
          `${response.method} ${response.path} (${key}) does not fit the contract:\n  ${problems.join('\n  ')}`,
        );
      }
      checkedCounts.set(key, (checkedCounts.get(key) ?? 0) + 1);
    },
  };
}

type Validate = (schema: unknown) => string[];

function successProblems(operation: Operation, answer: CheckedResponse, validate: Validate): string[] {
  if (answer.status === 304) return emptyProblems(answer);
  if (answer.status === 204 && ALSO_204.includes(operation.id)) return emptyProblems(answer);
  const response = operation.responses[answer.status];
  if (response === undefined) return [`status ${answer.status} is not one of ${Object.keys(operation.responses)}`];
  if (response.content === undefined) return emptyProblems(answer);
  const schema = jsonSchema(response);
  if (schema === null) return [];
  const problems = [...mediaTypeProblems(answer, response.content as Json), ...locationProblems(answer)];
  if (answer.body === null && ALSO_NULL.includes(operation.id)) return problems;
  return isJson(answer) ? [...problems, ...validate(schema)] : problems;
}

function jsonSchema(response: Json): unknown {
  const content = response.content as Record<string, Json> | undefined;
  return content?.['application/json']?.schema ?? null;
}

/** The contract has no schemas for errors; some statuses have several forms (behaviour.md §1.11). */
function errorBodyProblems(response: CheckedResponse): string[] {
  const { status, body, headers } = response;
  const problems = headers['x-error-code'] ? [] : ['X-Error-Code is missing'];
  if (headers['content-type'] === 'application/problem+json') return [...problems, ...problemDetailsProblems(response)];
  const isDetail = isRecord(body) && typeof body.detail === 'string' && body.detail !== '';
  if (isDetail) return problems;
  const isList = isTexts(body);
  const isFields = isRecord(body) && Object.keys(body).length > 0 && Object.values(body).every(isTexts);
  if (status === 400 && (isList || isFields)) return problems;
  if (status === 422 && isRecord(body) && Array.isArray(body.detail)) return problems;
  return [...problems, `an error with ${status} cannot have this body`];
}

/**
 * Compares an error as data with the contract: its code is that of the header, and each param is declared and occurs in
 * the sentence. So `params` reveals nothing that the sentence does not.
 */
function problemDetailsProblems({ status, body, headers }: CheckedResponse): string[] {
  const parsed = ProblemDetails.safeParse(body);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const { code, errors = [], operations = [], status: ownStatus } = parsed.data;
  const entries = [parsed.data, ...errors, ...operations, ...operations.flatMap((operation) => operation.errors ?? [])];
  return [
    ...(code === headers['x-error-code'] ? [] : [`code ${code} is not X-Error-Code`]),
    ...(ownStatus === status ? [] : [`status ${ownStatus} is not that of the response`]),
    ...entries.flatMap((entry) => paramProblems(entry, status)),
  ];
}

/** Evaluation errors (422) name the text that contains them, which their plain body has beside the sentence. */
const BESIDE_THE_SENTENCE = ['id', 'name'];

type Entry = Pick<ProblemDetails, 'code' | 'params' | 'detail'>;

function paramProblems({ code, params, detail }: Entry, status: number): string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    const isShown = [value].flat().every((text) => detail.includes(String(text)));
    const isBeside = status === 422 && BESIDE_THE_SENTENCE.includes(name);
    return isShown || isBeside ? [] : [`the param ${name} of ${code} is not in the sentence: ${detail}`];
  });
}

/** Clients are generated from our own description, so it lists every error status. */
function statusProblems({ status }: CheckedResponse, publishedStatuses: ReadonlySet<string> | undefined): string[] {
  if (publishedStatuses === undefined || publishedStatuses.has(String(status)) || ANYWHERE.includes(status)) return [];
  return [`our description does not name the status ${status}`];
}

function emptyProblems({ status, text, headers }: CheckedResponse): string[] {
  const problems = text === '' ? [] : [`${status} has a body`];
  if (status === 204 && headers['content-type'] !== undefined) problems.push('204 has a content type');
  return problems;
}

function mediaTypeProblems({ headers }: CheckedResponse, content: Json): string[] {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return type in content ? [] : [`content type is ${type || 'missing'}`];
}

function isJson({ headers }: CheckedResponse): boolean {
  return /[/+]json\b/.test(headers['content-type'] ?? '');
}

/** `Location` always accompanies 201 (behaviour.md §1.3). */
function locationProblems({ status, headers, body }: CheckedResponse): string[] {
  if (status !== 201 || !isRecord(body) || typeof body.url !== 'string') return [];
  return headers.location === body.url ? [] : [`Location is ${headers.location ?? 'missing'}, url is ${body.url}`];
}

/** A response to a request for some of the fields may lack the others. */
function listProblems(validate: ValidateFunction, body: unknown, isPart: boolean): string[] {
  if (validate(body)) return [];
  return (validate.errors ?? [])
    .filter(({ keyword }) => !(isPart && keyword === 'required'))
    .map(({ instancePath, message }) => `${instancePath || 'the body'} ${message ?? ''}`);
}

function listOperations(paths: Readonly<Record<string, Json>>, source: string): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, description]): Operation => {
      const { operationId, responses } = description as { operationId: string; responses: Record<string, Json> };
      const pattern = path.replace(/\{\w+\}/g, '[^/]+');
      const placeholders = path.split('{').length - 1;
      return {
        id: operationId,
        method: method.toUpperCase(),
        path: new RegExp(`^${pattern}$`),
        placeholders,
        source,
        responses,
      };
    }),
  );
}

/** Converts the `nullable: true` of OpenAPI 3.0 to JSON Schema's "or null". */
export function toJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toJsonSchema);
  if (!isRecord(schema)) return schema;
  const { nullable, ...rest } = schema;
  const translatedSchema = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toJsonSchema(value)]));
  return nullable === true ? { anyOf: [translatedSchema, { type: 'null' }] } : translatedSchema;
}

/** Points the references of an operation's schema into the document that the components were registered under. */
function inDocument(schema: unknown, source: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inDocument(item, source));
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' ? source + String(value) : inDocument(value, source),
    ]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}
