import { Ajv } from 'ajv';

/**
 * The responses of the OpenFeature Remote Evaluation Protocol, version 0.2.0, as JSON Schema. Written from the
 * description of the protocol, with the codes that it allows for each response. Where the protocol says `oneOf` for
 * values that several types accept, such as 3 for integer and float, any of them is enough here.
 */
const text = { type: 'string' };
const metadata = {
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'boolean' }, { type: 'string' }, { type: 'number' }] },
};
const value = { anyOf: ['boolean', 'string', 'integer', 'number', 'object'].map((type) => ({ type })) };
const codes = ['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'GENERAL'];

/** Without a value, the provider returns the default of the code. */
const success = {
  type: 'object',
  required: ['key'],
  properties: { key: text, value, reason: text, variant: text, metadata },
  not: { required: ['errorCode'] },
};
const failure = (allowedCodes: readonly string[]) => ({
  type: 'object',
  required: ['key', 'errorCode'],
  properties: { key: text, errorCode: { enum: allowedCodes }, errorDetails: text, metadata },
  not: { required: ['value'] },
});
/** 401, 403, 429 and further statuses have no schema in the protocol, so that of a failure holds for them. */
const error = {
  type: 'object',
  required: ['errorCode'],
  properties: { errorCode: { enum: [...codes, 'FLAG_NOT_FOUND'] }, errorDetails: text },
};

const SCHEMAS: Readonly<Record<string, object>> = {
  'all 200': {
    type: 'object',
    required: ['flags'],
    properties: {
      flags: { type: 'array', items: { anyOf: [success, failure([...codes, 'FLAG_NOT_FOUND'])] } },
      metadata,
    },
  },
  'all other': error,
  'one 200': success,
  'one 400': failure(codes),
  'one 404': failure(['FLAG_NOT_FOUND']),
  'one other': error,
};

const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false });

/** Throws unless a response has the shape that the protocol defines for its status. */
export function assertFlagProtocol(operation: 'all' | 'one', status: number, body: unknown): void {
  const schema = SCHEMAS[`${operation} ${status}`] ?? SCHEMAS[`${operation} other`] ?? {};
  const validate = ajv.compile(schema);
  if (!validate(body))
    throw new Error(`${operation} ${status}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(body)}`);
}
