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
  const [theirs, ours] = [contractDocument(), ownDocument()].map(collectInputs) as [
    Map<string, Inputs>,
    Map<string, Inputs>,
  ];
  for (const [id, input] of ours) ours.set(id, merged(theirs.get(id), input));
  return ours;
}

function collectInputs(document: ContractDocument): Map<string, Inputs> {
  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as Described[];
  return new Map(
    described.map(({ operationId, parameters = [], requestBody, responses }) => {
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
function merged(their: Inputs | undefined, our: Inputs): Inputs {
  if (!their) return our;
  return {
    body: their.body ? mergedFields(their.body, our.body ?? []) : our.body,
    query: mergedFields(their.query, our.query),
    statuses: new Set([...their.statuses, ...our.statuses]),
  };
}

function mergedFields(their: readonly Field[], our: readonly Field[]): Field[] {
  const names = new Set([...their, ...our].map(({ name }) => name));
  return [...names].map((name) => {
    const [mine, theirField] = [our, their].map((fields) => fields.find((field) => field.name === name));
    const schema = mergedSchema(mine?.schema ?? {}, theirField?.schema ?? {});
    return {
      name,
      required: (theirField ?? mine)?.required ?? false,
      ignored: !mine || schema.readOnly === true,
      schema,
    };
  });
}

function mergedSchema(our: Schema, their: Schema): Schema {
  if (their.readOnly) return their;
  const keys = Object.keys({ ...our.properties, ...their.properties });
  const inside = (key: string) => mergedSchema(our.properties?.[key] ?? {}, their.properties?.[key] ?? {});
  return {
    ...our,
    ...their,
    ...(our.items && their.items && { items: mergedSchema(our.items, their.items) }),
    ...(our.properties && { required: our.required ?? [] }),
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
  const { $ref, allOf, oneOf, anyOf, items, properties, additionalProperties: others, ...rest } = schema as Raw;
  const name = $ref?.split('/').at(-1);
  const [behind = name === undefined ? undefined : document.components.schemas[name]] = allOf ?? oneOf ?? anyOf ?? [];
  return {
    ...(behind && plain(behind, document)),
    ...rest,
    ...(items && { items: plain(items, document) }),
    ...(typeof others === 'object' && { additionalProperties: plain(others, document) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, plain(value, document)])),
    }),
  };
}
