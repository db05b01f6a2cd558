import { type ContractDocument, contractDocument, type Json, ownDocument } from './contract-document.ts';

/** The parts of a JSON schema that requests use, without references. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly nullable?: boolean;
  readonly readOnly?: boolean;
}

/** A member of a body, or a query parameter. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Whether the field is read-only or fixed at creation, so that the service ignores what a client sends. */
  readonly ignored: boolean;
}

/** The inputs of an operation and the statuses that it may return. */
export interface Inputs {
  /** Null if the operation takes no body. */
  readonly body: readonly Field[] | null;
  readonly query: readonly Field[];
  readonly statuses: ReadonlySet<number>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Json;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

/**
 * Returns the inputs of each operation by id. Operations of v1.json include the additions of our own description
 * (fields, parameters, lengths, errors). Operations that only our description has are included too.
 */
export function contractInputs(): ReadonlyMap<string, Inputs> {
  const [publishedInputs, ownInputs] = [contractDocument(), ownDocument()].map(collectInputs) as [
    Map<string, Inputs>,
    Map<string, Inputs>,
  ];
  for (const [id, input] of ownInputs) ownInputs.set(id, merged(publishedInputs.get(id), input));
  return ownInputs;
}

function collectInputs(document: ContractDocument): Map<string, Inputs> {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as Described[];
  return new Map(
    operations.map(({ operationId, parameters = [], requestBody, responses }) => {
      const schema = requestBody?.content['application/json']?.schema;
      const body = schema ? listFields(plain(schema, document)) : null;
      const query = parameters
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => queryField(parameter, document));
      return [operationId, { body, query, statuses: new Set(Object.keys(responses).map(Number)) }];
    }),
  );
}

function queryField({ name, required = false, schema }: Parameter, document: ContractDocument): Field {
  return { name, required, ignored: false, schema: plain(schema, document) };
}

/** If both documents define a field, the contract takes precedence. */
function merged(publishedInputs: Inputs | undefined, ownInputs: Inputs): Inputs {
  if (!publishedInputs) return ownInputs;
  return {
    body: publishedInputs.body ? mergedFields(publishedInputs.body, ownInputs.body ?? []) : ownInputs.body,
    query: mergedFields(publishedInputs.query, ownInputs.query),
    statuses: new Set([...publishedInputs.statuses, ...ownInputs.statuses]),
  };
}

function mergedFields(publishedFields: readonly Field[], ownFields: readonly Field[]): Field[] {
  const names = new Set([...publishedFields, ...ownFields].map(({ name }) => name));
  return [...names].map((name) => {
    const [ownField, theirField] = [ownFields, publishedFields].map((fields) =>
      fields.find((field) => field.name === name),
    );
    const schema = mergedSchema(ownField?.schema ?? {}, theirField?.schema ?? {});
    return {
      name,
      required: (theirField ?? ownField)?.required ?? false,
      ignored: !ownField || schema.readOnly === true,
      schema,
    };
  });
}

function mergedSchema(ownSchema: Schema, publishedSchema: Schema): Schema {
  if (publishedSchema.readOnly) return publishedSchema;
  const keys = Object.keys({ ...ownSchema.properties, ...publishedSchema.properties });
  const inside = (key: string) =>
    mergedSchema(ownSchema.properties?.[key] ?? {}, publishedSchema.properties?.[key] ?? {});
  return {
    ...ownSchema,
    ...publishedSchema,
    ...(ownSchema.items && publishedSchema.items && { items: mergedSchema(ownSchema.items, publishedSchema.items) }),
    ...(ownSchema.properties && { required: ownSchema.required ?? [] }),
    ...(keys.length > 0 && { properties: Object.fromEntries(keys.map((key) => [key, inside(key)])) }),
  };
}

/** Returns the members of an object schema. */
export function listFields({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    ignored: schema.readOnly === true,
  }));
}

interface Raw extends Omit<Schema, 'items' | 'properties' | 'additionalProperties'> {
  readonly $ref?: string;
  readonly allOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
  readonly anyOf?: readonly Json[];
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly additionalProperties?: Json | boolean;
}

/** Returns the schema with references and alternatives resolved. Keeps nothing else of a read-only schema. */
function plain(schema: Json, document: ContractDocument): Schema {
  if (schema.readOnly === true) return { readOnly: true };
  const {
    $ref,
    allOf,
    oneOf,
    anyOf,
    items,
    properties,
    additionalProperties: additionalSchema,
    ...rest
  } = schema as Raw;
  const name = $ref?.split('/').at(-1);
  const [alternative = name === undefined ? undefined : document.components.schemas[name]] =
    allOf ?? oneOf ?? anyOf ?? [];
  return {
    ...(alternative && plain(alternative, document)),
    ...rest,
    ...(items && { items: plain(items, document) }),
    ...(typeof additionalSchema === 'object' && { additionalProperties: plain(additionalSchema, document) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, plain(value, document)])),
    }),
  };
}
