import { readFileSync } from 'node:fs';

export type Json = Readonly<Record<string, unknown>>;

/** The parts that both OpenAPI documents have. */
export interface ContractDocument {
  readonly paths: Record<string, Json>;
  readonly components: { readonly schemas: Record<string, { properties?: Record<string, Json> } & Json> };
}

/** The schema declares `owner` with up to 128 characters of free text, so it cannot be validated as a URI. */
const NOT_A_URI = ['ServiceAccount', 'ServiceAccountCreateResponse', 'PatchedServiceAccount'];

/**
 * Returns our own published description, which also contains the operations beyond the contract. Members that are
 * always present are required here, although they are published as optional for generated clients.
 */
export function ownDocument(): ContractDocument {
  const document = readJson('../../../docs/openapi.json') as ContractDocument;
  const { schemas } = document.components;
  for (const [name, { required = [], 'x-always-present': always = [], ...schema }] of Object.entries(schemas)) {
    const all = [...(required as string[]), ...(always as string[])];
    schemas[name] = all.length === 0 ? schema : { ...schema, required: all };
  }
  return document;
}

/** Returns v1.json with its later additions. */
export function contractDocument(): ContractDocument {
  const document = readJson('../contract/v1.json') as ContractDocument;
  const additions = readJson('../contract/v1-additions.json') as {
    readonly paths: Record<string, Json>;
    readonly schemas: ContractDocument['components']['schemas'];
    readonly properties: Record<string, Record<string, Json>>;
    readonly enums: Record<string, unknown>;
  };
  const { schemas } = document.components;
  Object.assign(document.paths, additions.paths);
  Object.assign(schemas, additions.schemas);
  for (const [name, properties] of Object.entries(additions.properties)) {
    const schema = schemas[name];
    if (schema !== undefined) Object.assign(schema.properties ?? {}, properties);
  }
  for (const [name, values] of Object.entries(additions.enums)) Object.assign(schemas[name] ?? {}, { enum: values });
  for (const name of NOT_A_URI) {
    const properties = schemas[name]?.properties;
    if (properties?.owner) properties.owner = { type: 'string', nullable: true };
  }
  return document;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}
