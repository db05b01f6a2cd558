import { OPERATIONS, type Operation } from '@strata/contract';
import { z } from 'zod';
import { mergeOperations } from '../integrations/any-provider.ts';
import { providerPath } from '../node.ts';
import { toCamelCase } from './names.ts';

/** One or more merged operations of the contract. */
export interface SchemaOperation extends Operation {
  /** The ids of the merged operations. */
  readonly reaches: readonly string[];
}

const API = '/api/v1/';

const KNOWN: ReadonlyMap<string, SchemaOperation> = new Map(
  [
    ...OPERATIONS.map((contractOperation) => ({ ...contractOperation, reaches: [contractOperation.id] })),
    ...mergeOperations(),
  ].map((entry) => [entry.id, entry]),
);

export function operation(id: string): SchemaOperation {
  const match = KNOWN.get(id);
  if (!match) throw new Error(`The contract has no operation ${id}.`);
  return match;
}

export function findOperation(id: string): SchemaOperation | undefined {
  return KNOWN.get(id);
}

/** Placeholders with another name in GraphQL. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  parametertype_pk: 'typeId',
  serviceaccount_pk: 'serviceAccountId',
  session: 'id',
};

/**
 * Returns a path below the API with the placeholders' names in GraphQL: `environments/{environmentId}/tags/{id}/`. An
 * `{id}` that is not the last placeholder is named after its noun.
 */
export function readablePath({ path }: Operation): string {
  const parts = path.slice(API.length).split('/');
  const lastIndex = parts.findLastIndex((part) => part.startsWith('{'));
  return parts
    .map((part, index) => {
      if (!part.startsWith('{')) return part;
      if (part === '{id}') return index === lastIndex ? part : `{${parts[index - 1]?.replace(/s$/, '')}Id}`;
      const name = part.slice(1, -1);
      return `{${PLACEHOLDERS[name] ?? toCamelCase(name.replace(/_pk$/, '_id'))}}`;
    })
    .join('/');
}

/** Returns the placeholders of a path, in order. */
export function listPlaceholders(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

/** Fills ids into a path. Each id is escaped, because ids come from clients. */
export function fillPath(path: string, ids: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'provider' ? providerPath(ids[name]) : encodeURIComponent(String(ids[name] ?? '')),
  );
}

/** Returns the shape of the body if it is an object. */
export function bodySchema(schemaOperation: Operation | undefined): z.ZodObject | null {
  return schemaOperation?.body instanceof z.ZodObject ? schemaOperation.body : null;
}
